"""T7: what the server plays when time is out."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Seeded
from engine.game import play_on
from tests.domino.build import GAME, play, position, written


def test_t7_it_lays_the_tile_that_scores_most() -> None:
    state = position("6-6 4-6@R", "4-4 3-6 1-4", "1-1 0-1")
    # 4-4: 12+8 = 20; 3-6: 15; 1-4: 13, nothing.
    assert written(GAME.fallback(state, 0)) == "4-4@R"


def test_t7_where_nothing_scores_it_lays_the_heaviest() -> None:
    state = position("2-5", "2-3 2-6 0-1", "1-1 0-0")
    assert written(GAME.fallback(state, 0)) == "2-6@L"


def test_t7_it_draws_where_nothing_can_be_laid() -> None:
    state = position("2-5", "0-0 1-1", "4-5", "3-3 5-6 4-4 6-6")
    assert written(GAME.fallback(state, 0)) == "draw"


@given(st.binary(min_size=4, max_size=4))
def test_t7_legal_never_the_worst_and_always_the_same(seed: bytes) -> None:
    chance = Seeded(seed)
    choose = random.Random(seed)
    state = play_on(GAME, GAME.start({"target": 75}), chance).state
    while GAME.outcome(state) is None:
        (seat,) = GAME.to_act(state)
        legal = GAME.legal(state, seat)
        picked = GAME.fallback(state, seat)
        assert picked in legal
        assert picked == GAME.fallback(GAME.state_from_json(GAME.state_to_json(state)), seat)
        scores = [offer.get("points", 0) for offer in GAME.view(state, seat)["legal"]]
        gained = play(state, f"{seat} {written(picked)}").events[0]
        assert GAME.event_to_json(gained).get("points", 0) == max(scores)
        action = picked if choose.random() < 0.5 else choose.choice(legal)
        state = play_on(GAME, GAME.apply(state, seat, action), chance).state
