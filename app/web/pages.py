"""The pages: home, table, and the forms on them."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from app import i18n
from app.live.service import LiveTables
from app.table import views
from app.table.commands import Create, Sit
from app.table.decide import Refused
from app.table.table import AnyGame, Table
from app.web.forms import PageError, read_form
from app.web.identity import COOKIE, YEAR, Player, new_guest
from app.web.render import LANGUAGE_COOKIE, language_of
from app.web.site import Site, site_of

router = APIRouter()
READ = ["GET", "HEAD"]


@router.api_route("/healthz", methods=READ)
async def healthz() -> Response:
    """Whether the server serves."""
    return PlainTextResponse("ok\n")


@router.api_route("/", methods=READ)
async def home(request: Request) -> Response:
    """A form for every game."""
    return _home(request)


@router.post("/tables")
async def make_table(request: Request) -> Response:
    """Make a table and sit down at it (T1)."""
    site = site_of(request)
    form = await read_form(request)
    game = next(
        (g for g in site.games if (g.name, g.rules) == (form.get("game"), form.get("rules"))), None
    )
    options = None if game is None else _options(game, form)
    if game is None or options is None:
        return _home(request, 422, i18n.text(language_of(request), "error.form.text"))
    player = site.player(request) or new_guest()
    table_id = LiveTables.new_table_id()
    command = Create(table_id, game, options, player.id, player.name, LiveTables.fresh())
    answer = await site.tables.handle(table_id, command)
    if isinstance(answer, Refused):
        return _home(request, 422, i18n.text(language_of(request), "error.form.text"))
    return _to_table(request, site, player, table_id)


@router.api_route("/t/{table_id}", methods=READ)
async def table_page(request: Request, table_id: str) -> Response:
    """A table, for anyone with its link. Changes nothing."""
    site = site_of(request)
    table = await _table(site, table_id)
    player = site.player(request)
    viewer = table.seat_of(None if player is None else player.id)
    invite = str(request.url.replace(path=f"/t/{quote(table_id)}", query="", fragment=""))
    return site.pages.page(
        request,
        "table.html",
        table=views.table_view(table, viewer),
        can_sit=viewer is None and table.free_seat() is not None,
        catalogue=i18n.for_scripts(language_of(request)),
        invite=invite,
    )


@router.post("/t/{table_id}/sit")
async def sit(request: Request, table_id: str) -> Response:
    """Take a free seat (T16)."""
    site = site_of(request)
    await read_form(request)
    await _table(site, table_id)
    player = site.player(request) or new_guest()
    command = Sit(player.id, player.name, LiveTables.fresh())
    answer = await site.tables.handle(table_id, command)
    if isinstance(answer, Refused):
        raise PageError(409, "taken", f"/t/{quote(table_id)}")
    return _to_table(request, site, player, table_id)


@router.post("/language")
async def choose_language(request: Request) -> Response:
    """Remember a language and go back to the page it was chosen on."""
    form = await read_form(request)
    language = form.get("language")
    if language not in i18n.LANGUAGES:
        raise PageError(422, "form")
    # A path of this site and nothing else: two slashes would name another host.
    back = form.get("back", "/")
    if not back.startswith("/") or back.startswith(("//", "/\\")) or not back.isprintable():
        back = "/"
    response = RedirectResponse(back, 303)
    response.set_cookie(
        LANGUAGE_COOKIE,
        language,
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


@router.api_route("/static/{path:path}", methods=READ)
async def asset(request: Request, path: str) -> Response:
    """A script, style or picture."""
    response = site_of(request).assets.response(path)
    if response is None:
        raise PageError(404, "not_found")
    return response


def _home(request: Request, status: int = 200, problem: str = "") -> Response:
    site = site_of(request)
    return site.pages.page(request, "home.html", status, games=site.games, problem=problem)


def _options(game: AnyGame, form: dict[str, str]) -> dict[str, int] | None:
    """The options that a form picked, each among the game's choices; ``None``: they are not."""
    options = {}
    for name, values in game.choices.items():
        picked = next((value for value in values if str(value) == form.get(name)), None)
        if picked is None:
            return None
        options[name] = picked
    return options


async def _table(site: Site, table_id: str) -> Table:
    table = await site.tables.load(table_id)
    if table is None:
        raise PageError(404, "no_table")
    return table


def _to_table(request: Request, site: Site, player: Player, table_id: str) -> Response:
    response = RedirectResponse(f"/t/{quote(table_id)}", 303)
    response.set_cookie(
        COOKIE,
        site.identities.write(player),
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response
