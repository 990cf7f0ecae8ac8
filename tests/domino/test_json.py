"""Actions and states as plain JSON: round trips, and what is refused."""

from __future__ import annotations

import contextlib
import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domino.actions import LAYS, Action, Draw, read_play, write_play
from engine.game import Unreadable
from tests.domino.build import GAME, position

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_every_action_goes_there_and_back() -> None:
    actions: list[Action] = [Draw(), *(lay for by_bit in LAYS.values() for lay in by_bit.values())]
    assert len(actions) == 1 + 5 * 28
    for action in actions:
        assert GAME.action_from_json(GAME.action_to_json(action)) == action
        assert read_play(write_play(action)) == action


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "draw",
        {},
        {"action": "draw", "tile": "0-0"},
        {"action": "lay", "tile": "6-4", "end": "R"},
        {"action": "lay", "tile": "4-6", "end": "X"},
        {"action": "lay", "tile": "4-6", "end": True},
        {"action": "lay", "tile": "4-6"},
        {"action": "lay", "tile": 46, "end": None},
        {"action": "lay", "tile": ["4-6"], "end": None},
        {"action": "lay", "tile": "4-6", "end": "R", "seat": 1},
        {"action": ["lay"], "tile": "4-6", "end": "R"},
    ],
)
def test_what_is_no_action(wrong: object) -> None:
    with pytest.raises(Unreadable):
        GAME.action_from_json(wrong)


@pytest.mark.parametrize("foreign", ["1-2@L", None, 5, object()])
def test_what_is_no_action_at_all_is_never_taken_for_a_draw(foreign: Any) -> None:
    state = position("2-5", "0-0 1-1", "4-5", "3-3 5-6 4-4 6-6")
    with pytest.raises(Unreadable):
        GAME.apply(state, 0, foreign)


@pytest.mark.parametrize("options", [{}, {"target": 80}, {"target": "75"}, {"points": 1}])
def test_a_match_to_another_target_is_not_started(options: Any) -> None:
    with pytest.raises(Unreadable):
        GAME.start(options)


@pytest.mark.parametrize("turn", [2, -1, 0])
def test_a_stored_turn_must_be_of_a_seat_that_holds_tiles(turn: int) -> None:
    stored = GAME.state_to_json(GAME.start({"target": 75}).state) | {"turn": turn}
    with pytest.raises(Unreadable):
        GAME.state_from_json(stored)


@given(json_values)
def test_no_value_at_all_breaks_the_reader_of_actions(value: object) -> None:
    with pytest.raises(Unreadable):
        GAME.action_from_json(value)


@given(st.data())
def test_a_spoilt_state_is_unreadable_or_still_a_state(data: st.DataObject) -> None:
    good = GAME.state_to_json(position("2-5 5-6@R", "2-6 0-0", "1-1", "3-3 4-4 0-1"))
    good["searches"] = [[1, 2, 0, 1]]
    spoilt: Any = copy.deepcopy(good)
    name = data.draw(st.sampled_from(sorted(good)))
    if data.draw(st.booleans()):
        del spoilt[name]
        if name == "searches":  # as stored before there were any
            assert GAME.state_from_json(spoilt).open.searches == ()
            return
        with pytest.raises(Unreadable):
            GAME.state_from_json(spoilt)
        return
    spoilt[name] = data.draw(json_values)
    with contextlib.suppress(Unreadable):
        GAME.state_from_json(spoilt)
