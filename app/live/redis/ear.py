"""Listening to one Redis: a subscription that says when it breaks.

redis-py's ``PubSub`` connects and subscribes. It is not asked for messages: when its connection
breaks it comes back by itself, without a word of what was missed, and it notices no silence. So
what comes is read from its connection, which takes two thirds of the time, too; silence is asked
whether it lives; and after the first fault it is not used again.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable, Collection
from typing import Any, Final

from redis.asyncio import ConnectionPool
from redis.asyncio.client import PubSub
from redis.asyncio.cluster import ClusterNode
from redis.exceptions import PubSubError, RedisError

from app.live.redis.errors import Unreached, reason, refusal
from app.live.redis.place import TIMEOUT

SILENCE: Final = 5.0
"""Seconds after which it is asked whether it lives."""


class Ear:
    """A subscription. ``heard`` is called with every message; ``lost`` once, when it is no
    more. Made by :meth:`open`."""

    def __init__(
        self, place: ClusterNode, heard: Callable[[bytes], None], lost: Callable[[], None]
    ) -> None:
        self._pool = ConnectionPool(
            place.connection_class, max_connections=1, **place.connection_kwargs
        )
        self._pubsub = PubSub(self._pool)
        self._heard = heard
        self._lost = lost
        self._taken = 0
        self._task: asyncio.Task[None] | None = None
        self.closed = False

    @classmethod
    async def open(
        cls,
        place: ClusterNode,
        channels: Collection[bytes],
        heard: Callable[[bytes], None],
        lost: Callable[[], None],
    ) -> Ear:
        """Listen to channels, from when it returns on. Raises :class:`Unreached`, or
        :class:`Refused` if any of them is elsewhere."""
        ear = cls(place, heard, lost)
        try:
            async with asyncio.timeout(TIMEOUT):
                await ear._subscribe(channels)
        except Exception as error:  # noqa: BLE001 - all the kinds of faults of a connection
            await ear.close()
            failure = refusal(error) or Unreached(
                f"Redis at {place.name} cannot be used: {reason(error)}"
            )
        except BaseException:
            await ear.close()
            raise
        else:
            ear._task = asyncio.create_task(ear._listen(), name="ear")
            return ear
        raise failure

    async def close(self) -> None:
        """Hear no more. Closing twice does no harm."""
        self.closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        with contextlib.suppress(RedisError):
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]
            await self._pool.aclose()

    async def _subscribe(self, channels: Collection[bytes]) -> None:
        for channel in channels:  # one at a time: they are in different slots
            await self._pubsub.ssubscribe(channel)
        missing = set(channels)
        while missing:
            kind, channel = await self._take()
            if kind == b"ssubscribe":
                missing.discard(channel)

    async def _listen(self) -> None:
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._read())
                both.create_task(self._watch())
        except* Exception:  # noqa: BLE001, S110 - whatever it was, another one listens
            pass
        finally:
            self.closed = True
            self._lost()

    async def _read(self) -> None:
        while True:
            await self._take()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(SILENCE)
            taken = self._taken
            await self._pubsub.ping()
            await asyncio.sleep(TIMEOUT)
            if self._taken == taken:
                raise TimeoutError

    async def _take(self) -> tuple[bytes, bytes]:
        """Wait for what comes next: its kind and its channel."""
        connection: Any = self._pubsub.connection
        kind, channel, *rest = await connection.read_response(
            timeout=math.inf, disconnect_on_error=False
        )
        self._taken += 1
        if kind == b"smessage":
            self._heard(rest[0])
        elif kind == b"sunsubscribe":
            raise PubSubError("the slot has gone elsewhere")
        return kind, channel
