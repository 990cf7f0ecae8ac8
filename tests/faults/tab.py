"""One tab of a browser at a table: it comes back by itself, with the number it has seen."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from app.ws.messages import PROTOCOL
from tests.faults import web
from tests.faults.crowd import Crowd
from tests.faults.journal import Line, Who

DEAD = 9.0
"""Seconds without a word from the server after which a line is given up."""

Took: TypeAlias = "Callable[[Tab, dict[str, Any]], None]"

_read = msgspec.json.Decoder().decode
_write = msgspec.json.Encoder().encode


class Tab:
    """``took`` is called with every frame but pings. ``fresh``: this line has been brought up to
    date, and takes commands."""

    def __init__(
        self,
        crowd: Crowd,
        table: str,
        who: Who | None,
        process: int,
        rng: random.Random,
        *,
        took: Took,
    ) -> None:
        self.crowd = crowd
        self.id = table
        self.who = who
        self.process = process
        self.number = 0
        self.table: dict[str, Any] = {}
        self.line: Line | None = None
        self.fresh = False
        self.done = False
        self.away = asyncio.Event()
        """Set while the tab may be open."""
        self.away.set()
        self._rng = rng
        self._took = took
        self._socket: ClientConnection | None = None
        self._stall = 0.0
        self._asked = False
        self._useful = False

    async def run(self) -> None:
        """Be there until :meth:`finish`."""
        counts, fails = self.crowd.journal.counts, 0
        while not self.done:
            await self.away.wait()
            opened = self._useful = False
            try:
                socket = await web.socket(
                    self.crowd.origin(self.process),
                    f"/ws/t/{self.id}",
                    None if self.who is None else self.who.cookie,
                )
                opened = True
                await self._line(socket)
            except web.GONE:
                counts["lines lost" if opened else "lines not opened"] += 1
            if not opened:
                self.process += 1  # as a balancer would lead it elsewhere
            fails = 0 if self._useful else fails + 1
            if not self.done:
                await self.crowd.rest(self._rng.uniform(0.05, 0.3) * (1 + min(fails, 9)))

    async def _line(self, socket: ClientConnection) -> None:
        journal = self.crowd.journal
        seen = self.number or None
        player = None if self.who is None else self.who.id
        line = journal.open(self.id, player, self.process % len(self.crowd.origins), seen)
        journal.counts["lines"] += 1
        journal.counts["reconnects"] += seen is not None
        self.line, self._socket, how = line, socket, "fault"
        try:
            await self._hello(seen)
            while not self.done:
                if self._stall:
                    stall, self._stall = self._stall, 0.0
                    await self.crowd.rest(stall)
                async with asyncio.timeout(DEAD):
                    raw = await socket.recv()
                assert isinstance(raw, str)
                await self._take(line, raw)
            how = "done"
        except ConnectionClosed as closed:
            code = None if closed.rcvd is None else closed.rcvd.code
            how = "cut" if code is None else f"{code} {closed.rcvd.reason if closed.rcvd else ''}"
            raise
        except TimeoutError:
            how = "silent"
            raise
        finally:
            self.fresh = False
            self.line = self._socket = None
            journal.close(line, how)
            journal.counts[f"lines ended: {how}"] += 1
            with suppress(*web.GONE):
                await socket.close()

    async def _hello(self, seen: int | None) -> None:
        self._asked = True
        await self.send({"type": "hello", "protocol": PROTOCOL, "seen": seen})

    async def _take(self, line: Line, raw: str) -> None:
        frame = _read(raw)
        if frame["type"] == "ping":
            if frame.keys() != {"type", "n"}:
                self.crowd.journal.came(line, raw)
            await self.send({"type": "pong", "n": frame["n"]})
            return
        self.crowd.journal.came(line, raw)
        if frame["type"] in ("snapshot", "change"):
            events = frame.get("events")
            if events and self._asked:
                self.crowd.journal.counts["gaps filled"] += 1
            if events and events[0]["number"] != self.number + 1:
                self.crowd.journal.counts["holes seen"] += 1
                await self._hello(self.number or None)
                return
            self._asked = False
            self.number, self.table = frame["number"], frame["table"]
            self.fresh = self._useful = True
        self._took(self, frame)

    async def send(self, message: dict[str, Any]) -> bool:
        """Whether it went out, as far as one can see."""
        socket = self._socket
        if socket is None:
            return False
        with suppress(*web.GONE):
            async with asyncio.timeout(DEAD):
                await socket.send(_write(message).decode())
            return True
        return False

    async def command(self, message: dict[str, Any]) -> None:
        """A command, written down before it goes out."""
        if self.line is not None:
            self.crowd.journal.went(self.line, message)
            await self.send(message)

    def stall(self, seconds: float) -> None:
        """Read nothing for so long, from the next frame on."""
        self.crowd.journal.counts["stalls"] += 1
        self._stall = seconds

    def cut(self) -> None:
        """The network goes, in the middle of a frame."""
        if self._socket is not None:
            self.crowd.journal.counts["cut in a frame"] += 1
            web.cut(self._socket)

    async def close(self) -> None:
        """The tab is closed, for now or for good."""
        if self._socket is not None:
            with suppress(*web.GONE):
                await self._socket.close()

    async def finish(self) -> None:
        self.done = True
        self.away.set()
        await self.close()
