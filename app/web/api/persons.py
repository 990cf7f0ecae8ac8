"""Players as others may know them: a name and a handle, and never an id."""

from __future__ import annotations

from collections.abc import Collection

from starlette.requests import Request

from app.players.accounts import Registered
from app.ratings.ratings import Rating
from app.web.api.problems import CallError
from app.web.api.values import GAME, HANDLE, MOMENT, Told, told
from app.web.site import Site, site_of


class Rated(Told):
    """A rating for a rule set of a game."""

    game: str = told("The game", GAME.name)
    rules: str = told("The rule set", GAME.rules)
    rating: int = told("The rating, as it is shown; everybody begins at 1500", 1605)
    matches: int = told("Rated matches that it comes from", 12)
    provisional: bool = told("Whether it comes of few matches", False)
    updated_at: int = told("When the last of them ended, ms since 1970", MOMENT)


class Reader(Told):
    """Who is asking."""

    name: str = told("Their name", "ნინო")
    registered: bool = told("Whether they have an account", True)
    handle: str | None = told("The handle of their page; null: a guest", HANDLE)
    coins: int | None = told("Their coins; null: a guest, or it is not known right now", 10_000)
    ratings: list[Rated] = told("Their ratings, by game and rules")


class Me(Told):
    """Who is asking, if anybody."""

    player: Reader | None = told("The player whose cookie it is; null: nobody yet")


class Known(Told):
    """A registered player."""

    name: str = told("Their name", "ნინო")
    handle: str = told("The handle of their page", HANDLE)
    since: int = told("When they registered, ms since 1970", MOMENT)
    ratings: list[Rated] = told("Their ratings, by game and rules")


def is_reader(request: Request, player: str) -> bool:
    """Whether it is who asks."""
    reader = site_of(request).player(request)
    return reader is not None and reader.id == player


async def ratings_of(site: Site, player: str) -> list[Rated]:
    """A player's ratings. Raises :class:`RatingsError`."""
    return [_rated(each) for each in await site.ratings.of(player)]


async def at(request: Request, handle: str) -> Registered:
    """The registered player with a handle. Raises :class:`CallError`, :class:`PlayersError`."""
    found = await site_of(request).accounts.at(handle)
    if found is None:
        raise CallError(404, "no_player")
    return found


async def handles(site: Site, players: Collection[str]) -> dict[str, str]:
    """The handles of those who are registered, by id. Raises :class:`PlayersError`."""
    found = await site.accounts.among(frozenset(players))
    return {player: each.handle for player, each in found.items()}


def _rated(rating: Rating) -> Rated:
    return Rated(
        game=rating.game,
        rules=rating.rules,
        rating=rating.shown,
        matches=rating.matches,
        provisional=rating.provisional,
        updated_at=rating.updated_at,
    )
