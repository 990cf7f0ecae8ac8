"""Nobody is told what they may not know (T11): deals that give a viewer the same history of
observation give them the same bytes."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.table import views
from app.table.commands import Fresh
from app.table.decision import Accepted, Decision
from app.table.handle import handle
from app.table.table import AnyGame
from engine.game import Step, Viewer
from engine.games import GAMES, game
from tests.app.pebbles import PEBBLES
from tests.app.tables import act, any_act, made, match_of, onward, running

DOMINO = game("domino", "georgian")
TILES = 28


@dataclass(frozen=True)
class Stacked:
    """A game whose first hand is dealt as a test says; all the rest is the real one."""

    game: AnyGame
    order: tuple[int, ...]

    def give(self, state: Any, answer: tuple[int, ...]) -> Step[Any]:
        first = self.game.hand(state) <= 1
        return self.game.give(state, self.order if first else answer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


def stacked(order: tuple[int, ...]) -> AnyGame:
    return cast("AnyGame", Stacked(DOMINO, order))


def told(decisions: list[Decision], viewer: Viewer) -> list[str]:
    """Every byte that a viewer gets: the frames of all changes, and snapshots between them."""
    found = []
    for decision in decisions:
        assert decision.table is not None
        found.append(json.dumps(views.change(decision.table, decision.entries, viewer, 0)))
        found.append(json.dumps(views.snapshot(decision.table, viewer, 0)))
    return found


def hidden(decisions: list[Decision], viewer: Viewer) -> list[str]:
    """The tiles that a viewer can never have seen: all but those laid, and those that the house
    knows to be their own (not those that it told them, which is what is in question)."""
    seen: set[str] = set()
    for decision in decisions:
        for entry in decision.entries:
            match entry.event:
                case {"event": "laid", "tile": tile}:
                    seen.add(tile)
                case {"event": "tiles_dealt", "seat": seat, "tiles": tiles} if seat == viewer:
                    seen |= set(tiles)
                case {"event": "tile_drawn", "seat": seat, "tile": tile} if seat == viewer:
                    seen.add(tile)
    return [name for name in NAMES if name not in seen]


NAMES = [f"{a}-{b}" for a in range(7) for b in range(a, 7)]


def replayed(order: tuple[int, ...], acts: list[tuple[str, Any]]) -> list[Decision] | None:
    """The same actions in another deal; ``None`` if its rules would not let them happen."""
    decisions = made(stacked(order))
    for player, action in acts:
        table = decisions[-1].table
        assert table is not None
        decision = handle(table, act(table, player, action), 0)
        if not isinstance(decision.answer, Accepted):
            return None
        decisions.append(decision)
    return decisions


def first_facts(decisions: list[Decision]) -> Any:
    """What everybody is told of a deal: who opens, and with what (G3)."""
    return [
        entry.event
        for entry in decisions[-1].entries
        if entry.audience is None and entry.event["event"] not in {"revealed", "match_started"}
    ]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_permuting_the_unseen_tiles_changes_no_byte(viewer: Viewer) -> None:
    rng = random.Random(11 if viewer is None else viewer)
    compared = 0
    for _ in range(30):
        order = tuple(rng.sample(range(TILES), TILES))
        decisions = made(stacked(order))
        opening = list(decisions)
        acts: list[tuple[str, Any]] = []
        table = decisions[-1].table
        assert table is not None
        for _ in range(rng.randrange(12)):
            command = any_act(table, rng)
            decision = handle(table, command, 0)
            assert decision.table is not None
            if any(e.event["event"] == "hand_ended" for e in decision.entries):
                break  # the tiles are turned up
            decisions.append(decision)
            acts.append((command.player, command.action))
            table = decision.table
        unseen = [NAMES.index(name) for name in hidden(decisions, viewer)]
        for _ in range(12):
            moved = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
            other = tuple(moved.get(tile, tile) for tile in order)
            again = replayed(other, acts)
            if again is None or first_facts(again[: len(opening)]) != first_facts(opening):
                continue
            compared += other != order
            assert told(again, viewer) == told(decisions, viewer)
    assert compared > 15


@pytest.mark.parametrize("game", [*GAMES, PEBBLES], ids=lambda game: game.name)
@given(seed=st.binary(min_size=32, max_size=32), choice=st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_no_frame_holds_a_seed_or_a_players_id(
    game: AnyGame, seed: bytes, choice: random.Random
) -> None:
    table = running(game, Fresh("match-1", seed))
    sitter = table.seats[0]
    assert sitter is not None
    table = table.with_sitter(0, replace(sitter, player="lasha-the-secret-id"))
    for _ in range(25):
        if table.status != "running":
            break
        decision = handle(table, onward(table, choice), 0)
        assert decision.table is not None
        table = decision.table
        match = match_of(table)
        hidden = [seed.hex(), "lasha-the-secret-id", match.chain.secret(match.begun + 1).hex()]
        if len(match.secrets) < match.begun:
            hidden.append(match.secret.hex())
        for viewer in (*range(len(table.seats)), None):
            for text in told([decision], viewer):
                assert not [word for word in hidden if word in text]


@pytest.mark.parametrize("game", [*GAMES, PEBBLES], ids=lambda game: game.name)
def test_events_for_some_arrive_at_others_as_bare_numbers(game: AnyGame) -> None:
    for decision in made(game):
        assert decision.table is not None
        for viewer in (*range(len(decision.table.seats)), None):
            for entry in decision.entries:
                event = views.told(entry, viewer)
                if entry.audience is None or viewer in entry.audience:
                    assert event == {**entry.event, "number": entry.number}
                else:
                    assert event == {"number": entry.number}


def test_a_hand_is_dealt_to_its_own_seat_alone() -> None:
    table = made(DOMINO)[-1]
    dealt = [e for e in table.entries if e.event["event"] == "tiles_dealt"]
    assert [e.audience for e in dealt] == [frozenset({0}), frozenset({1})]
    assert table.table is not None
    assert match_of(table.table).ply == 0
