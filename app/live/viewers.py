"""The viewers of this process: where they begin, and what they lack."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from app.live.fanout import Change, Fanout, Offer, Relayed, Subscription
from app.live.sitetime import BEAT_MS, SiteClock
from app.live.store import Store, StoreError, Told
from app.ops import context, metrics
from app.table.events import Entry
from app.table.table import Table
from engine.game import Json, Unreadable

log = logging.getLogger(__name__)

MISSED: Final = 64
"""So many events a viewer who comes back is told one by one; after more they start afresh."""
NOTICE_MS: Final = 120_000
"""For so long after an outage viewers are told of it."""
COMPARE: Final = 5.0
"""Seconds between two looks whether anything was missed."""

Load = Callable[[str], Awaitable[Table | None]]


class Viewers:
    """Brings viewers to the present and keeps them there, whichever process saves. ``load`` gives
    a table as last saved."""

    def __init__(self, store: Store, fanout: Fanout, clock: SiteClock, load: Load) -> None:
        self._store = store
        self._fanout = fanout
        self._clock = clock
        self._load = load
        self._watched: set[str] = set()
        self._missed = asyncio.Event()
        self._catching: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        store.missed = self._miss

    async def begin(self, subscription: Subscription, seen: int | None) -> bool:
        """Start a subscription from the present: with the events after ``seen`` where they are
        few, else with a snapshot. ``False``: there is no such table."""
        subscription.hold()
        table_id = subscription.table
        if table_id not in self._watched:
            # Watched first, loaded then: nothing falls between.
            await self._store.watch(table_id)
            self._watched.add(table_id)
        table = await self._load(table_id)
        if table is None:
            return False
        notice = self._notice_for(table)
        missed: Sequence[Entry] = ()
        # Who has to be told of an outage starts afresh: only a snapshot says it.
        if seen and notice is None and 0 < table.number - seen <= MISSED:
            missed = _after(await self._store.log(table.id, seen), seen, table.number)
        if not subscription.begin(table, self._clock.now(), notice, missed):
            self._lacking(table_id)
        return True

    def word(self, table_id: str, change: Change) -> None:
        """Make the frames of a change for the viewers that its table has now."""
        for viewer in {change.seat_of(each.player) for each in self._fanout.of(table_id)}:
            change.frame_for(viewer)

    def tell(self, table_id: str, change: Offer) -> None:
        """Hand a saved change on. Never waits: what somebody lacks follows."""
        if not self._fanout.tell(change, table_id):
            self._lacking(table_id)

    def relay(self, told: Told) -> None:
        """Hand on what another process has saved."""
        if told.first <= told.number:
            change = Relayed(told)
            decided = change.decided_at()
            self.tell(told.table, change)
            if decided is not None:
                metrics.RELAY.observe(max(0, self._clock.now() - decided) / 1000)

    def notice(self) -> Json | None:
        """Why the clocks stood still, while it is news (T9)."""
        outage, now = self._clock.outage, self._clock.now()
        if outage is None or now - outage.ended_at > NOTICE_MS:
            return None
        return {
            "outage_ms": outage.ms,
            "ended_at": outage.ended_at,
            "frozen_ms": self._clock.frozen_ms(),
        }

    def _notice_for(self, table: Table) -> Json | None:
        """The notice, where it stopped any clock: at tables that there were before the outage.
        A table may be younger than the last beat before it."""
        notice = self.notice()
        young = notice is not None and table.made_at > notice["ended_at"] + BEAT_MS
        return None if young else notice

    async def afresh(self) -> None:
        """After an outage that viewers sat through: all start from a snapshot, which says so."""
        for subscription in self._fanout.all():
            try:
                await self.begin(subscription, None)
            except (StoreError, Unreadable) as error:
                # Held back for ever it would be deaf. Let go, the viewer comes back by themselves.
                log.warning("a viewer has to come back: %s", type(error).__name__)
                subscription.overflow()

    def doubted(self, table_id: str) -> None:
        """What became of a save is not known: whoever lacks it gets it from the log."""
        if self._fanout.of(table_id):
            self._lacking(table_id)

    # What they lack.

    async def compare(self) -> None:
        """Look whether any viewer lacks anything; tables without viewers are watched no more.
        Raises :class:`StoreError`."""
        viewed = self._fanout.tables()
        for table_id in self._watched - viewed:
            self._watched.discard(table_id)
            await self._store.unwatch(table_id)
        # Of all that is viewed by now: who came meanwhile found their table watched still.
        numbers = await self._store.numbers(self._fanout.tables())
        self._watched |= numbers.keys()
        for table_id, number in numbers.items():
            if any(_behind(each, number) for each in self._fanout.of(table_id)):
                self._lacking(table_id)

    async def run(self) -> None:
        """Compare every few seconds, and at once when something may have been missed."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(COMPARE):
                    await self._missed.wait()
            self._missed.clear()
            try:
                await self.compare()
            except StoreError as error:
                log.warning("numbers cannot be compared: %s", error)
                await asyncio.sleep(1)
                self._missed.set()

    async def settle(self) -> None:
        """Wait until nobody is being caught up."""
        while self._catching:
            await asyncio.wait(self._catching.values())

    def _miss(self) -> None:
        metrics.MISSED.inc()
        self._missed.set()

    def _lacking(self, table_id: str) -> None:
        metrics.CAUGHT_UP.inc()
        if table_id in self._catching:
            self._again.add(table_id)
        else:
            self._catching[table_id] = asyncio.create_task(self._catching_up(table_id))

    async def _catching_up(self, table_id: str) -> None:
        context.TABLE.set(table_id)
        try:
            while True:
                self._again.discard(table_id)
                await self._catch_up(table_id)
                if table_id not in self._again:
                    return
        except (StoreError, Unreadable) as error:
            log.warning("viewers wait for what they lack: %s", error)
        finally:
            self._catching.pop(table_id, None)

    async def _catch_up(self, table_id: str) -> None:
        """All viewers of a table to its present: one look, whatever their number."""
        table = await self._load(table_id)
        if table is None:
            return
        numbers = [s.number for s in self._fanout.of(table_id) if _behind(s, table.number)]
        oldest = min((n for n in numbers if n is not None), default=None)
        if oldest is None:
            return
        entries = await self._store.log(table_id, max(oldest, table.number - MISSED))
        now = self._clock.now()
        changes: dict[int, Change | None] = {}
        for subscription in self._fanout.of(table_id):
            number = subscription.number
            if number is None or number >= table.number:
                continue
            if number not in changes:
                missed = _after(entries, number, table.number)
                changes[number] = Change(table, missed, now) if missed else None
            change = changes[number]
            if change is None or not subscription.offer(change):
                subscription.begin(table, now, self._notice_for(table))


def _behind(subscription: Subscription, number: int) -> bool:
    return subscription.number is not None and subscription.number < number


def _after(entries: Sequence[Entry], seen: int, number: int) -> tuple[Entry, ...]:
    """The entries from after ``seen`` to ``number``, if all of them are there; else none."""
    found = tuple(entry for entry in entries if seen < entry.number <= number)
    whole = [entry.number for entry in found] == list(range(seen + 1, number + 1))
    return found if whole else ()
