"""A table to plain JSON and back: for the store alone, secrets included."""

from __future__ import annotations

from typing import Any

from app.table.table import Answered, Games, Match, Sitter, Table
from engine.game import Json, Unreadable

SCHEMA = 1
"""Of the stored form. A release reads its own and its predecessor's."""


def to_json(table: Table) -> Json:
    """The whole table."""
    match = table.match
    return {
        "schema": SCHEMA,
        "id": table.id,
        "game": table.game.name,
        "rules": table.game.rules,
        "options": dict(table.options),
        "seats": [None if x is None else _sitter_to_json(x) for x in table.seats],
        "made": table.made,
        "status": table.status,
        "match": None
        if match is None
        else {
            "id": match.id,
            "seed": match.seed.hex(),
            "ply": match.ply,
            "state": table.game.state_to_json(match.state),
        },
        "version": table.version,
        "number": table.number,
    }


def from_json(value: Json, games: Games) -> Table:
    """The table again. Raises :class:`Unreadable` for another schema or game, or a broken form."""
    if value.get("schema") != SCHEMA:
        raise Unreadable(f"a stored table of schema {value.get('schema')!r}, not {SCHEMA}")
    try:
        game = games(value["game"], value["rules"])
        match = value["match"]
        return Table(
            id=value["id"],
            game=game,
            options=dict(value["options"]),
            seats=tuple(None if x is None else _sitter_from_json(x) for x in value["seats"]),
            made=value["made"],
            status=value["status"],
            match=None
            if match is None
            else Match(
                match["id"],
                bytes.fromhex(match["seed"]),
                game.state_from_json(match["state"]),
                match["ply"],
            ),
            version=value["version"],
            number=value["number"],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise Unreadable(f"a stored table without its form: {type(error).__name__}") from None


def _sitter_to_json(sitter: Sitter) -> Json:
    return {
        "player": sitter.player,
        "name": sitter.name,
        "answers": [[answer.id, answer.number] for answer in sitter.answers],
    }


def _sitter_from_json(value: Any) -> Sitter:
    answers = tuple(Answered(id_, number) for id_, number in value["answers"])
    return Sitter(value["player"], value["name"], answers)
