"""Picking the board whose chances are worth most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from app.bots.nardi.seen import Seen
from app.bots.nardi.turn import Pick
from app.bots.nardi.worth import POINTS, Five, Worth, in_match
from engine.nardi.board import CHECKERS, Board, off
from engine.nardi.flow import WORTH, end_of

Judge: TypeAlias = Callable[[Board, Board], Five]
"""The chances of a player who has moved: the board at the start of the turn, and the one it left
(nobody has won on it)."""


def by_chances(judge: Judge, worth: Worth | None = None) -> Pick:
    """Picks by ``worth``, or by what a hand is worth at the score of the match."""

    def pick(seen: Seen, ends: Sequence[Board]) -> Board:
        aim = worth or in_match(*seen.away)

        def rank(end: Board) -> tuple[float, float, Board]:
            five = won(end) if off(end) == CHECKERS else judge(seen.start, end)
            # What cannot change the match any more is still played well.
            return aim.of(five), POINTS.of(five), end

        return max(ends, key=rank)

    return pick


def won(board: Board) -> Five:
    """The chances of a player who has borne off the last checker (N17)."""
    points = WORTH[end_of(board)]
    return 1.0, float(points > 1), float(points > 2), 0.0, 0.0
