"""What the committed source gave over a record, counted for anybody to look at (T12)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from engine.game import Ask, Game
from engine.record import Record
from engine.walk import Walk

Counts: TypeAlias = dict[str, dict[str, int]]
"""By table and key: ``{"faces": {"1": 30, …}, …}``."""


def given(record: Record) -> Counts:
    """How often chance gave what, by the tables and keys of the game's ``chances``, zeros too.

    Plain counts: those of many records are added up. Only what the record holds is counted; a
    roll of a turn that was never finished is not in it. Raises :class:`~engine.walk.Refused` for
    what the rules refuse.
    """
    game = record.game
    counts: Counts = {table: dict.fromkeys(keys, 0) for table, keys in game.chances.items()}

    def seen(ask: Ask, answer: tuple[int, ...]) -> None:
        for table, key in game.given(walk.state, ask, answer):
            counts[table][key] += 1

    walk = Walk(record, seen)
    for _ in walk:
        pass
    return counts


def expected(game: Game[Any, Any], counts: Counts) -> Mapping[str, Mapping[str, Fraction]]:
    """How often each should have come up by the game's ``chances``, for as many as were counted
    in its table."""
    return {
        table: {key: chance * sum(counts[table].values()) for key, chance in keys.items()}
        for table, keys in game.chances.items()
    }
