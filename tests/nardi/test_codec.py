"""Actions, states and events as JSON, there and strictly back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Unreadable
from engine.nardi import GAME
from engine.nardi.actions import Confirm, Move, Roll, TakeBack
from engine.nardi.board import START, to_json
from tests.nardi.build import moves, on_turn, opened, play, walk
from tests.nardi.given import at, modest


def through_json(value: object) -> Any:
    return json.loads(json.dumps(value))


@modest
@given(st.integers(0, 10_000))
def test_states_and_events_survive_json(seed: int) -> None:
    for state, events in walk(seed, points=1, most=300)[seed % 7 :: 7]:
        written = GAME.state_to_json(state)
        assert GAME.state_from_json(through_json(written)) == state
        assert len(json.dumps(written)) < 1500
        for event in events:
            told = GAME.event_to_json(event)
            assert GAME.event_from_json(through_json(told)) == event
            assert event.audience is None


def test_the_states_that_random_play_does_not_stop_at() -> None:
    for state in (
        GAME.start({"points": 7}).state,
        opened((3, 3)).state,
        GAME.apply(on_turn(START, None), 0, Roll()).state,
        GAME.concede(play(opened((6, 1)).state, Move(13, 6)).state, 0, "left").state,
        GAME.concede(GAME.start({"points": 7}).state, 0, "time").state,
        play(on_turn(at("1:2", "24:1"), (6, 5), points=1), *moves((1, 6), (1, 5))).state,
        play(on_turn(at("1:2", "24:1"), (6, 5)), *moves((1, 6), (1, 5))).state,
    ):
        assert GAME.state_from_json(through_json(GAME.state_to_json(state))) == state


@pytest.mark.parametrize(
    ("action", "value"),
    [
        (Roll(), {"action": "roll"}),
        (Move(13, 5), {"action": "move", "from": 13, "die": 5}),
        (Move(25, 5), {"action": "move", "from": "bar", "die": 5}),
        (TakeBack(), {"action": "take_back"}),
        (Confirm(), {"action": "confirm"}),
    ],
)
def test_actions_there_and_back(action: Roll, value: dict[str, object]) -> None:
    assert GAME.action_to_json(action) == value
    assert GAME.action_from_json(value) == action


@pytest.mark.parametrize(
    "value",
    [
        None,
        "roll",
        [],
        {},
        {"action": None},
        {"action": ["roll"]},
        {"action": "Roll"},
        {"action": "roll", "die": 5},
        {"action": "move"},
        {"action": "move", "from": 13},
        {"action": "move", "from": 13, "die": 5, "to": 8},
        {"action": "move", "from": True, "die": 5},
        {"action": "move", "from": 13, "die": True},
        {"action": "move", "from": 13.0, "die": 5},
        {"action": "move", "from": "13", "die": 5},
        {"action": "move", "from": 25, "die": 5},
        {"action": "move", "from": 0, "die": 5},
        {"action": "move", "from": "off", "die": 5},
        {"action": "move", "from": 13, "die": 0},
        {"action": "move", "from": 13, "die": 7},
        {"action": "move", "from": 13, "die": None},
        {"action": "take_back", "from": 13},
        {"action": "confirm", "x": 1},
    ],
)
def test_what_is_no_action(value: object) -> None:
    with pytest.raises(Unreadable):
        GAME.action_from_json(value)


END = at("1:2", "24:1")


def some_state() -> dict[str, Any]:
    state = play(on_turn(START, (6, 1), score=(2, 1)), Move(13, 6)).state
    written: dict[str, Any] = through_json(GAME.state_to_json(state))
    return written


JUNK = [None, True, -1, 99_999, 1.5, "x", [], [1], [1, 2, 3, 4], {}, {"a": 1}, [[9, 9]], [None]]


def kept() -> set[tuple[str, str]]:
    """What of the junk is no junk there."""
    return {
        ("steps", "[]"),
        ("opening", "[]"),
        ("last_turn", "None"),
        ("last_hand", "None"),
        ("outcome", "None"),
    }


@pytest.mark.parametrize("key", sorted(some_state()))
def test_a_state_with_a_part_that_is_none(key: str) -> None:
    for junk in JUNK:
        if (key, repr(junk)) not in kept():
            with pytest.raises(Unreadable):
                GAME.state_from_json({**some_state(), key: junk})
    missing = some_state()
    del missing[key]
    with pytest.raises(Unreadable):
        GAME.state_from_json(missing)


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"phase": "roll"},
        {"phase": "over"},
        {"phase": "opening"},
        {"phase": "opening", "dice": None, "steps": []},
        {"phase": "opening", "dice": None, "steps": [], "seat": None, "start": to_json(END)},
        {"seat": None},
        {"dice": [1, 6]},
        {"dice": None},
        {"steps": [[13, 6], [13, 6]]},
        {"steps": [[24, 6], [18, 1], [17, 1]]},
        {"steps": [[2, 1]]},
        {"steps": [[13, 0]]},
        {"start": to_json(START)[::-1][1:] + "f"},
        {"last_turn": {"seat": 0, "dice": [2, 1], "moves": [[13, 11]], "text": ""}},
        {"last_turn": {"seat": 0, "dice": [2, 1], "moves": [[13, 11, 0]], "text": ""}},
        {"last_turn": {"seat": 0, "dice": [2, 1], "moves": []}},
        {"last_hand": {"hand": 1, "end": "domino", "winner": 0, "points": 1, "score": [1, 0]}},
        {"outcome": {"winners": [0], "reason": "points", "score": [3, 0]}},
    ],
)
def test_a_state_whose_parts_contradict_each_other(change: dict[str, object]) -> None:
    assert GAME.state_from_json(some_state())
    with pytest.raises(Unreadable):
        GAME.state_from_json({**some_state(), **change})


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"event": "domino"},
        {"event": 1},
        {"event": "rolled", "seat": 0},
        {"event": "rolled", "seat": 0, "dice": [6, 1], "more": 1},
        {"event": "rolled", "seat": 2, "dice": [6, 1]},
        {"event": "rolled", "seat": 0, "dice": [6, 1, 1]},
        {"event": "moved", "seat": 0, "source": 13, "target": 7, "die": 6, "kill": 0},
        {"event": "moved", "seat": 0, "source": 26, "target": 7, "die": 6, "kill": False},
        {"event": "hand_ended", "hand": 1, "end": "oini", "winner": 0, "points": 1,
         "score": [1, 0], "next": 0},
        {"event": "no_move", "seat": 0, "dice": [6, 6], "reasons": [{"die": 6}]},
        {"event": "no_move", "seat": 0, "dice": [6, 6],
         "reasons": [{"die": 6, "code": "closed", "rule": "N6", "values": {"die": None}}]},
    ],
)  # fmt: skip
def test_what_is_no_event(value: Any) -> None:
    with pytest.raises(Unreadable):
        GAME.event_from_json(value)


def test_events_by_name() -> None:
    step = play(on_turn(at("13:2 8:2", "9:1 20:5"), (4, 3)), Move(13, 4))
    assert [GAME.event_to_json(event) for event in step.events] == [
        {"event": "moved", "seat": 0, "source": 13, "target": 9, "die": 4, "kill": True}
    ]
    rolling = GAME.apply(on_turn(at("bar:1", "19:2"), None), 0, Roll()).state
    assert [GAME.event_to_json(event) for event in GAME.give(rolling, (6, 6)).events][:2] == [
        {"event": "rolled", "seat": 0, "dice": [6, 6]},
        {
            "event": "no_move",
            "seat": 0,
            "dice": [6, 6],
            "reasons": [
                {
                    "die": 6,
                    "code": "bar_closed",
                    "rule": "N11",
                    "values": {"die": 6, "point": 19},
                }
            ],
        },
    ]
