"""How many tables of the site are in which state: counted in the store now and then."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from typing import Final

from app.live.store import Store, StoreError
from app.ops import metrics

log = logging.getLogger(__name__)

EVERY: Final = 30.0
"""Seconds between two counts, at least."""
MOST: Final = 2_000
"""Tables that are looked at, those first at which something falls due first. Whether there are more
is told as ``unseen``."""
AT_ONCE: Final = 8
STATES: Final = ("open", "funding", "handshake", "running", "ended", "closed")


class Census:
    """Counts in the background, when somebody asks: who asks gets the last count."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counted = -math.inf
        self._task: asyncio.Task[None] | None = None

    def ask(self) -> None:
        """Have it counted, if it was not lately."""
        now = asyncio.get_running_loop().time()
        if now - self._counted >= EVERY and (self._task is None or self._task.done()):
            self._counted = now
            self._task = asyncio.create_task(self._count())

    async def settle(self) -> None:
        """Wait for the count that is under way."""
        if self._task is not None:
            await asyncio.wait({self._task})

    async def close(self) -> None:
        """Count no more."""
        if self._task is not None:
            self._task.cancel()
            await self.settle()

    async def _count(self) -> None:
        try:
            # One more than is looked at says whether there are more.
            armed = await self._store.armed(MOST + 1)
            states: Counter[str] = Counter()
            for first in range(0, min(len(armed), MOST), AT_ONCE):
                few = armed[first : min(first + AT_ONCE, MOST)]
                for stored in await asyncio.gather(*(self._store.load(each) for each in few)):
                    if stored is not None:
                        states[stored.state["status"]] += 1
        except StoreError as error:
            log.warning("tables cannot be counted: %s", error)
            return
        for state in STATES:
            metrics.TABLES.labels(state).set(states[state])
        metrics.TABLES.labels("unseen").set(1 if len(armed) > MOST else 0)
