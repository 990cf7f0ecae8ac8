"""Computer players of Georgian domino against each other:
``python -m benchmarks.bots domino --a strong --b points --matches 1000``.

*Mirrored*: every shuffle is played twice, the second time with the seats exchanged, so that luck
of the deal goes to both. Players: the levels of ``app.bots.domino``; ``points``, the engine's
fallback, which takes the most points (ties: the heaviest tile); ``flat``, a sampler of 20 even
deals a lay played out by point-takers, and ``flat100`` with 100. Deals and players' chance follow
from the seed alone. Prints one row of JSON: the share of matches that A won, with its 95 % interval
over the mirrored pairs, and the processor time of the decisions that were any (more than one legal
action), in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import random
import statistics
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from app.bots.domino import POLICIES
from app.bots.policy import Policy
from benchmarks.bots.flat import flat
from engine.domino import GEORGIAN
from engine.domino.tiles import BY_NAME, PIPS
from engine.game import Ask, Json, play_on


def points(view: Json, legal: Sequence[Json], rng: random.Random) -> Json:
    """What the engine's fallback plays (T7), told by a view: the most points, of these the heaviest
    tile, then the highest, then the first end."""

    def worth(number: int) -> tuple[int, int, int]:
        tile = BY_NAME[legal[number]["tile"]]
        return view["legal"][number]["points"], PIPS[tile], tile

    return legal[max(range(len(legal)), key=worth)]


PLAYERS: Final[Mapping[str, Policy]] = MappingProxyType(
    dict(POLICIES.items()) | {"points": points, "flat": flat(20), "flat100": flat(100)}
)


class Shuffles:
    """The shuffles of one match, from its number."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def answer(self, ask: Ask, /) -> tuple[int, ...]:
        order = list(range(ask.size))
        random.Random(f"{self._seed}|{ask.hand}").shuffle(order)
        return tuple(order)


class Job(NamedTuple):
    """A pair of mirrored matches."""

    a: str
    b: str
    target: int
    seed: str


class Pair(NamedTuple):
    """What came of it: the share A won (0, ½ or 1), the hands, and the times of A and B."""

    share: float
    hands: int
    times: tuple[list[float], list[float]]


def play(job: Job) -> Pair:
    """Both matches of a pair."""
    won, hands = 0, 0
    times: tuple[list[float], list[float]] = ([], [])
    for mirrored in (0, 1):
        players = (job.a, job.b)
        chances = [random.Random(f"{job.seed}|{mirrored}|{who}") for who in (0, 1)]
        shuffles = Shuffles(job.seed)
        state = play_on(GEORGIAN, GEORGIAN.start({"target": job.target}), shuffles).state
        while (outcome := GEORGIAN.outcome(state)) is None:
            (seat,) = GEORGIAN.to_act(state)
            who = seat ^ mirrored
            actions = GEORGIAN.legal(state, seat)
            action = actions[0]
            if len(actions) > 1:
                view = GEORGIAN.view(state, seat)
                legal = [GEORGIAN.action_to_json(each) for each in actions]
                start = time.process_time()
                answer = PLAYERS[players[who]](view, legal, chances[who])
                times[who].append(1000 * (time.process_time() - start))
                action = GEORGIAN.action_from_json(answer)
            state = play_on(GEORGIAN, GEORGIAN.apply(state, seat, action), shuffles).state
        won += outcome.winners == (mirrored,)
        hands += GEORGIAN.hand(state)
    return Pair(won / 2, hands, times)


def spent(times: list[float]) -> Json:
    """The median and the 95th percentile."""
    if not times:
        return {}
    ordered = sorted(times)
    return {
        "median_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.bots domino")
    parser.add_argument("--a", choices=sorted(PLAYERS), default="strong")
    parser.add_argument("--b", choices=sorted(PLAYERS), default="points")
    parser.add_argument("--matches", type=int, default=1000, help="both of each pair counted")
    parser.add_argument("--target", type=int, choices=GEORGIAN.choices["target"], default=75)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    jobs = [
        Job(given.a, given.b, given.target, f"{given.seed}|{number}")
        for number in range(max(2, given.matches // 2))
    ]
    if given.jobs == 1:
        pairs = [play(job) for job in jobs]
    else:
        with multiprocessing.get_context("spawn").Pool(given.jobs) as pool:
            pairs = pool.map(play, jobs, chunksize=4)
    shares = [pair.share for pair in pairs]
    share = statistics.mean(shares)
    margin = 1.96 * statistics.stdev(shares) / math.sqrt(len(shares))
    row = {
        "benchmark": f"domino to {given.target}, mirrored",
        "a": given.a,
        "b": given.b,
        "matches": 2 * len(pairs),
        "hands": sum(pair.hands for pair in pairs),
        "a_won": round(share, 3),
        "interval": [round(share - margin, 3), round(share + margin, 3)],
        "seed": given.seed,
        "a_decides": spent([each for pair in pairs for each in pair.times[0]]),
        "b_decides": spent([each for pair in pairs for each in pair.times[1]]),
    }
    print(json.dumps(row))
    return 0
