"""Holding players: one at a time in the whole site, for a lease at most (T16)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from redis.crc import key_slot

from app.live.redis.keys import held
from app.live.redis.nodes import Nodes
from app.live.redis.scripts import RELEASE
from app.live.store import LEASE_MS, StoreError

log = logging.getLogger(__name__)

LEASE: Final = LEASE_MS / 1_000
PATIENCE: Final = 2 * LEASE
"""Seconds that anybody waits for others to let go."""
FIRST: Final = 0.004
LONGEST: Final = 0.1
"""Seconds to wait before the second try, and at most between two."""


class _Queue:
    """Those of this process who want a player, in the order in which they came."""

    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class Holds:
    """Who holds a player has a token in Redis; those of one process stand in line for it."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._queues: dict[str, _Queue] = {}

    @asynccontextmanager
    async def hold(self, players: Collection[str]) -> AsyncIterator[None]:
        """See :meth:`Store.hold`. Raises :class:`StoreError`, also when others hold on."""
        names = sorted(set(players))
        keys = [held(name) for name in names]
        token = secrets.token_bytes(12)
        until = asyncio.get_running_loop().time() + PATIENCE
        async with AsyncExitStack() as stack:
            for name in names:
                await stack.enter_async_context(self._in_line(name))
            await self._take(keys, token, until)
            try:
                yield
            finally:
                await self._let_go(keys, token)

    @asynccontextmanager
    async def _in_line(self, player: str) -> AsyncIterator[None]:
        queue = self._queues.setdefault(player, _Queue())
        queue.users += 1
        mine = False
        try:
            # Who is late to leave holds nobody up for longer: their lease is over.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEASE):
                    mine = await queue.lock.acquire()
            yield
        finally:
            if mine:
                queue.lock.release()
            queue.users -= 1
            if not queue.users:
                del self._queues[player]

    async def _take(self, keys: list[bytes], token: bytes, until: float) -> None:
        loop = asyncio.get_running_loop()
        wait = FIRST
        while not await self._taken(keys, token):
            if loop.time() > until:
                raise StoreError("somebody else holds on to a player")
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))  # noqa: S311
            wait = min(2 * wait, LONGEST)

    async def _taken(self, keys: list[bytes], token: bytes) -> bool:
        """All of them or none: so nobody waits for one while holding another."""
        for i, key in enumerate(keys):
            command = (b"SET", key, token, b"NX", b"PX", LEASE_MS)
            try:
                if await self._nodes.call(key_slot(key), command) is not None:
                    continue
            except BaseException:
                # The one that was asked for may be held now, too.
                await self._let_go(keys[: i + 1], token)
                raise
            await self._let_go(keys[:i], token)
            return False
        return True

    async def _let_go(self, keys: list[bytes], token: bytes) -> None:
        for key in keys:
            try:
                await self._nodes.run(key_slot(key), RELEASE, (key,), (token,), again=True)
            except StoreError as error:
                log.warning("a player is held until the lease is over: %s", error)
