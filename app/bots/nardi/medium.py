"""Medium: a small network of our own looks at every way to end the turn."""

from __future__ import annotations

from app.bots.nardi.judged import by_chances
from app.bots.nardi.net import nets, racing
from app.bots.nardi.worth import Five
from engine.nardi.board import Board


def chances(_: Board, board: Board) -> Five:
    """Of the player who has just moved."""
    contact, race = nets()
    return (race if racing(board) else contact).chances(board)


pick = by_chances(chances)
