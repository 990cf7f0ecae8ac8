"""Who had nothing that fits: the view tells what the events told, no more (G12, G15, G22)."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Seeded
from engine.game import Json, Unreadable, play_on
from tests.domino.build import GAME, play, position
from tests.domino.test_rules import NO_SIX_SIX

seeds = st.binary(min_size=4, max_size=4)
seen = {"found": 0, "bazaar": 0, "locked": 0}


class Listener:
    """Makes the searches of a hand out of what everybody is told."""

    def __init__(self) -> None:
        self.searches: list[Json] = []
        self.placed: list[Json] = []

    def hear(self, row: Json, ends: list[Json]) -> None:
        """``ends``: the open ends after the event's action."""
        if row["event"] == "dealt":
            self.searches, self.placed = [], []
        elif row["event"] == "laid":
            self.placed.append(row)
        elif row["event"] == "drew":
            if last := self.here(row["seat"]):
                last["drew"] += 1
            else:
                self.add(row["seat"], ends, 1)
        elif row["event"] == "passed":
            if last := self.here(row["seat"]):
                last["passed"] = True
            else:
                self.add(row["seat"], ends, 0)
                self.searches[-1]["passed"] = True
            seen[row["cause"]] += 1

    def here(self, seat: int) -> Json | None:
        """The search that ``seat`` is about."""
        last = self.searches[-1] if self.searches else None
        about = last and (last["seat"], last["placed"], last["passed"])
        return last if about == (seat, len(self.placed), False) else None

    def add(self, seat: int, ends: list[Json], drew: int) -> None:
        asks = sorted({end["asks"] for end in ends})
        found = {"seat": seat, "asks": asks, "placed": len(self.placed), "drew": drew}
        self.searches.append(found | {"passed": False})
        seen["found"] += 1


@given(seeds)
def test_the_view_tells_what_the_events_told(seed: bytes) -> None:
    choose = random.Random(seed)
    chance = Seeded(seed)
    step = play_on(GAME, GAME.start({"target": 75}), chance)
    listener = Listener()
    while True:
        public = [GAME.event_to_json(each) for each in step.events if each.audience is None]
        ends = GAME.view(step.state, None)["ends"]
        for row in public:
            listener.hear(row, ends)
        for viewer in (0, 1, None):
            assert GAME.view(step.state, viewer)["searches"] == listener.searches
        if GAME.outcome(step.state) is not None:
            return
        (seat,) = GAME.to_act(step.state)
        action = choose.choice(GAME.legal(step.state, seat))
        step = GAME.apply(step.state, seat, action)
        stored = json.loads(json.dumps(GAME.state_to_json(step.state)))
        assert GAME.state_from_json(stored) == step.state
        step = play_on(GAME, step, chance)


def test_that_looked_at_searches_and_passes() -> None:
    test_the_view_tells_what_the_events_told()
    assert seen["found"] > 200
    assert seen["bazaar"] > 10


def searches(*plays: str, **given: str) -> list[Json]:
    state = position(given["placed"], given["first"], given["second"], given["bazaar"])
    found: list[Json] = GAME.view(play(state, *plays).state, None)["searches"]
    return found


def test_g12_who_draws_has_nothing_that_fits() -> None:
    told = searches(
        "0 draw",
        "0 draw",
        placed="2-5 5-5@R",
        first="0-0 1-1",
        second="4-5",
        bazaar="3-3 2-6 4-4 6-6",
    )
    assert told == [{"seat": 0, "asks": [2, 5], "placed": 2, "drew": 2, "passed": False}]


def test_g15_the_last_tile_drawn_does_not_fit_either() -> None:
    told = searches(
        "0 draw", placed="2-5 5-5@R", first="0-0 1-1", second="4-5 0-4", bazaar="3-3 4-4 6-6"
    )
    assert told == [{"seat": 0, "asks": [2, 5], "placed": 2, "drew": 1, "passed": True}]


def test_g22_who_is_passed_over_has_drawn_nothing() -> None:
    told = searches(
        "0 5-6@L", placed=NO_SIX_SIX, first="5-6 6-6 2-2", second="3-3 0-0", bazaar="0-4 4-4 3-4"
    )
    assert told == [{"seat": 1, "asks": [5, 6], "placed": 11, "drew": 0, "passed": True}]


@pytest.mark.parametrize(
    "wrong", [[[2, 1, 0, 1]], [[0, 9, 0, 1]], [[0, 1, 0]], [[0, 1, 0, 2]], [5]]
)
def test_what_is_no_search(wrong: object) -> None:
    stored = GAME.state_to_json(position("2-5 5-6@R", "2-6 0-0", "1-1", "3-3 4-4 0-1"))
    with pytest.raises(Unreadable):
        GAME.state_from_json(stored | {"searches": wrong})
