"""What is read of a view is the turn as it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.bots.nardi.seen import Seen, read
from engine.nardi import GAME
from engine.nardi.actions import Move
from engine.nardi.board import Board
from tests.bots.nardi.played import view_of
from tests.nardi.build import on_turn
from tests.nardi.given import dice, modest, positions


@modest
@given(
    positions,
    dice,
    st.integers(0, 1),
    st.tuples(st.integers(0, 4), st.integers(0, 4)),
    st.data(),
)
def test_a_turn_is_read_from_its_view(
    board: Board,
    roll: tuple[int, int],
    seat: int,
    score: tuple[int, int],
    data: st.DataObject,
) -> None:
    state = on_turn(board, roll, seat=seat, score=score, points=5)
    while state.turn == 1 and state.phase == "move":
        away = 5 - score[seat], 5 - score[1 - seat]
        assert read(view_of(state)) == Seen(state.start, state.board, state.left, away)
        if not state.legal_steps:
            break
        step = data.draw(st.sampled_from(state.legal_steps))
        state = GAME.apply(state, seat, Move(*step)).state
