"""Carries out the schedule: what breaks when, and what is mended."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Sequence

from tests.faults.processes import App, Place
from tests.faults.schedule import Fault

BUSY = 20
"""Seconds to wait for play under way, where that is what has to be hit."""


class Director:
    """``done``: the faults that were carried out, with when."""

    def __init__(self, place: Place, rows: Sequence[Sequence[Fault]], counts: Counter[str]) -> None:
        self.place = place
        self.rows = rows
        self.counts = counts
        self.done: list[tuple[float, Fault]] = []

    async def run(self, seconds: float) -> None:
        """Break what is to be broken for so many seconds. In the end everything is up."""
        end = time.monotonic() + seconds
        rows = [asyncio.create_task(self._row(row, end - seconds, end)) for row in self.rows]
        try:
            await asyncio.gather(asyncio.sleep(seconds), *rows)
        finally:
            for row in rows:
                row.cancel()

    async def _row(self, row: Sequence[Fault], began: float, end: float) -> None:
        """One after the other: what is broken is mended before it is broken otherwise."""
        for fault in row:
            await asyncio.sleep(max(0.0, began + fault.at - time.monotonic()))
            # On a slow machine not all find their time, but each kind does once.
            if time.monotonic() < end or not self.counts[f"fault: {fault.kind}"]:
                await self._break(fault)

    async def _break(self, fault: Fault) -> None:
        self.done.append((time.monotonic(), fault))
        self.counts[f"fault: {fault.kind}"] += 1
        app = self.place.apps[fault.target]
        match fault.kind:
            case "app_kill":
                await self._killed([app], fault.lasts)
            case "app_hang":
                await self._hung([app], fault.lasts)
            case "roll":
                for each in self.place.apps:
                    await self._stopped(each, fault.lasts)
            case "all_kill":
                await self._killed(self.place.apps, fault.lasts)
            case "all_hang":
                await self._hung(self.place.apps, fault.lasts)
            case "redis_kill" | "redis_down":
                await self._redis_killed(fault.lasts, full=fault.kind == "redis_kill")
            case "redis_hang":
                await self._redis_hung(fault.lasts)
            case "postgres_kill" | "postgres_stop":
                await self._postgres_ended(fault.lasts, kill=fault.kind == "postgres_kill")
            case "postgres_hang":
                await self._postgres_hung(fault.lasts)

    def _gone(self, app: App) -> None:
        self.place.timeline.app(app.index, up=False)

    async def _killed(self, apps: Sequence[App], lasts: float) -> None:
        for app in apps:
            app.send(signal.SIGKILL)
            self._gone(app)
        self.counts["processes killed"] += len(apps)
        for app in apps:
            await app.ended()
        await asyncio.sleep(lasts)
        await asyncio.gather(*(self.place.start(app) for app in apps))
        self.counts["processes restarted"] += len(apps)

    async def _hung(self, apps: Sequence[App], lasts: float) -> None:
        for app in apps:
            app.send(signal.SIGSTOP)
            self._gone(app)
        self.counts["processes suspended"] += len(apps)
        await asyncio.sleep(lasts)
        for app in apps:
            app.send(signal.SIGCONT)
            self.place.timeline.app(app.index, up=True)

    async def _stopped(self, app: App, lasts: float) -> None:
        app.send(signal.SIGTERM)
        await app.ended()
        self._gone(app)
        self.counts["processes stopped in order"] += 1
        await asyncio.sleep(lasts)
        await self.place.start(app)
        self.counts["processes restarted"] += 1

    async def _redis_killed(self, lasts: float, *, full: bool) -> None:
        """``full``: with a moment's saves in its hands, which nobody will ever hear of."""
        for _ in range(BUSY * 10 if full else 0):
            if self.place.timeline.serving() > 2:
                break
            await asyncio.sleep(0.1)
        self.place.timeline.redis = False
        self.place.timeline.note()
        if full:
            self.place.redis.suspend()
            await asyncio.sleep(0.2)
        await asyncio.to_thread(self.place.redis.kill)
        await asyncio.sleep(lasts)
        await asyncio.to_thread(self.place.redis.start)
        self.place.timeline.redis = True
        self.place.timeline.note()

    async def _redis_hung(self, lasts: float) -> None:
        self.place.redis.suspend()
        self.place.timeline.redis = False
        self.place.timeline.note()
        await asyncio.sleep(lasts)
        self.place.redis.resume()
        self.place.timeline.redis = True
        self.place.timeline.note()

    async def _postgres_ended(self, lasts: float, *, kill: bool) -> None:
        postgres = self.place.postgres
        self.place.timeline.postgres = False
        self.place.timeline.note()
        await asyncio.to_thread(postgres.kill if kill else postgres.stop)
        await asyncio.sleep(lasts)
        await asyncio.to_thread(postgres.start)
        self.place.timeline.postgres = True
        self.place.timeline.note()

    async def _postgres_hung(self, lasts: float) -> None:
        self.place.timeline.postgres = False
        self.place.timeline.note()
        await asyncio.to_thread(self.place.postgres.suspend)
        await asyncio.sleep(lasts)
        await asyncio.to_thread(self.place.postgres.resume)
        self.place.timeline.postgres = True
        self.place.timeline.note()
