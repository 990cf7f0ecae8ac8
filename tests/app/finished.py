"""Finished matches that no server has played: others, changed, in its history."""

from __future__ import annotations

import json
import sqlite3

from app.history.history import Finished
from engine.game import Json
from tests.app.server import Server


def kept(server: Server, match: str) -> Json:
    """The row of a finished match of a running server, by column."""
    db = sqlite3.connect(server.data / "site.db")
    db.row_factory = sqlite3.Row
    (row,) = db.execute("SELECT * FROM matches WHERE id = ?", (match,)).fetchall()
    db.close()
    return dict(row)


def copied(server: Server, match: str, other: str, **changes: object) -> None:
    """The same match once more, with some columns changed, as ``other``."""
    row = kept(server, match) | {"id": other}
    for name, value in changes.items():
        row[name] = value if isinstance(value, str | int) else json.dumps(value)
    db = sqlite3.connect(server.data / "site.db")
    with db:
        marks = ", ".join("?" * len(row))
        columns = ", ".join(row)
        db.execute(f"INSERT INTO matches ({columns}) VALUES ({marks})", tuple(row.values()))
    db.close()


def given_up(record: Json, lines: int, winner: int = 1) -> Json:
    """A record whose last hand was given up after so many lines, by who did not win."""
    name = "plays" if "plays" in record["hands"][-1] else "turns"
    last = record["hands"][-1]
    rest = {each: last[each][:lines] for each in (name, "ms") if each in last}
    hands = [*record["hands"][:-1], {**last, **rest}]
    return {**record, "hands": hands, "end": {"winner": winner, "reason": "resigned"}}


def finished(record: Json, name: str = "m1") -> Finished:
    """A match of a record, between players whose ids are secret."""
    game, rules, options = record["game"], record["rules"], record["options"]
    ids, names = ["secret-0", "secret-1"], ["ნინო", "გია"]
    return Finished(
        name, "t1", game, rules, options, ids, names, 0, 1, "points", [0], [0, 0], "", record
    )
