"""All that an operator is told of one process: whether it is ready, and its figures."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from time import monotonic
from typing import Final

from prometheus_client import generate_latest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.live.store import Store, StoreError
from app.ops import metrics
from app.ops.backlog import Backlog
from app.ops.census import Census
from app.ops.ready import Ready

log = logging.getLogger(__name__)

EVERY: Final = 5.0
"""Seconds between two looks at what the store has to be asked for."""


class Watch:
    """One process as an operator sees it. ``viewed`` says how many tables have viewers here,
    ``now`` the site time in ms."""

    def __init__(
        self,
        store: Store,
        database: AsyncEngine,
        backlog: Backlog,
        *,
        serving: Callable[[], bool],
        viewed: Callable[[], int],
        now: Callable[[], int],
    ) -> None:
        self.ready = Ready(database, serving)
        self.census = Census(store)
        self._store = store
        self._backlog = backlog
        self._viewed = viewed
        self._now = now
        self._looked = -math.inf

    async def figures(self) -> bytes:
        """The figures as Prometheus reads them."""
        verdict = await self.ready.verdict()
        metrics.READY.set(verdict.wanted)
        for part in ("store", "database"):
            metrics.UP.labels(part).set(part not in verdict.away)
        metrics.WATCHED.set(self._viewed())
        metrics.OUTBOX_OLDEST.set(self._backlog.oldest_ms(self._now()) / 1000)
        metrics.OUTBOX_WAITING.set(len(self._backlog))
        self.census.ask()
        await self._look()
        return generate_latest(metrics.REGISTRY)

    async def close(self) -> None:
        """Look at nothing more."""
        await self.ready.close()
        await self.census.close()

    async def _look(self) -> None:
        now = monotonic()
        if now - self._looked < EVERY:
            return
        self._looked = now
        try:
            metrics.STUCK.set(len(await self._store.stuck()))
        except StoreError as error:
            log.warning("stuck tables cannot be counted: %s", error)
