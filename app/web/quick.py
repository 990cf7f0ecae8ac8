"""An opponent at one press: the form of it, and the page that waits."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app import i18n
from app.bots.policy import LEVELS
from app.live.pools import Pool, pool_of
from app.table import coins
from app.web.answers import page
from app.web.cookies import know
from app.web.forms import PageError, read_form
from app.web.identity import new_guest
from app.web.pages import READ, home
from app.web.render import language_of
from app.web.site import site_of
from app.web.tables import refusal_page

router = APIRouter()


@router.post("/quick")
async def press(request: Request) -> Response:
    """Somebody wants to play: make them a player, tell them what is known to be in the way, and
    lead them to where it is waited."""
    site = site_of(request)
    form = await read_form(request)
    pool = pool_of(site.games, form.get("game"), form.get("rules"), form, form.get("stake", "0"))
    if pool is None:
        return await home(request, 422, "error.form.text")
    player = site.player(request) or new_guest()
    site.newcomers.meet(player.id, player.name)
    refused = await site.quick.check(player.id, pool)
    if refused is not None:
        raise refusal_page(refused, "/")
    response = RedirectResponse(_address(pool), 303)
    know(request, response, player)
    return response


@router.api_route("/quick", methods=READ)
async def waiting_page(request: Request) -> Response:
    """Where it is waited. Its socket seeks, and only for who has been made a player."""
    site = site_of(request)
    query = request.query_params
    pool = pool_of(
        site.games, query.get("game"), query.get("rules"), dict(query), query.get("stake", "0")
    )
    if pool is None:
        raise PageError(422, "form")
    if site.player(request) is None:
        return RedirectResponse("/", 303)
    return await page(
        request,
        "quick.html",
        seek=_chosen(pool),
        computers=site_of(request).levels(pool.game),
        levels=LEVELS,
        pot=coins.pot(pool.stake, pool.seats),
        path=_address(pool),
        catalogue=i18n.for_scripts(language_of(request)),
    )


def _chosen(pool: Pool) -> dict[str, object]:
    """The choices as the socket is told them."""
    game = pool.game
    options = dict(pool.options)
    return {"game": game.name, "rules": game.rules, "options": options, "stake": pool.stake}


def _address(pool: Pool) -> str:
    game = pool.game
    chosen = {"game": game.name, "rules": game.rules, **pool.options, "stake": pool.stake}
    return f"/quick?{urlencode(chosen)}"
