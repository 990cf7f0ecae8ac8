"""The point-taker that the computer players are measured against is the engine's fallback."""

from __future__ import annotations

import random

from benchmarks.bots.domino import points
from engine.chance import Seeded
from engine.domino import GEORGIAN
from engine.game import play_on


def test_the_point_taker_of_the_benchmark_plays_what_the_engine_would() -> None:
    rng = random.Random(1)
    chosen = 0
    for seed in range(8):
        chance = Seeded(bytes([seed]))
        state = play_on(GEORGIAN, GEORGIAN.start({"target": 75}), chance).state
        while GEORGIAN.outcome(state) is None:
            (seat,) = GEORGIAN.to_act(state)
            actions = GEORGIAN.legal(state, seat)
            if len(actions) > 1:
                chosen += 1
                legal = [GEORGIAN.action_to_json(each) for each in actions]
                told = points(GEORGIAN.view(state, seat), legal, rng)
                assert told == GEORGIAN.action_to_json(GEORGIAN.fallback(state, seat))
            step = GEORGIAN.apply(state, seat, rng.choice(actions))
            state = play_on(GEORGIAN, step, chance).state
    assert chosen > 100
