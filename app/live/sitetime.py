"""Site time: the store's clock less all outages; it never runs backwards (T9).

While nobody could serve the tables no time passed for them. After an outage it stands still ten
seconds more, so that everybody has time to come back. The store keeps it, and every beat of any
process moves it on; between two beats a process reckons by its own clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

GRACE_MS: Final = 10_000
"""T9: so long after an outage to come back."""
BEAT_MS: Final = 1_000
"""How often every process beats."""
HICCUP_MS: Final = 1_500
"""So much time passes between two beats at most: a beat, and what a deadline acts late by. In the
rest of it nobody may have been served."""
STALL_MS: Final = 5_000
"""Where no process beat for longer than this, that was an outage, and everybody is told."""


def wall_ms() -> int:
    """The machine's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def steady_ms() -> int:
    """A clock for spans of time: it is never set, and counts from anywhere."""
    return time.monotonic_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Outage:
    """The last time nobody could serve: how long, and at which site time it ended."""

    ms: int
    ended_at: int


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What a store keeps of the site's time. ``seen`` is its own clock at the last beat, whoever's
    that was; site time was ``site`` at ``since`` of that clock, and stood still before."""

    seen: int
    since: int
    site: int
    outage: Outage | None = None

    def at(self, wall: int) -> int:
        """Site time at that moment of the store's clock."""
        return self.site + max(0, wall - self.since)


def advance(last: Reckoning | None, wall: int, *, alone: bool = False) -> Reckoning:
    """The reckoning after a beat at ``wall`` of the store's clock. ``alone``: it is known that
    no process has served since the last beat."""
    if last is None:
        return Reckoning(wall, wall, wall)
    gap = wall - last.seen
    if gap < 0:  # the store's clock was set back: no time has passed
        return replace(last, seen=wall, since=last.since + gap)
    if alone or gap > STALL_MS:
        site = last.at(last.seen)
        return Reckoning(wall, wall + GRACE_MS, site, Outage(gap, site))
    return replace(last, seen=wall, since=last.since + max(0, gap - HICCUP_MS))


@dataclass(frozen=True, slots=True)
class Beat:
    """What a beat is answered with: the store's clock and site time at that moment, how long site
    time stands still yet, and the last outage. ``lapsed``: the process had been taken for dead
    before, and connections of its may have been ended."""

    wall: int
    site: int
    frozen_ms: int = 0
    outage: Outage | None = None
    lapsed: bool = False


def beat_of(kept: Reckoning, *, lapsed: bool = False) -> Beat:
    """The beat that led to a reckoning."""
    frozen = max(0, kept.since - kept.seen)
    return Beat(kept.seen, kept.at(kept.seen), frozen, kept.outage, lapsed)


class SiteClock:
    """Site time as this process reckons it from the last beat that was answered. ``ms`` reads a
    clock in milliseconds, from anywhere."""

    def __init__(self, ms: Callable[[], int] = steady_ms) -> None:
        self._ms = ms
        self._beat: Beat | None = None
        self._at = 0
        self._last = 0

    def take(self, beat: Beat, asked: int) -> None:
        """A beat that was asked for at ``asked`` of the own clock and is answered now: the store
        looked at its clock somewhere between."""
        if beat.outage != self.outage:
            self._last = 0  # what was read meanwhile stands nowhere
        self._beat = beat
        self._at = (asked + self._ms()) // 2

    def ms(self) -> int:
        """The own clock."""
        return self._ms()

    @property
    def outage(self) -> Outage | None:
        """The last outage that is known of."""
        return None if self._beat is None else self._beat.outage

    def sure(self) -> bool:
        """Whether the last beat is so young that all time since has passed for the tables."""
        return self._beat is not None and self._ms() - self._at <= HICCUP_MS

    def now(self) -> int:
        """Site time in milliseconds. Without a beat it goes no further than between any two."""
        beat, gone = self._reckoned()
        self._last = max(self._last, beat.site + max(0, gone - beat.frozen_ms))
        return self._last

    def calendar(self) -> int:
        """What makes a time of the calendar of a site time, as of now."""
        beat, gone = self._reckoned()
        return beat.wall + gone - self.now()

    def frozen_ms(self) -> int:
        """How long site time stands still yet."""
        beat, gone = self._reckoned()
        return max(0, beat.frozen_ms - gone)

    def wait_ms(self, at: int) -> int:
        """In how many milliseconds it will be ``at``."""
        return max(0, at - self.now() + self.frozen_ms())

    def _reckoned(self) -> tuple[Beat, int]:
        """The last beat and the milliseconds since."""
        assert self._beat is not None, "no beat yet"
        return self._beat, min(max(0, self._ms() - self._at), HICCUP_MS)
