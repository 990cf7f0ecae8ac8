"""What seats and spectators may know, and what the screen needs (N21 to N23)."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from engine.nardi import GAME
from engine.nardi.actions import Confirm, Move, Roll
from engine.nardi.board import START
from engine.nardi.view import side
from tests.nardi.build import moves, on_turn, opened, play, walk
from tests.nardi.given import at, modest

HELP = {"legal", "reach", "press", "dead", "can_take_back", "can_confirm"}


def test_before_the_first_roll() -> None:
    view = GAME.view(GAME.start({"points": 3}).state, None)
    half = {"bar": 0, "off": 0, "pips": 167}
    points = [0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, *[0] * 10, 2]
    assert view == {
        "game": "nardi",
        "rules": "short",
        "hand": 1,
        "target": 3,
        "score": [0, 0],
        "seat": None,
        "turn": None,
        "phase": "roll",
        "dice": [],
        "dice_left": [],
        "opening": [],
        "sides": [{"points": points, **half}] * 2,
        "last_turn": None,
        "steps": [],
        "last_hand": None,
        "outcome": None,
    }


def test_a_turn_under_way() -> None:
    state = play(opened((3, 3), (2, 5)).state, Move(13, 5)).state
    view = GAME.view(state, 1)
    assert view["turn"] == 1
    assert view["phase"] == "move"
    assert view["dice"] == [5, 2]
    assert view["dice_left"] == [2]
    assert view["opening"] == [[3, 3], [2, 5]]
    assert view["steps"] == [[13, 8, 5, False]]
    assert view["sides"][1]["points"][12] == 4
    assert view["sides"][1]["pips"] == 162
    assert view["sides"][0]["points"][12] == 5
    assert view["legal"] == [
        {"action": "move", "from": 24, "die": 2},
        {"action": "move", "from": 13, "die": 2},
        {"action": "move", "from": 8, "die": 2},
        {"action": "move", "from": 6, "die": 2},
        {"action": "take_back"},
    ]
    assert view["press"] == {"24": 2, "13": 2, "8": 2, "6": 2}
    assert view["reach"]["13"] == [{"to": 11, "dice": [2], "kills": []}]
    assert view["can_take_back"]
    assert not view["can_confirm"]


def test_phases() -> None:
    state = play(opened((6, 1)).state, *moves((13, 6), (8, 1))).state
    view = GAME.view(state, 0)
    assert (view["phase"], view["can_confirm"], view["can_take_back"]) == ("confirm", True, True)
    assert view["legal"] == [{"action": "take_back"}, {"action": "confirm"}]
    state = play(state, Confirm()).state
    view = GAME.view(state, 1)
    assert (view["phase"], view["turn"], view["dice"]) == ("roll", 1, [])
    assert view["legal"] == [{"action": "roll"}]
    assert view["last_turn"] == {
        "seat": 0,
        "dice": [6, 1],
        "moves": [[13, 7, False], [8, 7, False]],
        "text": "13/7 8/7",
    }
    rolling = GAME.apply(state, 1, Roll()).state
    assert GAME.view(rolling, 1)["phase"] == "roll"
    assert HELP.isdisjoint(GAME.view(rolling, 1))
    over = GAME.view(GAME.concede(state, 0, "left").state, 1)
    assert (over["phase"], over["turn"]) == ("over", None)
    assert over["outcome"] == {"winners": [1], "reason": "left", "score": [0, 0]}


def test_a_killed_checker_and_a_dead_die() -> None:
    view = GAME.view(on_turn(at("bar:1 3:1", "19:2 14:2"), (6, 5)), 0)
    assert view["sides"][0]["bar"] == 1
    assert view["reach"] == {"bar": [{"to": 20, "dice": [5], "kills": []}]}
    assert view["press"] == {"bar": 5}
    assert view["dead"] == [
        {"die": 6, "code": "bar_closed", "rule": "N11", "values": {"die": 6, "point": 19}}
    ]


def test_the_last_hand_is_told_in_the_next() -> None:
    step = play(on_turn(at("1:2", "24:1"), (6, 5)), *moves((1, 6), (1, 5)))
    assert GAME.view(step.state, 1)["last_hand"] == {
        "hand": 1,
        "end": "oini",
        "winner": 0,
        "points": 1,
        "score": [1, 0],
        "sides": [side(at("")), side(at("1:1"))],
    }


@modest
@given(st.integers(0, 10_000))
def test_nobody_sees_more_than_the_board_and_only_the_seat_on_turn_is_helped(seed: int) -> None:
    for state, _ in walk(seed, points=1, most=200)[seed % 9 :: 9]:
        public = GAME.view(state, None)
        assert json.loads(json.dumps(public)) == public
        acting = GAME.to_act(state)
        for seat in (0, 1):
            seen = GAME.view(state, seat)
            assert set(seen) - set(public) == (HELP if seat in acting else set())
            assert {**public, "seat": seat} == {key: seen[key] for key in public}


def test_the_sides_stay_by_seat_whoever_moves() -> None:
    board = at("24:1 6:3", "1:2 bar:1")
    views = [GAME.view(on_turn(board, (2, 1), seat=seat), None)["sides"] for seat in (0, 1)]
    assert views[0] == views[1][::-1]
    assert views[0][0]["points"][23] == 1
    assert views[0][1]["points"][23] == 2
    assert views[0][1]["bar"] == 1
    assert on_turn(START, None).board == START
