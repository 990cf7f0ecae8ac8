"""The cookies that an answer sets."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from app.web.identity import COOKIE, YEAR, Player
from app.web.site import site_of


def set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    """A cookie for a year, for this site's pages alone."""
    response.set_cookie(
        name,
        value,
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def know(request: Request, response: Response, player: Player) -> None:
    """Know the player again, by the signed cookie."""
    set_cookie(request, response, COOKIE, site_of(request).identities.write(player))


def forget(request: Request, response: Response) -> None:
    """Know nobody any more."""
    secure = request.url.scheme == "https"
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=secure)
