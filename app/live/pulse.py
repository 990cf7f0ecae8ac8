"""Once a second: the site's time is kept, and the process says that it lives."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from app.live.presence import Presence
from app.live.sitetime import BEAT_MS, SiteClock
from app.live.store import Store, StoreError

log = logging.getLogger(__name__)

SLOW_MS = 1_000
"""A beat that was answered later says little of the time, and is asked for again."""


class Pulse:
    """``tell`` is called after an outage that this process lived through (T9). ``serving``:
    whether the store took the last beat; while it does not, no time passes for the tables."""

    def __init__(
        self,
        store: Store,
        clock: SiteClock,
        presence: Presence,
        tell: Callable[[], Awaitable[None]],
    ) -> None:
        self.serving = False
        self._store = store
        self._clock = clock
        self._presence = presence
        self._tell = tell
        self._told = clock.outage
        self._lapsed = False
        self._confirming = asyncio.Lock()
        self._after: asyncio.Task[None] | None = None

    async def start(self, *, alone: bool) -> None:
        """The first beat. ``alone``: it is known that no other process serves. Raises
        :class:`StoreError`."""
        await self._beat(alone=alone)
        self._told = self._clock.outage
        await self._presence.look()

    async def confirm(self) -> None:
        """Make sure of the clock. Raises :class:`StoreError`."""
        async with self._confirming:
            if not self._clock.sure():
                await self._beat()

    async def beat(self) -> None:
        """One beat, and all that follows from it."""
        if await self._kept():
            await self._follow()

    async def run(self) -> None:
        """Beat until cancelled. What follows from a beat keeps no other waiting."""
        try:
            while True:
                await asyncio.sleep(BEAT_MS / 1000)
                if await self._kept() and (self._after is None or self._after.done()):
                    self._after = asyncio.create_task(self._follow())
        finally:
            if self._after is not None:
                self._after.cancel()

    async def _kept(self) -> bool:
        """Whether the store took a beat."""
        try:
            async with self._confirming:
                await self._beat()
        except StoreError as error:
            if self.serving:
                log.warning("the store is away: %s", error)
            self.serving = False
        return self.serving

    async def _beat(self, *, alone: bool = False) -> None:
        for _ in range(2):
            asked = self._clock.ms()
            beat = await self._store.beat(alone=alone)
            alone = False
            self._clock.take(beat, asked)
            self._lapsed = self._lapsed or beat.lapsed
            if self._clock.ms() - asked <= SLOW_MS:
                break
        self.serving = True

    async def _follow(self) -> None:
        try:
            if self._lapsed:
                self._lapsed = False
                await self._presence.restore()
            await self._presence.look()
            if self._clock.outage != self._told:
                self._told = self._clock.outage
                await self._tell()
        except StoreError as error:
            log.warning("lost connections cannot be read: %s", error)
