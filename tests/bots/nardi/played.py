"""Matches between computer players, each of them shown its view as a browser would get it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import NamedTuple

from app.bots.policy import Policy
from engine.chance import Seeded, sha256
from engine.game import Json, play_on
from engine.nardi import GAME, State


class Acted(NamedTuple):
    """An action on its way: the state before it, the view, and what was answered."""

    state: State
    view: Json
    action: Json


def view_of(state: State) -> Json:
    """What the seat on turn sees, written and read again."""
    seen: Json = json.loads(json.dumps(GAME.view(state, GAME.to_act(state)[0])))
    return seen


def answer(policy: Policy, state: State, rng: random.Random | None = None) -> Json:
    """The policy's action for the seat on turn."""
    view = view_of(state)
    return policy(view, view["legal"], rng or random.Random(1))


def match(policies: tuple[Policy, Policy], points: int, seed: str) -> Iterator[Acted]:
    """Every action of a match; the chance a policy is given is another one each time."""
    chance = Seeded(sha256(seed.encode()))
    rng = random.Random(seed)
    state = play_on(GAME, GAME.start({"points": points}), chance).state
    while GAME.outcome(state) is None:
        (seat,) = GAME.to_act(state)
        view = view_of(state)
        before = json.dumps(view)
        action = policies[seat](view, view["legal"], rng)
        assert json.dumps(view) == before
        yield Acted(state, view, action)
        step = GAME.apply(state, seat, GAME.action_from_json(action))
        state = play_on(GAME, step, chance).state
        rng.random()
