"""Calls about finished matches."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from app.history.history import Finished
from app.web.api.calls import NAMED, SHORT, Calls
from app.web.api.played import PlayedMatch, played
from app.web.api.problems import CallError
from app.web.api.values import GAME, OPTIONS, MatchId
from app.web.site import site_of
from engine.record import FORMAT

CALLS = Calls("matches")

_RECORD = {
    "format": FORMAT,
    "game": GAME.name,
    "rules": GAME.rules,
    "options": OPTIONS,
    "players": ["ნინო", "გია"],
    "hands": [],
    "end": {"winner": 0, "reason": "resigned"},
}


@CALLS.get("/matches/{match_id}", "A finished match", PlayedMatch, keep=SHORT, may=(404, 422, 503))
async def match(request: Request, match_id: MatchId) -> PlayedMatch:
    """The result of a match that has ended. Ratings may follow a moment later, and the name of
    who deletes their account goes."""
    (found,) = await played(site_of(request), [await _finished(request, match_id)])
    return found


@CALLS.get(
    "/matches/{match_id}/record",
    "The record of a match",
    keep=NAMED,
    may=(404, 422, 503),
    example=_RECORD,
)
async def match_record(request: Request, match_id: MatchId) -> Response:
    """All that chance gave and players did, `match-record/1`: enough to play it again and to
    check the chance of it."""
    finished = await _finished(request, match_id)
    return Response(
        msgspec.json.encode(finished.record),
        media_type="application/json",
        headers={"cache-control": NAMED},
    )


async def _finished(request: Request, match_id: str) -> Finished:
    found = await site_of(request).history.match(match_id)
    if found is None:
        raise CallError(404, "no_match")
    return found
