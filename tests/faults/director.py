"""Carries out the schedule: what breaks when, and what is mended."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Sequence

from tests.faults.processes import App, Place
from tests.faults.schedule import Fault


class Director:
    """``done``: the faults that were carried out, with when."""

    def __init__(self, place: Place, faults: Sequence[Fault], counts: Counter[str]) -> None:
        self.place = place
        self.faults = faults
        self.counts = counts
        self.done: list[tuple[float, Fault]] = []
        self._began = self._seconds = 0.0
        # What is broken is mended before it is broken otherwise.
        self._apps = [asyncio.Lock() for _ in place.apps]
        self._redis = asyncio.Lock()
        self._postgres = asyncio.Lock()

    async def run(self, seconds: float) -> None:
        """Break what is to be broken for so many seconds. In the end everything is up."""
        self._began, self._seconds = time.monotonic(), seconds
        tasks = [asyncio.create_task(self._at(fault)) for fault in self.faults]
        try:
            await asyncio.sleep(seconds)
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def _at(self, fault: Fault) -> None:
        await asyncio.sleep(max(0.0, self._began + fault.at - time.monotonic()))
        if time.monotonic() > self._began + self._seconds and self.counts[f"fault: {fault.kind}"]:
            return  # on a slow machine not all of them find their time
        self.done.append((time.monotonic(), fault))
        self.counts[f"fault: {fault.kind}"] += 1
        app = self.place.apps[fault.target]
        match fault.kind:
            case "app_kill":
                await self._killed([app], fault.lasts)
            case "app_hang":
                await self._hung([app], fault.lasts)
            case "app_stop":
                await self._stopped(app, fault.lasts)
            case "roll":
                for each in self.place.apps:
                    await self._stopped(each, fault.lasts)
            case "all_kill":
                await self._killed(self.place.apps, fault.lasts)
            case "all_hang":
                await self._hung(self.place.apps, fault.lasts)
            case "redis_kill" | "redis_down":
                await self._redis_killed(fault.lasts)
            case "redis_hang":
                await self._redis_hung(fault.lasts)
            case "postgres_kill" | "postgres_stop":
                await self._postgres_ended(fault.lasts, kill=fault.kind == "postgres_kill")
            case "postgres_hang":
                await self._postgres_hung(fault.lasts)

    async def _each(self, apps: Sequence[App]) -> None:
        for app in apps:
            await self._apps[app.index].acquire()

    def _free(self, apps: Sequence[App]) -> None:
        for app in apps:
            self._apps[app.index].release()

    def _gone(self, app: App) -> None:
        self.place.timeline.app(app.index, up=False)

    async def _killed(self, apps: Sequence[App], lasts: float) -> None:
        await self._each(apps)
        try:
            for app in apps:
                app.send(signal.SIGKILL)
                self._gone(app)
            self.counts["processes killed"] += len(apps)
            for app in apps:
                await app.ended()
            await asyncio.sleep(lasts)
            await asyncio.gather(*(self.place.start(app) for app in apps))
            self.counts["processes restarted"] += len(apps)
        finally:
            self._free(apps)

    async def _hung(self, apps: Sequence[App], lasts: float) -> None:
        await self._each(apps)
        try:
            for app in apps:
                app.send(signal.SIGSTOP)
                self._gone(app)
            self.counts["processes suspended"] += len(apps)
            await asyncio.sleep(lasts)
            for app in apps:
                app.send(signal.SIGCONT)
                self.place.timeline.app(app.index, up=True)
        finally:
            self._free(apps)

    async def _stopped(self, app: App, lasts: float) -> None:
        await self._each([app])
        try:
            app.send(signal.SIGTERM)
            await app.ended()
            self._gone(app)
            self.counts["processes stopped in order"] += 1
            await asyncio.sleep(lasts)
            await self.place.start(app)
            self.counts["processes restarted"] += 1
        finally:
            self._free([app])

    async def _redis_killed(self, lasts: float) -> None:
        async with self._redis:
            self.place.timeline.redis = False
            self.place.timeline.note()
            await asyncio.to_thread(self.place.redis.kill)
            await asyncio.sleep(lasts)
            await asyncio.to_thread(self.place.redis.start)
            self.place.timeline.redis = True
            self.place.timeline.note()

    async def _redis_hung(self, lasts: float) -> None:
        async with self._redis:
            self.place.redis.suspend()
            self.place.timeline.redis = False
            self.place.timeline.note()
            await asyncio.sleep(lasts)
            self.place.redis.resume()
            self.place.timeline.redis = True
            self.place.timeline.note()

    async def _postgres_ended(self, lasts: float, *, kill: bool) -> None:
        postgres = self.place.postgres
        async with self._postgres:
            self.place.timeline.postgres = False
            self.place.timeline.note()
            await asyncio.to_thread(postgres.kill if kill else postgres.stop)
            await asyncio.sleep(lasts)
            await asyncio.to_thread(postgres.start)
            self.place.timeline.postgres = True
            self.place.timeline.note()

    async def _postgres_hung(self, lasts: float) -> None:
        async with self._postgres:
            self.place.timeline.postgres = False
            self.place.timeline.note()
            await asyncio.to_thread(self.place.postgres.suspend)
            await asyncio.sleep(lasts)
            await asyncio.to_thread(self.place.postgres.resume)
            self.place.timeline.postgres = True
            self.place.timeline.note()
