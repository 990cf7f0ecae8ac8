"""A whole house in this process, on a wall clock that only the test moves: restarts, outages and
deadlines take no time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from app import db
from app.ground import new_process
from app.history.history import History
from app.ledger.audit import Audit
from app.ledger.ledger import Ledger
from app.ledger.meetings import Meetings
from app.live.fanout import Fanout, Subscription
from app.live.lobby import Lobby
from app.live.lost import Lost
from app.live.outbox import Outbox
from app.live.presence import Presence
from app.live.pulse import Pulse
from app.live.purses import Purses
from app.live.service import LiveTables
from app.live.sitetime import Beat, SiteClock
from app.live.sqlite import SqliteStore
from app.live.store import Save, StoreError
from app.live.worker import Worker
from app.players.players import Players
from app.ratings.ratings import Ratings
from app.table.decision import Accepted, Answer
from app.table.table import AnyGame, Table
from tests.app.pebbles import PEBBLES
from tests.app.server import PATIENCE
from tests.app.tables import create, game_of, hashed, onward, revealed, sit

T = TypeVar("T")

START = 1_700_000_000_000


class Wall:
    """The machine's clock, as a test moves it."""

    def __init__(self) -> None:
        self.ms = START

    def __call__(self) -> int:
        return self.ms


class Faulty(SqliteStore):
    """A store whose saves fail as a test says."""

    failing = False
    contested = False
    slow_ms = 0
    saved = 0

    def __init__(
        self, path: Path, wall: Wall, process: str = "embedded", *, guest: bool = False
    ) -> None:
        super().__init__(path, wall, process, guest=guest)
        self._moved = wall
        # Whoever is killed here leaves the machine running: nothing need reach the disk.
        self._db.execute("PRAGMA synchronous = OFF")

    async def vanish(self) -> None:
        """Closed without a word, as a process that is killed."""
        self.process = "nobody"
        await self.close()

    async def save(self, save: Save) -> bool:
        if self.failing:
            raise StoreError("away")
        if self.contested:
            return False
        done = await super().save(save)
        self.saved += 1
        return done

    async def beat(self, *, alone: bool = False) -> Beat:
        if self.failing:
            raise StoreError("away")
        slow, self.slow_ms = self.slow_ms, 0
        self._moved.ms += slow
        return await super().beat(alone=alone)


