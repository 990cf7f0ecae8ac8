"""Nardi's lines of a match record, and the rows of its replay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Ask, Event, Refusal, Unreadable
from engine.nardi import GAME, State
from engine.nardi.actions import Confirm, Move, Roll
from engine.nardi.board import flip
from engine.nardi.legal import legal_row
from engine.nardi.position import board_of, position_id
from engine.nardi.turns import results
from tests.nardi.build import on_turn, opened, walk
from tests.nardi.given import at, modest

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(name: str) -> list[Any]:
    text = (VECTORS / f"nardi-short.{name}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


RECORDS = list(zip(vectors("records"), vectors("expected"), strict=True))


def replayed(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plain driver of nardi's own functions: the rows, up to the first refusal."""
    state = GAME.start(record["options"]).state
    for number, hand in enumerate(record["hands"], 1):
        GAME.check_hand(hand)
        n = 0
        if GAME.hand(state) != number:
            yield {"hand": number, "n": 0, "error": True}
            return
        try:
            state, _ = answered(state, hand, number)
            for line in hand["turns"]:
                n += 1
                seat, actions = GAME.read_line(state, line)
                events: tuple[Event, ...] = ()
                for action in actions:
                    step = GAME.apply(state, seat, action)
                    state, told = answered(step.state, hand, number)
                    events += step.events + told
                for row in GAME.rows(state, line, events):
                    yield {"hand": number, **({} if "end" in row else {"n": n}), **row}
        except (Refusal, Unreadable):
            yield {"hand": number, "n": n, "error": True}
            return
    outcome = GAME.outcome(state)
    if outcome is not None:
        score = list(outcome.score)
        yield {"winner": outcome.winners[0], "reason": outcome.reason, "score": score}


def answered(state: State, hand: dict[str, Any], number: int) -> tuple[State, tuple[Event, ...]]:
    """What the hand's record answers to chance, as far as it goes."""
    events: tuple[Event, ...] = ()
    while (ask := GAME.asks(state)) is not None and ask.hand == number:
        answer = GAME.recorded(hand, ask)
        if answer is None:
            break
        step = GAME.give(state, answer)
        state = step.state
        events += step.events
    return state, events


