"""Live tables: load, decide, save if unchanged, tell."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from app.live.fanout import Change, Fanout, Subscription
from app.live.saves import save_of
from app.live.sitetime import SiteClock
from app.live.store import SeatState, Store
from app.table import codec, views
from app.table.commands import Command, Create, Elsewhere, Fresh, Leave, Rematch, Reveal, Sit
from app.table.decision import Answer, Decision, Refused
from app.table.handle import handle
from app.table.table import Games, Table
from engine.game import Json

Asking = TypeVar("Asking", Create, Sit, Rematch)

CACHED = 2000
"""Tables kept in memory, the last used. A table is a few kilobytes."""

LOST_RACES = 20
"""Saves lost in a row before it is called a fault: others must have won twenty meanwhile."""

MISSED: Final = 64
"""So many events a viewer who comes back is told one by one; after more they start afresh."""
NOTICE_MS: Final = 120_000
"""For so long after an outage viewers are told of it."""


class ContestedError(Exception):
    """A table was changed by others at every try. Nothing was saved."""


class _Locks:
    """A lock a name, for as long as somebody holds or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __getitem__(self, name: str) -> asyncio.Lock:
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock


class LiveTables:
    """The tables of a site, as this process serves them. ``clock`` is the site's, in site time.

    ``due`` is called with every due time that was saved, ``relisted`` after every save that
    changed the lobby: whoever cares for them sets them.
    """

    def __init__(self, store: Store, fanout: Fanout, games: Games, clock: SiteClock) -> None:
        self.clock = clock
        self.due: Callable[[int], None] = lambda _: None
        self.relisted: Callable[[], None] = lambda: None
        self._store = store
        self._fanout = fanout
        self._games = games
        self._cache: OrderedDict[str, Table] = OrderedDict()
        # A player's lock is taken before a table's, and several in the order of their names.
        self._players = _Locks()
        self._tables = _Locks()
        self._running: set[asyncio.Task[Answer]] = set()

    @staticmethod
    def new_table_id() -> str:
        """An id that nobody guesses: whoever has it has the invite."""
        return secrets.token_urlsafe(12)

    @staticmethod
    def fresh() -> Fresh:
        """A new match id and the last element of its chain, from the operating system."""
        return Fresh(secrets.token_hex(12), secrets.token_bytes(32))

    async def load(self, table_id: str) -> Table | None:
        """The table as last saved; ``None``: there is none."""
        stored = await self._store.load(table_id)
        return None if stored is None else codec.from_json(stored.state, self._games)

    async def seats_of(self, player: str) -> dict[str, SeatState]:
        """By table: where a player waits or plays (T16)."""
        return dict(await self._store.seats_of(player))

    async def handle(self, table_id: str, command: Command, now: int | None = None) -> Answer:
        """Decide a command, save what it changes, tell the viewers, and only then answer.

        ``now``: the site time at which it came. A caller who goes away does not stop it: what is
        saved is always told. Raises :class:`StoreError` or :class:`ContestedError`, after which
        nothing is known to be saved and the same command may be given again.
        """
        at = self.clock.now() if now is None else now
        task = asyncio.create_task(self._informed(table_id, command, at))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def begin(self, subscription: Subscription, seen: int | None) -> bool:
        """Start a subscription from the present: with the events after ``seen`` where they are
        few, else with a snapshot. ``False``: there is no such table."""
        subscription.hold()
        table = await self.load(subscription.table)
        if table is None:
            return False
        notice = self._notice_for(table)
        missed = []
        # Who has to be told of an outage starts afresh: only a snapshot says it.
        if seen and notice is None and 0 < table.number - seen <= MISSED:
            entries = await self._store.log(table.id, seen)
            missed = [entry for entry in entries if entry.number <= table.number]
            if [entry.number for entry in missed] != list(range(seen + 1, table.number + 1)):
                missed = []
        subscription.begin(table, self.clock.now(), notice, missed)
        return True

    def notice(self) -> Json | None:
        """Why the clocks stood still, while it is news (T9)."""
        outage, now = self.clock.outage, self.clock.now()
        if outage is None or now - outage.ended_at > NOTICE_MS:
            return None
        return {
            "outage_ms": outage.ms,
            "ended_at": outage.ended_at,
            "frozen_ms": self.clock.frozen_ms(),
        }

    def _notice_for(self, table: Table) -> Json | None:
        """The notice, where it stopped any clock: at tables that there were before the outage."""
        notice = self.notice()
        return None if notice is None or table.made_at > notice["ended_at"] else notice

    async def free_elsewhere(self, table_id: str, player: str, command_id: str) -> None:
        """A match of the player has started at a table: they wait nowhere else (T16)."""
        # Under the player's lock no match of theirs can start, so nobody leaves a running one.
        async with self._players[player]:
            seats = await self.seats_of(player)
            if seats.get(table_id) != "playing":
                return
            for other, does in seats.items():
                if does == "waiting":
                    # A task of its own: whoever gives up waiting, viewers are told what is saved.
                    await self.handle(other, Leave(player, command_id, freed=True))

    async def afresh(self) -> None:
        """After an outage that viewers sat through: all start from a snapshot, which says so."""
        for subscription in self._fanout.all():
            await self.begin(subscription, None)

    async def close(self) -> None:
        """Wait for the commands under way."""
        while self._running:
            await asyncio.wait(self._running)

    # What the players do elsewhere comes with the command (T16).

    async def _informed(self, table_id: str, command: Command, now: int) -> Answer:
        match command:
            case Create() | Sit() | Rematch():
                async with self._players[command.player]:
                    told = replace(
                        command, elsewhere=await self._elsewhere(table_id, command.player)
                    )
                    return await self._in_turn(table_id, told, now)
            case Reveal():
                async with AsyncExitStack() as held:
                    players = await self._sitting(table_id)
                    for player in players:
                        await held.enter_async_context(self._players[player])
                    told_busy = replace(command, busy=await self._busy(table_id, players))
                    return await self._in_turn(table_id, told_busy, now)
            case _:
                return await self._in_turn(table_id, command, now)

    async def _elsewhere(self, table_id: str, player: str) -> Elsewhere:
        seats = await self.seats_of(player)
        seats.pop(table_id, None)
        does = list(seats.values())
        return Elsewhere(does.count("waiting"), "playing" in does)

    async def _sitting(self, table_id: str) -> list[str]:
        """The players of a table. In a handshake nobody but them sits down there."""
        table = self._cache.get(table_id) or await self.load(table_id)
        seats = () if table is None else table.seats
        return sorted({sitter.player for sitter in seats if sitter is not None})

    async def _busy(self, table_id: str, players: Iterable[str]) -> frozenset[str]:
        found = [player for player in players if (await self._elsewhere(table_id, player)).playing]
        return frozenset(found)

    async def _in_turn(self, table_id: str, command: Command, now: int) -> Answer:
        # One command of a table at a time in this process; other processes race for the save.
        async with self._tables[table_id]:
            return await self._carry_out(table_id, command, now)

    async def _carry_out(self, table_id: str, command: Command, now: int) -> Answer:
        for _ in range(LOST_RACES):
            cached = self._cache.get(table_id)
            table = cached or await self.load(table_id)
            decision = handle(table, command, now)
            if not decision.gone and (decision.table is table or decision.table is None):
                if cached is not None and isinstance(decision.answer, Refused):
                    # It may have been right and only the copy old: decide on what is saved.
                    del self._cache[table_id]
                    continue
                self._keep(table)
                return decision.answer
            if await self._save(table_id, table, decision):
                self._saved(table, decision)
                return decision.answer
        raise ContestedError(table_id)

    async def _save(self, table_id: str, before: Table | None, decision: Decision) -> bool:
        saved = False
        try:
            saved = await self._store.save(save_of(before, decision, self.clock.beat()))
        finally:
            if not saved:
                # Whatever happened to it, the copy here is no longer to be trusted.
                self._cache.pop(table_id, None)
        return saved

    def _saved(self, before: Table | None, decision: Decision) -> None:
        """Everybody who must know is told."""
        table = decision.table
        assert table is not None
        if decision.gone:
            self._cache.pop(table.id, None)
            return
        self._keep(table)
        if decision.entries:
            change = Change(table, decision.entries, self.clock.now())
            self._fanout.tell(change, table.id)
        if decision.due is not None:
            self.due(decision.due)
        if (None if before is None else views.listing(before)) != views.listing(table):
            self.relisted()

    def _keep(self, table: Table | None) -> None:
        if table is None:
            return
        self._cache[table.id] = table
        self._cache.move_to_end(table.id)
        while len(self._cache) > CACHED:
            self._cache.popitem(last=False)
