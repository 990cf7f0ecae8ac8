"""Leaderboards of every game: of the week, of all time, of coins."""

from __future__ import annotations

from typing import Final, get_args

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.ratings.boards import BoardKind
from app.table.table import AnyGame
from app.web.answers import page
from app.web.forms import PageError
from app.web.pages import READ
from app.web.site import site_of

router = APIRouter()

KINDS: Final[tuple[BoardKind, ...]] = get_args(BoardKind)


@router.api_route("/leaders", methods=READ)
async def leaders(request: Request) -> Response:
    """The first board: of the first game, this week."""
    return await _board(request, site_of(request).games[0], KINDS[0])


@router.api_route("/leaders/{game}/{rules}/{kind}", methods=READ)
async def board(request: Request, game: str, rules: str, kind: str) -> Response:
    """A board of a game."""
    games = site_of(request).games
    meant = next((each for each in games if (each.name, each.rules) == (game, rules)), None)
    found = next((each for each in KINDS if each == kind), None)
    if meant is None or found is None:
        raise PageError(404, "not_found")
    return await _board(request, meant, found)


async def _board(request: Request, game: AnyGame, kind: BoardKind) -> Response:
    site = site_of(request)
    player = site.player(request)
    own = player.id if player is not None and player.registered else None
    found = await site.boards.board(kind, game.name, game.rules, of=own)
    ids = [row.player for row in found.rows] + ([found.own.player] if found.own else [])
    people = await site.accounts.among(ids)
    rows = [(row, people.get(row.player), row.player == own) for row in found.rows]
    return await page(
        request,
        "leaders/board.html",
        games=site.games,
        kinds=KINDS,
        game=game,
        kind=kind,
        rows=rows,
        below=None
        if found.own is None or found.own in found.rows
        else (found.own, people.get(found.own.player), True),
        is_on=found.own is not None,
    )
