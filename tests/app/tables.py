"""Tables for tests: made, filled and played through the commands that everybody else uses."""

from __future__ import annotations

import random
from collections.abc import Iterator

from app.table.clock import PRESETS
from app.table.commands import Act, Command, Create, Fresh, Hash, Ready, Reveal, Sit
from app.table.decision import Accepted, Answer, Decision
from app.table.handle import handle
from app.table.match import Match
from app.table.table import AnyGame, Table
from engine import games
from engine.chance import sha256
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


def create(
    game: AnyGame, player: str = "nino", table: str = "t1", *, public: bool = True
) -> Create:
    clock = PRESETS["standard"]
    return Create(table, game, least(game), clock, public, player, player.title())


def sit(player: str, fresh: Fresh = FRESH) -> Sit:
    return Sit(player, player.title(), fresh)


def number_of(player: str) -> bytes:
    """The number that a player's browser drew."""
    return sha256(player.encode())


def hashed(player: str, match: str = FRESH.match) -> Hash:
    return Hash(player, f"hash-{match}-{player}", match, sha256(number_of(player)))


def revealed(player: str, match: str = FRESH.match) -> Reveal:
    return Reveal(player, f"reveal-{match}-{player}", match, number_of(player))


def decided(table: Table | None, command: Command, now: int = 0) -> tuple[Table, Answer]:
    decision = handle(table, command, now)
    assert decision.table is not None
    return decision.table, decision.answer


def beginning(game: AnyGame, fresh: Fresh = FRESH) -> list[Command]:
    """The commands that make a table, fill it and lead to a match."""
    players = PLAYERS[: game.seats(least(game))]
    return [
        create(game),
        *(sit(player, fresh) for player in players[1:]),
        *(hashed(player, fresh.match) for player in players),
        *(revealed(player, fresh.match) for player in players),
    ]


def made(game: AnyGame, fresh: Fresh = FRESH) -> list[Decision]:
    """The decisions on the way to a running match."""
    decisions: list[Decision] = []
    table = None
    for command in beginning(game, fresh):
        decisions.append(handle(table, command, 0))
        assert isinstance(decisions[-1].answer, Accepted)
        table = decisions[-1].table
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
    return table.sitter(table.game.to_act(match_of(table).state)[0]).player


def any_act(table: Table, rng: random.Random) -> Act:
    """Some legal action of the player to move that gets the match on."""
    seat = table.game.to_act(match_of(table).state)[0]
    legal = table.game.legal(match_of(table).state, seat)
    action = rng.choice([each for each in legal if not table.game.takes_back(each)])
    return act(table, to_move(table), table.game.action_to_json(action))


def onward(table: Table, rng: random.Random) -> Act | Ready:
    """Whatever gets the match on: an action, or no more waiting for the next hand."""
    match = match_of(table)
    if match.pause_until is None:
        return any_act(table, rng)
    seat = next(seat for seat in table.taken() if seat not in match.ready)
    player = table.sitter(seat).player
    return Ready(player, f"ready-{match.begun}-{player}", match.id)


def playing(table: Table, rng: random.Random) -> Iterator[Decision]:
    """Random play to the end of the match, one decision a command."""
    while table.status == "running":
        decision = handle(table, onward(table, rng), 0)
        assert isinstance(decision.answer, Accepted)
        assert decision.table is not None
        table = decision.table
        yield decision
