"""Coming in: registering, signing in and out, and the way back for who has lost the password (T2).

What is wrong is said at its field, and nothing says whether a name is somebody's: but for
registering, where it must."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.ledger.gifts import WELCOME
from app.live.sitetime import wall_ms
from app.players import names, passwords
from app.players.accounts import SignedIn
from app.players.players import PlayersError
from app.web.answers import error_page, own_tables, page
from app.web.bounds import TooOftenError, address_of
from app.web.cookies import forget, know
from app.web.device import device_of
from app.web.forms import read_form
from app.web.identity import Player, new_guest
from app.web.pages import READ
from app.web.proxies import group_of
from app.web.site import PLAYER, site_of

router = APIRouter()

TWICE_MS: Final = 60_000
"""Who registers again so soon has pressed twice."""
AT: Final[dict[str, str]] = {
    "name": "name",
    "reserved": "name",
    "taken": "name",
    "soon": "name",
    "too_short": "password",
    "too_long": "password",
    "like_name": "password",
}
"""The field of a form that a problem is said at; of the others, the form."""


@router.api_route("/register", methods=READ)
async def register_page(request: Request) -> Response:
    """The form for a name that stays."""
    player = site_of(request).player(request)
    if player is not None and player.registered:
        return RedirectResponse("/me", 303)
    own = "" if player is None or names.is_reserved(player.name) else player.name
    return await _form(request, "register", {"name": own})


@router.post("/register")
async def register(request: Request) -> Response:
    """A guest gets a name and a password, coins to begin with (T3), and codes, shown once."""
    site = site_of(request)
    form = await read_form(request)
    player = site.player(request) or new_guest()
    if player.registered:
        return RedirectResponse("/me", 303)
    name, password = form.get("name", ""), form.get("password", "")
    made = await site.accounts.register(
        player.id, name, password, device(request), wall_ms(), site.gifts.welcome
    )
    if made in ("registered", "taken"):
        return await _once_more(request, form, player.id)
    if not isinstance(made, SignedIn):
        return await _form(request, "register", form, made)
    return await _codes(request, made)


async def _once_more(request: Request, form: dict[str, str], player: str) -> Response:
    """The name is somebody's. Whoever knows the password has just made it, by pressing twice, or
    meant to sign in."""
    name, password = form.get("name", ""), form.get("password", "")
    site = site_of(request)
    if await _plays(request):
        owner = await site.accounts.of(player)
        if owner is None or owner.name != names.clean(name):
            return await _form(request, "register", form, "taken")
    made = await _sign_in(request, name, password)
    if made is None:
        return await _form(request, "register", form, "taken")
    owner = await site.accounts.of(made.player)
    if owner is not None and wall_ms() - owner.since < TWICE_MS:
        # The first answer, with the codes, was never seen.
        codes = await site.accounts.new_codes(made.player, password)
        if codes != "wrong":
            return await _codes(request, replace(made, codes=codes))
    return await _come_in(request, made, "/me")


@router.api_route("/sign-in", methods=READ)
async def sign_in_page(request: Request) -> Response:
    """The form for who has a name."""
    player = site_of(request).player(request)
    if player is not None and player.registered:
        return RedirectResponse("/me", 303)
    return await _form(request, "sign_in", {})


@router.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """Whoever knows the password is that player from now on, in a session of its own."""
    form = await read_form(request)
    if await _plays(request):
        return await _form(request, "sign_in", form, "playing")
    made = await _sign_in(request, form.get("name", ""), form.get("password", ""))
    if made is None:
        return await _form(request, "sign_in", form, "wrong")
    return await _come_in(request, made, "/")


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """This browser is nobody's any more."""
    site = site_of(request)
    await read_form(request)
    player = site.player(request)
    if player is None or player.session is None:
        return RedirectResponse("/", 303)  # a guest has nothing else to be known by
    try:
        await site.sessions.end_secret(player.session)
    except PlayersError:
        # Here it is over all the same; elsewhere what was copied may still open.
        response: Response = await error_page(request, 503, "players_away")
    else:
        response = changed(request, RedirectResponse("/", 303), player.id)
    forget(request, response)
    return response


@router.api_route("/recover", methods=READ)
async def recover_page(request: Request) -> Response:
    """The form for who has lost the password."""
    return await _form(request, "recover", {})


@router.post("/recover")
async def recover(request: Request) -> Response:
    """A code opens once: a new password, and new codes."""
    site = site_of(request)
    form = await read_form(request)
    if await _plays(request):
        return await _form(request, "recover", form, "playing")
    name = form.get("name", "")
    await within(request, name)
    made = await site.accounts.recover(
        name, form.get("code", ""), form.get("password", ""), device(request), wall_ms()
    )
    if not isinstance(made, SignedIn):
        return await _form(request, "recover", form, "wrong_code" if made == "wrong" else made)
    return await _codes(request, made)


async def show_codes(request: Request, codes: tuple[str, ...]) -> Response:
    """The page that shows recovery codes, once."""
    return await page(request, "account/codes.html", codes=codes)


async def _codes(request: Request, made: SignedIn) -> Response:
    player = Player(made.player, made.name, made.secret)
    _now(request, player)
    response = await show_codes(request, made.codes)
    know(request, response, player)
    return changed(request, response, made.player)


async def _come_in(request: Request, made: SignedIn, to: str) -> Response:
    response = RedirectResponse(to, 303)
    know(request, response, Player(made.player, made.name, made.secret))
    return changed(request, response, made.player)


def changed(request: Request, response: Response, player: str) -> Response:
    """End what has no session any more, once the browser knows who it is: its sockets come back
    as that."""
    response.background = BackgroundTask(site_of(request).standing.changed, player)
    return response


async def _sign_in(request: Request, name: str, password: str) -> SignedIn | None:
    await within(request, name)
    made = await site_of(request).accounts.sign_in(name, password, device(request), wall_ms())
    return made if isinstance(made, SignedIn) else None


async def within(request: Request, name: str) -> None:
    """Tries at one name are counted: at one address, and from wherever they are. When there were
    too many in all, each address has one now and then: so nobody is locked out by others. Raises
    :class:`TooOftenError`."""
    rates, address = site_of(request).rates, address_of(request)
    look = names.look(names.clean(name) or "")
    here = f"{look} {group_of(address)}"
    wait = await rates.hit("sign_in", here, address)
    if not wait and await rates.hit("guess", look, address):
        wait = await rates.hit("slow", here, address)
    if wait:
        raise TooOftenError(wait)


async def _plays(request: Request) -> bool:
    """Whether the reader would leave a match behind that they play as somebody else."""
    return any(table["status"] == "running" for table in await own_tables(request))


async def _form(
    request: Request, which: str, given: dict[str, str], problem: str | None = None
) -> Response:
    return await page(
        request,
        f"account/{which}.html",
        200 if problem is None else 422,
        given={name: value for name, value in given.items() if name != "password"},
        problem=problem,
        least=passwords.LEAST,
        welcome=WELCOME,
        at=None if problem is None else AT.get(problem, "form"),
    )


def device(request: Request) -> str:
    """What the reader is signed in on, as their list of places says it."""
    return device_of(request.headers.get("user-agent", ""))


def _now(request: Request, player: Player) -> None:
    """The rest of this request is served to who they are from now on."""
    request.scope[PLAYER] = player
