"""Matches of domino as a computer player meets them: what each seat saw, and what was so."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import NamedTuple

from engine.chance import Seeded
from engine.domino import GEORGIAN as GAME
from engine.domino.events import Dealt, TileDrawn, TilesDealt
from engine.domino.state import State
from engine.domino.tiles import BIT, TileSet
from engine.game import Event, Json, play_on


class Moment(NamedTuple):
    """A seat on turn with something to choose: its view and legal actions as JSON that was sent,
    the state, and how each seat came by its tiles: dealt, then by the searches it has made."""

    state: State
    seat: int
    view: Json
    legal: list[Json]
    brought: tuple[list[TileSet], list[TileSet]]


class Sources:
    """How the tiles came into the hands, told by the events and the searches."""

    def __init__(self) -> None:
        self.brought: tuple[list[TileSet], list[TileSet]] = ([], [])

    def hear(self, events: tuple[Event, ...], state: State) -> None:
        for event in events:
            if isinstance(event, Dealt):
                self.brought = ([], [])
            elif isinstance(event, TilesDealt):
                self.brought[event.seat].append(event.tiles)
        for seat, brought in enumerate(self.brought):
            made = sum(search.seat == seat for search in state.open.searches)
            while brought and len(brought) <= made:
                brought.append(0)
        for event in events:
            if isinstance(event, TileDrawn):
                self.brought[event.seat][-1] |= BIT[event.tile]


def match(seed: bytes, target: int = 75, points: float = 0.7) -> Iterator[Moment]:
    """The moments of a match between two who take the most points so often, else anything."""
    choose = random.Random(seed)
    chance = Seeded(seed)
    sources = Sources()
    step = play_on(GAME, GAME.start({"target": target}), chance)
    while True:
        state = step.state
        sources.hear(step.events, state)
        if GAME.outcome(state) is not None:
            return
        (seat,) = GAME.to_act(state)
        actions = GAME.legal(state, seat)
        if len(actions) > 1:
            view = json.loads(json.dumps(GAME.view(state, seat)))
            legal = [GAME.action_to_json(each) for each in actions]
            brought = (list(sources.brought[0]), list(sources.brought[1]))
            yield Moment(state, seat, view, legal, brought)
        action = choose.choice(actions)
        if choose.random() < points:
            action = GAME.fallback(state, seat)
        step = play_on(GAME, GAME.apply(state, seat, action), chance)
