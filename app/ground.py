"""What a house stands on: the store of live tables, the database of what lasts, and the key of
the cookies. Embedded in a data folder, or deployed on Redis and Postgres."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.live.folder import DataFolder
from app.live.sitetime import steady_ms, wall_ms
from app.live.sqlite import SqliteStore
from app.live.store import Store
from app.settings import Settings

TABLES: Final = "tables.db"
"""The file of the live tables, in the data folder."""
LASTING: Final = "site.db"
"""The file of what outlives them."""


@dataclass(frozen=True, slots=True)
class Ground:
    """``alone``: no other process can be serving. ``ms`` is the process's own clock."""

    store: Store
    database: AsyncEngine
    key: str = field(repr=False)
    alone: bool
    ms: Callable[[], int]


def ground(
    settings: Settings, folder: DataFolder | None, wall: Callable[[], int] | None = None
) -> AbstractAsyncContextManager[Ground]:
    """The ground that the settings name; ``folder`` is held, where they name none.

    ``wall`` reads a clock in milliseconds in place of the machine's (embedded only). Entering it
    raises :class:`FolderError`, :class:`StoreError` or :class:`DatabaseError`.
    """
    if settings.redis_url is not None and settings.database_url is not None:
        return _deployed(settings)
    assert folder is not None, "an embedded house needs its folder"
    return _embedded(settings, folder, wall)


@asynccontextmanager
async def _embedded(
    settings: Settings, folder: DataFolder, wall: Callable[[], int] | None
) -> AsyncIterator[Ground]:
    key = settings.secret_key
    async with AsyncExitStack() as closing:
        store = SqliteStore(folder.path / TABLES, wall or wall_ms, new_process())
        closing.push_async_callback(store.close)
        database = db.embedded(folder.path / LASTING)
        closing.push_async_callback(db.close, database)
        await db.upgrade(database)
        yield Ground(
            store,
            database,
            key.get_secret_value() if key else folder.secret("cookie.key"),
            alone=True,
            ms=wall or steady_ms,
        )


@asynccontextmanager
async def _deployed(settings: Settings) -> AsyncIterator[Ground]:
    # Not for an embedded house: it starts sooner without.
    from app.live.redis.store import RedisStore  # noqa: PLC0415

    redis, database, key = settings.redis_url, settings.database_url, settings.secret_key
    assert redis is not None
    assert database is not None
    assert key is not None
    async with AsyncExitStack() as closing:
        engine = db.deployed(database.get_secret_value())
        closing.push_async_callback(db.close, engine)
        store = await RedisStore.open(redis.get_secret_value(), new_process())
        closing.push_async_callback(store.close)
        yield Ground(store, engine, key.get_secret_value(), alone=False, ms=steady_ms)


def new_process() -> str:
    """A name for a process, never used before."""
    return secrets.token_hex(6)
