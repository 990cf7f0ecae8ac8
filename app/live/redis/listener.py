"""What other processes tell this one: subscriptions that come back whatever breaks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable
from typing import Final

from redis.asyncio.cluster import ClusterNode

from app.live.redis.ear import Ear
from app.live.redis.errors import Refused
from app.live.redis.keys import ALL, Shard
from app.live.redis.nodes import Nodes
from app.live.store import StoreError

log = logging.getLogger(__name__)

CHECK: Final = 5.0
"""Seconds between two looks at whether every slot is listened to where it is."""
FIRST: Final = 0.05
LONGEST: Final = 3.0
"""Seconds to wait after the first failure, and at most."""


class Listener:
    """Listens to the channels of one process in all shards.

    ``heard`` is called with every message, in order; ``missed`` whenever some may have been
    missed: the connection broke and is back.
    """

    def __init__(
        self,
        nodes: Nodes,
        process: str,
        heard: Callable[[bytes], None],
        missed: Callable[[], None],
    ) -> None:
        self._nodes = nodes
        self._process = process
        self._heard = heard
        self._missed = missed
        self._ears: dict[ClusterNode, tuple[tuple[Shard, ...], Ear]] = {}
        self._broken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen. When it returns, nothing more is missed unnoticed. Raises
        :class:`StoreError`."""
        for place, shards in self._wanted().items():
            await self._listen(place, shards)
        self._task = asyncio.create_task(self._run(), name="listener")

    async def close(self) -> None:
        """Hear no more."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for _, ear in self._ears.values():
            await ear.close()

    def _wanted(self) -> dict[ClusterNode, tuple[Shard, ...]]:
        wanted: dict[ClusterNode, tuple[Shard, ...]] = {}
        for shard in ALL:
            place = self._nodes.at(shard.slot)
            wanted[place] = (*wanted.get(place, ()), shard)
        return wanted

    async def _run(self) -> None:
        wait, failures = CHECK, 0
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._broken.wait()
            try:
                whole = await self._mend()
            except Exception as error:  # noqa: BLE001 - whatever it was, go on listening
                log.error("the listener stumbled: %s", type(error).__name__)  # noqa: TRY400
                whole = False
            failures = 0 if whole else failures + 1
            wait = CHECK if whole else _pause(failures)

    async def _mend(self) -> bool:
        """Listen where nobody listens any more. Whether all is well."""
        self._broken.clear()
        if any(ear.closed for _, ear in self._ears.values()) or len(self._ears) == 0:
            await self._nodes.refresh()
        wanted = self._wanted()
        for place, (shards, ear) in tuple(self._ears.items()):
            if ear.closed or wanted.get(place) != shards:
                del self._ears[place]
                await ear.close()
        missing = [each for each in wanted.items() if each[0] not in self._ears]
        back = [await self._tried(*each) for each in missing]
        if any(back):
            self._missed()
        return all(back)

    async def _tried(self, place: ClusterNode, shards: tuple[Shard, ...]) -> bool:
        try:
            await self._listen(place, shards)
        except StoreError as error:
            log.warning("cannot listen: %s", error)
            if isinstance(error, Refused):
                await self._nodes.refresh()
            return False
        return True

    async def _listen(self, place: ClusterNode, shards: tuple[Shard, ...]) -> None:
        channels = [shard.channel(self._process) for shard in shards]
        ear = await Ear.open(place, channels, self._heard, self._broken.set)
        self._ears[place] = (shards, ear)


def _pause(failures: int) -> float:
    longest: float = min(FIRST * 2 ** min(failures, 10), LONGEST)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - so that not all come at once
