"""The pages that everybody starts from: home, language, name, and files."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from app import i18n
from app.bots.policy import LEVELS
from app.players import names
from app.players.players import PlayersError
from app.table import coins
from app.table.clock import PRESETS
from app.web.answers import page
from app.web.cookies import know, set_cookie
from app.web.forms import PageError, read_form
from app.web.identity import Player, new_guest
from app.web.preview import of_home
from app.web.purse import purse_of
from app.web.render import LANGUAGE_COOKIE, language_of
from app.web.site import site_of

router = APIRouter()
READ = ["GET", "HEAD"]


@router.api_route("/", methods=READ)
async def home_page(request: Request) -> Response:
    """The lobby, and a form for every game."""
    return await home(request)


@router.post("/name")
async def choose_name(request: Request) -> Response:
    """Take another name. Who sits at a table already keeps the old one there."""
    site = site_of(request)
    form = await read_form(request)
    name = names.clean(form.get("name", ""))
    if name is None:
        return await home(request, 422, "error.name.text")
    before = site.player(request) or new_guest()
    if before.registered:
        raise PageError(409, "name", "/me")  # theirs is changed on their own page
    if (names.is_reserved(name) and name != before.name) or await _is_anybodys(request, name):
        return await home(request, 422, "error.name_taken.text")
    site.newcomers.meet(before.id, name)
    response = RedirectResponse(_back(form), 303)
    know(request, response, Player(before.id, name))
    return response


@router.api_route("/coins", methods=READ)
async def own_coins(request: Request) -> Response:
    """The reader's coins, for a page that is open longer."""
    purse = await purse_of(request)
    return JSONResponse({"coins": purse.coins}, 503 if purse.away else 200)


@router.api_route("/privacy", methods=READ)
async def privacy(request: Request) -> Response:
    """What is kept of whom."""
    return await page(request, "privacy.html")


@router.post("/language")
async def choose_language(request: Request) -> Response:
    """Remember a language and go back to the page it was chosen on."""
    form = await read_form(request)
    language = form.get("language")
    if language not in i18n.LANGUAGES:
        raise PageError(422, "form")
    response = RedirectResponse(_back(form), 303)
    set_cookie(request, response, LANGUAGE_COOKIE, language)
    return response


@router.api_route("/static/{path:path}", methods=READ)
async def asset(request: Request, path: str) -> Response:
    """A script, style or picture."""
    accepted = request.headers.get("accept-encoding", "")
    response = site_of(request).assets.response(path, accepted)
    if response is None:
        raise PageError(404, "not_found")
    return response


async def home(request: Request, status: int = 200, problem: str = "") -> Response:
    """The home page; ``problem`` is the key of a text about what was wrong with a form."""
    site = site_of(request)
    return await page(
        request,
        "home.html",
        status,
        games=site.games,
        clocks=tuple(PRESETS),
        stakes=coins.OFFERED,
        seats=[game.seats({o: each[0] for o, each in game.choices.items()}) for game in site.games],
        levels=LEVELS,
        computers=[site.levels(game) for game in site.games],
        listing=await site.lobby.tables(),
        problem=i18n.text(language_of(request), problem) if problem else "",
        preview=of_home(request),
        catalogue=i18n.for_scripts(language_of(request)),
    )


async def _is_anybodys(request: Request, name: str) -> bool:
    """Whether a registered player has it. Not known, it is let pass: play goes on."""
    try:
        return await site_of(request).accounts.is_anybodys(name)
    except PlayersError:
        return False


def _back(form: dict[str, str]) -> str:
    """A path of this site and nothing else: two slashes would name another host."""
    back = form.get("back", "/")
    safe = back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable()
    return back if safe else "/"
