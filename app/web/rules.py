"""The pages of rules: one for each rule set that has one, and its figures.

What they say stands in templates by game and rule set; what their figures show is played by the
engine (:mod:`engine.examples`).
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from dataclasses import dataclass
from functools import cache

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app import i18n
from app.table.table import AnyGame
from app.web.answers import page
from app.web.assets import takes_gzip
from app.web.forms import PageError
from app.web.pages import READ
from app.web.render import language_of
from app.web.site import Site, site_of
from engine import games
from engine.examples import examples, frames

router = APIRouter()

_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set that has a page."""

    game: str
    rules: str


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a rule set: their frames as JSON in gzip, and what changes with them."""

    packed: bytes
    version: str


@cache
def figures_of(name: str, rules: str) -> Figures:
    """``{"options": {…}, "figures": {NAME: [FRAME, …]}}`` of a rule set, made once."""
    game = games.game(name, rules)
    pieces = examples(game)
    told = {
        "options": {key: dict(piece.options) for key, piece in pieces.items()},
        "figures": {
            key: [frame.to_json() for frame in frames(game, piece)] for key, piece in pieces.items()
        },
    }
    body = msgspec.json.encode(told)
    return Figures(gzip.compress(body, 9, mtime=0), hashlib.sha256(body).hexdigest()[:12])


@router.api_route("/rules", methods=READ)
async def all_rules(request: Request) -> Response:
    """Which rules there are to read."""
    site = site_of(request)
    sets = [RuleSet(game.name, game.rules) for game in site.games if _has_page(site, game)]
    return await page(request, "rules/index.html", sets=sets)


@router.api_route("/rules/{game}/{rules}", methods=READ)
async def rules_page(request: Request, game: str, rules: str) -> Response:
    """The rules of one rule set."""
    found = _game(request, game, rules)
    figures = await asyncio.to_thread(figures_of, found.name, found.rules)
    return await page(
        request,
        "rules/page.html",
        set=RuleSet(found.name, found.rules),
        figures=f"/rules/{found.name}/{found.rules}/figures.json?v={figures.version}",
        catalogue=i18n.for_scripts(language_of(request)),
    )


@router.api_route("/rules/{game}/{rules}/figures.json", methods=READ)
async def rules_figures(request: Request, game: str, rules: str) -> Response:
    """The figures of a page of rules, step by step."""
    found = _game(request, game, rules)
    figures = await asyncio.to_thread(figures_of, found.name, found.rules)
    body, headers = figures.packed, {"vary": "accept-encoding"}
    if request.query_params.get("v") == figures.version:
        headers |= _FOREVER
    if takes_gzip(request.headers.get("accept-encoding", "")):
        headers["content-encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, media_type="application/json", headers=headers)


def _game(request: Request, name: str, rules: str) -> AnyGame:
    """A game of this site whose rules are told. Raises :class:`PageError`."""
    site = site_of(request)
    for each in site.games:
        if (each.name, each.rules) == (name, rules) and _has_page(site, each):
            return each
    raise PageError(404, "not_found")


def _has_page(site: Site, game: AnyGame) -> bool:
    return site.pages.rules_address(game.name, game.rules) is not None
