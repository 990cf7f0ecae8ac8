"""Live tables: load, decide, save if unchanged, tell."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace

from app.live.fanout import Change, Fanout
from app.live.locks import Locks
from app.live.saves import relayed_seats, save_of
from app.live.sitetime import SiteClock
from app.live.store import SeatState, Store, StoreError, Told, UnknownError
from app.live.viewers import Viewers
from app.ops import context, metrics
from app.table import codec, views
from app.table.coins import Funds
from app.table.commands import (
    Command,
    Create,
    Elsewhere,
    Fresh,
    Leave,
    Numbered,
    Rematch,
    Reveal,
    Sit,
)
from app.table.decision import Accepted, Answer, Decision, Refused
from app.table.handle import handle
from app.table.table import Games, Table

log = logging.getLogger(__name__)

CACHED = 2000
"""Tables kept in memory, the last used. A table is a few kilobytes."""

LOST_RACES = 20
"""Saves lost in a row before it is called a fault: others must have won twenty meanwhile."""


class ContestedError(Exception):
    """A table was changed by others at every try. Nothing was saved."""


class LiveTables:
    """The tables of a site, as this process serves them. ``clock`` is the site's, in site time;
    ``viewers`` are those of this process.

    ``due`` is called with every due time that was saved, ``relisted`` after every save that
    changed the lobby, ``confirm`` before anything is decided or shown by a clock that is not
    sure, and ``funds`` for who would take part in a coin table, with its stake and the others who
    sit there; ``apart`` says whether who would sit down and those who sit there do not meet:
    whoever cares for them sets them.
    """

    def __init__(self, store: Store, fanout: Fanout, games: Games, clock: SiteClock) -> None:
        self.clock = clock
        self.viewers = Viewers(store, fanout, clock, self.load)
        self.due: Callable[[int], None] = lambda _: None
        self.relisted: Callable[[], None] = lambda: None
        self.confirm: Callable[[], Awaitable[None]] | None = None
        self.funds: Callable[[str, int, Collection[str]], Awaitable[Funds]] = _away
        self.apart: Callable[[str, Collection[str]], Awaitable[bool]] = _together
        self._store = store
        self._games = games
        self._cache: OrderedDict[str, Table] = OrderedDict()
        # Players are held before a table's lock is taken.
        self._tables = Locks()
        self._running: set[asyncio.Task[Answer]] = set()
        store.told = self._told

    @staticmethod
    def new_table_id() -> str:
        """An id that nobody guesses: whoever has it has the invite. Operators type it, so it does
        not begin like an option."""
        made = secrets.token_urlsafe(12)
        return f"_{made[1:]}" if made.startswith("-") else made

    @staticmethod
    def fresh() -> Fresh:
        """A new match id and the last element of its chain, from the operating system."""
        return Fresh(secrets.token_hex(12), secrets.token_bytes(32))

    async def load(self, table_id: str) -> Table | None:
        """The table as last saved; ``None``: there is none. The clock is sure then."""
        await self._sure()
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
        task = asyncio.create_task(self._timed(table_id, command, now))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_left_alone)
            raise

    async def free_elsewhere(self, table_id: str, player: str, command_id: str) -> None:
        """A match of the player has started at a table: they wait nowhere else (T16)."""
        # While they are held no match of theirs can start, so nobody leaves a running one.
        async with self._store.hold([player]):
            seats = await self.seats_of(player)
            if seats.get(table_id) != "playing":
                return
            for other, does in seats.items():
                if does == "waiting":
                    # A task of its own: whoever gives up waiting, viewers are told what is saved.
                    await self.handle(other, Leave(player, command_id, freed=True))

    async def close(self) -> None:
        """Wait for the commands under way."""
        while self._running:
            await asyncio.wait(self._running)
        await self.viewers.settle()

    async def _timed(self, table_id: str, command: Command, now: int | None) -> Answer:
        """A command in a task of its own: whoever logs meanwhile can say which table it is."""
        context.TABLE.set(table_id)
        with metrics.commanding(type(command).__name__) as timed:
            try:
                answer = await self._informed(table_id, command, now)
            except ContestedError:
                timed.outcome = "contested"
                raise
            timed.outcome = "refused" if isinstance(answer, Refused) else "accepted"
            return answer

    def _told(self, told: Told) -> None:
        """Another process has saved a table."""
        cached = self._cache.get(told.table)
        if cached is not None and cached.version < told.version:
            del self._cache[told.table]
        self.viewers.relay(told)

    # What the players do elsewhere comes with the command (T16), and whether they have the coins.

    async def _informed(self, table_id: str, command: Command, now: int | None) -> Answer:
        match command:
            case Create() | Sit() | Rematch():
                # First: a ledger that is away takes longer to say so than a player may be held.
                funds = await self._funds(table_id, command)
                if isinstance(command, Sit):
                    apart = await self.apart(command.player, await self._others(table_id, command))
                    command = replace(command, apart=apart)
                async with self._store.hold([command.player]):
                    elsewhere = await self._elsewhere(table_id, command.player)
                    told = replace(command, elsewhere=elsewhere, funds=funds)
                    return await self._in_turn(table_id, told, now)
            case Reveal():
                players = await self._sitting(table_id)
                async with self._store.hold(players):
                    told_busy = replace(command, busy=await self._busy(table_id, players))
                    return await self._in_turn(table_id, told_busy, now)
            case _:
                return await self._in_turn(table_id, command, now)

    async def _funds(self, table_id: str, command: Create | Sit | Rematch) -> Funds:
        """Whether the player covers the stake (T4). Only coin tables ask."""
        if isinstance(command, Create):
            stake = command.stake
        else:  # the stake of a table never changes
            table = self._cache.get(table_id) or await self.load(table_id)
            stake = 0 if table is None else table.stake
        if not stake:
            return "covers"
        return await self.funds(command.player, stake, await self._others(table_id, command))

    async def _others(self, table_id: str, command: Create | Sit | Rematch) -> set[str]:
        """Who else sits at the table."""
        if isinstance(command, Create):
            return set()
        return set(await self._sitting(table_id)) - {command.player}

    async def _elsewhere(self, table_id: str, player: str) -> Elsewhere:
        seats = await self.seats_of(player)
        seats.pop(table_id, None)
        does = list(seats.values())
        return Elsewhere(does.count("waiting"), "playing" in does)

    async def _sitting(self, table_id: str) -> list[str]:
        """The players of a table. In a handshake nobody but them sits down there."""
        table = self._cache.get(table_id) or await self.load(table_id)
        return [] if table is None else sorted({table.sitter(s).player for s in table.people()})

    async def _busy(self, table_id: str, players: Iterable[str]) -> frozenset[str]:
        found = [player for player in players if (await self._elsewhere(table_id, player)).playing]
        return frozenset(found)

    async def _in_turn(self, table_id: str, command: Command, now: int | None) -> Answer:
        # One command of a table at a time in this process; other processes race for the save.
        async with self._tables[table_id]:
            await self._sure()
            at = self.clock.now()
            # What came before an outage was told came no later than that.
            return await self._carry_out(table_id, command, at if now is None else min(now, at))

    async def _sure(self) -> None:
        """Nothing is decided or shown by a clock that may lie in an outage (T9)."""
        if self.confirm is not None and not self.clock.sure():
            await self.confirm()

    async def _carry_out(self, table_id: str, command: Command, now: int) -> Answer:
        doubted = False
        try:
            for _ in range(LOST_RACES):
                cached = self._cache.get(table_id)
                table = cached or await self.load(table_id)
                if doubted and table is not None and isinstance(command, Create):
                    return Accepted(table.number)  # nobody else makes a table of this id
                decision = handle(table, command, now)
                if not decision.gone and (decision.table is table or decision.table is None):
                    if cached is not None and not _known(cached, command, decision):
                        # It may have been right and only the copy old: decide on what is saved.
                        del self._cache[table_id]
                        continue
                    self._keep(table)
                    return decision.answer
                try:
                    if await self._save(table_id, table, decision):
                        return decision.answer
                except UnknownError:
                    doubted = True
        finally:
            if doubted:
                self.viewers.doubted(table_id)
        raise ContestedError(table_id)

    async def _save(self, table_id: str, before: Table | None, decision: Decision) -> bool:
        table = decision.table
        assert table is not None
        change = None
        if decision.entries and not decision.gone:
            change = Change(table, decision.entries, self.clock.now())
        frames = {}
        if change is not None:
            seats = relayed_seats(table, self._store.process)
            frames = {seat: change.frame_for(seat) for seat in seats}
            # What viewers here will be told is worded while the store makes the save lasting:
            # after this turn of the loop, in which it goes out.
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, self.viewers.word, table_id, change)
        saved = False
        outcome: metrics.SaveOutcome = "failed"
        try:
            saved = await self._store.save(save_of(before, decision, frames))
            outcome = "saved" if saved else "conflict"
        except UnknownError:
            outcome = "unknown"
            raise
        finally:
            metrics.SAVES[outcome].inc()
            if not saved:
                # Whatever happened to it, the copy here is no longer to be trusted.
                self._cache.pop(table_id, None)
        if saved:
            self._saved(before, decision, change)
        return saved

    def _saved(self, before: Table | None, decision: Decision, change: Change | None) -> None:
        """Everybody who must know is told."""
        table = decision.table
        assert table is not None
        if decision.gone:
            metrics.STATES["gone"].inc()
            self._cache.pop(table.id, None)
            return
        if before is None or before.status != table.status:
            metrics.STATES[table.status].inc()
        self._keep(table)
        if change is not None:
            self.viewers.tell(table.id, change)
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


def _left_alone(task: asyncio.Task[Answer]) -> None:
    """A command has ended whose caller has gone: nobody else hears how."""
    error = None if task.cancelled() else task.exception()
    if isinstance(error, (StoreError, ContestedError)):
        log.warning("a command of who has gone was not carried out: %s", type(error).__name__)
    elif error is not None:
        log.error("a command of who has gone failed", exc_info=error)


async def _away(_: str, __: int, ___: Collection[str]) -> Funds:
    """Without a ledger there are no coin tables."""
    return "away"


async def _together(_: str, __: Collection[str]) -> bool:
    """Everybody meets everybody."""
    return False


def _known(cached: Table, command: Command, decision: Decision) -> bool:
    """Whether a decision on a copy that changes nothing stands as it is: the answer to a command
    that was saved before."""
    if not isinstance(command, Numbered) or isinstance(decision.answer, Refused):
        return False
    seat = cached.seat_of(command.player)
    return seat is not None and cached.sitter(seat).answered(command.id) is not None
