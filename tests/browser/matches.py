"""Finished matches with committed chance, and what a player's browser was told of them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from app.table import views
from app.table.commands import Command
from app.table.decision import Decision
from app.table.match import Match
from app.table.record import document
from app.table.table import Table
from engine import games
from engine.chance import HANDS, Chain, Committed, sha256
from engine.game import Game, Json
from engine.record import End, write
from engine.simulate import random_match
from tests.table.sim import Faults, Sim, play

GAMES: dict[str, tuple[Game[Any, Any], dict[str, int]]] = {
    "domino": (games.game("domino", "georgian"), {"target": 175}),
    "nardi": (games.game("nardi", "short"), {"points": 3}),
}


def committed_record(name: str, seed: int = 1) -> Json:
    """A match by random moves, as the site would keep it."""
    return copy.deepcopy(_committed_record(name, seed))


@cache
def _committed_record(name: str, seed: int) -> Json:
    game, options = GAMES[name]
    rng = random.Random(seed)
    chain = Chain(rng.randbytes(32), HANDS)
    numbers = (rng.randbytes(32), rng.randbytes(32))
    match = f"match-{seed}"
    state, _, lines = random_match(game, options, Committed(chain, match, numbers), rng)
    outcome = game.outcome(state)
    assert outcome is not None
    record = write(game, options, lines, End(outcome.winners[0], "points"), {"match": match})
    record["fairness"] = {
        "version": "match/1",
        "match": match,
        "commitment": chain.commitment.hex(),
        "numbers": [number.hex() for number in numbers],
        "secrets": [chain.secret(n + 1).hex() for n in range(len(record["hands"]))],
    }
    return record


def kept_of(record: Json, seat: int = 0) -> Json:
    """What the browser of ``seat`` keeps before the first hand."""
    numbers = [bytes.fromhex(number) for number in record["fairness"]["numbers"]]
    hashes = [sha256(number).hex() for number in numbers]
    return {
        "match": record["match"],
        "game": record["game"],
        "seat": seat,
        "commitment": record["fairness"]["commitment"],
        "hashes": hashes,
        "numbers": {hashes[seat]: numbers[seat].hex()},
        "tiles": {},
        "openings": {},
        "rolls": {},
        "loose": {},
        "at": 1,
    }


def changed(value: Json, change: Callable[[Json], object]) -> Json:
    """A copy with one thing changed."""
    other = copy.deepcopy(value)
    change(other)
    return other


@dataclass
class Told:
    """One table of the simulation, and every frame that one seat was told of its matches."""

    frames: dict[str, list[Json]] = field(default_factory=dict)
    records: dict[str, Json] = field(default_factory=dict)


def simulated(name: str, seed: int, seat: int = 0) -> Told:
    """A table of two, on bad lines, as ``app.table`` runs it."""
    game, _ = GAMES[name]
    options = {"target": 75} if name == "domino" else {"points": 1}
    told = Told()

    def watch(_: Sim) -> Callable[[Table | None, Command, Decision, int], None]:
        def see(before: Table | None, command: Command, decision: Decision, now: int) -> None:
            table = decision.table
            if table is None or not decision.entries or decision.gone or table is before:
                return
            match: Match | None = table.match
            if match is not None:
                frame = views.change(table, decision.entries, seat, now)
                told.frames.setdefault(match.id, []).append(frame)

        return see

    faults = Faults(vanish=0, resign=0.002, outage=0, restart=0)
    sim = play(game, options, seed, faults, watch)
    for end in sim.ended:
        lines = sim.lines.get(end["match"], [])
        told.records[end["match"]] = document(sim.game, sim.options, lines, end)
    return told
