"""What everybody may know of a registered player: their page, and the lists of their matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.history.lists import HeadToHead, Summary, Wanted
from app.live.sitetime import wall_ms
from app.players.accounts import Registered
from app.web.answers import page
from app.web.figures import ENOUGH, MARKS, figures_of
from app.web.forms import PageError
from app.web.identity import Player
from app.web.listed import Asked, address_of, asked, cursor_text, listed, registered_at
from app.web.pages import READ
from app.web.site import Site, site_of

router = APIRouter()

FIRST: Final = 20
"""So many matches stand on a player's page."""
PAGE: Final = 25
"""So many stand on a page of a list."""


@dataclass(frozen=True, slots=True)
class Between:
    """What the reader and a player have made of each other in a game, the reader's first."""

    game: str
    rules: str
    found: HeadToHead
    last: str
    """The address of the last match."""


@router.api_route("/p/{handle}", methods=READ)
async def player_page(request: Request, handle: str) -> Response:
    """A player's page: ratings, statistics, the latest matches."""
    site = site_of(request)
    owner = await _owner(site, handle)
    reader = await _reader(site, request, owner)
    shown = Wanted(public=not _is(request, owner.player))
    latest = await site.history.of(owner.player, shown, limit=FIRST + 1)
    return await page(
        request,
        "player/player.html",
        owner=owner,
        mine=_is(request, owner.player),
        figures=await figures_of(site, owner.player, wall_ms()),
        enough=ENOUGH,
        marks=MARKS,
        matches=await listed(site, owner.player, latest[:FIRST]),
        more=_after(latest, FIRST),
        reader=reader,
        between=[] if reader is None else await _between(site, reader.player, owner.player),
    )


@router.api_route("/p/{handle}/matches", methods=READ)
async def matches_of(request: Request, handle: str) -> Response:
    """All matches of a player, or those that are asked for."""
    site = site_of(request)
    owner = await _owner(site, handle)
    return await _list(request, owner.player, f"/p/{owner.handle}", owner)


@router.api_route("/me/matches", methods=READ)
async def own_matches(request: Request) -> Response:
    """The reader's own, whoever they are: who registers keeps what was played (T2)."""
    player = site_of(request).player(request)
    return await _list(request, None if player is None else player.id, "/me", None)


async def _list(
    request: Request, player: str | None, under: str, owner: Registered | None
) -> Response:
    """A page of a player's matches; ``owner``: whose they are, if they are shown to others."""
    site = site_of(request)
    at = f"{under}/matches"
    wanted = await asked(site, request.query_params, at)
    found: list[Summary] = []
    if player is not None:
        shown = replace(wanted.wanted, public=not _is(request, player))
        found = await site.history.of(player, shown, wanted.before, PAGE + 1)
    reader = None if owner is None else await _reader(site, request, owner)
    return await page(
        request,
        "player/matches.html",
        owner=owner,
        reader=reader,
        at=at,
        # Where a choice of language leads back to.
        path=at + _again(wanted),
        asked=wanted,
        games=[(f"{game.name}.{game.rules}", game) for game in site.games],
        matches=[] if player is None else await listed(site, player, found[:PAGE]),
        first=at + wanted.query() if wanted.before else None,
        more=at + wanted.query(found[PAGE - 1].cursor) if len(found) > PAGE else None,
    )


async def _owner(site: Site, handle: str) -> Registered:
    owner = await registered_at(site, handle)
    if owner is None:
        raise PageError(404, "no_player")
    return owner


async def _reader(site: Site, request: Request, owner: Registered) -> Registered | None:
    """Who is asking, if they are registered and somebody else."""
    player: Player | None = site.player(request)
    if player is None or not player.registered or player.id == owner.player:
        return None
    return await site.accounts.of(player.id)


def _is(request: Request, player: str) -> bool:
    asking = site_of(request).player(request)
    return asking is not None and asking.id == player


async def _between(site: Site, reader: str, owner: str) -> list[Between]:
    """In every game in which they have met."""
    found = []
    for game in site.games:
        both = await site.history.between(reader, owner, game.name, game.rules)
        if both.last is not None:
            found.append(Between(game.name, game.rules, both, address_of(both.last.id)))
    return found


def _after(found: Sequence[Summary], shown: int) -> str | None:
    """Where the list goes on after what is shown of it; ``None``: that is all."""
    return cursor_text(found[shown - 1].cursor) if len(found) > shown else None


def _again(wanted: Asked) -> str:
    return wanted.query(wanted.before)