@dataclass
class House:
    """One process of the site. ``wall`` moves; nothing runs by itself."""

    wall: Wall
    store: Faulty
    history: History
    ledger: Ledger
    meetings: Meetings
    audit: Audit
    players: Players
    ratings: Ratings
    lost: Lost
    outbox: Outbox
    fanout: Fanout
    tables: LiveTables
    presence: Presence
    lobby: Lobby
    pulse: Pulse
    worker: Worker

    async def later(self, ms: int, every: int = 4_000) -> None:
        """So much later: the house beats all the time, and now and then does what falls due."""
        while ms > 0:
            step = min(ms, every)
            ms -= step
            if self.store.failing:
                self.wall.ms += step
                await self.pulse.beat()
            else:
                await self.served(step)
            if self.pulse.serving:
                await self.worker.work()

    async def served(self, ms: int) -> None:
        """So much later, and the site served all the time; nothing of what fell due was done."""
        self.wall.ms += ms
        now = self.wall.ms
        await self.store._job(lambda db: db.execute("UPDATE site_time SET seen = ?", (now,)))
        await self.pulse.beat()

    async def until(self, site: int) -> None:
        """Until that site time."""
        await self.later(self.tables.clock.wait_ms(site))

    async def table(self, table: str = "t1") -> Table:
        found = await self.tables.load(table)
        assert found is not None
        return found

    async def watch(self, player: str | None, table: str = "t1") -> Subscription:
        subscription = self.fanout.subscribe(table, player)
        assert await self.tables.viewers.begin(subscription, None)
        return subscription

    async def make(
        self, player: str, table: str = "t1", game: AnyGame = PEBBLES, stake: int = 0
    ) -> Answer:
        return await self.tables.handle(table, replace(create(game, player, table), stake=stake))

    async def sit(self, player: str, table: str = "t1") -> Answer:
        return await self.tables.handle(table, sit(player, LiveTables.fresh()))

    async def hash(self, player: str, table: str = "t1") -> Answer:
        return await self.tables.handle(table, hashed(player, await self._match(table)))

    async def reveal(self, player: str, table: str = "t1") -> Answer:
        return await self.tables.handle(table, revealed(player, await self._match(table)))

    async def _match(self, table: str) -> str:
        shake = (await self.table(table)).handshake
        return "none" if shake is None else shake.match

    async def start(
        self, *players: str, table: str = "t1", game: AnyGame = PEBBLES, stake: int = 0
    ) -> Table:
        """A match between players, from the making of its table on, all of them connected."""
        assert isinstance(await self.make(players[0], table, game, stake), Accepted)
        for player in players[1:]:
            assert isinstance(await self.sit(player, table), Accepted)
        for player in players:
            await self.presence.connected(table, player, self.presence.mark())
        if stake:
            await self.worker.work()
        for player in players:
            assert isinstance(await self.hash(player, table), Accepted)
        for player in players:
            assert isinstance(await self.reveal(player, table), Accepted)
        return await self.table(table)

    async def onward(self, rng: Any, table: str = "t1") -> Table:
        """One action, or the end of a pause."""
        now = await self.table(table)
        assert isinstance(await self.tables.handle(table, onward(now, rng)), Accepted)
        return await self.table(table)

    async def play_out(self, rng: Any, table: str = "t1") -> Table:
        """Random play to the end of the match."""
        now = await self.table(table)
        while now.status == "running":
            now = await self.onward(rng, table)
        return now


@asynccontextmanager
async def house(
    folder: Path, wall: Wall, store: Faulty | None = None, *, database: str | None = None
) -> AsyncIterator[House]:
    """A process that starts now; with ``store``: one more beside the one of that store. It ends
    as if it were killed: nothing is said to anybody. ``database``: the address of one that is
    prepared, in place of a file."""
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    own = Faulty(folder / "tables.db", wall, new_process(), guest=store is not None)
    if store is not None:
        own._players = store._players
    engine = db.embedded(folder / "site.db") if database is None else db.deployed(database)
    try:
        if database is None:
            await db.prepare(engine)
        history = History(engine)
        ledger = Ledger(engine, wall)
        audit = Audit(engine)
        players = Players(engine)
        ratings = Ratings(engine)
        fanout = Fanout()
        tables = LiveTables(own, fanout, game_of, SiteClock(wall))
        presence = Presence(own, tables)
        lobby = Lobby(own)
        tables.relisted = lobby.changed
        pulse = Pulse(own, tables.clock, presence, tables.viewers.afresh)
        tables.confirm = pulse.confirm
        meetings = Meetings(engine, wall)
        purses = Purses(ledger, meetings, wall)
        tables.funds = purses.funds
        outbox = Outbox(tables, own, history, ledger, players, ratings=ratings)
        worker = Worker(own, tables, outbox, pulse)
        lost = Lost(own, tables, ledger, audit)
        await pulse.start(alone=store is None)
        yield House(
            wall,
            own,
            history,
            ledger,
            meetings,
            audit,
            players,
            ratings,
            lost,
            outbox,
            fanout,
            tables,
            presence,
            lobby,
            pulse,
            worker,
        )
        await tables.close()
    finally:
        await own.vanish()
        await db.close(engine)


async def eventually(look: Callable[[], Awaitable[T | None]]) -> T:
    """What a look finds, as soon as there is anything."""
    async with asyncio.timeout(PATIENCE):
        while (found := await look()) is None:  # noqa: ASYNC110 - there is nothing to be told by
            await asyncio.sleep(0.01)
    return found


async def received(subscription: Subscription) -> list[Any]:
    """All frames on their way."""
    subscription.finish()
    frames = []
    while (text := await subscription.next()) is not None:
        frames.append(json.loads(text))
    return frames
