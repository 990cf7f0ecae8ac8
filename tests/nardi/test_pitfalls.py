"""The faults that other nardi programs shipped: one test for each, named after it."""

from __future__ import annotations

import pytest

from engine.game import Refusal
from engine.nardi.board import CHECKERS, Board, is_sound, off
from engine.nardi.moves import Step
from engine.nardi.notation import read, write
from engine.nardi.reasons import dead_dice, why_not
from engine.nardi.turns import moves_of, results, steps, turns
from tests.nardi.given import at, steps_of


def texts(board: Board, dice: tuple[int, int]) -> set[str]:
    """All legal turns as they are written."""
    for order in (dice, dice[::-1]):
        assert results(board, order) == {turn.board for turn in turns(board, order)}
    return {write(board, turn.steps) for turn in turns(board, dice)}


def code(board: Board, left: tuple[int, ...], source: int, die: int) -> tuple[str, str] | None:
    """Why a step is refused: code and rule."""
    refusal = why_not(board, left, Step(source, die))
    return None if refusal is None else (refusal.code, refusal.rule)


def test_only_the_larger_die_where_either_can_be_borne_off_but_not_both() -> None:
    board = at("3:1 4:1 6:1", "2:2 5:2")
    assert texts(board, (4, 1)) == {"4/off"}
    assert steps(board, (4, 1)) == steps_of((4, 4))
    assert code(board, (4, 1), 4, 1) == ("larger_die", "N7")


def test_both_dice_where_a_first_move_would_waste_one() -> None:
    board = at("24:1 8:1 6:13", "4:2 16:2 18:3 19:4 20:4")
    assert texts(board, (6, 2)) == {"24/22 8/2"}
    assert code(board, (6, 2), 8, 2) == ("use_both", "N8")
    with pytest.raises(Refusal) as refused:
        read(board, (6, 2), "8/2")
    assert refused.value.code == "turn_not_complete"


def test_only_the_larger_die_for_the_one_checker_outside() -> None:
    board = at("1:11 2:3 14:1", "7:2")
    assert texts(board, (5, 2)) == {"14/9"}
    assert code(board, (5, 2), 14, 2) == ("larger_die", "N7")


def test_entering_with_the_larger_die_where_either_enters_but_not_both_can_be_used() -> None:
    board = at("bar:1 3:1 5:2", "14:3")
    assert texts(board, (6, 5)) == {"bar/19"}
    assert code(board, (6, 5), 25, 5) == ("larger_die", "N7")


def test_the_larger_die_of_two_checkers_that_have_one_move_each() -> None:
    board = at("10:1 13:1", "7:2 8:3")
    assert texts(board, (6, 5)) == {"10/4"}
    assert code(board, (6, 5), 10, 5) == ("larger_die", "N7")


def test_both_dice_while_bearing_off() -> None:
    board = at("1:1 5:1 6:1", "3:2 4:2")
    assert texts(board, (4, 2)) == {"6/off"}
    assert steps(board, (4, 2)) == steps_of((6, 4))
    assert read(board, (4, 2), "6/2/off") == steps_of((6, 4), (2, 2))
    assert code(board, (4, 2), 5, 4) == ("use_both", "N8")


def test_the_smaller_die_first_so_that_both_can_be_used() -> None:
    board = at("4:1 15:2 22:1", "8:2 12:2 13:2 19:2")
    assert texts(board, (3, 2)) == {"22/20 4/1", "22/17"}
    assert steps(board, (3, 2))[0] == Step(22, 2)


def test_enter_with_the_only_die_that_enters_then_any_legal_move() -> None:
    board = at("bar:1 10:14", "24:3")
    assert steps(board, (3, 1)) == steps_of((25, 3))
    assert texts(board, (3, 1)) == {"bar/21", "bar/22 10/9"}


def test_a_double_bears_off_the_highest_four() -> None:
    assert texts(at("3:2 2:3 1:2"), (4, 4)) == {"3/off(2) 2/off(2)"}


def test_a_double_with_exactly_three_moves() -> None:
    board = at("8:1 6:1 4:1", "2:2")
    assert {len(turn.steps) for turn in turns(board, (2, 2))} == {3}


def test_a_die_larger_than_all_points_takes_one_off_the_highest() -> None:
    board = at("5:2 4:3 3:2 2:3 1:5")
    assert steps(board, (6,)) == steps_of((5, 6))
    assert all("5/off" in text for text in texts(board, (6, 2)))


def test_the_four_takes_one_off_the_three() -> None:
    board = at("1:8 3:4")
    assert steps(board, (4,)) == steps_of((3, 4))
    assert code(board, (4, 1), 1, 4) == ("higher_checker", "N14")
    assert Step(3, 4) in steps(board, (4, 1))
    assert all("3/off" in text for text in texts(board, (4, 1)))


def test_two_ways_to_bear_off_with_four_and_two() -> None:
    board = at("5:1 2:1")
    assert results(board, (4, 2)) == {at("1:1"), at("2:1")}
    assert texts(board, (4, 2)) == {"5/1 2/off", "5/off"}
    assert read(board, (4, 2), "5/3/off") == steps_of((5, 2), (3, 4))


def test_four_times_one_off_with_a_double() -> None:
    assert texts(at("1:8"), (1, 1)) == {"1/off(4)"}


def test_fewer_checkers_left_than_dice_stops_when_fifteen_are_off() -> None:
    for board, dice, text in (
        (at("1:1"), (1, 1), "1/off"),
        (at("2:1"), (6, 3), "2/off"),
        (at("6:3"), (6, 6), "6/off(3)"),
    ):
        assert texts(board, dice) == {text}
        (turn,) = turns(board, dice)
        assert off(turn.board) == CHECKERS
        assert steps(turn.board, moves_of(dice)[len(turn.steps) :]) == ()


def test_a_kill_leaves_fifteen_checkers_a_side() -> None:
    """Also with several kills in a turn, and of two checkers that land on one point."""
    board = at("24:2 13:2 bar:1", "20:1 16:1 9:1 1:12")
    for dice in ((4, 4), (5, 4), (4, 1), (6, 4)):
        assert all(is_sound(after) for after in results(board, dice))
    both_kill = at("10:1 9:1", "4:1")
    assert at("4:2", "bar:1") in results(both_kill, (6, 5))


def test_a_player_may_ask_why_a_die_cannot_be_played() -> None:
    def dead(board: Board, *left: int) -> list[tuple[int, str, str]]:
        return [(die, why.code, why.rule) for die, why in dead_dice(board, left)]

    assert dead(at("13:2", "7:2 6:2"), 6, 1) == [(6, "closed", "N6")]
    assert dead(at("3:1 4:1 6:1", "2:2 5:2"), 4, 1) == [(1, "larger_die", "N7")]
    assert dead(at("bar:1 3:1", "19:2 14:2"), 6, 5) == [(6, "bar_closed", "N11")]
    assert dead(at("bar:1", "19:2 20:2"), 6, 5) == [
        (6, "bar_closed", "N11"),
        (5, "bar_closed", "N11"),
    ]
    assert dead(at("1:0"), 6) == [(6, "all_off", "N16")]
    # A die that only waits for the other one is not dead.
    assert dead(at("24:1 8:1 6:13", "4:2 16:2 18:3 19:4 20:4"), 6, 2) == []
    assert dead(at("6:1", "1:2"), 5, 5, 5) == [(5, "closed", "N6")]
    assert dead(at("6:1"), 5, 5, 5) == []
