"""Calls about running tables: the lobby, and one table."""

from __future__ import annotations

from starlette.requests import Request

from app.table import views
from app.web.api.calls import OWN, Calls
from app.web.api.problems import CallError
from app.web.api.seated import Listing, TableState
from app.web.api.values import TableId, Told, told
from app.web.site import site_of

CALLS = Calls("tables")


class Lobby(Told):
    """The public tables."""

    tables: list[Listing] = told("At most a hundred: open ones first, the last made first")


@CALLS.get("/lobby", "Open and running tables", Lobby, keep=OWN)
async def lobby(request: Request) -> Lobby:
    """The tables that everybody may see."""
    return Lobby.model_validate({"tables": await site_of(request).lobby.tables()})


@CALLS.get("/tables/{table_id}", "A table", TableState, keep=OWN, may=(404, 422, 503))
async def table(request: Request, table_id: TableId) -> TableState:
    """A table as the reader may see it: a seat with its own hand, everybody else from outside."""
    site = site_of(request)
    found = await site.tables.load(table_id)
    if found is None:
        raise CallError(404, "no_table")
    player = site.player(request)
    viewer = found.seat_of(None if player is None else player.id)
    shown = views.table_view(found, viewer, site.tables.clock.now())
    return TableState.model_validate(shown)
