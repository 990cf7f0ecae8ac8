"""The embedded house: everything opened in order, set going, and closed in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from app import db
from app.history.history import History
from app.live.fanout import Fanout
from app.live.folder import DataFolder
from app.live.lobby import Lobby
from app.live.outbox import Outbox
from app.live.presence import Presence
from app.live.pulse import Pulse
from app.live.service import LiveTables
from app.live.sitetime import SiteClock, wall_ms
from app.live.sqlite import SqliteStore
from app.live.worker import Worker
from app.settings import Settings
from app.web.assets import Assets
from app.web.identity import Identities
from app.web.render import Renderer
from app.web.room import Room
from app.web.site import Site
from engine import games

log = logging.getLogger(__name__)

ROOT: Final = Path(__file__).parent.parent
TABLES: Final = "tables.db"
"""The file of the live tables, in the data folder."""
LASTING: Final = "site.db"
"""The file of what outlives them."""
AGAIN: Final = 1.0
"""Seconds after which a part that failed is started again."""


@asynccontextmanager
async def open_site(
    settings: Settings, folder: DataFolder, wall: Callable[[], int] = wall_ms
) -> AsyncIterator[Site]:
    """A running site on a folder that is held. ``wall`` reads a clock in milliseconds.

    Raises :class:`FolderError` or :class:`StoreError`.
    """
    key = settings.secret_key
    identities = Identities(key.get_secret_value() if key else folder.secret("cookie.key"))
    async with AsyncExitStack() as closing:
        store = SqliteStore(folder.path / TABLES, wall)
        closing.push_async_callback(store.close)
        engine = db.embedded(folder.path / LASTING)
        closing.push_async_callback(engine.dispose)
        await db.prepare(engine)
        history = History(engine)
        fanout = Fanout()
        tables = LiveTables(store, fanout, games.game, SiteClock(wall, await store.beat()))
        closing.push_async_callback(tables.close)
        presence = Presence(store, tables)
        lobby = Lobby(store)
        tables.relisted = lobby.changed
        pulse = Pulse(store, tables.clock, presence, tables.afresh)
        worker = Worker(store, tables, Outbox(tables, store, history), pulse)
        closing.push_async_callback(worker.settle)
        await pulse.beat()
        for part in (pulse.run, worker.run, lobby.run):
            closing.push_async_callback(_stop, asyncio.create_task(_keep_on(part)))
        assets = Assets(ROOT / "static")
        yield Site(
            settings,
            games.GAMES,
            tables,
            fanout,
            presence,
            lobby,
            history,
            Room(settings.sockets, settings.player_sockets),
            identities,
            assets,
            Renderer(ROOT / "templates", assets),
        )


async def _keep_on(part: Callable[[], Awaitable[None]]) -> None:
    """Run a part for as long as the house stands: a fault of one moment does not end it."""
    while True:
        try:
            await part()
        except Exception:
            log.exception("a part of the house failed, and is started again")
        await asyncio.sleep(AGAIN)


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
