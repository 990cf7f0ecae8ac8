"""Easy: knows what is good in general, looks at nothing closely and is moody.

It likes to kill, to bear off, to stand in pairs, and does not like single checkers that can be
killed; it knows nothing of the race, of walls or of when to risk something. A mood weighs as much
as any of these. It hangs on the turn alone and not on the step, or the next step would belong to
another turn than the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from app.bots.nardi.seen import Seen
from engine.nardi.board import CHECKERS, HOME, POINTS, SIDE, Board, off, opp_bar, own
from engine.nardi.fallback import exposed

MOOD: Final = 3.0
"""How far it strays, in the measure of :func:`liked`."""


def liked(board: Board) -> int:
    """How well a board pleases it."""
    made = sum(own(board, point) > 1 for point in POINTS)
    home = sum(own(board, point) > 1 for point in HOME)
    return 8 * off(board) + 6 * opp_bar(board) + 2 * made + home - 3 * exposed(board)


def pick(seen: Seen, ends: Sequence[Board]) -> Board:
    """The board that pleases it most just now."""

    def rank(end: Board) -> tuple[bool, float, Board]:
        # Chance from the boards: no secret hangs on it, and the same turn is played alike.
        mood = Random(seen.start << 2 * SIDE | end).gauss(0, MOOD)  # noqa: S311
        return off(end) == CHECKERS, liked(end) + mood, end

    return max(ends, key=rank)
