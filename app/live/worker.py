"""All that falls due: time at the tables, and what goes out from them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any

from app.live.outbox import Outbox
from app.live.pulse import Pulse
from app.live.service import ContestedError, LiveTables
from app.live.store import Store, StoreError
from app.ops import context, metrics
from app.ops.backlog import Backlog
from app.table import due
from app.table.commands import Delivered, Tick, Undelivered
from app.table.table import Outgoing, Table

log = logging.getLogger(__name__)

BATCH = 64
"""Due tables leased at once."""
LOOK_MS = 1_000
"""The longest sleep: another process may have armed an earlier time."""
CARRY_S = 10.0
"""What one entry of an outbox may take."""


class Worker:
    """Leases what is due and sees to it. Any number of them may work on one store. ``backlog``:
    what it could not carry out. ``think`` has the computer player of a due table move; whoever
    knows any sets it."""

    def __init__(self, store: Store, tables: LiveTables, outbox: Outbox, pulse: Pulse) -> None:
        self._store = store
        self._tables = tables
        self._outbox = outbox
        self._pulse = pulse
        self.backlog = Backlog()
        self.think: Callable[[Table], Coroutine[Any, Any, None]] = _nobody
        self._stopping = False
        self._next: int | None = None
        self._armed = asyncio.Event()
        self._under_way: set[asyncio.Task[None]] = set()
        self._carrying: set[tuple[str, int]] = set()
        tables.due = self._arm

    def _arm(self, due: int) -> None:
        """A save has set a due time: wake up if it comes before what is waited for."""
        if self._next is None or due < self._next:
            self._armed.set()

    async def work(self) -> None:
        """See to all that is due now, until nothing more is. Raises :class:`StoreError`."""
        while await self._lease():
            await self.settle()

    async def settle(self) -> None:
        """Wait for what is under way."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def stop(self) -> None:
        """Begin nothing more, but finish what is under way: another worker sees to the rest."""
        self._stopping = True

    async def run(self) -> None:
        """Work until cancelled. A table that takes long keeps no other waiting."""
        while True:
            self._armed.clear()
            self._next = None
            wait = LOOK_MS
            try:
                while self._pulse.serving and await self._lease():
                    pass
                self._next = await self._store.next_due()
                if self._next is not None and self._pulse.serving:
                    wait = min(wait, self._tables.clock.wait_ms(self._next))
            except StoreError as error:
                log.warning("what is due cannot be read: %s", error)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait / 1000):
                    await self._armed.wait()

    async def _lease(self) -> bool:
        """Begin with some of what is due; whether there was any."""
        if self._stopping:
            return False
        now = self._tables.clock.now()
        leased = await self._store.lease_due(now, BATCH)
        for table_id in leased:
            self._begin(table_id, self._see_to(table_id))
        return bool(leased)

    def _begin(self, table_id: str, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._safely(table_id, work))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _see_to(self, table_id: str) -> None:
        self._late(await self._tables.load(table_id))
        await self._tables.handle(table_id, Tick())
        table = await self._tables.load(table_id)
        if table is not None:
            # What goes out waits for nobody's thoughts, nor they for it.
            self._begin(table_id, self.think(table))
            await self._carry(table)

    async def _safely(self, table_id: str, work: Coroutine[Any, Any, None]) -> None:
        context.TABLE.set(table_id)
        try:
            await work
        # The lease runs out and the table comes again; the store counts how often.
        except (StoreError, ContestedError) as error:
            log.warning("a due table waits: %s", type(error).__name__)
        except Exception:
            log.exception("a due table could not be seen to")

    def _late(self, table: Table | None) -> None:
        """Count how late a table is seen to: what was saved says when it was due."""
        was_due = None if table is None else due.next_due(table)
        late = 0 if was_due is None else self._tables.clock.now() - was_due
        if was_due is not None and late >= 0:  # else somebody else has just seen to it
            metrics.DUE.observe(late / 1000)

    async def _carry(self, table: Table) -> None:
        now = self._tables.clock.now()
        # A save meanwhile makes the table due again: what is on its way is not set out twice.
        mine = {(table.id, entry.id): entry for entry in table.outbox if entry.retry_at <= now}
        mine = {key: entry for key, entry in mine.items() if key not in self._carrying}
        self._carrying |= mine.keys()
        try:
            await self._carry_out(table, mine.values())
        finally:
            self._carrying -= mine.keys()

    async def _carry_out(self, table: Table, entries: Iterable[Outgoing]) -> None:
        carried: set[int] = set()
        failed: set[int] = set()
        for entry in entries:
            if not self._stopping:
                done = await self._carried(table, entry)
                (carried if done else failed).add(entry.id)
        if carried:
            await self._tables.handle(table.id, Delivered(frozenset(carried)))
        if failed:
            await self._tables.handle(table.id, Undelivered(frozenset(failed)))

    async def _carried(self, table: Table, entry: Outgoing) -> bool:
        try:
            async with asyncio.timeout(CARRY_S):
                await self._outbox.carry(table, entry)
        except Exception as error:  # noqa: BLE001 - whatever it is, the entry is tried again
            log.warning("%s was not carried out: %s", entry.kind, type(error).__name__)
            metrics.OUTBOX.labels(entry.kind, "failed").inc()
            self.backlog.failed(table.id, entry.id, entry.tries, self._tables.clock.now())
            return False
        metrics.OUTBOX.labels(entry.kind, "carried").inc()
        self.backlog.carried(table.id, entry.id)
        return True


async def _nobody(_: Table) -> None:
    """Without computer players none moves."""
