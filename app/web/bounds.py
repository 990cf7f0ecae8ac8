"""Whether somebody who asks comes too often."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection, Request

from app.web.forms import PageError
from app.web.rates import Kind
from app.web.site import site_of

FORMS: Final[dict[str, Kind]] = {
    "/tables": "table",
    "/t/{table_id}/sit": "sit",
    "/quick": "quick",
    "/name": "name",
    "/register": "register",
    "/faults": "fault",
}
"""The forms that count, by the path that their route is declared with."""


class TooOftenError(PageError):
    """Too often; ``after`` so many seconds it may be tried again."""

    def __init__(self, after: int) -> None:
        super().__init__(429, "too_often")
        self.after = after


async def within(request: Request) -> None:
    """A dependency of every form that counts. Raises :class:`TooOftenError`."""
    kind = FORMS.get(getattr(request.scope.get("route"), "path", ""))
    if kind is None or request.method != "POST":
        return
    wait = await tried(request, kind)
    if wait:
        raise TooOftenError(wait)


async def tried(connection: HTTPConnection, kind: Kind) -> int:
    """Count a try of whoever asks. 0: it is within bounds; else the seconds to wait."""
    site = site_of(connection)
    player = site.player(connection)
    player_id = None if player is None else player.id
    return await site.rates.hit(kind, player_id, address_of(connection))


def address_of(connection: HTTPConnection) -> str:
    """Where whoever asks does so from, as the proxies that are believed say."""
    return connection.client.host if connection.client else "unknown"
