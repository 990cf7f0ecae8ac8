"""How likely an opponent with a given hand would have laid what it laid.

Nobody lets many points lie without a reason: a hand that could have scored more at one of the
opponent's lays is the less likely, the more it could have.
"""

from __future__ import annotations

from math import exp
from typing import Final

from app.bots.domino.sampling import Brought, first_group
from app.bots.domino.seen import Seen
from engine.domino.tiles import TileSet

PATIENCE: Final = 5.0
"""So many points let lie make a lay less likely by e."""
FLOOR: Final = 0.1
"""Never less likely than this: there are reasons."""
LIKELY: Final = tuple(max(FLOOR, exp(-missed / PATIENCE)) for missed in range(49))


class Evidence:
    """The opponent's lays of a hand; false where they tell nothing."""

    def __init__(self, seen: Seen) -> None:
        self._lays: list[tuple[tuple[tuple[float, TileSet], ...], TileSet, int]] = []
        for number, laid in enumerate(seen.lays):
            better = tuple(
                [
                    (LIKELY[points - laid.points], tiles)
                    for points, tiles in laid.before.answers
                    if points > laid.points
                ]
            )
            if laid.drawn or not better or not laid.before.layout.placed:
                continue
            kept: TileSet = 0  # laid since, and in its hand then as far as can be told
            for later in seen.lays[number:]:
                lacked = seen.lacked[: later.group + 1]
                if not later.drawn and first_group(later.bit, lacked) <= laid.group:
                    kept |= later.bit
            self._lays.append((better, kept, laid.group))

    def __bool__(self) -> bool:
        return bool(self._lays)

    def likely(self, held: Brought) -> float:
        """Up to 1: how likely the lays are with these tiles still held, by what they let lie."""
        chance = 1.0
        for better, kept, group in self._lays:
            hand = kept
            for brought in held[: group + 1]:
                hand |= brought
            for likely, tiles in better:
                if tiles & hand:
                    chance *= likely
                    break
        return chance
