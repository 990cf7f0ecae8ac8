"""Calls about players: who is asking, others, their matches and figures."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from starlette.requests import Request

from app.history.lists import Cursor, HeadToHead, Wanted
from app.history.stats import Whose
from app.live.sitetime import wall_ms
from app.web.api import persons
from app.web.api.calls import OWN, SHORT, Calls
from app.web.api.figures import Figures, figures
from app.web.api.persons import Known, Me, Reader
from app.web.api.played import PlayedMatch, played
from app.web.api.problems import CallError
from app.web.api.values import (
    MATCH,
    MOMENT,
    Before,
    GameName,
    Handle,
    Limit,
    OfGame,
    OfRules,
    RulesName,
    Told,
    told,
)
from app.web.purse import purse_of
from app.web.site import site_of
from engine import games
from engine.game import Unreadable

CALLS = Calls("players")


class Matches(Told):
    """Matches of a player, the latest first."""

    matches: list[PlayedMatch] = told("The matches")
    next: str | None = told(
        "What to give as `before` to go on; null: there are no more", f"{MOMENT}.{MATCH}"
    )


class Side(Told):
    """One side of a head to head."""

    wins: int = told("Matches won", 3)
    points: int = told("Points in all of them", 410)


class Against(Told):
    """What two players have made of each other at one table; void matches are left out."""

    matches: int = told("Matches", 5)
    you: Side = told("The player who is asking")
    they: Side = told("The player of the handle")
    last: PlayedMatch | None = told("The last match; null: there is none")


@CALLS.get("/me", "Who is asking", Me, keep=OWN)
async def me(request: Request) -> Me:
    """The player whose cookie the call has: a guest, a registered player, or nobody."""
    site = site_of(request)
    player = site.player(request)
    if player is None:
        return Me(player=None)
    account = await site.accounts.of(player.id) if player.registered else None
    reader = Reader(
        name=player.name,
        registered=player.registered,
        handle=None if account is None else account.handle,
        coins=(await purse_of(request)).coins,
        ratings=await persons.ratings_of(site, player.id) if player.registered else [],
    )
    return Me(player=reader)


@CALLS.get("/players/{handle}", "A registered player", Known, keep=OWN, may=(404, 422, 503))
async def player(request: Request, handle: Handle) -> Known:
    """A registered player as everybody may know them."""
    found = await persons.at(request, handle)
    return Known(
        name=found.name,
        handle=found.handle,
        since=found.since,
        ratings=await persons.ratings_of(site_of(request), found.player),
    )


@CALLS.get(
    "/players/{handle}/matches", "A player's matches", Matches, keep=OWN, may=(404, 422, 503)
)
async def player_matches(
    request: Request,
    handle: Handle,
    *,
    game: OfGame = None,
    rules: OfRules = None,
    result: Annotated[
        Literal["won", "lost"] | None,
        Query(description="Only those won or lost; void ones are neither", examples=["won"]),
    ] = None,
    coins: Annotated[
        Literal["true", "false"],
        Query(description="`true`: only those for coins", examples=["true"]),
    ] = "false",
    before: Before = None,
    limit: Limit = 20,
) -> Matches:
    """The finished matches of a registered player, the latest first, a page at a time."""
    site = site_of(request)
    found = await persons.at(request, handle)
    wanted = Wanted(
        game=game,
        rules=rules,
        won=None if result is None else result == "won",
        coins=coins == "true",
        public=not persons.is_reader(request, found.player),
    )
    listed = await site.history.of(found.player, wanted, _cursor(before), limit)
    more = len(listed) == limit
    return Matches(
        matches=await played(site, listed),
        next="{}.{}".format(*listed[-1].cursor) if more else None,
    )


@CALLS.get(
    "/players/{handle}/stats/{game}/{rules}",
    "A player's figures in a game",
    Figures,
    keep=SHORT,
    may=(404, 422, 503),
)
async def player_stats(
    request: Request, handle: Handle, game: GameName, rules: RulesName
) -> Figures:
    """A player's matches of a rule set added up: in all, by month, and one by one for a plot; and
    the way of the rating."""
    known_rules(game, rules)
    found = await persons.at(request, handle)
    return await figures(site_of(request), Whose(found.player, game, rules), wall_ms())


@CALLS.get(
    "/players/{handle}/against",
    "The reader against a player",
    Against,
    keep=OWN,
    may=(403, 404, 422, 503),
)
async def against(
    request: Request, handle: Handle, game: OfGame = None, rules: OfRules = None
) -> Against:
    """What the registered player who is asking and another one have made of each other."""
    site = site_of(request)
    reader = site.player(request)
    if reader is None or not reader.registered:
        raise CallError(403, "register")
    other = await persons.at(request, handle)
    if other.player == reader.id:  # nobody has met themselves
        both = HeadToHead(0, (0, 0), (0, 0), None)
    else:
        both = await site.history.between(reader.id, other.player, game, rules)
    last = await played(site, [] if both.last is None else [both.last])
    return Against(
        matches=both.matches,
        you=Side(wins=both.wins[0], points=both.points[0]),
        they=Side(wins=both.wins[1], points=both.points[1]),
        last=last[0] if last else None,
    )


def known_rules(game: str, rules: str) -> None:
    """Raises :class:`CallError` unless there is such a rule set."""
    try:
        games.game(game, rules)
    except Unreadable:
        raise CallError(404, "not_found") from None


def _cursor(before: str | None) -> Cursor | None:
    if before is None:
        return None
    at, _, match = before.partition(".")
    return int(at), match
