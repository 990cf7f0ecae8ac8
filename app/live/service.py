"""Live tables: load, decide, save if unchanged, tell."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from weakref import WeakValueDictionary

from app.live.fanout import Change, Fanout
from app.live.store import Save, Store
from app.table import codec
from app.table.commands import Command, Fresh
from app.table.decide import Answer, Decision, Refused, handle
from app.table.table import Games, Table

CACHED = 2000
"""Tables kept in memory, the last used. A table is a few kilobytes."""

LOST_RACES = 20
"""Saves lost in a row before it is called a fault: others must have won twenty meanwhile."""


class ContestedError(Exception):
    """A table was changed by others at every try. Nothing was saved."""


class LiveTables:
    """The tables of a site, as this process serves them."""

    def __init__(
        self, store: Store, fanout: Fanout, games: Games, now: Callable[[], float]
    ) -> None:
        self._store = store
        self._fanout = fanout
        self._games = games
        self._now = now
        self._cache: OrderedDict[str, Table] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._running: set[asyncio.Task[Answer]] = set()

    @staticmethod
    def new_table_id() -> str:
        """An id that nobody guesses: whoever has it has the invite."""
        return secrets.token_urlsafe(12)

    @staticmethod
    def fresh() -> Fresh:
        """A new match id and seed, from the operating system's generator."""
        return Fresh(secrets.token_hex(12), secrets.token_bytes(32))

    async def load(self, table_id: str) -> Table | None:
        """The table as last saved; ``None``: there is none."""
        stored = await self._store.load(table_id)
        return None if stored is None else codec.from_json(stored.state, self._games)

    async def handle(self, table_id: str, command: Command) -> Answer:
        """Decide a command, save what it changes, tell the viewers, and only then answer.

        A caller who goes away does not stop it: what is saved is always told. Raises
        :class:`StoreError` or :class:`ContestedError`, after which nothing is known to be saved
        and the same command may be given again.
        """
        task = asyncio.create_task(self._in_turn(table_id, command))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Wait for the commands under way."""
        if self._running:
            await asyncio.wait(self._running)

    async def _in_turn(self, table_id: str, command: Command) -> Answer:
        # One command of a table at a time in this process; other processes race for the save.
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        async with lock:
            return await self._carry_out(table_id, command)

    async def _carry_out(self, table_id: str, command: Command) -> Answer:
        for _ in range(LOST_RACES):
            cached = self._cache.get(table_id)
            table = cached or await self.load(table_id)
            decision = handle(table, command, self._now())
            if decision.table is table or decision.table is None:
                if cached is not None and isinstance(decision.answer, Refused):
                    # It may have been right and only the copy old: decide on what is saved.
                    del self._cache[table_id]
                    continue
                self._keep(table_id, table)
                return decision.answer
            if await self._save(table, decision.table, decision):
                self._keep(table_id, decision.table)
                self._fanout.tell(Change(decision.table, decision.entries), table_id)
                return decision.answer
            self._cache.pop(table_id, None)
        raise ContestedError(table_id)

    async def _save(self, before: Table | None, table: Table, decision: Decision) -> bool:
        save = Save(
            table=table.id,
            expected=0 if before is None else before.version,
            version=table.version,
            state=codec.to_json(table),
            entries=decision.entries,
            match=None if table.match is None else table.match.id,
            lines=decision.lines,
            due=decision.due,
        )
        try:
            return await self._store.save(save)
        except BaseException:
            # Whatever happened to it, the copy here is no longer to be trusted.
            self._cache.pop(table.id, None)
            raise

    def _keep(self, table_id: str, table: Table | None) -> None:
        if table is None:
            return
        self._cache[table_id] = table
        self._cache.move_to_end(table_id)
        while len(self._cache) > CACHED:
            self._cache.popitem(last=False)
