"""One socket in the lobby: the list of tables, as it changes."""

from __future__ import annotations

import logging

from fastapi import APIRouter
from starlette.websockets import WebSocket

from app.live.store import StoreError
from app.web.site import Site
from app.ws.line import FAULT, Line, admit
from app.ws.messages import IN_LOBBY, Pong

log = logging.getLogger(__name__)
router = APIRouter()


@router.websocket("/ws/lobby")
async def lobby_socket(socket: WebSocket) -> None:
    """A visitor's socket in the lobby. They send nothing but pongs."""
    await admit(socket, lambda site: _serve(socket, site), "lobby")


async def _serve(socket: WebSocket, site: Site) -> None:
    try:
        visitor = await site.lobby.enter()
    except StoreError as error:
        log.warning("the lobby cannot be read: %s", error)
        await socket.close(FAULT, "fault")
        return

    def check(_: Pong) -> None:
        """Nothing else is a message here."""

    async def take(_: Pong, now: int) -> None:
        """Pongs never come so far."""

    async def ended() -> None:
        site.lobby.leave(visitor)

    await Line(socket, site, visitor, IN_LOBBY, check=check, take=take).run(ended)
