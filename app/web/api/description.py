"""The description of all calls, made from them."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Depends
from fastapi.openapi.utils import get_openapi
from starlette.responses import JSONResponse, Response

from app.web.api import fairness, games, leaders, matches, players, tables
from app.web.api.calls import SHORT, counted

VERSION: Final = "1.0"

_ABOUT: Final = """What the pages of the site show, for programs: read only, GET and HEAD.

Nobody needs a cookie. Who has that of the site is told what they may see: their own hand at a
table, their own place on a board. Nobody learns an id of a player: registered players have a
handle, guests and deleted players have none.

Moments are in milliseconds since 1970, those of running tables in site time, which stands still
while the site is down. Whatever cannot be answered has one form, `Problem`. More calls in a minute
than an address may make are answered with 429.
"""
_TAGS: Final = [
    {"name": "players", "description": "Who is asking, and registered players"},
    {"name": "tables", "description": "What is played right now"},
    {"name": "matches", "description": "What has ended"},
    {"name": "leaders", "description": "Who is ahead"},
    {"name": "fairness", "description": "What chance gave"},
    {"name": "games", "description": "What can be played"},
]
_EVERY: Final = tuple(each.CALLS for each in (players, tables, matches, leaders, fairness, games))


def description() -> dict[str, Any]:
    """The description of all calls, OpenAPI 3.1."""
    whole = get_openapi(
        title="Ezo",
        version=VERSION,
        summary="Georgian domino and short nardi, played live in the browser",
        description=_ABOUT,
        license_info={"name": "MIT", "identifier": "MIT"},
        tags=_TAGS,
        routes=[route for each in _EVERY for route in each.described.routes],
    )
    for calls in _EVERY:
        for path, example in calls.examples.items():
            call = whole["paths"][path]["get"]
            # Set here: what makes the description leaves out whatever is null.
            call["responses"]["200"]["content"]["application/json"]["example"] = example
            for parameter in call.get("parameters", ()):
                parameter["schema"] = _said(parameter["schema"])
    return whole


def _said(schema: dict[str, Any]) -> dict[str, Any]:
    """What an address can hold of a value: a parameter may be left out, but is never null."""
    other = {name: value for name, value in schema.items() if name != "anyOf"}
    return other | next((s for s in schema.get("anyOf", ()) if s.get("type") != "null"), {})


DESCRIPTION: Final = description()

router = APIRouter(dependencies=[Depends(counted)])
for _calls in _EVERY:
    router.include_router(_calls.served)


@router.api_route("/api/openapi.json", methods=["GET", "HEAD"])
async def openapi() -> Response:
    """What calls there are, and what they are answered."""
    return JSONResponse(DESCRIPTION, headers={"cache-control": SHORT})
