"""Short pieces of matches that show how a rule works: the figures of the pages of rules.

They are played by the engine like any record, so that what they show is what the rules make of
them. Each rule set has its own, by a name that its pages know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.domino import examples as domino
from engine.frames import Frame, frame_of
from engine.game import Game
from engine.nardi import examples as nardi
from engine.piece import Piece
from engine.record import Record
from engine.walk import Walk

_OF: Final[Mapping[tuple[str, str], Mapping[str, Piece]]] = {
    ("domino", "georgian"): domino.GEORGIAN,
    ("nardi", "short"): nardi.SHORT,
}
"""By game and rule set."""


def examples(game: Game[Any, Any]) -> Mapping[str, Piece]:
    """The pieces of a rule set by name; empty where it has none."""
    return _OF.get((game.name, game.rules), {})


def frames(game: Game[Any, Any], piece: Piece) -> Iterator[Frame]:
    """A piece as the boards show it, from the side of seat 0, all that is hidden laid open. The
    first frame is where it begins, unless that is before the deal."""
    record = Record(game, piece.options, (), None, None, {})
    walk = Walk(record, state=piece.begin)
    if game.asks(piece.begin) is None:
        view, score = game.open_view(piece.begin, 0), game.score(piece.begin)
        yield Frame(game.hand(piece.begin), 0, None, None, (), view, score)
    for beat in walk.piece(piece.hand):
        yield frame_of(game, beat, 0)
