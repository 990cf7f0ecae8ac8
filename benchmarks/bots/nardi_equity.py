"""Counts how hands end between strong and itself, for the match-equity table:
``python -m benchmarks.bots.nardi_equity [--hands 12000] [--seed SEED]``.

The hands are played for points. The table is made of the counts alone
(:mod:`app.bots.nardi.equity`); it is printed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence

from app.bots.nardi import strong
from app.bots.nardi.equity import COUNTED, MOST, table
from app.bots.nardi.judged import by_chances
from app.bots.nardi.worth import POINTS
from benchmarks.bots.nardi_hands import Picked, play_hand
from engine.nardi.events import ENDS


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.bots.nardi_equity")
    parser.add_argument("--hands", type=int, default=12_000)
    parser.add_argument("--seed", default="equity")
    given = parser.parse_args(argv)
    if not strong.available():
        print("the strong player needs bgsage: the extra 'strong'", file=sys.stderr)
        return 2
    player = Picked(by_chances(strong.chances, POINTS))
    counts = [0, 0, 0]
    for number in range(given.hands):
        _, points = play_hand((player, player), random.Random(f"{given.seed}|{number}"), (1, 1))
        counts[points - 1] += 1
    kept = dict(zip(ENDS, counts, strict=True))
    COUNTED.write_text(json.dumps(kept) + "\n", "utf-8")
    print(json.dumps(kept))
    found = table(tuple(counts))
    for own in range(1, MOST + 1):
        print(" ".join(f"{found[own, opp]:.4f}" for opp in range(1, MOST + 1)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
