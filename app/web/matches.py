"""Finished matches: the page of one, its replay, its check, and its record."""

from __future__ import annotations

import gzip
from urllib.parse import quote

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app import i18n
from app.history.history import Finished
from app.players.reports import CAUSES
from app.web.answers import page
from app.web.assets import takes_gzip
from app.web.fairplay import opponents
from app.web.forms import PageError
from app.web.named import named
from app.web.pages import READ
from app.web.preview import of_match
from app.web.render import language_of
from app.web.site import site_of
from engine import games
from engine.export import forms
from engine.frames import From
from engine.game import Unreadable

router = APIRouter()

_FOREVER = {"cache-control": "public, max-age=86400, immutable"}
_NAMED = {"cache-control": "public, max-age=300"}
"""What holds names: those of players who are deleted are taken out of it."""
"""What has ended never changes again."""


@router.api_route("/m/{match_id}", methods=READ)
async def match_page(request: Request, match_id: str) -> Response:
    """A finished match: what it was, its replay and its check (T12, T14)."""
    finished = await _finished(request, match_id)
    site = site_of(request)
    player = site.player(request)
    ids = finished.players
    language = language_of(request)
    names = [named(language, *each) for each in zip(ids, finished.names, strict=True)]
    replay = await site.replays.of(finished, "above")
    path = f"/m/{quote(finished.id)}"
    # By seat, where they are known: what it made of the rating, and whose page a name leads to.
    ratings = await site.ratings.changes(finished.id)
    known = await site.accounts.among(ids)
    handles = [known[each].handle if each in known else None for each in ids]
    preview = of_match(request, finished, names)
    return await page(
        request,
        "match.html",
        match={
            "id": finished.id,
            "table": finished.table_id,
            "game": finished.game,
            "rules": finished.rules,
            "options": finished.options,
            "names": names,
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
            "record": f"{path}/record.json",
            "replay": f"{path}/replay.json",
            "files": [f"{path}/match.{form}" for form in _forms(finished)],
            "link": preview.url,
        },
        opponents=await opponents(request, finished),
        causes=CAUSES,
        hands=replay.hands,
        ratings=ratings,
        handles=handles,
        preview=preview,
        catalogue=i18n.for_scripts(language),
    )


@router.api_route("/m/{match_id}/replay.json", methods=READ)
async def match_replay(request: Request, match_id: str) -> Response:
    """One hand of a finished match, move by move (T14): ``hand`` from 1, ``from`` a seat or
    ``above``."""
    finished = await _finished(request, match_id)
    hand = _number(request.query_params.get("hand", ""))
    given = request.query_params.get("from", "above")
    viewer: From = "above" if given == "above" else _number(given)
    if viewer != "above" and viewer not in range(len(finished.names)):
        raise PageError(404, "no_match")
    replay = await site_of(request).replays.of(finished, viewer)
    if not 1 <= hand <= len(replay.packed):
        raise PageError(404, "no_match")
    body = replay.packed[hand - 1]
    headers = {**_FOREVER, "vary": "accept-encoding"}
    if takes_gzip(request.headers.get("accept-encoding", "")):
        headers["content-encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, media_type="application/json", headers=headers)


@router.api_route("/m/{match_id}/record.json", methods=READ)
async def match_record(request: Request, match_id: str) -> Response:
    """The record of a finished match, match-record/1 (T14)."""
    finished = await _finished(request, match_id)
    return Response(
        msgspec.json.format(msgspec.json.encode(finished.record), indent=1) + b"\n",
        media_type="application/json",
        headers={**_NAMED, **_named(finished, "json")},
    )


@router.api_route("/m/{match_id}/match.{form}", methods=READ)
async def match_file(request: Request, match_id: str, form: str) -> Response:
    """A finished match as a file of another program, where its game can be had as one."""
    finished = await _finished(request, match_id)
    if form not in _forms(finished):
        raise PageError(404, "no_match")
    try:
        text = await site_of(request).replays.exported(finished, form)
    except Unreadable:
        raise PageError(404, "no_match") from None
    return Response(text, media_type="text/plain", headers={**_NAMED, **_named(finished, form)})


def _forms(finished: Finished) -> tuple[str, ...]:
    """In which forms the match can be had beside its record."""
    try:
        return forms(games.game(finished.game, finished.rules))
    except Unreadable:  # a game that is played no more
        return ()


def _named(finished: Finished, ending: str) -> dict[str, str]:
    """To be saved, under a name of plain letters."""
    return {"content-disposition": f'attachment; filename="ezo-{quote(finished.id)}.{ending}"'}


def _number(given: str) -> int:
    """A number in a query. Raises :class:`PageError`: 422 for what is none."""
    if not (given.isascii() and given.isdigit() and len(given) <= 4):
        raise PageError(422, "form")
    return int(given)


async def _finished(request: Request, match_id: str) -> Finished:
    """The match, if it has ended and is kept."""
    finished = await site_of(request).history.match(match_id)
    if finished is None:
        raise PageError(404, "no_match")
    return finished
