"""Listening to one Redis: a subscription that says when it breaks.

redis-py's ``PubSub`` comes back by itself without a word of what was missed, and notices no
silence. So none is used again after a first fault, and silence is asked whether it lives.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection
from typing import Any, Final

from redis.asyncio import ConnectionPool
from redis.asyncio.client import PubSub
from redis.asyncio.cluster import ClusterNode
from redis.exceptions import PubSubError, RedisError

from app.live.redis.errors import Unreached, reason, refusal
from app.live.redis.place import TIMEOUT

SILENCE: Final = 5.0
"""Seconds of silence after which it is asked whether it lives."""


class Ear:
    """A subscription. ``heard`` is called with every message; ``lost`` once, when it is no
    more. Made by :meth:`open`."""

    def __init__(
        self, place: ClusterNode, heard: Callable[[bytes], None], lost: Callable[[], None]
    ) -> None:
        self._pubsub = PubSub(
            ConnectionPool(place.connection_class, max_connections=1, **place.connection_kwargs)
        )
        self._heard = heard
        self._lost = lost
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
        except (RedisError, OSError) as error:
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

    async def _subscribe(self, channels: Collection[bytes]) -> None:
        for channel in channels:  # one at a time: they are in different slots
            await self._pubsub.ssubscribe(channel)
        missing = set(channels)
        while missing:
            message = await self._next(TIMEOUT)
            if message is not None and message["type"] == "ssubscribe":
                missing.discard(message["channel"])

    async def _listen(self) -> None:
        try:
            while True:
                if await self._next(SILENCE) is None:
                    await self._pubsub.ping()
                    if await self._next(TIMEOUT) is None:
                        break
        except (RedisError, OSError):
            pass
        finally:
            self.closed = True
            self._lost()

    async def _next(self, seconds: float) -> dict[str, Any] | None:
        """Take what comes next, if it comes in time."""
        message: dict[str, Any] | None = await self._pubsub.get_message(timeout=seconds)
        if message is not None:
            if message["type"] == "smessage":
                self._heard(message["data"])
            elif message["type"] == "sunsubscribe":
                raise PubSubError("the slot has gone elsewhere")
        return message