@pytest.mark.parametrize(("record", "expected"), RECORDS)
def test_every_vector_of_records(record: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    wanted = [{**row, "error": True} if "error" in row else row for row in expected]
    assert list(replayed(record)) == wanted


def test_all_vectors_are_there() -> None:
    assert len(RECORDS) == 28


@pytest.mark.parametrize("seed", range(3))
def test_the_lines_of_a_live_match_replay_to_its_states(seed: int) -> None:
    """Take-backs leave no trace; every position of the live match comes again."""
    chance_lines: list[Any] = []
    positions: list[str] = []
    met = walk(seed, points=3, most=100_000)
    for _, events in met:
        for event in events:
            told = GAME.event_to_json(event)
            if told["event"] == "opening_rolled":
                if told["number"] == 0:
                    chance_lines.append({"opening": [], "turns": []})
                chance_lines[-1]["opening"].append(told["dice"])
            if told["event"] == "turn_ended":
                dice = "".join(map(str, told["dice"]))
                text = f" {told['moves']}" if told["moves"] else ""
                chance_lines[-1]["turns"].append(f"{told['seat']} {dice}:{text}")
                positions.append(told["position"])
    rows = list(replayed({"options": {"points": 3}, "hands": chance_lines}))
    assert [row["position"] for row in rows if "position" in row] == positions
    outcome = GAME.outcome(met[-1][0])
    assert outcome is not None
    assert rows[-1]["score"] == list(outcome.score)


def test_a_hand_has_its_keys_and_types() -> None:
    GAME.check_hand({"opening": [[3, 3], [5, 2]], "turns": ["0 52: 13/8 24/22"], "ms": [1]})
    wrong: tuple[dict[str, Any], ...] = (
        {},
        {"opening": [[5, 2]]},
        {"turns": []},
        {"opening": {}, "turns": []},
        {"opening": [52], "turns": []},
        {"opening": ["52"], "turns": []},
        {"opening": [["5", 2]], "turns": []},
        {"opening": [[True, 2]], "turns": []},
        {"opening": [[5.0, 2]], "turns": []},
        {"opening": [[5, 2]], "turns": "0 52:"},
        {"opening": [[5, 2]], "turns": [None]},
        {"opening": [[5, 2]], "turns": [["0 52:"]]},
    )
    for hand in wrong:
        with pytest.raises(Unreadable):
            GAME.check_hand(hand)


@pytest.mark.parametrize(
    "opening",
    [
        [],
        [[3, 3]],
        [[5, 2], [6, 1]],
        [[5, 2], [3, 3]],
        [[0, 3]],
        [[7, 3]],
        [[5]],
        [[5, 2, 1]],
        [[]],
    ],
)
def test_n3_an_opening_that_is_none(opening: list[list[int]]) -> None:
    hand: dict[str, Any] = {"opening": opening, "turns": []}
    GAME.check_hand(hand)
    with pytest.raises(Refusal) as caught:
        GAME.recorded(hand, Ask(1, "opening|0", "dice", 2))
    assert (caught.value.code, caught.value.rule) == ("bad_opening", "N3")


def test_what_a_record_answers() -> None:
    hand = {"opening": [[3, 3], [5, 2]], "turns": ["0 52: 13/8 24/22", "1 33:"]}
    assert GAME.recorded(hand, Ask(1, "opening|0", "dice", 2)) == (3, 3)
    assert GAME.recorded(hand, Ask(1, "opening|1", "dice", 2)) == (5, 2)
    assert GAME.recorded(hand, Ask(1, "roll|1", "dice", 2)) == (3, 3)
    assert GAME.recorded(hand, Ask(1, "roll|2", "dice", 2)) is None


def test_a_line_as_actions() -> None:
    state = opened((5, 2)).state
    seat, actions = GAME.read_line(state, "0 52: 13/8 24/22")
    assert seat == 0
    assert set(actions) == {Move(13, 5), Move(24, 2), Confirm()}
    assert actions[-1] == Confirm()
    rolls = on_turn(at("bar:1", "19:2"), None, seat=1)
    assert GAME.read_line(rolls, "1 66:") == (1, (Roll(),))
    only = on_turn(at("8:1", "24:2"), None)
    assert GAME.read_line(only, "0 21: 8/5") == (0, (Roll(), Move(8, 2), Move(6, 1)))


@pytest.mark.parametrize(
    "line",
    [
        "", "0", "0 52", "0 52 13/8 24/22", "0 25: 13/8 24/22", "2 52: 13/8 24/22", "0 72: 13/8",
        "0 50: 13/8", "0 52:13/8 24/22", "0 52:  13/8 24/22", "0 52: 13/8  24/22", "0 52: ",
        " 0 52: 13/8 24/22", "0 52: 13/8 24/22 ", "0 52: 13/8 24/22\n", "0  52: 13/8 24/22",
        "A 52: 13/8 24/22", "-0 52: 13/8 24/22", "٠ 52: 13/8 24/22", "0 5-2: 13/8 24/22",
        "0 52: 13/8 x", "0 52: 13/8, 24/22",
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_read(line: str) -> None:
    with pytest.raises(Unreadable):
        GAME.read_line(opened((5, 2)).state, line)


@pytest.mark.parametrize(
    ("line", "code", "rule"),
    [
        ("1 52: 13/8 24/22", "not_your_turn", "N4"),
        ("0 53: 13/8 24/21", "wrong_dice", "N3"),
        ("0 52: 13/8", "turn_not_complete", "N7"),
        ("0 52:", "turn_not_complete", "N7"),
        ("0 52: 13/8 13/10", "illegal_turn", "N4"),
        ("0 52: 13/8* 24/22", "wrong_star", "N10"),
    ],
)
def test_a_line_that_the_rules_refuse(line: str, code: str, rule: str) -> None:
    with pytest.raises(Refusal) as caught:
        GAME.read_line(opened((5, 2)).state, line)
    assert (caught.value.code, caught.value.rule) == (code, rule)


def test_no_line_in_the_middle_of_a_turn_or_after_the_end() -> None:
    state = GAME.apply(opened((5, 2)).state, 0, Move(13, 5)).state
    with pytest.raises(Refusal) as caught:
        GAME.read_line(state, "0 52: 13/8 24/22")
    assert caught.value.code == "turn_under_way"
    with pytest.raises(Refusal) as caught:
        GAME.read_line(GAME.concede(state, 0, "left").state, "1 52: 13/8 24/22")
    assert caught.value.code == "match_over"


@modest
@given(st.text("0123456:/* barof()", max_size=24))
def test_any_line_is_read_or_refused(line: str) -> None:
    state = opened((5, 2)).state
    try:
        GAME.read_line(state, line)
    except (Refusal, Unreadable):
        return
    assert line.startswith("0 52: ")


def test_a_row_without_a_line_tells_the_moves_itself() -> None:
    state = opened((5, 2)).state
    for action in (Move(24, 2), Move(13, 5)):
        state = GAME.apply(state, 0, action).state
    events = GAME.apply(state, 0, Confirm()).events
    (row,) = GAME.rows(state, None, events)
    assert row["moves"] == "24/22 13/8"
    (row,) = GAME.rows(state, "0 52: 13/8 24/22", events)
    assert row["moves"] == "13/8 24/22"


@pytest.mark.parametrize("case", vectors("legal")[::25], ids=lambda case: case["position"])
def test_the_legal_turns_of_a_written_position(case: dict[str, Any]) -> None:
    rows = legal_row(f"{case['position']} {case['dice']}\n")
    assert sorted(row["position"] for row in rows) == case["after"]
    board = board_of(case["position"])
    one, other = map(int, case["dice"])
    assert len(rows) == len(results(board, (one, other)))
    if rows[0]["moves"]:
        state = on_turn(board, None, points=7)
        for row in rows:
            large, small = max(one, other), min(one, other)
            seat, actions = GAME.read_line(state, f"0 {large}{small}: {row['moves']}")
            now = GAME.give(GAME.apply(state, seat, actions[0]).state, (one, other)).state
            for action in actions[1:]:
                before, now = now, GAME.apply(now, seat, action).state
                if action == Confirm():
                    assert position_id(flip(before.board)) == row["position"]


def test_a_roll_that_allows_nothing_is_one_turn_without_moves() -> None:
    board = at("bar:1", "19:2")
    written = position_id(board)
    assert legal_row(f"{written} 66") == [{"moves": "", "position": position_id(flip(board))}]


@pytest.mark.parametrize(
    "line", ["", "4HPwATDgc/ABMA", "4HPwATDgc/ABMA 70", "4HPwATDgc/ABMA 5", "4HPwATDgc/ABMA 5 2",
             "4HPwATDgc/ABM 52", "4HPwATDgc/ABMA 521", "52 4HPwATDgc/ABMA"]
)  # fmt: skip
def test_a_line_that_is_no_position_with_dice(line: str) -> None:
    with pytest.raises(Unreadable):
        legal_row(line)
