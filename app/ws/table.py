"""One socket at one table: hello first, then commands one at a time, and every change."""

from __future__ import annotations

from collections.abc import Awaitable

from fastapi import APIRouter
from starlette.websockets import WebSocket

from app.live.outgoing import frame
from app.live.service import LiveTables
from app.table import commands
from app.table.decision import Answer, Refused
from app.web.site import Site
from app.ws import messages
from app.ws.line import POLICY, Closed, Line, admit
from app.ws.messages import (
    AT_TABLE,
    PROTOCOL,
    Act,
    Hash,
    Hello,
    Leave,
    Message,
    Numbered,
    Pong,
    Ready,
    Rematch,
    Resign,
    Reveal,
    Unparsed,
)
from engine.game import Seat

router = APIRouter()


@router.websocket("/ws/t/{table_id}")
async def table_socket(socket: WebSocket, table_id: str) -> None:
    """A viewer's socket at a table."""
    await admit(socket, lambda site: _Connection(socket, site, table_id).run(), "table")


class _Connection:
    """A viewer at a table. Their player is the cookie's; their seat is their player's."""

    def __init__(self, socket: WebSocket, site: Site, table_id: str) -> None:
        player = site.player(socket)
        self._site = site
        self._table_id = table_id
        self._player = None if player is None else player.id
        self._mark = site.presence.mark()
        self._marked = False
        self._greeted = False
        self._out = site.fanout.subscribe(table_id, self._player, self._seated)
        self._line: Line[Message] = Line(
            socket, site, self._out, AT_TABLE, check=self._check, take=self._take
        )

    def run(self) -> Awaitable[None]:
        """Serve until either side ends it."""
        return self._line.run(self._ended)

    async def _ended(self) -> None:
        self._site.fanout.leave(self._out)
        if self._marked:
            await self._site.presence.lost(self._table_id, self._mark)

    def _seated(self, seat: Seat) -> None:
        """The viewer has come to a seat: by their hello, or by sitting down in another tab."""
        del seat
        self._line.later(self._connect)

    async def _connect(self) -> None:
        assert self._player is not None
        self._marked = True
        await self._site.presence.connected(self._table_id, self._player, self._mark)

    def _check(self, message: Message) -> None:
        if isinstance(message, Hello):
            if message.protocol != PROTOCOL:
                self._out.send(frame(messages.error("protocol")))
                raise Closed(POLICY, "protocol")
            self._greeted = True
        elif not self._greeted:
            raise Unparsed("not_hello")

    async def _take(self, message: Message, now: int) -> None:
        match message:
            case Hello():
                if not await self._site.tables.viewers.begin(self._out, message.seen):
                    self._out.send(frame(messages.error("unknown_table")))
                    raise Closed(POLICY, "unknown table")
            case Pong():
                pass
            case _:
                given = await self._carry_out(message, now)
                self._out.send(frame(messages.answer(message.id, given)))

    async def _carry_out(self, message: Numbered, now: int) -> Answer:
        if self._player is None:
            return Refused("not_seated", "T16")
        command = _command(self._player, message, self._line.heart.lag_ms())
        return await self._site.tables.handle(self._table_id, command, now)


def _command(player: str, message: Numbered, lag: int) -> commands.Numbered:
    """What a message asks for, on behalf of the connection's player."""
    match message:
        case Hash(id_, match_id, hash_):
            return commands.Hash(player, id_, match_id, bytes.fromhex(hash_))
        case Reveal(id_, match_id, number):
            return commands.Reveal(player, id_, match_id, bytes.fromhex(number))
        case Act(id_, match_id, ply, action):
            return commands.Act(player, id_, match_id, ply, action, lag)
        case Ready(id_, match_id):
            return commands.Ready(player, id_, match_id)
        case Resign(id_, match_id):
            return commands.Resign(player, id_, match_id)
        case Leave(id_, match_id):
            return commands.Leave(player, id_, match_id)
        case Rematch(id_, match_id, want):
            return commands.Rematch(player, id_, match_id, want, LiveTables.fresh())
