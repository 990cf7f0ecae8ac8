"""One socket at one table: hello first, then commands one at a time, and every change."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from fastapi import APIRouter
from starlette.websockets import (
    WebSocket,
    WebSocketDisconnect,
    WebSocketDisconnected,
    WebSocketState,
)

from app.live.fanout import Subscription, TooSlowError, frame
from app.live.service import ContestedError
from app.live.store import StoreError
from app.table import commands
from app.table.decide import Answer, Refused
from app.web.origin import socket_is_own
from app.web.site import Site, site_of
from app.ws import messages
from app.ws.messages import PROTOCOL, Act, Hello, Unparsed

log = logging.getLogger(__name__)
router = APIRouter()

MALFORMED = 5
"""So many faulty frames in a row close the socket."""

POLICY, FAULT, BUSY = 1008, 1011, 1013
"""Close codes: a client that breaks the rules, a fault of ours, a client too slow to serve."""


class Closed(Exception):
    """This socket is to be closed, with a code and a reason for who looks."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


@router.websocket("/ws/t/{table_id}")
async def table_socket(socket: WebSocket, table_id: str) -> None:
    """A viewer's socket at a table."""
    site = site_of(socket)
    if not socket_is_own(socket, site.settings.origins):
        await socket.close(POLICY)
        return
    await socket.accept()
    await _Connection(socket, site, table_id).run()


class _Connection:
    def __init__(self, socket: WebSocket, site: Site, table_id: str) -> None:
        player = site.player(socket)
        self._socket = socket
        self._site = site
        self._table_id = table_id
        self._player = None if player is None else player.id
        self._out: Subscription = site.fanout.subscribe(table_id, self._player)
        self._greeted = False
        self._faults = 0

    async def run(self) -> None:
        """Serve until either side ends it."""
        reader = asyncio.create_task(self._read())
        writer = asyncio.create_task(self._write())
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._site.fanout.leave(self._out)
            reader.cancel()
            ended = await _end_of(reader)
            if ended is not None:
                # What is on its way, the error that ends it above all, goes out first.
                self._out.finish()
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(writer), 1)
            writer.cancel()
            ended = await _end_of(writer) or ended
        await self._close(ended)

    async def _close(self, ended: Closed | None) -> None:
        if ended is None or self._socket.client_state is not WebSocketState.CONNECTED:
            return
        # The socket may have gone meanwhile, or be too full to take even this.
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            await asyncio.wait_for(self._socket.close(ended.code, ended.reason), 1)

    async def _write(self) -> None:
        try:
            while (text := await self._out.next()) is not None:
                await self._socket.send_text(text)
        except TooSlowError:
            raise Closed(BUSY, "too slow") from None

    async def _read(self) -> None:
        while True:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            try:
                await self._take(messages.parse(received.get("text")))
                self._faults = 0
            except Unparsed as fault:
                self._out.send(frame(messages.error(fault.code)))
                self._faults += 1
                if self._faults >= MALFORMED:
                    raise Closed(POLICY, "malformed") from None
            except (StoreError, ContestedError) as error:
                # Not known to be saved: no answer. The client comes back and sends it again.
                log.warning("a command was not carried out: %s", type(error).__name__)
                raise Closed(FAULT, "not saved") from None

    async def _take(self, message: messages.Message) -> None:
        match message:
            case Hello():
                await self._hello(message)
            case Act() if not self._greeted:
                raise Unparsed("not_hello")
            case Act():
                await self._act(message)

    async def _hello(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL:
            self._out.send(frame(messages.error("protocol")))
            raise Closed(POLICY, "protocol")
        self._out.hold()
        table = await self._site.tables.load(self._table_id)
        if table is None:
            self._out.send(frame(messages.error("unknown_table")))
            raise Closed(POLICY, "unknown table")
        self._out.begin(table)
        self._greeted = True

    async def _act(self, act: Act) -> None:
        if self._player is None:
            given: Answer = Refused("not_seated", "T16")
        else:
            command = commands.Act(self._player, act.id, act.match, act.ply, act.action)
            given = await self._site.tables.handle(self._table_id, command)
        self._out.send(frame(messages.answer(act.id, given)))


async def _end_of(task: asyncio.Task[None]) -> Closed | None:
    """How a task ended: the close it asked for; a fault of ours is logged and asks for one."""
    try:
        await task
    except Closed as closed:
        return closed
    except (asyncio.CancelledError, WebSocketDisconnect, WebSocketDisconnected):
        # Two ways in which Starlette says that the client has gone.
        return None
    except Exception:
        log.exception("a connection failed")
        return Closed(FAULT, "fault")
    return None
