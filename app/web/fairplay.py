"""After a match: reporting an opponent, and not meeting them again."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app import computers
from app.history.history import Finished
from app.live.sitetime import wall_ms
from app.players.reports import CAUSES, WORDS
from app.web.forms import PageError, read_form
from app.web.identity import Player
from app.web.site import site_of

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody else of a match, for one of its players: by seat, under the name of then."""

    seat: int
    name: str
    reported: bool
    blocked: bool


async def opponents(request: Request, finished: Finished) -> list[Opponent]:
    """Whom the reader may report and block for a match: nobody, unless they have played it."""
    site = site_of(request)
    player = site.player(request)
    if player is None or player.id not in finished.players:
        return []
    reported = await site.reports.made(player.id, finished.id)
    blocked = await site.blocks.of(player.id) if player.registered else {}
    return [
        Opponent(seat, finished.names[seat], other in reported, other in blocked)
        for seat, other in enumerate(finished.players)
        if other != player.id and computers.level_of(other) is None
    ]


@router.post("/m/{match_id}/report")
async def report(request: Request, match_id: str) -> Response:
    """A report, with the match, for the operator. Once for each opponent."""
    site = site_of(request)
    form = await read_form(request)
    player, other, back = await _about(request, match_id, form)
    cause = next((each for each in CAUSES if each == form.get("cause")), None)
    # On one line, for whoever reads a list of them; what nobody types, no database keeps.
    words = " ".join(form.get("words", "").split())
    if cause is None or len(words) > WORDS or not words.isprintable():
        raise PageError(422, "report", back)
    made = await site.reports.make(player.id, other, match_id, cause, words=words, at=wall_ms())
    if not made:
        raise PageError(429, "reports", back)
    return RedirectResponse(f"{back}#fair-play", 303)


@router.post("/m/{match_id}/block")
async def block(request: Request, match_id: str) -> Response:
    """The reader does not want to meet an opponent again, or does not mind any more."""
    site = site_of(request)
    form = await read_form(request)
    player, other, back = await _about(request, match_id, form)
    if not player.registered:
        raise PageError(403, "register", back)
    if form.get("blocked") == "1":
        if not await site.blocks.block(player.id, other, wall_ms()):
            raise PageError(409, "blocks", back)
    else:
        await site.blocks.unblock(player.id, other)
    return RedirectResponse(f"{back}#fair-play", 303)


async def _about(request: Request, match_id: str, form: dict[str, str]) -> tuple[Player, str, str]:
    """The reader, the opponent that a form is about, and the way back to their match."""
    site = site_of(request)
    finished = await site.history.match(match_id)
    if finished is None:
        raise PageError(404, "no_match")
    back = f"/m/{quote(finished.id)}"
    player = site.player(request)
    if player is None or player.id not in finished.players:
        raise PageError(403, "not_yours", back)
    seat = next((n for n, _ in enumerate(finished.players) if str(n) == form.get("seat")), None)
    other = player.id if seat is None else finished.players[seat]
    if other == player.id or computers.level_of(other) is not None:
        raise PageError(422, "form", back)
    return player, other, back
