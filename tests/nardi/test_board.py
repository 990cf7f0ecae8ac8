"""The board as one number: N1, N2."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.game import Unreadable
from engine.nardi.board import (
    BAR,
    START,
    Board,
    all_home,
    bar,
    build,
    check,
    flip,
    from_json,
    is_sound,
    off,
    opp,
    opp_bar,
    opp_off,
    own,
    pips,
    to_json,
)
from tests.nardi.given import at, modest, positions


def test_n1_the_start() -> None:
    assert {point: own(START, point) for point in range(26) if own(START, point)} == {
        24: 2,
        13: 5,
        8: 3,
        6: 5,
    }
    assert {point: opp(START, point) for point in range(1, 25) if opp(START, point)} == {
        1: 2,
        12: 5,
        17: 3,
        19: 5,
    }
    assert pips(START) == 167


def test_n2_the_players_meet_from_opposite_ends() -> None:
    assert flip(START) == START
    seen = at("24:1 bar:2", "3:4 bar:1")
    other = flip(seen)
    assert own(other, 22) == 4
    assert opp(other, 1) == 1
    assert (bar(other), opp_bar(other)) == (1, 2)
    assert (off(other), opp_off(other)) == (10, 12)
    assert flip(other) == seen


@modest
@given(positions)
def test_a_board_survives_its_json_and_two_flips(board: Board) -> None:
    assert is_sound(board)
    assert from_json(to_json(board)) == board
    assert flip(flip(board)) == board
    assert is_sound(flip(board))
    assert off(board) + bar(board) + sum(own(board, point) for point in range(1, 25)) == 15
    assert opp_off(board) + opp_bar(board) + sum(opp(board, p) for p in range(1, 25)) == 15
    assert pips(board) == sum(opp(flip(board), 25 - p) * p for p in range(1, 25)) + BAR * bar(board)


def test_a_checker_on_the_bar_is_not_home() -> None:
    assert all_home(at("6:15"))
    assert not all_home(at("7:1"))
    assert not all_home(at("bar:1"))


@pytest.mark.parametrize(
    ("mine", "theirs", "waiting"),
    [
        ({6: 16}, {}, 0),
        ({6: 15}, {}, 1),
        ({6: -1}, {}, 0),
        ({0: 1}, {}, 0),
        ({25: 1}, {}, 0),
        ({6: 1}, {6: 1}, 0),
        ({}, {24: 16}, 0),
    ],
)
def test_a_board_that_is_none(mine: dict[int, int], theirs: dict[int, int], waiting: int) -> None:
    with pytest.raises(Unreadable):
        build(mine, theirs, bar=waiting)


def test_an_unsound_number_is_no_board() -> None:
    for number in (-1, 0, START + 1, START + (1 << 24), 1 << 208):
        with pytest.raises(Unreadable):
            check(number)


@pytest.mark.parametrize(
    "value",
    [
        None,
        5,
        "",
        to_json(START)[:-1],
        to_json(START) + "0",
        to_json(START).upper() + "x",
        "0x" + to_json(START)[2:],
        to_json(START)[::-1][:-2] + "zz",
        " " + to_json(START)[1:],
    ],
)
def test_json_that_is_no_board(value: object) -> None:
    with pytest.raises(Unreadable):
        from_json(value)
