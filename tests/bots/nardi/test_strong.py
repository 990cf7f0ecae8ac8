"""How a board is told to the strong player's library."""

from __future__ import annotations

from hypothesis import given

from app.bots.nardi import strong
from engine.nardi.board import POINTS, START, Board, bar, opp, opp_bar, own
from tests.nardi.given import modest, positions


@modest
@given(positions)
def test_a_board_is_told_place_by_place(board: Board) -> None:
    told = strong._plain(board)
    assert [told[0], told[25]] == [opp_bar(board), bar(board)]
    for point in POINTS:
        assert told[point] == own(board, point) - opp(board, point)
    assert len(told) == 26


def test_the_start() -> None:
    told = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    assert strong._plain(START) == told
