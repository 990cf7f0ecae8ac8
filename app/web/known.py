"""Who is asking, found out once for each request or socket."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from app.web.identity import COOKIE
from app.web.site import PLAYER, site_of


async def known(connection: HTTPConnection) -> None:
    """A dependency of every route that asks who is asking: ``site.player`` answers from then on."""
    if PLAYER in connection.scope:
        return
    site = site_of(connection)
    said = site.identities.read(connection.cookies.get(COOKIE))
    connection.scope[PLAYER] = await site.standing.stands(said)
