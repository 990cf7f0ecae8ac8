"""Whether a process wants players, and whether what it stands on is there."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final, Literal, TypeAlias

from sqlalchemy.ext.asyncio import AsyncEngine

from app import db

log = logging.getLogger(__name__)

State: TypeAlias = Literal["starting", "migrations", "ready", "degraded", "store", "stopping"]

EVERY: Final = 1.0
"""Seconds between two looks at the database, at least."""
PATIENCE: Final = 0.3
"""Seconds that who asks waits for a look; then what was known before is said. A database that
hangs must not make a process look dead."""
GRACE: Final = 2.0
"""Seconds that a store may be away before players are sent elsewhere: it may be away for this
process alone."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a process stands; ``away``: which parts are."""

    state: State
    away: tuple[str, ...] = ()

    @property
    def wanted(self) -> bool:
        """Whether players should be sent here."""
        return self.state in {"ready", "degraded"}


class Ready:
    """Asked as often as anybody likes; the database at most once a second.

    A process is ready once it has seen the schema to be current, and from then on: a database that
    goes away makes it ``degraded``, for free play goes on. So does a store for :data:`GRACE`; then
    nobody should come here (``store``) until it is back. ``serving`` says whether the store took
    the last beat, ``now`` reads a clock in seconds.
    """

    def __init__(
        self,
        database: AsyncEngine,
        serving: Callable[[], bool],
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.stopping = False
        self._now = now
        self._without: float | None = None  # since when the store is seen to be away
        self._database = database
        self._serving = serving
        self._migrated = False
        self._answers = False
        self._told = False
        """Whether it has been logged that it is away."""
        self._looked = -math.inf
        self._look: asyncio.Task[None] | None = None

    async def verdict(self) -> Verdict:
        """How it stands now."""
        await self._asked()
        lacking = self._lacking()
        if self.stopping:
            return Verdict("stopping")
        away = tuple(
            name
            for name, there in (("store", self._serving()), ("database", self._answers))
            if not there
        )
        if not self._migrated:
            return Verdict("migrations" if self._answers else "starting", away)
        if lacking > GRACE:
            return Verdict("store", away)
        return Verdict("degraded" if away else "ready", away)

    async def wanted(self) -> None:
        """Wait until players have been wanted here once."""
        while not self._migrated:
            await self._asked()
            if not self._migrated:
                await asyncio.sleep(PATIENCE)

    def _lacking(self) -> float:
        """Seconds for which whoever asked has seen the store away."""
        if self._serving():
            self._without = None
            return 0.0
        now = self._now()
        if self._without is None:
            self._without = now
        return now - self._without

    async def close(self) -> None:
        """Look no more."""
        if self._look is not None:
            self._look.cancel()
            await asyncio.wait({self._look})

    async def _asked(self) -> None:
        loop = asyncio.get_running_loop()
        if self._look is None or self._look.done():
            if loop.time() - self._looked < EVERY:
                return
            self._looked = loop.time()
            self._look = asyncio.create_task(self._ask())
        await asyncio.wait({self._look}, timeout=PATIENCE)
        if not self._look.done() and loop.time() - self._looked >= EVERY:
            self._answers = False  # it hangs

    async def _ask(self) -> None:
        try:
            if self._migrated:
                self._heard(answers=await db.answers(self._database))
            else:
                self._migrated = await db.current(self._database)
                self._heard(answers=True)
        except db.DatabaseError as error:
            self._heard(answers=False, why=str(error))

    def _heard(self, *, answers: bool, why: str = "the database is away") -> None:
        """It is logged once that the database has gone, and once that it is back."""
        if answers and self._told:
            log.info("the database is back")
        elif not answers and not self._told:
            log.warning("%s", why)
        self._answers, self._told = answers, not answers
