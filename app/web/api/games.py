"""The call about what can be played here."""

from __future__ import annotations

from itertools import product

from starlette.requests import Request

from app.table import coins
from app.table.clock import PRESETS
from app.table.table import AnyGame
from app.web.api.calls import SHORT, Calls
from app.web.api.values import GAME, Told, told
from app.web.site import site_of

CALLS = Calls("games")


class GameRules(Told):
    """A rule set of a game."""

    game: str = told("The game", GAME.name)
    rules: str = told("The rule set", GAME.rules)
    options: dict[str, list[int]] = told(
        "What a table's creator may pick, by option",
        {option: list(values) for option, values in GAME.choices.items()},
    )
    seats: list[int] = told("How many may play: each number that some options lead to", [2])


class Clock(Told):
    """A clock that a table may have."""

    move_ms: int = told("For a move, in ms", 30_000)
    reserve_ms: int = told("For the whole match, in ms", 120_000)
    absence_ms: int = told("How long somebody on turn may be away, in ms", 60_000)


_CLOCKS = {
    name: Clock(move_ms=c.move_ms, reserve_ms=c.reserve_ms, absence_ms=c.absence_ms)
    for name, c in PRESETS.items()
}


class Playable(Told):
    """What can be played here, and how."""

    games: list[GameRules] = told("The games with their rule sets")
    clocks: dict[str, Clock] = told(
        "The clocks by name", {name: each.model_dump() for name, each in _CLOCKS.items()}
    )
    stakes: list[int] = told("Stakes that are offered; 0: a free table", [0, *coins.OFFERED])


@CALLS.get("/games", "What can be played", Playable, keep=SHORT, may=())
async def games(request: Request) -> Playable:
    """Games, rule sets, options, numbers of seats, clocks and stakes."""
    return Playable(
        games=[_rules(each) for each in site_of(request).games],
        clocks=_CLOCKS,
        stakes=[0, *coins.OFFERED],
    )


def _rules(game: AnyGame) -> GameRules:
    options = {option: list(values) for option, values in game.choices.items()}
    every = (dict(zip(options, picked, strict=True)) for picked in product(*options.values()))
    return GameRules(
        game=game.name,
        rules=game.rules,
        options=options,
        seats=sorted({game.seats(each) for each in every}),
    )
