"""One connection to one Redis, shared by all who ask at once.

Commands go out in the order in which they were asked for, those of one turn of the event loop in
one write, and are answered in that order. That takes a sixth of the time of a connection for
each, and says exactly what is known of a command whose answer is lost: nothing here ever asks
twice.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias, cast

import hiredis

from app.live.store import StoreError, UnknownError

TIMEOUT: Final = 3.0
"""Seconds until a connection counts as dead that cannot be made, or does not answer."""
LOOK: Final = 0.5
"""Seconds between two looks at whether it answers."""

Command: TypeAlias = tuple[bytes | str | int, ...]

_MORE: Final = object()
_LINE: Final = re.compile(r"user_script:(\d+)")
_TARGET: Final = re.compile(r"\d+ (\S*):(\d+)")


class Unreached(StoreError):
    """Nothing was sent."""


class Unanswered(UnknownError):
    """It was sent, perhaps, and the answer is lost."""


class Refused(StoreError):
    """Redis answered with an error. Of its words only the first is told, the kind of error, and
    where in a script it was: the others may hold what nobody is to see."""

    def __init__(self, answer: str) -> None:
        self.code = answer.partition(" ")[0]
        self.target: Address | None = None
        line = _LINE.search(answer)
        super().__init__(f"Redis refused: {self.code}{f', line {line[1]}' if line else ''}")
        if self.code in {"MOVED", "ASK"}:
            target = _TARGET.search(answer)
            if target is not None:
                self.target = Address(target[1], int(target[2]))


class Address(NamedTuple):
    """Where a Redis listens."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Access:
    """How to be let in."""

    username: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    database: int = 0
    tls: ssl.SSLContext | None = field(default=None, repr=False)


class Wire(asyncio.Protocol):
    """A connection. ``lost`` is called once, when it is no more."""

    def __init__(self, lost: Callable[[], None] = lambda: None) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader(notEnoughData=_MORE, replyError=Refused)
        self._pending: deque[tuple[float, asyncio.Future[Any]]] = deque()
        self._out: list[bytes] = []
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._lost = lost
        self.closed = False

    def send(self, command: Command) -> asyncio.Future[Any]:
        """Send a command. The future gives its answer; :class:`Refused` and :class:`Unanswered`
        are given, not raised. Raises :class:`Unreached`."""
        if self.closed:
            raise Unreached("Redis cannot be reached: the connection is closed")
        future: asyncio.Future[Any] = self._loop.create_future()
        packed: bytes = hiredis.pack_command(command)  # type: ignore[arg-type]
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(packed)
        self._pending.append((self._loop.time(), future))
        return future

    async def call(self, command: Command) -> Any:
        """Send a command and wait for its answer. Raises :class:`StoreError`."""
        answer = await self.send(command)
        if isinstance(answer, StoreError):
            raise answer
        return answer

    async def finish(self) -> None:
        """Wait for all answers, for as long as it takes to know that none will come; then
        close."""
        if not self.closed:
            await self.send((b"PING",))  # who is asked last answers last
        self.abort()

    def abort(self) -> None:
        """Close it now. What was not answered is lost."""
        self.closed = True
        if self._transport is not None:
            self._transport.abort()

    def took(self, answer: Any) -> None:
        """An answer has come."""
        _, future = self._pending.popleft()
        if not future.done():
            future.set_result(answer)

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one in all but name
        self._timer = self._loop.call_later(LOOK, self._look)

    def data_received(self, data: bytes) -> None:
        reader = self._reader
        try:
            reader.feed(data)
            while (answer := reader.gets()) is not _MORE:
                self.took(answer)
        except (hiredis.HiredisError, IndexError, ValueError):
            self.abort()  # that is no Redis, or not in its right mind

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._out.clear()
        while self._pending:
            _, future = self._pending.popleft()
            if not future.done():
                future.set_result(Unanswered("Redis did not answer"))
        self._lost()

    def _flush(self) -> None:
        out, self._out = self._out, []
        if out and not self.closed and self._transport is not None:
            self._transport.write(out[0] if len(out) == 1 else b"".join(out))

    def _look(self) -> None:
        if self._pending and self._loop.time() - self._pending[0][0] > TIMEOUT:
            self.abort()
        else:
            self._timer = self._loop.call_later(LOOK, self._look)


async def connect(address: Address, access: Access, make: Callable[[], Wire] = Wire) -> Wire:
    """A connection on which commands are carried out. Raises :class:`Unreached` if there is none
    to be had in time, or Redis does not let in or is loading its data."""
    loop = asyncio.get_running_loop()
    wire: Wire | None = None
    try:
        async with asyncio.timeout(TIMEOUT):
            _, wire = await loop.create_connection(make, address.host, address.port, ssl=access.tls)
            await _enter(wire, access)
            return wire
    except (OSError, StoreError) as error:
        if wire is not None:
            wire.abort()
        why = str(error) if isinstance(error, StoreError) else type(error).__name__
        raise Unreached(f"Redis at {address.host}:{address.port} cannot be used: {why}") from None
    except BaseException:
        if wire is not None:
            wire.abort()
        raise


async def _enter(wire: Wire, access: Access) -> None:
    if access.password is not None:
        who = () if access.username is None else (access.username,)
        await wire.call(("AUTH", *who, access.password))
    if access.database:
        await wire.call(("SELECT", access.database))
    await wire.call(("PING",))
