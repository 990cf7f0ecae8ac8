"""What the server plays when the time is out (N24, T7)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.nardi.board import (
    BITS,
    POINTS,
    SIDE,
    Board,
    off,
    opp_bar,
    own,
    pips,
)
from engine.nardi.moves import Step
from engine.nardi.turns import finishes


def exposed(board: Board) -> int:
    """Own single checkers that an opposing checker behind them, or on the bar, can still hit.

    Opposing checkers move up in the mover's numbering, those on the bar from below point 1.
    """
    theirs = board >> SIDE & (BITS | BITS << 1 | BITS << 2 | BITS << 3 | 15)
    if not theirs:
        return 0
    lowest = ((theirs & -theirs).bit_length() - 1) >> 2
    return sum(own(board, point) == 1 for point in POINTS if point > lowest)


def sense(board: Board) -> tuple[int, int, int, int, int, Board]:
    """How sensible it is to leave this board, the mover's view; smaller is better.

    It looks at the board alone, so that the choice stays the same when it is made again after
    each step. The board itself comes last: no two are equal.
    """
    made = sum(own(board, point) > 1 for point in POINTS)
    return exposed(board), -off(board), -opp_bar(board), pips(board), -made, board


def first_step(board: Board, left: Sequence[int]) -> Step | None:
    """The first step of the most sensible way to end the turn; ``None`` if nothing is left.

    No checker is left open to a kill where a turn exists that leaves none.
    """
    ways = finishes(board, left)
    best = min(ways, key=lambda turn: sense(turn.board))
    return best.steps[0] if best.steps else None
