"""When the site could serve, as whoever breaks it knows: the outside's truth about outages."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TypeAlias

Span: TypeAlias = tuple[float, float]
"""From, to: of the own steady clock, in seconds."""


@dataclass(slots=True)
class Timeline:
    """What is up. The site serves while Redis and any process are."""

    wall: float = field(default_factory=lambda: time.time() - time.monotonic())
    """What makes a time of the calendar of one of the own clock."""
    redis: bool = True
    postgres: bool = True
    apps: dict[int, bool] = field(default_factory=dict)
    outages: list[Span] = field(default_factory=list)
    without_postgres: list[Span] = field(default_factory=list)
    """While only Postgres was away."""
    _down: float | None = None
    _away: float | None = None

    def note(self) -> None:
        """Something has just gone or come."""
        now = time.monotonic()
        serves = self.redis and any(self.apps.values())
        if not serves and self._down is None:
            self._down = now
        elif serves and self._down is not None:
            self.outages.append((self._down, now))
            self._down = None
        calm = self.redis and all(self.apps.values())
        if not self.postgres and calm and self._away is None:
            self._away = now
        elif self._away is not None and (self.postgres or not calm):
            self.without_postgres.append((self._away, now))
            self._away = None

    def serving(self) -> float:
        """For how many seconds the site has served without a break."""
        if self._down is not None:
            return 0.0
        return time.monotonic() - max((end for _, end in self.outages), default=0.0)

    def app(self, index: int, *, up: bool) -> None:
        self.apps[index] = up
        self.note()
