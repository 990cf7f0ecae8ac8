"""Making a table, its page, and sitting down."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app import computers, i18n
from app.live.service import LiveTables
from app.table import coins, views
from app.table.clock import PRESETS, ClockSettings
from app.table.commands import Bot, Create, Sit
from app.table.decision import Refused
from app.table.table import AnyGame, Table
from app.web.answers import page
from app.web.cookies import know
from app.web.forms import PageError, read_form
from app.web.identity import Player, new_guest
from app.web.pages import READ, home
from app.web.preview import of_table
from app.web.render import language_of
from app.web.site import Site, site_of

router = APIRouter()


@router.post("/tables")
async def make_table(request: Request) -> Response:
    """Make a table and sit down at it (T1)."""
    site = site_of(request)
    form = await read_form(request)
    game = next(
        (g for g in site.games if (g.name, g.rules) == (form.get("game"), form.get("rules"))), None
    )
    options = None if game is None else _options(game, form)
    clock = PRESETS.get(form.get("clock", "standard"))
    public = {"1": True, "0": False}.get(form.get("public", "0"))
    stake = {str(each): each for each in (0, *coins.OFFERED)}.get(form.get("stake", "0"))
    if game is None or options is None or clock is None or public is None or stake is None:
        return await home(request, 422, "error.form.text")
    level = form.get("computer")
    if level is None:
        return await _make(request, site, game, options, clock, public=public, stake=stake)
    if level not in site.levels(game):
        return await home(request, 422, "error.form.text")
    if stake:
        return await home(request, 422, "refusal.no_coins_with_bots")
    bots = tuple(
        Bot(computers.player_of(level, seat), computers.name_of(level), level)
        for seat in range(1, game.seats(options))
    )
    return await _make(request, site, game, options, clock, public=False, stake=0, bots=bots)


async def _make(
    request: Request,
    site: Site,
    game: AnyGame,
    options: dict[str, int],
    clock: ClockSettings,
    *,
    public: bool,
    stake: int,
    bots: tuple[Bot, ...] = (),
) -> Response:
    player = site.player(request) or new_guest()
    site.newcomers.meet(player.id, player.name)
    table_id = LiveTables.new_table_id()
    command = Create(
        *(table_id, game, options, clock, public, player.id, player.name),
        stake=stake,
        bots=bots,
        fresh=LiveTables.fresh() if bots else None,
    )
    answer = await site.tables.handle(table_id, command)
    if isinstance(answer, Refused):
        raise refusal_page(answer, "/")
    if bots:
        site.pool.warm(game.name, game.rules)
    return _to_table(request, player, table_id)


@router.api_route("/t/{table_id}", methods=READ)
async def table_page(request: Request, table_id: str) -> Response:
    """A table, for anyone with its link. Changes nothing."""
    site = site_of(request)
    table = await _table(site, table_id)
    player = site.player(request)
    viewer = table.seat_of(None if player is None else player.id)
    preview = of_table(request, table)
    open_seat = table.status == "open" and table.free_seat() is not None
    return await page(
        request,
        "table.html",
        table=views.table_view(table, viewer, site.tables.clock.now()),
        can_sit=viewer is None and open_seat,
        catalogue=i18n.for_scripts(language_of(request)),
        invite=preview.url,
        preview=preview,
    )


@router.post("/t/{table_id}/sit")
async def sit(request: Request, table_id: str) -> Response:
    """Take a free seat (T16)."""
    site = site_of(request)
    await read_form(request)
    await _table(site, table_id)
    player = site.player(request) or new_guest()
    site.newcomers.meet(player.id, player.name)
    command = Sit(player.id, player.name, LiveTables.fresh())
    answer = await site.tables.handle(table_id, command)
    if isinstance(answer, Refused):
        raise refusal_page(answer, f"/t/{quote(table_id)}")
    return _to_table(request, player, table_id)


def refusal_page(refused: Refused, back: str) -> PageError:
    """A refusal of the table as a page."""
    match refused.code:
        case "too_many_tables":
            return PageError(409, "too_many_tables", back)
        case "playing_elsewhere":
            return PageError(409, "playing_elsewhere", back)
        case "table_closed":
            return PageError(409, "table_closed", back)
        case "unknown_table":
            return PageError(404, "no_table", back)
        case "bad_options":
            return PageError(422, "form", back)
        case "cannot_cover":
            return PageError(409, "cannot_cover", back)
        case "apart":
            return PageError(409, "apart", back)
        case "met_enough":
            return PageError(409, "met_enough", back)
        case "ledger_away":
            return PageError(503, "ledger_away", back)
        case _:
            return PageError(409, "taken", back)


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


def _to_table(request: Request, player: Player, table_id: str) -> Response:
    response = RedirectResponse(f"/t/{quote(table_id)}", 303)
    know(request, response, player)
    return response
