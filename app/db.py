"""The database of what outlives a table: SQLite in an embedded house, Postgres in a deployed one.

A room opens its transactions with :func:`writing` and :func:`reading`, and gets its own error, with
neither SQL nor values in it, for all that may go wrong outside of it.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import asyncpg  # type: ignore[import-untyped]
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, MetaData, Table, event, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

metadata: Final = MetaData()
"""All tables, each described beside the code that uses it."""

PATIENCE: Final = 3.0
"""Seconds that a transaction may take on a server, from asking for a connection to the commit.
Letting go of a connection that hangs takes two more at most."""
AWAY: Final = (
    SQLAlchemyError,
    OSError,  # connecting raises it as it is, and TimeoutError is one
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
)
"""What a database that cannot be used raises."""
STEPS: Final = Path(__file__).parent.parent / "migrations"
"""How the schema came to be what it is."""
_BEFORE: Final = "0001"
"""The step at which a database stands that was made before there were steps."""
_LOCK: Final = 0x457A6F
"""Under this advisory lock one process migrates, and others wait."""
_WRITES: Final = "ezo_writes"
_PASSED_ON: Final = frozenset({"host", "port", "sslmode"})

# What is kept is nobody's business who reads a log: the driver would write every value there.
logging.getLogger("aiosqlite").setLevel(logging.INFO)


class DatabaseError(Exception):
    """The database cannot be used. The message is one line for whoever starts the server."""


def check(path: Path) -> None:
    """Whether the file is, or can become, the embedded database. Raises :class:`DatabaseError`."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        raise DatabaseError(f"{path} cannot be opened: {error}") from None


