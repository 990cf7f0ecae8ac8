"""Tables for tests: made, filled and played through the commands that everybody else uses."""

from __future__ import annotations

import random
from collections.abc import Iterator

from app.table.commands import Act, Create, Fresh, Sit
from app.table.decide import Accepted, Answer, Decision, handle
from app.table.table import AnyGame, Match, Table
from engine import games
from engine.game import Json
from tests.app.pebbles import PEBBLES

FRESH = Fresh("match-1", bytes(range(32)))
PLAYERS = ("nino", "gia", "dato")


def game_of(name: str, rules: str) -> AnyGame:
    """All games, and the one of the tests."""
    return PEBBLES if name == PEBBLES.name else games.game(name, rules)


def least(game: AnyGame) -> dict[str, int]:
    """The shortest match."""
    return {name: values[0] for name, values in game.choices.items()}


def create(game: AnyGame, player: str = "nino", table: str = "t1", fresh: Fresh = FRESH) -> Create:
    return Create(table, game, least(game), player, player.title(), fresh)


def sit(player: str, fresh: Fresh = FRESH) -> Sit:
    return Sit(player, player.title(), fresh)


def decided(table: Table | None, command: Create | Sit | Act) -> tuple[Table, Answer]:
    decision = handle(table, command, 0.0)
    assert decision.table is not None
    return decision.table, decision.answer


def made(game: AnyGame, fresh: Fresh = FRESH) -> list[Decision]:
    """The decisions that make a table and fill it."""
    first = handle(None, create(game, fresh=fresh), 0.0)
    decisions = [first]
    assert first.table is not None
    for player in PLAYERS[1 : len(first.table.seats)]:
        decisions.append(handle(decisions[-1].table, sit(player, fresh), 0.0))
    return decisions


def running(game: AnyGame, fresh: Fresh = FRESH) -> Table:
    """A full table whose match runs."""
    table = made(game, fresh)[-1].table
    assert table is not None
    return table


def match_of(table: Table) -> Match:
    assert table.match is not None
    return table.match


def act(table: Table, player: str, action: Json, **changed: object) -> Act:
    """An action for the table as it stands, with what a test wants changed."""
    match = match_of(table)
    values = {"id": f"command-{match.ply}-{player}", "match": match.id, "ply": match.ply}
    return Act(player=player, action=action, **(values | changed))  # type: ignore[arg-type]


def to_move(table: Table) -> str:
    """The player to move."""
    sitter = table.seats[table.game.to_act(match_of(table).state)[0]]
    assert sitter is not None
    return sitter.player


def any_act(table: Table, rng: random.Random) -> Act:
    """Some legal action of the player to move that gets the match on."""
    seat = table.game.to_act(match_of(table).state)[0]
    legal = table.game.legal(match_of(table).state, seat)
    action = rng.choice([each for each in legal if not table.game.takes_back(each)])
    return act(table, to_move(table), table.game.action_to_json(action))


def playing(table: Table, rng: random.Random) -> Iterator[Decision]:
    """Random play to the end of the match, one decision an action."""
    while table.status == "running":
        decision = handle(table, any_act(table, rng), 0.0)
        assert isinstance(decision.answer, Accepted)
        assert decision.table is not None
        table = decision.table
        yield decision
