"""The database of what outlives a table."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import MetaData, event
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

metadata: Final = MetaData()
"""All tables, each described beside the code that uses it."""

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
        cursor = connection.cursor()
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


async def prepare(engine: AsyncEngine) -> None:
    """Make what is missing of the tables."""
    async with engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
