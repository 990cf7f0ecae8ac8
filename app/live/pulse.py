"""Once a second: the site's clock is saved, and the process says that it lives."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from app.live.presence import Presence
from app.live.sitetime import STALL_MS, SiteClock
from app.live.store import Store, StoreError

log = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds."""


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
        self.serving = True
        self._told = clock.outage
        self._tell = tell
        self._store = store
        self._clock = clock
        self._presence = presence

    async def beat(self) -> None:
        """One beat."""
        try:
            if not self.serving:
                await self._back()
            beat = self._clock.beat()
            await self._store.save_beat(beat)
            self.serving = True
            if self._clock.beat().wall - beat.wall > STALL_MS:
                self._clock.away(beat)  # it was taken, but only after all that time
            await self._presence.renew()
            if self._clock.outage is not self._told:
                self._told = self._clock.outage
                await self._tell()
        except StoreError as error:
            if self.serving:
                log.warning("the store is away: %s", error)
            self.serving = False

    async def _back(self) -> None:
        """The store was away. If that was for long, nobody was served since its last beat."""
        last = await self._store.beat()
        if last is not None and self._clock.beat().wall - last.wall > STALL_MS:
            self._clock.away(last)

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            await self.beat()
