"""The players of every level: legal, the same from the same, and no fools."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.bots.domino import POLICIES, RULE_SET
from app.bots.policy import LEVELS, Level
from engine.domino.state import State
from tests.bots.domino.played import match
from tests.domino.build import GAME, position

seeds = st.binary(min_size=4, max_size=4)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strong player that thinks less, and is held to the same."""
    monkeypatch.setattr("app.bots.domino.strong.MOST", 120)
    monkeypatch.setattr("app.bots.domino.strong.ROUND", 10)


def test_there_are_three_for_the_georgian_rules() -> None:
    assert set(POLICIES) == set(LEVELS)
    assert RULE_SET == "georgian"


@pytest.mark.parametrize("level", LEVELS)
@given(seed=seeds)
@settings(max_examples=5)
def test_legal_in_every_moment_of_a_match_and_the_same_from_the_same(
    level: Level, seed: bytes
) -> None:
    choose = POLICIES[level]
    for moment in match(seed, points=0.4):
        before = json.dumps([moment.view, moment.legal])
        answer = choose(moment.view, moment.legal, random.Random(3))
        assert answer in moment.legal
        assert json.dumps([moment.view, moment.legal]) == before
        sent = json.loads(before)
        assert choose(sent[0], sent[1], random.Random(3)) == answer


@pytest.mark.parametrize("level", LEVELS)
def test_a_forced_action_is_the_answer(level: Level) -> None:
    state = position("2-5 5-6@R", "0-0 1-1", "4-5", "3-3 2-6 4-4 6-6")
    view = GAME.view(state, 0)
    assert POLICIES[level](view, [{"action": "draw"}], random.Random(1)) == {"action": "draw"}


@pytest.mark.parametrize("level", ["medium", "strong"])
def test_it_takes_the_points(level: Level) -> None:
    # The ends: 4 and 5-5. 0-4 leaves 0 + 10, which scores; 1-4 leaves 11.
    bazaar = "0-1 0-2 0-3 0-6 3-6 4-6"
    state = position("4-5 5-5@R", "1-4 0-4 2-3", "1-2 3-3", bazaar, score=(20, 20))
    view = GAME.view(state, 0)
    best = max(view["legal"], key=lambda each: each["points"])
    assert best["points"] > 0
    legal = [GAME.action_to_json(each) for each in GAME.legal(state, 0)]
    answer = POLICIES[level](view, legal, random.Random(1))
    assert answer == {name: best[name] for name in answer}


def wins(state: State, seat: int) -> bool:
    """Whether ``seat`` wins the match in this hand with everything known to both and the best
    play of both; the bazaar is empty."""
    outcome = GAME.outcome(state)
    if outcome is not None or state.open.turn is None:
        return outcome is not None and seat in outcome.winners
    turn = state.open.turn
    after = (GAME.apply(state, turn, each).state for each in GAME.legal(state, turn))
    won = (wins(each, seat) for each in after)
    return any(won) if turn == seat else all(won)


def worlds(state: State, seat: int) -> list[State]:
    """All deals that could be so, by the counts alone, of a hand with an empty bazaar."""
    other = 1 - seat
    unseen = [*(t for t in range(28) if state.hands[other] >> t & 1), *state.bazaar]
    found = []
    for held in itertools.combinations(unseen, state.hands[other].bit_count()):
        hands = list(state.hands)
        hands[other] = sum(1 << tile for tile in held)
        bazaar = tuple(tile for tile in unseen if tile not in held)
        found.append(state._replace(hands=tuple(hands), bazaar=bazaar))  # type: ignore[arg-type]
    return found


def test_at_the_end_it_wins_where_one_lay_wins_in_every_world() -> None:
    met = 0
    for number in range(40):
        for moment in match(f"end {number}".encode(), target=355, points=1):
            state, seat = moment.state, moment.seat
            if state.bazaar[2:] or max(hand.bit_count() for hand in state.hands) > 4:
                continue
            table = state.open._replace(score=(350, 350))
            every = worlds(state._replace(open=table), seat)
            won = [
                [wins(GAME.apply(each, seat, action).state, seat) for each in every]
                for action in GAME.legal(state, seat)
            ]
            if not any(map(all, won)) or all(map(all, won)):
                continue
            met += 1
            view = moment.view | {"score": [350, 350]}
            answer = POLICIES["strong"](view, moment.legal, random.Random(number))
            # By what it has seen more than one lay may win for sure: where it is right, it wins.
            action = GAME.action_from_json(answer)
            assert wins(GAME.apply(state._replace(open=table), seat, action).state, seat)
    assert met > 5
