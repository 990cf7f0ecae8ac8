"""The house: everything opened in order, set going, and closed in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from app.bots.pool import Pool
from app.ground import ground
from app.lasting import lasting
from app.live.fairplay import FairPlay
from app.live.fanout import Fanout
from app.live.folder import DataFolder
from app.live.lobby import Lobby
from app.live.lost import Lost
from app.live.newcomers import Newcomers
from app.live.outbox import Outbox
from app.live.presence import Presence
from app.live.pulse import Pulse
from app.live.purses import Purses
from app.live.quick import Quick
from app.live.service import LiveTables
from app.live.sitetime import SiteClock
from app.live.strengths import Strengths
from app.live.thinking import Thinking
from app.live.worker import Worker
from app.ops import context
from app.ops.deadline import Deadline
from app.ops.loop import watch_loop
from app.ops.watch import Watch
from app.settings import Settings
from app.web.assets import Assets
from app.web.identity import Identities
from app.web.rates import rates_of
from app.web.render import Renderer
from app.web.room import Room
from app.web.site import Site
from app.web.standing import Standing
from engine import games

log = logging.getLogger(__name__)

ROOT: Final = Path(__file__).parent.parent
AGAIN: Final = 1.0
"""Seconds after which a part that failed is started again."""


@asynccontextmanager
async def open_site(
    settings: Settings, folder: DataFolder | None, wall: Callable[[], int] | None = None
) -> AsyncIterator[Site]:
    """A running site, embedded on a folder that is held, or deployed without one. ``wall`` reads
    a clock in milliseconds.

    Raises :class:`FolderError`, :class:`StoreError` or :class:`DatabaseError`.
    """
    async with ground(settings, folder, wall) as under, AsyncExitStack() as closing:
        store = under.store
        context.PROCESS.set(store.process)
        deadline = Deadline()
        clock = SiteClock(under.ms)
        kept = lasting(under.database, lambda: clock.now() + clock.calendar())
        standing = Standing(kept.players, kept.sessions, kept.accounts)
        closing.push_async_callback(deadline.within, standing.close)
        purses = Purses(kept.ledger, kept.meetings)
        closing.push_async_callback(deadline.within, purses.close)
        newcomers = Newcomers(kept.players)
        closing.push_async_callback(deadline.within, newcomers.settle)
        fanout = Fanout()
        tables = LiveTables(store, fanout, games.game, clock)
        closing.push_async_callback(deadline.within, tables.close)
        presence = Presence(store, tables)
        lobby = Lobby(store)
        tables.relisted = lobby.changed
        quick = Quick(store, tables)
        closing.push_async_callback(deadline.within, quick.settle)
        pulse = Pulse(store, clock, presence, tables.viewers.afresh)
        tables.confirm = pulse.confirm
        tables.funds = purses.funds
        fairplay = FairPlay(kept.blocks, kept.leavers, kept.meetings)
        closing.push_async_callback(deadline.within, fairplay.close)
        tables.apart = fairplay.apart
        strengths = Strengths(kept.ratings)
        closing.push_async_callback(deadline.within, strengths.close)
        quick.rating = strengths.rating
        quick.unwanted, quick.barred = fairplay.unwanted, fairplay.closed
        outbox = Outbox(
            tables, store, kept.history, kept.ledger, kept.players, ratings=kept.ratings
        )
        worker = Worker(store, tables, outbox, pulse)
        pool = await closing.enter_async_context(Pool(settings.bots))
        worker.think = Thinking(tables, pool.choose).see_to
        lost = Lost(store, tables, kept.ledger, kept.audit)
        closing.push_async_callback(deadline.within, worker.settle)
        await pulse.start(alone=under.alone)
        watch = Watch(
            store,
            under.database,
            worker.backlog,
            serving=lambda: pulse.serving,
            viewed=lambda: len(fanout.tables()),
            now=clock.now,
        )
        closing.push_async_callback(watch.close)
        rates = rates_of(settings)
        closing.push_async_callback(rates.close)
        parts = (
            *(pulse.run, worker.run, lobby.run, quick.run, tables.viewers.run, lost.run),
            *(standing.run, kept.fairness.run),
        )
        for part in parts:
            # Before that nobody is sent here: no beat may say that the site serves, and no clock
            # run, while it turns everybody away (T9).
            task = asyncio.create_task(_keep_on(part, watch.ready.wanted))
            closing.push_async_callback(_stop, task)
        closing.push_async_callback(_stop, asyncio.create_task(watch_loop()))
        closing.callback(worker.stop)
        closing.callback(deadline.start)
        assets = Assets(ROOT / "static")
        yield Site(
            settings=settings,
            games=games.GAMES,
            tables=tables,
            fanout=fanout,
            presence=presence,
            lobby=lobby,
            quick=quick,
            history=kept.history,
            fairness=kept.fairness,
            pool=pool,
            ledger=kept.ledger,
            gifts=kept.gifts,
            ratings=kept.ratings,
            boards=kept.boards,
            accounts=kept.accounts,
            sessions=kept.sessions,
            blocks=kept.blocks,
            reports=kept.reports,
            purses=purses,
            newcomers=newcomers,
            fairplay=fairplay,
            standing=standing,
            room=Room(settings.sockets, settings.player_sockets, settings.address_sockets),
            rates=rates,
            watch=watch,
            identities=Identities(under.key),
            assets=assets,
            pages=Renderer(ROOT / "templates", assets),
        )


async def _keep_on(
    part: Callable[[], Awaitable[None]], first: Callable[[], Awaitable[None]]
) -> None:
    """Run a part for as long as the house stands, after ``first``: a fault of one moment does not
    end it."""
    await first()
    while True:
        try:
            await part()
        except Exception:
            log.exception("a part of the house failed, and is started again")
        await asyncio.sleep(AGAIN)


async def _stop(task: asyncio.Task[None]) -> None:
    """End a part. One that missed being told so, in the moment in which what it waited for came,
    is told again: no process may stay for it."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=AGAIN)
    if not task.cancelled() and task.exception() is not None:
        log.error("a part of the house failed at its end", exc_info=task.exception())
