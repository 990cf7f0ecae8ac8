"""The chance of winning a match by what both players still need, without a doubling cube.

All of it follows from how often a hand ends by oini, marsi and koksi between two strong players
that have the same chances: counted in hands that the strong player played against itself for
points (``python -m benchmarks.bots.nardi_equity`` writes ``equity.json``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

COUNTED: Final = Path(__file__).with_name("equity.json")
"""The hands by their end (N17)."""

MOST: Final = 7
"""The longest match (N18)."""


def table(hands: tuple[int, ...]) -> dict[tuple[int, int], float]:
    """The chance of who needs the first number of points, the other the second; ``hands`` by the
    points they gave, from 1."""
    found: dict[tuple[int, int], float] = {}

    def known(own: int, opp: int) -> float:
        if own <= 0:
            return 1.0
        return 0.0 if opp <= 0 else found[own, opp]

    for both in range(2, 2 * MOST + 1):
        for own in range(max(1, both - MOST), min(MOST, both - 1) + 1):
            opp = both - own
            found[own, opp] = sum(
                count * (known(own - points, opp) + known(own, opp - points))
                for points, count in enumerate(hands, 1)
            ) / (2 * sum(hands))
    return found


def counted() -> tuple[int, int, int]:
    """The hands that ended by oini, marsi, koksi."""
    kept = json.loads(COUNTED.read_text("utf-8"))
    return kept["oini"], kept["marsi"], kept["koksi"]


_TABLE: Final = table(counted())


def match_chance(own: int, opp: int) -> float:
    """Before a hand, of the player who needs ``own`` points; 0 or less: has won (N18)."""
    if own <= 0:
        return 1.0
    return 0.0 if opp <= 0 else _TABLE[min(own, MOST), min(opp, MOST)]
