"""Pages with what every page holds: the way back to the reader's own tables."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.live.store import StoreError
from app.web.known import known
from app.web.purse import purse_of
from app.web.site import site_of
from engine.game import Json, Unreadable


async def page(request: Request, name: str, status: int = 200, **values: object) -> HTMLResponse:
    """A template as a page, with ``running``: :func:`own_tables`, and the reader's own name and
    purse."""
    own, purse = await asyncio.gather(own_tables(request), purse_of(request))
    site = site_of(request)
    player = site.player(request)
    return site.pages.page(
        request,
        name,
        status,
        running=own,
        player_name=None if player is None else player.name,
        registered=player is not None and player.registered,
        purse=purse,
        **values,
    )


async def error_page(request: Request, status: int, key: str, back: str = "/") -> HTMLResponse:
    """The page of an error: texts ``error.KEY.title`` and ``error.KEY.text``."""
    await known(request)  # it may have come to no route
    own = await own_tables(request)
    return site_of(request).pages.error(request, status, key, back, own)


async def own_tables(request: Request) -> list[Json]:
    """The tables at which the reader plays or waits, the running one first: ``id``, ``game``,
    ``rules``, ``status``, each."""
    site = site_of(request)
    player = site.player(request)
    if player is None:
        return []
    try:
        seats = await site.tables.seats_of(player.id)
        tables = [await site.tables.load(table_id) for table_id in seats]
    except (StoreError, Unreadable):
        return []  # an error page must not fail for the same reason
    found = [
        {
            "id": table.id,
            "game": table.game.name,
            "rules": table.game.rules,
            "status": table.status,
        }
        for table in tables
        if table is not None and table.seat_of(player.id) is not None
    ]
    return sorted(found, key=lambda table: table["status"] != "running")
