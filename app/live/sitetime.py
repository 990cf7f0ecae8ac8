"""Site time: the server's clock less all outages; it never runs backwards (T9).

While nobody could serve the tables no time passed for them. After an outage it stands still ten
seconds more, so that everybody has time to come back.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

GRACE_MS: Final = 10_000
"""T9: so long after an outage to come back."""
STALL_MS: Final = 5_000
"""A process that did not run for so long could not serve: a laptop that slept, a stopped
machine."""


def wall_ms() -> int:
    """The machine's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Beat:
    """A moment at which the site served: its site time, and the wall clock's, in milliseconds."""

    site: int
    wall: int


@dataclass(frozen=True, slots=True)
class Outage:
    """The last time nobody could serve: how long, and at which site time it ended."""

    ms: int
    ended_at: int


class SiteClock:
    """``wall`` reads the wall clock in milliseconds. ``last`` is the last beat that was saved, by
    whichever process: what lies between it and now was an outage."""

    def __init__(self, wall: Callable[[], int], last: Beat | None) -> None:
        self._wall = wall
        now = wall()
        self._site = now if last is None else last.site
        """Site time at ``_from``; until then it stands still."""
        self._from = now
        self._seen = now
        self.outage: Outage | None = None
        if last is not None:
            self._outage(now - last.wall, now)

    def now(self) -> int:
        """Site time in milliseconds."""
        wall = self._wall()
        if wall - self._seen > STALL_MS:
            self._site = self._at(self._seen)
            self._outage(wall - self._seen, wall)
        elif wall < self._seen:  # the wall clock was set back: no time has passed
            self._from -= self._seen - wall
        self._seen = wall
        return self._at(wall)

    def _at(self, wall: int) -> int:
        return self._site + max(0, wall - self._from)

    def _outage(self, ms: int, wall: int) -> None:
        self.outage = Outage(max(0, ms), self._site)
        self._from = wall + GRACE_MS
        self._seen = wall

    def away(self, last: Beat) -> None:
        """Nothing could be saved since ``last``: that was an outage too, and no time has passed.
        Later times that were read meanwhile stand nowhere."""
        wall = self._wall()
        self._site = last.site
        self._outage(wall - last.wall, wall)

    def beat(self) -> Beat:
        """To be saved every second, and with every change."""
        now = self.now()
        return Beat(now, self._seen)

    def frozen_ms(self) -> int:
        """How long site time stands still yet."""
        self.now()
        return max(0, self._from - self._seen)

    def wait_ms(self, at: int) -> int:
        """In how many milliseconds of the wall clock it will be ``at``."""
        return max(0, at - self.now() + self.frozen_ms())
