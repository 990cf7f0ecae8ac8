"""Short nardi against OpenSpiel's backgammon: ``python -m benchmarks.nardi``.

Both sides get the same 2,000 positions with dice, met in random play, and list where each can
lead. First the two are held against each other: the sets of positions must be the same.

*OpenSpiel*: ``legal_actions()`` of the position and ``child()`` of each. On a double a turn is
two of its actions, so each child that moves again is followed in the same way. Every child is
counted as a position, those half way through a double and those met more than once included.
*Ezo*: ``results`` (the boards alone) and ``turns`` (with the moves spelled out). Only distinct
boards after a full turn are counted.

So the ratios are as kind to the other side as can be. ``time`` is the plain comparison: how many
times longer OpenSpiel takes for the same 2,000 answers. Rounds alternate; the median of them
counts. Exit status 1 if a ratio is below its aim, 2 without the package.
"""

from __future__ import annotations

import importlib
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from engine.nardi.board import BAR, SIDE, Board
from engine.nardi.turns import results, turns

POSITIONS: Final = 2_000
ROUNDS: Final = 7
AIMS: Final = {"results": 1.7, "turns": 1.0}
_BAR_INDEX: Final = 100


def convert(state: Any, player: int) -> Board:
    """OpenSpiel's position seen by ``player``, as our board."""
    sides = []
    for side in (player, 1 - player):
        counts = [0] * 26
        for index in range(24):
            counts[index + 1 if player else 24 - index] = state.board(side, index)
        waiting = state.board(side, _BAR_INDEX)
        borne_off = 15 - sum(counts) - waiting
        counts[0], counts[BAR] = (borne_off, waiting) if side == player else (waiting, borne_off)
        sides.append(sum(count << 4 * place for place, count in enumerate(counts)))
    return sides[0] | sides[1] << SIDE


def dice_of(state: Any) -> tuple[int, int]:
    """The two dice of a position before a move."""
    text = next(line for line in str(state).splitlines() if line.startswith("Dice:"))
    numbers = text.removeprefix("Dice:").strip()
    return int(numbers[0]), int(numbers[1])


def collect(game: Any, count: int, seed: int) -> list[Any]:
    """Positions before a whole turn, one in ten of those that random play meets."""
    chance = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        state = game.new_initial_state()
        fresh = True
        while not state.is_terminal() and len(found) < count:
            if state.is_chance_node():
                state.apply_action(chance.choice(state.chance_outcomes())[0])
                fresh = True
                continue
            if fresh and chance.random() < 0.1:
                found.append(state.clone())
            fresh = False
            state.apply_action(chance.choice(state.legal_actions()))
    return found


def theirs(states: list[tuple[Any, int]]) -> int:
    """How many positions OpenSpiel makes of all of these."""
    count = 0
    for state, player in states:
        for action in state.legal_actions():
            child = state.child(action)
            count += 1
            if child.current_player() == player:
                for second in child.legal_actions():
                    child.child(second)
                    count += 1
    return count


def reached(state: Any, player: int) -> set[Board]:
    """The distinct positions after a full turn by OpenSpiel's rules, seen by the mover."""
    found = set()
    for action in state.legal_actions():
        child = state.child(action)
        if child.current_player() == player:  # half way through a double
            found |= {convert(child.child(second), player) for second in child.legal_actions()}
        else:
            found.add(convert(child, player))
    return found


def main() -> int:
    """Check, measure, print one JSON object."""
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        print("benchmarks.nardi needs OpenSpiel: pip install open_spiel", file=sys.stderr)
        return 2
    game = pyspiel.load_game("backgammon")
    states = [(state, state.current_player()) for state in collect(game, POSITIONS, seed=1)]
    boards = [(convert(state, player), dice_of(state)) for state, player in states]
    differing = sum(
        reached(state, player) != results(board, dice)
        for (state, player), (board, dice) in zip(states, boards, strict=True)
    )

    def boards_alone() -> int:
        return sum(len(results(board, dice)) for board, dice in boards)

    def spelled_out() -> int:
        return sum(len(turns(board, dice)) for board, dice in boards)

    sides: dict[str, Callable[[], int]] = {
        "open_spiel": lambda: theirs(states),
        "results": boards_alone,
        "turns": spelled_out,
    }
    counts = {name: run() for name, run in sides.items()}
    taken: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, run in sides.items():
            started = time.perf_counter()
            run()
            taken[name].append(time.perf_counter() - started)
    seconds = {name: statistics.median(rounds) for name, rounds in taken.items()}
    rates = {name: counts[name] / seconds[name] for name in sides}
    ratios = {name: round(rates[name] / rates["open_spiel"], 2) for name in AIMS}
    answer = {
        "positions": POSITIONS,
        "rounds": ROUNDS,
        "differing": differing,
        "counted": counts,
        "seconds": {name: round(value, 4) for name, value in seconds.items()},
        "positions_a_second": {name: round(value) for name, value in rates.items()},
        "ratio": ratios,
        "aim": AIMS,
        "time": {name: round(seconds["open_spiel"] / seconds[name], 2) for name in AIMS},
    }
    print(json.dumps(answer, indent=2))
    kept = all(ratios[name] >= aim for name, aim in AIMS.items())
    return 0 if kept and not differing else 1


if __name__ == "__main__":
    sys.exit(main())
