"""Which connections this process holds, and what became of those of processes that are gone."""

from __future__ import annotations

import asyncio
import logging
from itertools import count

from app.live.service import ContestedError, LiveTables
from app.live.store import Store, StoreError
from app.table.commands import Connected, Lost
from engine.game import Unreadable

log = logging.getLogger(__name__)

AT_ONCE = 64


class Presence:
    """Marks of live connections, each ``PROCESS.NUMBER`` and never used twice. They count as long
    as the process says that it lives."""

    def __init__(self, store: Store, tables: LiveTables) -> None:
        self._store = store
        self._tables = tables
        self._numbers = count(1)
        self._live: dict[str, tuple[str, str]] = {}
        """By mark: table and player."""
        self._owed: dict[str, set[str]] = {}
        self._doubted: set[str] = set()
        """Marks that may have been ended, though they live."""
        self._unsure: dict[str, str] = {}
        """By mark that may be saved yet, though nobody has said so: its player."""

    def mark(self) -> str:
        """The name of a new connection."""
        return f"{self._store.process}.{next(self._numbers)}"

    async def connected(self, table: str, player: str, mark: str) -> None:
        """A connection of a seated player is there. Raises like :meth:`LiveTables.handle`."""
        self._live[mark] = (table, player)
        self._unsure[mark] = player
        await self._tables.handle(table, Connected(player, mark))
        self._unsure.pop(mark, None)

    async def lost(self, table: str, mark: str) -> None:
        """A connection has ended. If it cannot be saved now, it will be."""
        self._live.pop(mark, None)
        self._doubted.discard(mark)
        self._owed.setdefault(table, set()).add(mark)
        await self._settle(table)

    async def restore(self) -> None:
        """This process was taken for dead: its connections count again, as soon as that can be
        saved."""
        self._doubted |= self._live.keys()
        await self._restore()

    async def _restore(self) -> None:
        for mark in tuple(self._doubted):
            if mark in self._live:
                table, player = self._live[mark]
                if not await self._mark(table, mark, player):
                    continue
            self._doubted.discard(mark)

    async def look(self) -> None:
        """Tell tables of connections that live no more. To be done every second. Raises
        :class:`StoreError`."""
        for table in tuple(self._owed):
            await self._settle(table)
        await self._restore()
        for process, tables in (await self._store.lapsed()).items():
            # Forgotten before and after: if it lives after all, it hears so with its next beat,
            # whenever that is. Tables that could not be told come up again.
            await self._store.forget(process)
            await self._gone(process, tables)
            await self._store.forget(process)

    async def _settle(self, table: str) -> None:
        marks = frozenset(self._owed.get(table, ()))
        for mark in marks & self._unsure.keys():
            # A save that was not answered may yet be carried out. After this one it cannot.
            player = self._unsure.get(mark)
            if player is not None and not await self._mark(table, mark, player):
                return
        if marks and await self._tell(table, Lost(marks)):
            left = self._owed.get(table, set()) - marks
            if left:
                self._owed[table] = left
            else:
                self._owed.pop(table, None)

    async def _mark(self, table: str, mark: str, player: str) -> bool:
        """Whether a connection is known to be saved."""
        self._unsure[mark] = player
        if not await self._tell(table, Connected(player, mark)):
            return False
        self._unsure.pop(mark, None)
        return True

    async def _gone(self, process: str, tables: frozenset[str]) -> None:
        """Tell tables that a process is gone."""
        at_once = asyncio.Semaphore(AT_ONCE)

        async def tell(table: str) -> None:
            async with at_once:
                await self._tell(table, Lost(process=process))

        await asyncio.gather(*(tell(table) for table in tables))

    async def _tell(self, table: str, command: Connected | Lost) -> bool:
        try:
            await self._tables.handle(table, command)
        except (StoreError, ContestedError, Unreadable) as error:
            log.warning("who is connected is not saved yet: %s", type(error).__name__)
            return False
        return True
