"""What the server plays when the time is out: N24, T7."""

from __future__ import annotations

from hypothesis import given

from engine.nardi.board import START, Board, off, opp, opp_bar, own
from engine.nardi.fallback import exposed, first_step, sense
from engine.nardi.moves import play
from engine.nardi.turns import moves_of, results, steps
from tests.nardi.given import at, dice, modest, positions


def played_out(board: Board, left: tuple[int, ...]) -> Board:
    """The turn as the server ends it, asked again after every step."""
    rest = list(left)
    while (step := first_step(board, rest)) is not None:
        assert step in steps(board, rest)
        board, _ = play(board, step)
        rest.remove(step.die)
    assert steps(board, rest) == ()
    return board


def open_checkers(board: Board) -> int:
    """Single checkers that some opposing checker has still to pass, counted plainly."""
    return sum(
        own(board, point) == 1
        and (opp_bar(board) > 0 or any(opp(board, behind) for behind in range(1, point)))
        for point in range(1, 25)
    )


@modest
@given(positions)
def test_what_counts_as_open_to_a_kill(board: Board) -> None:
    assert exposed(board) == open_checkers(board)


@modest
@given(positions, dice)
def test_n24_it_ends_the_turn_legally_and_leaves_no_blot_where_a_safe_turn_exists(
    board: Board, roll: tuple[int, int]
) -> None:
    after = played_out(board, moves_of(roll))
    every = results(board, roll)
    assert after in every
    assert open_checkers(after) == min(map(open_checkers, every))
    assert after == min(every, key=sense)
    assert played_out(board, moves_of(roll)[::-1]) == after


@modest
@given(positions, dice)
def test_n24_dice_already_played_stay_played(board: Board, roll: tuple[int, int]) -> None:
    for step in steps(board, moves_of(roll))[:4]:
        rest = list(moves_of(roll))
        rest.remove(step.die)
        assert played_out(play(board, step)[0], tuple(rest)) in results(board, roll)


def test_it_makes_a_point_rather_than_leave_a_blot() -> None:
    assert played_out(START, (3, 1)) == at("24:2 13:5 8:2 6:4 5:2", "1:2 12:5 17:3 19:5")


def test_where_nothing_can_be_hit_it_bears_off() -> None:
    after = played_out(at("6:2 5:2 1:2", "24:2"), (5, 1))
    assert off(after) == off(at("6:2 5:2 1:2", "24:2")) + 2


def test_it_kills_where_that_costs_nothing() -> None:
    after = played_out(at("8:1 6:3 5:2", "4:1 24:3"), (4, 2))
    assert opp_bar(after) == 1
    assert exposed(after) == 0
