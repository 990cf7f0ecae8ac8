"""Match files of other programs: what a record can be written as."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.game import Game, Unreadable
from engine.nardi import mat
from engine.record import Record

_WRITERS: Final[Mapping[tuple[str, str], Mapping[str, Callable[[Record], str]]]] = {
    ("nardi", "short"): {"mat": mat.export},
}
"""By game and rule set, by the ending of the file's name."""


def forms(game: Game[Any, Any]) -> tuple[str, ...]:
    """The forms in which matches of a game can be had beside their record: ``("mat",)``."""
    return tuple(_WRITERS.get((game.name, game.rules), ()))


def export(record: Record, form: str) -> str:
    """The text of the file. Raises :class:`Unreadable` for a form that the game has not,
    :class:`~engine.walk.Refused` for what the rules refuse."""
    if form not in forms(record.game):
        raise Unreadable(f"{record.game.name} {record.game.rules}: no {form!r:.20} file")
    return _WRITERS[record.game.name, record.game.rules][form](record)
