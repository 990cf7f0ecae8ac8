"""One socket, whatever it is for: frames in and out, bounds, heartbeat, and its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, Generic, TypeVar

import msgspec
from starlette.websockets import (
    WebSocket,
    WebSocketDisconnect,
    WebSocketDisconnected,
    WebSocketState,
)

from app.live.outgoing import Frames, TooSlowError, frame
from app.live.service import ContestedError
from app.live.store import StoreError
from app.ops import metrics
from app.web.bounds import address_of, tried
from app.web.origin import socket_is_own
from app.web.room import TooManyError
from app.web.site import Site, site_of
from app.ws import messages
from app.ws.heart import Heart
from app.ws.limits import Bucket
from app.ws.messages import Pong, Unparsed
from engine.game import Unreadable

log = logging.getLogger(__name__)

MALFORMED: Final = 5
"""So many faulty frames in a row close the socket."""
WAITING: Final = 64
"""Messages that may wait for their turn."""
FINISH: Final = 2.0
"""Seconds for those that wait when the client goes."""

POLICY, FAULT, RESTART, BUSY = 1008, 1011, 1012, 1013
"""Close codes: a client that breaks the rules, a fault of ours, a process that stops, no room or a
client too slow."""

M = TypeVar("M")


class Closed(Exception):
    """This socket is to be closed, with a code and a reason for who looks."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


async def admit(
    socket: WebSocket, serve: Callable[[Site], Awaitable[None]], place: metrics.Place
) -> None:
    """Let a socket in and serve it, if it comes from our own pages and there is room."""
    site = site_of(socket)
    if not socket_is_own(socket, site.settings.origins):
        await socket.close(POLICY)
        return
    if site.watch.ready.stopping:
        await _turn_away(socket, RESTART, "stopping")
        return
    if await tried(socket, "socket"):
        await _turn_away(socket, BUSY, "too often")
        return
    player = site.player(socket)
    player_id = None if player is None else player.id
    try:
        with (
            site.room.place(player_id, address_of(socket)),
            metrics.CONNECTIONS[place].track_inprogress(),
        ):
            await socket.accept()
            await serve(site)
    except TooManyError:
        await _turn_away(socket, BUSY, "too many")


async def _turn_away(socket: WebSocket, code: int, reason: str) -> None:
    """Say why not. Before a socket is accepted a browser would be told nothing."""
    metrics.CLOSED.labels(reason).inc()
    await socket.accept()
    await socket.close(code, reason)


class Line(Generic[M]):
    """A socket that is read and written, each in its own task. What it costs while nothing goes
    on is kept small: most of thousands are silent.

    ``check`` looks at each message as soon as it is read, and raises :class:`Unparsed` or
    :class:`Closed`; ``take`` gets one after the other, with the site time at which it was read.
    """

    def __init__(
        self,
        socket: WebSocket,
        site: Site,
        out: Frames,
        decoder: msgspec.json.Decoder[M],
        *,
        check: Callable[[M], None],
        take: Callable[[M, int], Awaitable[None]],
    ) -> None:
        self._socket = socket
        self._clock = site.tables.clock
        self._out = out
        self._decoder = decoder
        self._check = check
        self._take = take
        self._waiting: list[Callable[[], Awaitable[None]]] = []
        self._worker: asyncio.Task[None] | None = None
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._silent = False
        self._bucket = Bucket(site.settings.message_rate, site.settings.message_burst)
        self._faults = 0
        self._signed_out = False
        self._unwatch = site.standing.watch(site.player(socket), self._signs_out)
        self.heart = Heart(out.send, site.settings.ping_ms, site.settings.silent_ms)

    async def run(self, ended: Callable[[], Awaitable[None]]) -> None:
        """Serve until either side ends it. ``ended`` is called before the socket is closed: a
        dead line may take its time."""
        reader, writer = asyncio.create_task(self._read()), asyncio.create_task(self._write())
        for task in (reader, writer):
            task.add_done_callback(self._ends)
        self.heart.start(self._falls_silent)
        cause: Closed | None = None
        try:
            await self._over
            if reader.done() and not reader.exception():
                await self._finish()
        finally:
            self.heart.stop()
            self._unwatch()
            if self._silent:
                cause = Closed(POLICY, "silent")
            elif self._signed_out:
                # The page comes back as who it is by then.
                cause = Closed(RESTART, "signed out")
            for busy in (reader, self._worker):
                if busy is not None:
                    busy.cancel()
                    cause = cause or await _end_of(busy)
            if cause is not None and not writer.done():
                # What is on its way, the error that ends it above all, goes out first.
                self._out.finish()
                await asyncio.wait({writer}, timeout=1)
            writer.cancel()
            cause = cause or await _end_of(writer)
            await ended()
        await self._close(cause)

    def _ends(self, _: object = None) -> None:
        if not self._over.done():
            self._over.set_result(None)

    def _falls_silent(self) -> None:
        self._silent = True
        self._ends()

    def _signs_out(self) -> None:
        self._signed_out = True
        self._ends()

    async def _finish(self) -> None:
        """The client has gone; what it said before that counts."""
        if self._worker is not None:
            await asyncio.wait({self._worker}, timeout=FINISH)

    def later(self, work: Callable[[], Awaitable[None]]) -> None:
        """Something to do in turn, after what is waiting already."""
        self._waiting.append(work)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work())

    async def _close(self, cause: Closed | None) -> None:
        if cause is None or self._socket.client_state is not WebSocketState.CONNECTED:
            return
        metrics.CLOSED.labels(cause.reason).inc()
        # The socket may have gone meanwhile, or be too full to take even this.
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(1):
                await self._socket.close(cause.code, cause.reason)

    async def _write(self) -> None:
        try:
            while (text := await self._out.next()) is not None:
                since = self._out.since
                await self._socket.send_text(text)
                if since is not None:
                    metrics.FANOUT.observe(perf_counter() - since)
                del text  # a silent line keeps nothing of what was last said
        except TooSlowError:
            raise Closed(BUSY, "too slow") from None

    async def _read(self) -> None:
        while True:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            # A deadline counts from when the frame was read, not from when its turn came (T6).
            now = self._clock.now()
            try:
                self._receive(received, now)
                self._faults = 0
            except Unparsed as fault:
                self._out.send(frame(messages.error(fault.code)))
                self._faults += 1
                if self._faults >= MALFORMED:
                    raise Closed(POLICY, "malformed") from None
            del received

    def _receive(self, received: Any, now: int) -> None:
        if not self._bucket.take():
            raise Unparsed("too_fast")
        message = messages.parse(received.get("text"), self._decoder)
        if isinstance(message, Pong):
            self.heart.pong(message.n)
            return
        self._check(message)
        if len(self._waiting) >= WAITING:
            raise Unparsed("too_fast")
        self.later(lambda: self._take(message, now))

    async def _work(self) -> None:
        """Do what is waiting, one after the other. It is there only while anything is."""
        try:
            while self._waiting:
                await self._waiting.pop(0)()
        except (StoreError, ContestedError, Unreadable) as error:
            # Not known to be saved: no answer. The client comes back and sends it again.
            log.warning("a command was not carried out: %s", type(error).__name__)
            self._ends()
            raise Closed(FAULT, "not saved") from None
        except BaseException:
            self._ends()
            raise
        self._worker = None


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
