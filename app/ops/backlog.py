"""Outbox entries that could not be carried out, as far as one process knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FORGOTTEN_MS: Final = 180_000
"""An entry that this process has not tried for so long was carried out by another one, or is
tried there: it comes again after a minute at most, in site time."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    since: int
    tried: int


class Backlog:
    """By (table, entry): since when it waits, at the least. All times are site time in ms."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, int], _Waiting] = {}

    def failed(self, table: str, entry: int, tries: int, now: int) -> None:
        """A try was in vain; there had been ``tries`` before, in other processes perhaps."""
        known = self._waiting.get((table, entry))
        # Tried again after 1, 2, 4… seconds, a minute at most: it is as old as that at least.
        waited = sum(min(1_000 << each, 60_000) for each in range(min(tries, 64)))
        since = now - waited if known is None else known.since
        self._waiting[table, entry] = _Waiting(since, now)

    def carried(self, table: str, entry: int) -> None:
        """It waits no more."""
        self._waiting.pop((table, entry), None)

    def oldest_ms(self, now: int) -> int:
        """The age of the oldest; 0: none waits."""
        for key, each in tuple(self._waiting.items()):
            if now - each.tried > FORGOTTEN_MS:
                del self._waiting[key]
        return max((now - each.since for each in self._waiting.values()), default=0)

    def __len__(self) -> int:
        return len(self._waiting)
