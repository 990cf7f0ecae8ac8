"""The moves of a turn as text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Refusal, Unreadable
from engine.nardi.board import START, Board
from engine.nardi.moves import Step, play
from engine.nardi.notation import parse, read, write
from engine.nardi.turns import moves_of, steps, turns
from tests.nardi.given import at, dice, modest, positions, steps_of


def after(board: Board, dice: tuple[int, int], text: str) -> Board:
    for step in read(board, dice, text):
        board, _ = play(board, step)
    return board


def refused(board: Board, dice: tuple[int, int], text: str) -> str:
    with pytest.raises(Refusal) as caught:
        read(board, dice, text)
    return caught.value.code


@modest
@given(positions, dice, st.randoms(use_true_random=False))
def test_every_turn_reads_back_as_written(
    board: Board, roll: tuple[int, int], chance: random.Random
) -> None:
    for turn in turns(board, roll)[:30]:
        text = write(board, turn.steps)
        assert after(board, roll, text) == turn.board
        words = text.split(" ")
        chance.shuffle(words)
        assert after(board, roll, " ".join(words)) == turn.board


@modest
@given(positions, dice, st.randoms(use_true_random=False))
def test_every_order_of_steps_reads_back_step_by_step(
    board: Board, roll: tuple[int, int], chance: random.Random
) -> None:
    """Played in any legal order, written move by move or in one piece: the same board."""
    left, now, played, words = list(moves_of(roll)), board, [], []
    while legal := steps(now, left):
        step = chance.choice(legal)
        left.remove(step.die)
        now, kill = play(now, step)
        played.append(step)
        source = "bar" if step.source == 25 else str(step.source)
        words.append(f"{source}/{step.target or 'off'}" + "*" * kill)
    assert after(board, roll, write(board, played)) == now
    chance.shuffle(words)
    assert after(board, roll, " ".join(words)) == now


@modest
@given(positions, dice)
def test_a_false_or_missing_star_is_refused(board: Board, roll: tuple[int, int]) -> None:
    for turn in turns(board, roll)[:10]:
        words = write(board, turn.steps).split()
        for index, word in enumerate(words):
            if "off" in word:
                continue
            wrong = (
                word.replace("*", "")
                if "*" in word
                else (word.replace("(", "*(") if "(" in word else word + "*")
            )
            changed = " ".join([*words[:index], wrong, *words[index + 1 :]])
            assert refused(board, roll, changed) in ("wrong_star", "illegal_turn")


def test_standard_forms() -> None:
    assert write(START, steps_of((13, 5), (24, 2))) == "24/22 13/8"
    assert write(START, steps_of((13, 6), (7, 1))) == "13/6"
    assert write(START, steps_of((6, 3), (24, 3), (6, 3), (24, 3))) == "24/21(2) 6/3(2)"
    assert write(START, ()) == ""
    assert write(at("24:1 bar:1", "18:1"), steps_of((25, 1), (24, 6))) == "bar/18*"
    assert write(at("24:1", "18:1"), steps_of((24, 6), (18, 1))) == "24/18*/17"
    assert write(at("24:1", "18:1"), steps_of((24, 1), (23, 6))) == "24/17"
    assert write(at("13:2", "10:1"), steps_of((13, 3), (13, 3))) == "13/10*(2)"
    assert write(at("6:1 4:1"), steps_of((4, 4), (6, 6))) == "6/off 4/off"
    assert write(at("13:2", "10:1 7:1"), steps_of((13, 3), (13, 3), (10, 3))) == "13/10*/7* 13/10"


def test_the_same_turn_in_many_words() -> None:
    wanted = read(START, (6, 1), "13/7 8/7")
    assert sorted(read(START, (6, 1), "8/7 13/7")) == sorted(wanted)
    board = at("bar:1 13:2", "4:2")
    assert after(board, (6, 5), "13/7 bar/20") == after(board, (6, 5), "bar/20 13/7")
    assert after(board, (6, 5), "bar/14") == at("14:1 13:2", "4:2")
    two = at("24:2", "21:1 18:1")
    assert after(two, (3, 3), "24/21*/18*(2)") == at("18:2", "bar:2")
    assert after(two, (3, 3), "24/21*(2) 21/18*(2)") == at("18:2", "bar:2")
    assert after(two, (3, 3), "24/21 24/21* 21/18* 21/18") == at("18:2", "bar:2")
    assert after(two, (3, 3), "24/21*/18* 24/18") == at("18:2", "bar:2")


def test_a_point_that_is_not_written_was_passed_without_a_kill() -> None:
    board = at("24:1 1:1", "18:1 23:2")
    assert refused(board, (6, 1), "24/17") == "wrong_star"
    assert after(board, (6, 1), "24/18*/17") == at("17:1 1:1", "bar:1 23:2")
    either = at("24:1 1:1", "18:1")
    assert after(either, (6, 1), "24/17") == at("17:1 1:1", "18:1")
    assert after(either, (6, 1), "24/18*/17") == at("17:1 1:1", "bar:1")
    assert after(either, (6, 1), "24/23/17") == at("17:1 1:1", "18:1")


def test_only_complete_legal_turns() -> None:
    assert refused(START, (5, 2), "13/8") == "turn_not_complete"
    assert refused(START, (5, 2), "") == "turn_not_complete"
    assert refused(START, (5, 2), "13/8 24/21") == "illegal_turn"
    assert refused(START, (5, 2), "13/8 24/22 6/5") == "illegal_turn"
    assert refused(START, (5, 2), "24/22 24/19") == "illegal_turn"
    assert refused(START, (5, 2), "13/8(4)") == "illegal_turn"
    assert refused(START, (2, 2), "13/11(4) 6/4") == "illegal_turn"
    assert refused(START, (5, 2), "13/8* 24/22") == "wrong_star"
    closed = at("bar:1", "19:2 20:2")
    assert read(closed, (6, 5), "") == ()
    assert refused(closed, (6, 5), "bar/19") == "illegal_turn"
    assert refused(at("5:1 1:1", "24:1"), (6, 1), "1/off") == "turn_not_complete"


@pytest.mark.parametrize(
    "text",
    [
        "x", "13", "13/", "/8", "13/8/", "13//8", "8/13", "8/8", "25/20", "30/24", "0/off", "13/0",
        "13/bar", "off/3", "bar", "13/off*", "13/8**", "*13/8", "13*/8", "bar*/20", "13/8(1)",
        "13/8(5)", "13/8(2", "13/8()", "13/8 (2)", "13/8(2)*", "013/8", "13/08", "13/8  24/22",
        " 13/8", "13/8 ", "13/8\n", "13/8,24/22", "BAR/20", "Bar/20", "6/OFF", "13-8", "13/off/3",
        "13/8(٢)", "١٣/٨", "13/8;", "+13/8", "1/off/off",
    ],
)  # fmt: skip
def test_what_is_no_notation(text: str) -> None:
    with pytest.raises(Unreadable):
        parse(text)
    with pytest.raises(Unreadable):
        read(START, (5, 2), text)


@modest
@given(st.text("0123456789/*() barof\n", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read(START, (5, 2), text)
    except (Refusal, Unreadable):
        return
    assert sorted(step.die for step in found) == [2, 5]


def test_a_long_text_is_refused_at_once() -> None:
    assert refused(START, (1, 1), " ".join(["13/12"] * 5000)) == "illegal_turn"


def test_an_order_that_only_works_one_way_is_found() -> None:
    """The 6 can only be played after the 2 has brought the last checker home."""
    board = at("8:1 6:2", "2:2")
    assert read(board, (6, 2), "6/off 8/6") == (Step(8, 2), Step(6, 6))
