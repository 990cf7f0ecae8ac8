"""A registered player's own page: coins, places they are signed in at, name, password, and the way
out (T2, T3)."""

from __future__ import annotations

import hashlib
from contextlib import suppress

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app import i18n
from app.history.history import HistoryError
from app.history.lists import Wanted
from app.ledger.gifts import BELOW, BONUS
from app.ledger.values import LedgerError
from app.live.sitetime import wall_ms
from app.players import passwords
from app.players.accounts import RENAME_MS, SignedIn
from app.players.players import PlayersError
from app.players.sessions import id_of
from app.table.commands import Forget
from app.web.account import AT, changed, device, show_codes
from app.web.answers import page
from app.web.bounds import TooOftenError, address_of
from app.web.cookies import forget, know
from app.web.forms import read_form
from app.web.identity import Player
from app.web.listed import opponents
from app.web.pages import READ
from app.web.render import language_of
from app.web.site import Site, site_of

router = APIRouter(prefix="/me")


class NotSignedInError(Exception):
    """Only who is signed in has such a page: the others are led to where one does so."""


MOVEMENTS = 50
"""So many of the latest movements are shown."""


@router.api_route("", methods=READ)
async def own_page(request: Request) -> Response:
    """The reader's own page; the way to one for who has none."""
    return await _page(request)


@router.post("/bonus")
async def bonus(request: Request) -> Response:
    """The bonus of the day (T3)."""
    site = site_of(request)
    await read_form(request)
    player = _own(request)
    try:
        given = await site.gifts.bonus(player.id)
    except LedgerError:
        return await _page(request, "bonus", "away")
    if given != "given":
        return await _page(request, "bonus", given)
    return RedirectResponse("/me", 303)


@router.post("/name")
async def rename(request: Request) -> Response:
    """Another name, once a month."""
    site = site_of(request)
    form = await read_form(request)
    player = _own(request)
    name = form.get("name", "")
    problem = await site.accounts.rename(player.id, name, wall_ms())
    if problem is not None:
        return await _page(request, "name", problem, name)
    await site.standing.changed(player.id)
    return RedirectResponse("/me", 303)


@router.post("/password")
async def change_password(request: Request) -> Response:
    """Another password: everywhere else has to sign in again."""
    site = site_of(request)
    form = await read_form(request)
    player = _own(request)
    await _within(request, player)
    made = await site.accounts.change_password(
        player.id, form.get("old", ""), form.get("password", ""), device(request), wall_ms()
    )
    if not isinstance(made, SignedIn):
        return await _page(request, "password", made)
    response = RedirectResponse("/me", 303)
    know(request, response, Player(player.id, made.name, made.secret))
    return changed(request, response, player.id)


@router.post("/codes")
async def new_codes(request: Request) -> Response:
    """New recovery codes; those before open nothing any more."""
    site = site_of(request)
    form = await read_form(request)
    player = _own(request)
    await _within(request, player)
    codes = await site.accounts.new_codes(player.id, form.get("password", ""))
    if codes == "wrong":
        return await _page(request, "codes", "wrong")
    return await show_codes(request, codes)


@router.post("/sign-out")
async def sign_out_elsewhere(request: Request) -> Response:
    """Everywhere else the player is signed out."""
    site = site_of(request)
    await read_form(request)
    player = _own(request)
    assert player.session is not None
    await site.sessions.end_all(player.id, id_of(player.session))
    await site.standing.changed(player.id)
    return RedirectResponse("/me", 303)


@router.post("/unblock")
async def unblock(request: Request) -> Response:
    """The reader does not mind a player any more."""
    site = site_of(request)
    form = await read_form(request)
    player = _own(request)
    for other in await site.blocks.of(player.id):
        if _mark(player.id, other) == form.get("mark"):
            await site.blocks.unblock(player.id, other)
    return RedirectResponse("/me", 303)


@router.post("/delete")
async def delete(request: Request) -> Response:
    """The account is gone for good. Matches stay, under no name."""
    site = site_of(request)
    form = await read_form(request)
    player = _own(request)
    await _within(request, player)
    if await site.tables.seats_of(player.id):
        return await _page(request, "delete", "seated")
    password = form.get("password", "")
    if not await site.accounts.opens(player.id, password):
        return await _page(request, "delete", "wrong")
    # First: what is deleted and remembered all the same could not be asked for again.
    for table_id in await site.history.tables(player.id):
        await site.tables.handle(table_id, Forget(player.id))
    await site.history.forget(player.id)
    await site.accounts.delete(player.id, password)
    with suppress(HistoryError):  # what was kept in between
        await site.history.forget(player.id)
    await site.standing.changed(player.id)
    response = RedirectResponse("/", 303)
    forget(request, response)
    return response


async def _within(request: Request, player: Player) -> None:
    """Tries of who is signed in are their own: nobody else's count. Raises
    :class:`TooOftenError`."""
    address = address_of(request)
    wait = await site_of(request).rates.hit("sign_in", f"player {player.id}", address)
    if wait:
        raise TooOftenError(wait)


def _own(request: Request) -> Player:
    """The reader, who is registered. Raises :class:`NotSignedInError`."""
    player = site_of(request).player(request)
    if player is None or not player.registered:
        raise NotSignedInError
    return player


async def _page(
    request: Request, form: str = "", problem: str | None = None, name: str | None = None
) -> Response:
    """The page; ``form``: the one whose ``problem`` it tells, ``name``: what was given there."""
    site = site_of(request)
    player = _own(request)
    assert player.session is not None
    account = await site.accounts.of(player.id)
    movements, away = await _movements(site, player.id)
    renamed_at = None if account is None else account.renamed_at
    return await page(
        request,
        "account/me.html",
        200 if problem is None else 422,
        account=account,
        given_name=player.name if name is None else name,
        matches=await _matches(request, player.id),
        least=passwords.LEAST,
        sessions=await site.sessions.of(player.id),
        here=id_of(player.session),
        movements=movements,
        blocks={
            _mark(player.id, other): name
            for other, name in (await site.blocks.of(player.id)).items()
        },
        away=away,
        bonus=BONUS,
        below=BELOW,
        may_rename_at=None if renamed_at is None else renamed_at + RENAME_MS,
        now=wall_ms(),
        form=form,
        problem=problem,
        at=None if problem is None else AT.get(problem, "form"),
    )


def _mark(player: str, other: str) -> str:
    """What a player's own page calls somebody else by: nobody learns an id of it."""
    return hashlib.sha256(f"{player} {other}".encode()).hexdigest()[:16]


async def _matches(request: Request, player: str) -> dict[str, str]:
    """The matches that have moved coins lately, by id, in words: what was played, and with whom.
    None while the history does not say."""
    site, language = site_of(request), language_of(request)
    try:
        found = await site.history.of(player, Wanted(coins=True), limit=MOVEMENTS)
        people = await site.accounts.among({other for each in found for other in each.players})
    except (HistoryError, PlayersError):
        return {}
    nobody = i18n.text(language, "site.deleted")
    return {
        each.id: i18n.text(
            language,
            "me.match",
            game=i18n.text(language, f"home.game.{each.game}.{each.rules}"),
            # Set apart, so that a name from right to left turns nothing else round.
            names=", ".join(
                f"\u2068{other.name or nobody}\u2069" for other in opponents(player, each, people)
            ),
        )
        for each in found
    }


async def _movements(site: Site, player: str) -> tuple[list[object], bool]:
    """What has moved the coins of a player, and whether the ledger does not say."""
    try:
        return list(await site.ledger.movements(player, MOVEMENTS)), False
    except LedgerError:
        return [], True
