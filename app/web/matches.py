"""Finished matches: the page that checks one, and its record."""

from __future__ import annotations

from urllib.parse import quote

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app import i18n
from app.history.history import Finished
from app.players.reports import CAUSES
from app.web.answers import page
from app.web.fairplay import opponents
from app.web.forms import PageError
from app.web.pages import READ
from app.web.render import language_of
from app.web.site import site_of

router = APIRouter()


@router.api_route("/m/{match_id}", methods=READ)
async def match_page(request: Request, match_id: str) -> Response:
    """A finished match: what it was, and its check (T12, T14)."""
    finished = await _finished(request, match_id)
    player = site_of(request).player(request)
    ids = finished.players
    return await page(
        request,
        "match.html",
        match={
            "id": finished.id,
            "table": finished.table_id,
            "game": finished.game,
            "rules": finished.rules,
            "options": finished.options,
            "names": finished.names,
            "you": ids.index(player.id) if player is not None and player.id in ids else None,
            "winners": finished.winners,
            "reason": finished.reason,
            "score": finished.score,
            "stake": finished.stake,
            "coins": finished.coins,
            "started": finished.record["started"],
            "ended": finished.record["ended"],
            "started_at": finished.started_at,
            "ended_at": finished.ended_at,
            "record": f"/m/{quote(finished.id)}/record.json",
        },
        opponents=await opponents(request, finished),
        causes=CAUSES,
        catalogue=i18n.for_scripts(language_of(request)),
    )


@router.api_route("/m/{match_id}/record.json", methods=READ)
async def match_record(request: Request, match_id: str) -> Response:
    """The record of a finished match, match-record/1 (T14)."""
    finished = await _finished(request, match_id)
    return Response(
        msgspec.json.format(msgspec.json.encode(finished.record), indent=1) + b"\n",
        media_type="application/json",
        headers={
            "content-disposition": f'attachment; filename="ezo-{quote(finished.id)}.json"',
            # It never changes again.
            "cache-control": "public, max-age=86400, immutable",
        },
    )


async def _finished(request: Request, match_id: str) -> Finished:
    """The match, if it has ended and is kept."""
    finished = await site_of(request).history.match(match_id)
    if finished is None:
        raise PageError(404, "no_match")
    return finished
