"""One socket of somebody who seeks an opponent: while it is open they wait."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final

from fastapi import APIRouter
from starlette.websockets import WebSocket

from app.live.outgoing import Frames, frame
from app.live.pools import pool_of
from app.live.quick import Word
from app.live.seeking import Ticket
from app.table.decision import Refused
from app.web.bounds import tried
from app.web.site import Site
from app.ws import messages
from app.ws.line import BUSY, Closed, Line, admit
from app.ws.messages import IN_QUICK, Asked, Pong

router = APIRouter()

QUEUE: Final = 64
"""Frames that may wait for somebody who seeks."""


@router.websocket("/ws/quick")
async def quick_socket(socket: WebSocket) -> None:
    """A seeker's socket."""
    await admit(socket, lambda site: _Connection(socket, site).run(), "quick")


class _Connection:
    """Somebody who seeks. They are their cookie's player; who has none cannot."""

    def __init__(self, socket: WebSocket, site: Site) -> None:
        self._site = site
        self._socket = socket
        self._player = site.player(socket)
        self._ticket: Ticket | None = None
        self._out = Frames(QUEUE)
        self._line: Line[Asked] = Line(
            socket, site, self._out, IN_QUICK, check=self._check, take=self._take
        )

    def run(self) -> Awaitable[None]:
        """Serve until either side ends it."""
        return self._line.run(self._ended)

    def _check(self, message: Asked) -> None:
        """Whatever is a message may come at any time."""

    async def _take(self, message: Asked, now: int) -> None:
        del now
        if isinstance(message, Pong):
            return
        await self._ended()
        if await tried(self._socket, "seek"):
            raise Closed(BUSY, "too often")
        options = dict(message.options)
        pool = pool_of(self._site.games, message.game, message.rules, options, message.stake)
        if self._player is None:
            self._say(Refused("no_player", "T2"))
        elif pool is None:
            self._say(Refused("bad_options", "T1"))
        else:
            self._ticket = self._site.quick.ticket(self._player.id)
            await self._site.quick.seek(self._ticket, self._player.name, pool, self._say)

    def _say(self, word: Word) -> None:
        self._out.send(frame(messages.word(word)))

    async def _ended(self) -> None:
        ticket, self._ticket = self._ticket, None
        if ticket is not None:
            await self._site.quick.leave(ticket)
