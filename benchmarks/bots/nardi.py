"""The computer players of short nardi against each other and against GNU Backgammon's network:
``python -m benchmarks.bots.nardi [PAIRING…] [--games N] [--matches N] [--seed SEED]``.

Games are single hands for points (oini 1, marsi 2, koksi 3, no cube), two by two with the same
dice and the seats swapped; a pairing tells the points a game of the first player and half of the
95 % interval, reckoned from the pairs. ``table`` plays matches by our match-equity table against
matches played for points alone, also two by two. ``policies`` plays whole matches through the
policies themselves, from the views of their seats, and tells how long an action takes.

Exit status 1 if an aim is missed, 2 if a library is missing.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from app.bots.nardi import POLICIES, easy, medium, strong
from app.bots.nardi.judged import by_chances
from app.bots.nardi.worth import POINTS
from benchmarks.bots.nardi_hands import Picked, Player, mirrored, play_match
from engine.chance import Seeded
from engine.game import play_on
from engine.nardi import GAME
from engine.nardi.board import SIDE, Board, opp
from engine.nardi.position import position_id

AIMS: Final = {"strong-gnubg": -0.05, "medium-gnubg": -0.8}
"""Points a game that are not to be fallen short of."""
PAIRINGS: Final = (
    "strong-gnubg",
    "medium-gnubg",
    "strong-medium",
    "easy-medium",
    "easy-gnubg",
    "table",
    "policies",
)
LENGTHS: Final = (1, 3, 5, 7)


class Gnubg:
    """The worker's 0-ply as a player."""

    def __init__(self) -> None:
        worker = Path(__file__).with_name("gnubg_worker.py")
        self._process = subprocess.Popen(
            [sys.executable, str(worker)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ready = "ready" in self._read()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def __call__(self, board: Board, dice: tuple[int, int], away: tuple[int, int]) -> Board:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"position": position_id(board), "dice": dice}) + "\n")
        self._process.stdin.flush()
        for source, target in self._read()["moves"]:
            kills = target > 0 and opp(board, target) == 1
            board += (1 << 4 * target) - (1 << 4 * source)
            if kills:
                board += (1 << SIDE) - (1 << SIDE + 4 * target)
        return board

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def told(values: Sequence[float]) -> dict[str, float]:
    """The mean and half of its 95 % interval."""
    spread = statistics.stdev(values) / len(values) ** 0.5
    return {"mean": round(statistics.mean(values), 4), "interval": round(1.96 * spread, 4)}


def milliseconds(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        "median": round(1000 * ordered[len(ordered) // 2], 2),
        "p99": round(1000 * ordered[len(ordered) * 99 // 100], 2),
        "most": round(1000 * ordered[-1], 2),
    }


def compare(first: Player, second: Player, games: int, seed: str) -> dict[str, Any]:
    """Single hands, two by two."""
    pairs = [mirrored((first, second), f"{seed}|{number}") for number in range(games // 2)]
    answer: dict[str, Any] = {
        "games": 2 * len(pairs),
        "points_a_game": told([sum(pair) / 2 for pair in pairs]),
        "won": round(sum(each > 0 for pair in pairs for each in pair) / (2 * len(pairs)), 4),
    }
    for name, player in (("first", first), ("second", second)):
        if isinstance(player, Picked):
            answer[f"{name}_ms"] = milliseconds(player.seconds)
    return answer


def table(matches: int, seed: str) -> dict[str, Any]:
    """Strong by the table against strong for points alone, by length of the match."""
    answer: dict[str, Any] = {}
    players = Picked(strong.pick), Picked(by_chances(strong.chances, POINTS))
    for target in LENGTHS:
        found = []
        for number in range(matches // 2):
            dice = f"{seed}|{target}|{number}"
            wins = [play_match(seats, target, dice) for seats in (players, players[::-1])]
            found.append(((wins[0] == 0) + (wins[1] == 1)) / 2)
        answer[str(target)] = {"matches": 2 * len(found), "won": told(found)}
    return answer


def policies(matches: int, seed: str) -> dict[str, Any]:
    """Matches to 3 through the policies: how long an action takes, its view not counted."""
    taken: dict[str, list[float]] = {level: [] for level in POLICIES}
    wins: dict[str, int] = dict.fromkeys(POLICIES, 0)
    levels = list(POLICIES)
    for number in range(matches):
        seats = levels[number % len(levels)], levels[(number + 1) % len(levels)]
        rng = random.Random(f"{seed}|{number}")
        chance = Seeded(f"{seed}|{number}".encode())
        state = play_on(GAME, GAME.start({"points": 3}), chance).state
        while (outcome := GAME.outcome(state)) is None:
            (seat,) = GAME.to_act(state)
            view = json.loads(json.dumps(GAME.view(state, seat)))
            started = time.perf_counter()
            action = POLICIES[seats[seat]](view, view["legal"], rng)
            taken[seats[seat]].append(time.perf_counter() - started)
            step = GAME.apply(state, seat, GAME.action_from_json(action))
            state = play_on(GAME, step, chance).state
        wins[seats[outcome.winners[0]]] += 1
    return {
        "matches": matches,
        "won": wins,
        "action_ms": {level: milliseconds(each) for level, each in taken.items()},
    }


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.bots nardi")
    parser.add_argument("pairings", nargs="*", metavar="PAIRING", help=", ".join(PAIRINGS))
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", default="ezo")
    given = parser.parse_args(argv)
    names = given.pairings or PAIRINGS
    if unknown := set(names) - set(PAIRINGS):
        parser.error(f"no such pairing: {', '.join(sorted(unknown))}")
    if any("strong" in name or name == "table" for name in names) and not strong.available():
        print("the strong player needs bgsage: the extra 'strong'", file=sys.stderr)
        return 2
    gnubg = Gnubg()
    if not gnubg.ready and any("gnubg" in name for name in names):
        print("GNU Backgammon's network needs gnubg-nn: the extra 'bench'", file=sys.stderr)
        return 2
    makers: dict[str, Callable[[], Player]] = {
        "easy": lambda: Picked(easy.pick),
        "medium": lambda: Picked(by_chances(medium.chances, POINTS)),
        "strong": lambda: Picked(by_chances(strong.chances, POINTS)),
        "gnubg": lambda: gnubg,
    }
    missed = False
    for name in names:
        started = time.monotonic()
        if name == "table":
            answer = table(given.matches, given.seed)
        elif name == "policies":
            answer = policies(max(1, given.matches // 10), given.seed)
        else:
            first, second = (makers[each]() for each in name.split("-"))
            answer = compare(first, second, given.games, given.seed)
            missed |= answer["points_a_game"]["mean"] < AIMS.get(name, -3)
        answer["seconds"] = round(time.monotonic() - started, 1)
        print(json.dumps({name: answer}), flush=True)
    gnubg.close()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
