"""GNU Backgammon position IDs."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Unreadable
from engine.nardi.board import START, Board, is_sound
from engine.nardi.position import board_of, position_id
from tests.nardi.given import at, modest, positions


def test_the_start_has_its_well_known_id() -> None:
    assert position_id(START) == "4HPwATDgc/ABMA"
    assert board_of("4HPwATDgc/ABMA") == START


def test_the_player_on_roll_comes_second() -> None:
    assert position_id(at("1:1", "")) == "AAAAAgAAAAAAAA"
    assert board_of("AAAAAgAAAAAAAA") == at("1:1", "")
    assert position_id(at("", "24:1")) == "AQAAAAAAAAAAAA"


@modest
@given(positions)
def test_an_id_names_its_position_and_no_other(board: Board) -> None:
    assert board_of(position_id(board)) == board


@modest
@given(
    st.one_of(
        st.text(max_size=20),
        st.binary(min_size=10, max_size=10).map(lambda data: base64.b64encode(data).decode()[:14]),
    )
)
def test_any_string_is_an_id_or_unreadable(text: str) -> None:
    try:
        board = board_of(text)
    except Unreadable:
        return
    assert is_sound(board)
    assert position_id(board) == text


def bits(*sides: list[int]) -> str:
    text = "".join("1" * count + "0" for side in sides for count in side)
    data = int(text[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(data).decode()[:14]


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("short", "4HPwATDgc/ABM"),
        ("long", "4HPwATDgc/ABMA="),
        ("empty", ""),
        ("alphabet", "4HPwATDgc/ABM-"),
        ("not ASCII", "4HPwATDgc/ABMა"),
        ("blank", "4HPwATDgc/ABM "),
        ("line break", "4HPwATDgc/ABM\n"),
        ("padding bits", "4HPwATDgc/ABMB"),
        ("sixteen checkers", bits([16] + [0] * 24, [1] + [0] * 24)),
        ("all ones", "/////////////w"),
        ("shared point", bits([1] + [0] * 24, [0] * 23 + [1, 0])),
        ("bits that belong to nothing", bits([1] + [0] * 24, [1] + [0] * 24, [0, 0, 1])),
    ],
)
def test_what_is_no_id(what: str, text: str) -> None:
    with pytest.raises(Unreadable):
        board_of(text)
