"""The clock of a seat (T6–T8): so many seconds a move, a reserve for the match, and a countdown
for who is absent. All times are site time in whole milliseconds; nothing here reads any."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

LATE: Final = 500
"""A deadline acts so late, that a move under way still counts (T6)."""
LAG: Final = 500
"""The most that is forgiven a move for the network's delay (T6)."""
FORFEIT: Final = 3
"""The so manieth move in a row that the server would have to play loses the match (T7)."""


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """``move_ms`` a move, ``reserve_ms`` a match, ``absence_ms`` an absence."""

    move_ms: int = 30_000
    reserve_ms: int = 120_000
    absence_ms: int = 60_000


PRESETS: Final = MappingProxyType(
    {
        "standard": ClockSettings(),
        "fast": ClockSettings(15_000, 60_000),
        "slow": ClockSettings(60_000, 300_000),
    }
)
"""What the creator of a table picks from (T1)."""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """``reserve_ms``: what is left of the reserve. ``since``: the move runs since then, ``None``:
    it does not run. ``absence_ms``: what is left of the countdown of the present or next absence;
    ``absent_since``: it runs since then. ``timeouts``: moves in a row that the server played."""

    reserve_ms: int
    absence_ms: int
    since: int | None = None
    absent_since: int | None = None
    timeouts: int = 0

    def start(self, now: int, present: bool) -> SeatClock:
        """The move begins; the countdown too, for who is absent (T8)."""
        return replace(self, since=now, absent_since=None if present else now)

    def stop(self, settings: ClockSettings, now: int, lag: int = 0) -> SeatClock:
        """The move has ended: what it took over its own seconds comes off the reserve (T6).
        ``lag``: the delay of the network as the server measured it."""
        if self.since is None:
            return self
        taken = now - self.since - min(max(lag, 0), LAG)
        over = max(0, taken - settings.move_ms)
        return replace(self._held(now), reserve_ms=max(0, self.reserve_ms - over), since=None)

    def _held(self, now: int) -> SeatClock:
        """The countdown stopped; what is left of it stays."""
        if self.absent_since is None:
            return self
        left = max(0, self.absence_ms - (now - self.absent_since))
        return replace(self, absence_ms=left, absent_since=None)

    def went(self, settings: ClockSettings, now: int) -> SeatClock:
        """Nobody of this seat is connected any more: a new absence (T8)."""
        running = now if self.since is not None else None
        return replace(self, absence_ms=settings.absence_ms, absent_since=running)

    def came(self) -> SeatClock:
        """Somebody is connected again."""
        return replace(self, absent_since=None)

    def move_until(self, settings: ClockSettings) -> int | None:
        """When the move's own seconds are used up."""
        return None if self.since is None else self.since + settings.move_ms

    def until(self, settings: ClockSettings) -> int | None:
        """When the reserve is used up too."""
        own = self.move_until(settings)
        return None if own is None else own + self.reserve_ms

    def absence_until(self) -> int | None:
        """When the countdown of the absent is used up."""
        return None if self.absent_since is None else self.absent_since + self.absence_ms

    def due(self, settings: ClockSettings) -> int | None:
        """When the server has to act: for who is absent, only when both are used up (T8)."""
        until, absence = self.until(settings), self.absence_until()
        if until is None:
            return None
        return until + LATE if absence is None else max(until + LATE, absence)
