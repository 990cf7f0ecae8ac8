"""Random hands of Georgian domino against the PyPI package ``dominoes``:
``python -m benchmarks.domino``.

*dominoes*: a game to its end, every move a random one of ``valid_moves`` (four players, seven
tiles each, no bazaar, no points, no events). *Ezo*: whole matches to 355 through the contract of
every game: the shuffle asked for and given, ``to_act``, ``legal``, ``apply`` with its events and
record lines, hands counted. Both choose with the same generator. Short rounds alternate; what
counts is the median of the rounds' ratios in hands a second of processor time. Exit status 1 if
it is below its aim, 2 without the package.
"""

from __future__ import annotations

import importlib
import json
import random
import statistics
import sys
import time
from typing import Any, Final

from engine.domino import GEORGIAN
from engine.game import Ask, play_on

AIM: Final = 0.6
ROUNDS: Final = 31


class Shuffles:
    """Chance as quick as the other side's: the standard library's shuffle."""

    def __init__(self, generator: random.Random) -> None:
        self._generator = generator

    def answer(self, ask: Ask, /) -> tuple[int, ...]:
        order = list(range(ask.size))
        self._generator.shuffle(order)
        return tuple(order)


def theirs(package: Any, choose: random.Random, games: int) -> float:
    """Hands a second."""
    start = time.process_time()
    for _ in range(games):
        game = package.Game.new()
        while game.result is None:
            game.make_move(*choose.choice(game.valid_moves))
    return games / (time.process_time() - start)


def ours(choose: random.Random, matches: int) -> float:
    """Hands a second."""
    game, chance, hands = GEORGIAN, Shuffles(choose), 0
    start = time.process_time()
    for _ in range(matches):
        state = play_on(game, game.start({"target": 355}), chance).state
        while game.outcome(state) is None:
            (seat,) = game.to_act(state)
            step = game.apply(state, seat, choose.choice(game.legal(state, seat)))
            if game.asks(step.state) is not None:
                step = play_on(game, step, chance)
            state = step.state
        hands += game.hand(state)
    return hands / (time.process_time() - start)


def main() -> int:
    try:
        package = importlib.import_module("dominoes")
    except ImportError:
        print("benchmarks.domino needs the package dominoes: ./dev bench", file=sys.stderr)
        return 2
    choose = random.Random(5)
    theirs(package, choose, 20)
    ours(choose, 2)
    rounds = [(theirs(package, choose, 200), ours(choose, 10)) for _ in range(ROUNDS)]
    ratio = statistics.median(mine / other for other, mine in rounds)
    row = {
        "benchmark": "domino: random hands through the contract",
        "against": "dominoes",
        "theirs_hands_per_second": round(statistics.median(other for other, _ in rounds)),
        "hands_per_second": round(statistics.median(mine for _, mine in rounds)),
        "ratio": round(ratio, 2),
        "aim": AIM,
    }
    print(json.dumps(row))
    return 0 if ratio >= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
