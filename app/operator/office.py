"""What an operator's command works with: the same ground as the server, as a guest."""

from __future__ import annotations

import getpass
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.ground import LASTING, TABLES, ground, new_process
from app.ledger.audit import Audit, Change
from app.ledger.ledger import Ledger
from app.live.fanout import Fanout
from app.live.service import LiveTables
from app.live.sitetime import SiteClock, wall_ms
from app.live.sqlite import SqliteStore
from app.live.store import Store
from app.players.players import Player, Players
from app.players.reports import Reports
from app.settings import Settings
from app.table.table import Table
from engine import games
from engine.game import Json

WHO = "EZO_OPERATOR"
LONGEST = 64
"""Characters of an operator's name."""


class OperatorError(Exception):
    """The command was not carried out. The message is one line."""


@dataclass(frozen=True, slots=True)
class Office:
    """An operator's room in a site."""

    who: str
    store: Store
    tables: LiveTables
    ledger: Ledger
    players: Players
    audit: Audit
    reports: Reports

    async def table(self, table_id: str) -> Table:
        """The table as last saved. Raises :class:`OperatorError`."""
        table = await self.tables.load(table_id)
        if table is None:
            raise OperatorError(f"there is no table {table_id}")
        return table

    async def player(self, asked: str) -> Player:
        """The player of that id, or the only one of that name. Raises :class:`OperatorError`."""
        found = await self.players.search(asked)
        named = [each for each in found if each.id == asked] or found
        if not named:
            raise OperatorError(f"there is no player {asked}")
        if len(named) > 1:
            raise OperatorError(f"{len(named)} players are called {asked}: name one by id")
        return named[0]

    async def note(self, action: str, what: Json) -> None:
        """An entry of the audit, under the operator's name."""
        await self.audit.write(Change(wall_ms(), self.who, action, what))

    async def clock(self) -> None:
        """Know the site's time, before something is changed. The store counts it as a sign of
        life: the outage of a site that is down is told as shorter, and no clock runs for it."""
        asked = self.tables.clock.ms()
        self.tables.clock.take(await self.store.beat(), asked)


@asynccontextmanager
async def open_office(settings: Settings, who: str) -> AsyncIterator[Office]:
    """An office on the ground that the settings name.

    Raises :class:`OperatorError`, :class:`StoreError` or :class:`DatabaseError`.
    """
    async with AsyncExitStack() as closing:
        if settings.deployed:
            under = await closing.enter_async_context(ground(settings, None))
            store, database, ms = under.store, under.database, under.ms
        else:
            store, database = await _beside(settings, closing)
            ms = wall_ms
        if not await db.current(database):
            raise OperatorError("the schema is not of this release: run python -m app.migrate")
        tables = LiveTables(store, Fanout(), games.game, SiteClock(ms))
        closing.push_async_callback(tables.close)
        yield Office(
            who,
            store,
            tables,
            Ledger(database),
            Players(database),
            Audit(database),
            Reports(database),
        )


async def _beside(settings: Settings, closing: AsyncExitStack) -> tuple[Store, AsyncEngine]:
    """The files of a data folder, which a running server may hold."""
    folder = settings.data
    for name in (TABLES, LASTING):
        if not (folder / name).is_file():
            raise OperatorError(f"{folder} is no data folder: it has no {name}")
    store = SqliteStore(folder / TABLES, process=new_process(), guest=True)
    closing.push_async_callback(store.close)
    database = db.embedded(folder / LASTING)
    closing.push_async_callback(database.dispose)
    return store, database


def operator_name(environment: Mapping[str, str]) -> str:
    """Who it is in the audit: ``EZO_OPERATOR``, or the user of the system."""
    named = environment.get(WHO, "").strip()
    if not named:
        try:
            named = getpass.getuser()
        except (KeyError, OSError):  # a user without a name, in a container
            named = f"uid {os.getuid()}"
    return named[:LONGEST]
