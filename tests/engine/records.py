"""Records for tests: those of the vectors that end, and random matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine import games
from engine.record import Record, read
from engine.simulate import random_record

VECTORS = Path(__file__).parent.parent / "vectors"


def finished(name: str) -> list[Any]:
    """The vectors' records of finished matches, as JSON: ``domino-georgian``, ``nardi-short``."""
    lines = (VECTORS / f"{name}.records.jsonl").read_text("utf-8").splitlines()
    return [found for found in map(json.loads, lines) if "end" in found]


DOMINO = finished("domino-georgian")
NARDI = finished("nardi-short")
assert len(DOMINO) == 39
assert len(NARDI) == 7


def random_match(name: str, seed: str, **options: int) -> Record:
    """A finished random match."""
    (game,) = [each for each in games.GAMES if each.name == name]
    return read(random_record(game, options, seed))


def stopped(whole: Any, hand: int, lines: int, reason: str = "resigned", winner: int = 1) -> Record:
    """The same match given up after so many lines of a hand."""
    hands = [dict(each) for each in whole["hands"][:hand]]
    key = "plays" if whole["game"] == "domino" else "turns"
    hands[-1][key] = hands[-1][key][:lines]
    won = None if reason == "void" else winner
    return read({**whole, "hands": hands, "end": {"winner": won, "reason": reason}})
