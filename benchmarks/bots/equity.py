"""Reckons the chances of winning a match of Georgian domino that the strong computer player goes
by: ``python -m benchmarks.bots.equity > app/bots/domino/chances.json``.

Two equal players, who judge at a glance, play many hands out, dealt as G2 says and opened freely
(G5). From what those hands brought follows, from the end of a match backwards, how likely the
opener is to win it at every pair of needs.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from typing import Final, TypeAlias

from app.bots.domino.playing import Deal, glance, play_out
from app.bots.domino.positions import EMPTY, WHOLE

HANDS: Final = 200_000
MOST: Final = 71
"""The furthest need, in fives: 355 points."""
EDGE: Final = 40
Brought: TypeAlias = dict[tuple[int, int, bool, bool], float]


def brought(hands: int, seed: int) -> Brought:
    """How likely a hand is to bring so many fives to its opener and to the other, the opening of
    the next to the opener, and a draw."""
    chance = random.Random(seed)
    bits = [1 << tile for tile in range(28)]
    found: Counter[tuple[int, int, bool, bool]] = Counter()
    for _ in range(hands):
        chance.shuffle(bits)
        hand, other = sum(bits[:7]), sum(bits[7:14])
        lay = glance(EMPTY, hand, 7, WHOLE ^ hand)
        deal = Deal(other, tuple(bits[14:26]), sum(bits[26:]))
        end = play_out(lay, hand, deal, True)
        found[end.points // 5, end.others // 5, end.opens, end.drawn] += 1
    return {end: count / hands for end, count in found.items()}


def past(hand: Brought) -> list[float]:
    """The opener's chance with somebody past the target, by the fives it is ahead (G27)."""
    chances = [0.5] * (2 * EDGE + 1)
    for _ in range(50):
        new = []
        for ahead in range(-EDGE, EDGE + 1):
            total = 0.0
            for (mine, theirs, opens, drawn), weight in hand.items():
                then = ahead + mine - theirs
                if then and not drawn:
                    total += weight * (then > 0)
                else:
                    then = max(-EDGE, min(EDGE, then if opens else -then))
                    known = chances[then + EDGE]
                    total += weight * (known if opens else 1 - known)
            new.append(total)
        chances = new
    return chances


def running(hand: Brought, over: list[float]) -> list[list[float]]:
    """The opener's chance by its own need and the other's, in fives from 1."""
    chances = [[0.5] * (MOST + 1) for _ in range(MOST + 1)]

    def opener(mine: int, theirs: int) -> float:
        if mine > 0 and theirs > 0:
            return chances[mine][theirs]
        return over[max(-EDGE, min(EDGE, theirs - mine)) + EDGE]

    def reckon(need: int, others: int) -> float:
        total = 0.0
        for (mine, theirs, opens, drawn), weight in hand.items():
            left, right = need - mine, others - theirs
            if not drawn and (left <= 0 or right <= 0) and left != right:
                total += weight * (left < right)
            elif opens:
                total += weight * opener(left, right)
            else:
                total += weight * (1 - opener(right, left))
        return total

    for both in range(2, 2 * MOST + 1):
        pairs = [(a, both - a) for a in range(1, MOST + 1) if 1 <= both - a <= MOST]
        for _ in range(3):  # a drawn hand without points leads back to the same needs
            for need, others in pairs:
                chances[need][others] = reckon(need, others)
    return [row[1:] for row in chances[1:]]


def main() -> int:
    hand = brought(HANDS, 1)
    over = past(hand)
    table = running(hand, over)
    stored = {
        "running": [[round(10_000 * chance) for chance in row] for row in table],
        "over": [round(10_000 * chance) for chance in over],
    }
    print(json.dumps(stored, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