def embedded(path: Path) -> AsyncEngine:
    """The database of an embedded server, in a file."""
    url = URL.create("sqlite+aiosqlite", database=str(path))
    engine = create_async_engine(url, connect_args={"timeout": 5}, hide_parameters=True)

    @event.listens_for(engine.sync_engine, "connect")
    def _durable(connection: Any, _: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Any) -> None:
        # A transaction that reads first and writes later would find the file changed in between.
        writes = connection.get_execution_options().get(_WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def deployed(url: str, pool: int = 10) -> AsyncEngine:
    """A database on a Postgres server, ``postgresql://user:password@host:port/name``, with at
    most ``pool`` connections. Nothing is connected yet.

    Raises :class:`DatabaseError`, whose message holds nothing of the address.
    """
    wrong = DatabaseError("the database's address is not of the form postgresql://host/name")
    try:
        if urlsplit(url).scheme not in {"postgres", "postgresql", "postgresql+asyncpg"}:
            raise wrong
        parts = make_url("postgresql+asyncpg" + url[url.index(":") :])
    except (SQLAlchemyError, ValueError):
        raise wrong from None
    if not parts.database:
        raise wrong
    unknown = sorted(parts.query.keys() - _PASSED_ON)
    if unknown:
        raise DatabaseError(f"the database's address has a part that means nothing: {unknown[0]}")
    connect: dict[str, Any] = {
        "timeout": PATIENCE,
        "server_settings": {
            "application_name": "ezo",
            "lock_timeout": str(int(PATIENCE * 1000)),
            # A process that was cut off with a lock in its hands keeps nobody waiting for long.
            "idle_in_transaction_session_timeout": "10000",
        },
    }
    if "sslmode" in parts.query:
        connect["ssl"] = parts.query["sslmode"]
        parts = parts.difference_update_query(["sslmode"])
    return create_async_engine(
        parts,
        connect_args=connect,
        hide_parameters=True,
        max_overflow=0,
        pool_pre_ping=True,
        pool_size=pool,
        pool_timeout=PATIENCE,
    )


@asynccontextmanager
async def writing(
    engine: AsyncEngine, failed: Callable[[str], Exception], patience: float | None = PATIENCE
) -> AsyncIterator[AsyncConnection]:
    """One transaction that changes something: all of it or, after an exception, nothing.

    Raises ``failed(what)`` if the database cannot be used or takes longer than ``patience``
    seconds. Whether it was carried out is then unknown: what is done so must be safe to do again.
    """
    async with _transaction(engine, failed, patience, {_WRITES: True}) as connection:
        yield connection


@asynccontextmanager
async def reading(
    engine: AsyncEngine,
    failed: Callable[[str], Exception],
    patience: float | None = PATIENCE,
    *,
    snapshot: bool = False,
) -> AsyncIterator[AsyncConnection]:
    """One transaction that changes nothing. With ``snapshot`` all its queries see one moment.

    Raises ``failed(what)`` as :func:`writing` does.
    """
    options = {}
    if snapshot and engine.dialect.name == "postgresql":  # a file's readers always see one moment
        options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    async with _transaction(engine, failed, patience, options) as connection:
        yield connection


@asynccontextmanager
async def _transaction(
    engine: AsyncEngine,
    failed: Callable[[str], Exception],
    patience: float | None,
    options: dict[str, Any],
) -> AsyncIterator[AsyncConnection]:
    on_a_server = engine.dialect.name == "postgresql"
    try:
        async with (
            asyncio.timeout(patience if on_a_server else None),
            engine.execution_options(**options).begin() as connection,
        ):
            yield connection
    except AWAY as error:
        raise failed(f"the database is away: {type(error).__name__}") from None


def insert(connection: AsyncConnection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can say what happens to a row that is there already."""
    on_a_server = connection.dialect.name == "postgresql"
    return postgresql.insert(table) if on_a_server else sqlite.insert(table)


async def answers(engine: AsyncEngine) -> bool:
    """Whether the database can be used now."""
    try:
        async with reading(engine, DatabaseError) as connection:
            await connection.execute(text("SELECT 1"))
    except DatabaseError:
        return False
    return True


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(STEPS).replace("%", "%%"))
    return config


@cache
def _known() -> tuple[str, ...]:
    """The steps that this release knows, the newest first."""
    return tuple(each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions())


def _behind(connection: Connection) -> bool:
    # A step that this release does not know is a later one's, which writes what this one reads.
    at = MigrationContext.configure(connection).get_current_revision()
    return at is None or at in _known()[1:]


async def current(engine: AsyncEngine) -> bool:
    """Whether the schema is the newest, or a later release's. Raises :class:`DatabaseError`."""
    async with reading(engine, DatabaseError) as connection:
        return not await connection.run_sync(_behind)


# Alembic's state is one for a whole process: two upgrades in it take turns.
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


async def upgrade(engine: AsyncEngine) -> None:
    """Bring the schema to the newest, losing nothing; all of it or nothing. Doing it twice, or
    from several processes at once, is doing it once. It takes as long as it takes.

    Raises :class:`DatabaseError`.
    """
    if await current(engine):
        return
    turn = _turns.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with turn, writing(engine, DatabaseError, patience=None) as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(text("SET LOCAL lock_timeout = 0"))
            await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        try:
            await connection.run_sync(_upgrade)
        except CommandError as error:
            raise DatabaseError(f"the database cannot be brought up to date: {error}") from None


def _upgrade(connection: Connection) -> None:
    if not _behind(connection):  # somebody else has been here meanwhile
        return
    config = _config()
    config.attributes["connection"] = connection
    there = inspect(connection).get_table_names()
    if "matches" in there and "alembic_version" not in there:
        command.stamp(config, _BEFORE)
    command.upgrade(config, "head")


async def prepare(engine: AsyncEngine) -> None:
    """Make what is missing of the tables: :func:`upgrade`."""
    await upgrade(engine)


async def close(engine: AsyncEngine) -> None:
    """Let go of all connections, also of a server that does not answer."""
    try:
        async with asyncio.timeout(PATIENCE):
            await engine.dispose()
    except AWAY:
        await engine.dispose(close=False)
