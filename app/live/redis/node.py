"""One server, connected to when something is asked of it."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from redis.asyncio.cluster import ClusterNode

from app.live.redis.errors import Refused, Unreached
from app.live.redis.wire import Command, Wire, connect
from app.live.store import StoreError

log = logging.getLogger(__name__)

ROOM: Final = 1_024
"""So many commands may be under way to one server; others wait."""
LASTING: Final = (("appendonly", "yes"), ("appendfsync", "always"))
NEVER_DROPS: Final = ("maxmemory-policy", "noeviction")


class Node:
    """One server, and the connection to it."""

    def __init__(self, place: ClusterNode) -> None:
        self.place = place
        self._wire: Wire | None = None
        self._connecting: asyncio.Task[Wire | StoreError] | None = None
        self._room = asyncio.Semaphore(ROOM)

    async def call(self, command: Command, *, asking: bool = False) -> Any:
        """Raises :class:`Refused`, :class:`Unreached` or :class:`Unanswered`. ``asking``: the
        slot is on its way to this server."""
        async with self._room:
            wire = self._wire
            if wire is None or wire.closed:
                wire = await self._connected()
            if asking:
                wire.send((b"ASKING",))
            return await wire.call(command)

    async def keeps(self) -> None:
        """What it acknowledges must be on its disk, and stay there. Raises
        :class:`StoreError`."""
        for name, wanted in (*LASTING, NEVER_DROPS):
            try:
                answer: list[bytes] = await self.call((b"CONFIG", b"GET", name))
            except Refused as refused:
                log.warning("Redis does not tell whether %s is %s: %s", name, wanted, refused)
                continue
            value = answer[1].decode() if len(answer) > 1 else "not there"
            if value != wanted:
                raise StoreError(f"Redis must be set to {name} {wanted}; it is {value}")

    async def finish(self) -> None:
        """Wait for all answers, then close."""
        if self._connecting is not None:
            await asyncio.wait({self._connecting})
        if self._wire is not None:
            await self._wire.finish()

    async def _connected(self) -> Wire:
        # All who wait share one attempt and its failure.
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect())
        wire = await asyncio.shield(self._connecting)
        if isinstance(wire, StoreError):
            raise Unreached(str(wire))
        return wire

    async def _connect(self) -> Wire | StoreError:
        try:
            self._wire = await connect(self.place)
        except StoreError as error:
            return error
        finally:
            self._connecting = None
        return self._wire
