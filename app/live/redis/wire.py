"""One connection to one Redis, shared by all who ask at once.

redis-py makes, packs and parses; what it has no form for is kept here. Its pool takes a connection
for each command under way, and its pipeline waits for all of its answers before the next one is
sent. Here commands go out in the order in which they were asked for, those of one turn of the
event loop in one write, and are answered in that order. That takes a fraction of the time, and
says exactly what is known of a command whose answer is lost: nothing here ever asks twice.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from redis.asyncio import Connection
from redis.asyncio.cluster import ClusterNode
from redis.connection import HiredisRespSerializer
from redis.exceptions import RedisError

from app.live.redis.errors import Unanswered, Unreached, reason, refusal
from app.live.redis.place import TIMEOUT
from app.live.store import StoreError

LOOK: Final = 0.5
"""Seconds between two looks at whether it answers."""

Command: TypeAlias = tuple[bytes | str | int, ...]

_pack: Final[Callable[..., list[bytes]]] = HiredisRespSerializer().pack


class Wire:
    """A connection on which commands are carried out. Made by :func:`connect`."""

    def __init__(self, connection: Connection) -> None:
        self._loop = asyncio.get_running_loop()
        self._connection = connection
        self._pending: deque[tuple[float, asyncio.Future[Any]]] = deque()
        self._out: list[bytes] = []
        self._writing: asyncio.Task[None] | None = None
        self._reading = asyncio.create_task(self._read(), name="wire")
        self._timer = self._loop.call_later(LOOK, self._look)
        self.closed = False

    def send(self, command: Command) -> asyncio.Future[Any]:
        """Send a command. The future gives its answer; :class:`Refused` and :class:`Unanswered`
        are given, not raised. Raises :class:`Unreached`."""
        if self.closed:
            raise Unreached("Redis cannot be reached: the connection is closed")
        future: asyncio.Future[Any] = self._loop.create_future()
        self._out += _pack(*command)
        self._pending.append((self._loop.time(), future))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
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
        await asyncio.wait({self._reading})

    def abort(self) -> None:
        """Close it now. What was not answered is lost."""
        if not self.closed:
            self.closed = True
            self._reading.cancel()

    async def _write(self) -> None:
        # Sending on a connection that is gone would make a new one: it is asked only while this
        # one is known to be there, and `closed` is said before it goes.
        try:
            while self._out and not self.closed:
                out, self._out = self._out, []
                await self._connection.send_packed_command(out, check_health=False)
        except Exception:  # noqa: BLE001 - also uvloop's RuntimeError: it is gone already
            self.abort()
        finally:
            self._writing = None

    async def _read(self) -> None:
        read = self._connection.read_response
        try:
            while True:
                try:
                    answer = await read(disconnect_on_error=False)
                except RedisError as error:
                    answer = refusal(error)
                    if answer is None:
                        break
                _, future = self._pending.popleft()
                if not future.done():
                    future.set_result(answer)
        except Exception:  # noqa: BLE001, S110 - that is no Redis, or not in its right mind
            pass
        finally:
            self.closed = True
            self._timer.cancel()
            if self._writing is not None:
                self._writing.cancel()
            while self._pending:
                _, future = self._pending.popleft()
                if not future.done():
                    future.set_result(Unanswered("Redis did not answer"))
            await _let_go(self._connection)

    def _look(self) -> None:
        if self._pending and self._loop.time() - self._pending[0][0] > TIMEOUT:
            self.abort()
        else:
            self._timer = self._loop.call_later(LOOK, self._look)


async def connect(place: ClusterNode) -> Wire:
    """A connection on which commands are carried out. Raises :class:`Unreached` if there is none
    to be had in time, or Redis does not let in or is loading its data."""
    # It is here that it is known how long an answer may take: see `_look`.
    connection = place.connection_class(**{**place.connection_kwargs, "socket_timeout": None})
    try:
        async with asyncio.timeout(TIMEOUT):
            await connection.connect()  # type: ignore[no-untyped-call]
            await connection.send_command("PING")
            await connection.read_response()
    except Exception as error:  # noqa: BLE001 - all the kinds of faults of a connection
        await _let_go(connection)
        why = reason(error)
    except BaseException:
        await _let_go(connection)
        raise
    else:
        return Wire(connection)
    raise Unreached(f"Redis at {place.name} cannot be used: {why}")


async def _let_go(connection: Connection) -> None:
    with contextlib.suppress(RedisError):
        await connection.disconnect(nowait=True)
