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


@given(json_values)
def test_no_value_at_all_breaks_the_reader_of_actions(value: object) -> None:
    with pytest.raises(Unreadable):
        GAME.action_from_json(value)


@given(st.data())
def test_a_spoilt_state_is_unreadable_or_still_a_state(data: st.DataObject) -> None:
    good = GAME.state_to_json(position("2-5 5-6@R", "2-6 0-0", "1-1", "3-3 4-4 0-1"))
    spoilt: Any = copy.deepcopy(good)
    name = data.draw(st.sampled_from(sorted(good)))
    if data.draw(st.booleans()):
        del spoilt[name]
        with pytest.raises(Unreadable):
            GAME.state_from_json(spoilt)
        return
    spoilt[name] = data.draw(json_values)
    with contextlib.suppress(Unreadable):
        GAME.state_from_json(spoilt)
