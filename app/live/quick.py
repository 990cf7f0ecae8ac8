"""Quick match: an opponent at one press, in whatever process they press it.

A process keeps its own seekers in the store and asks once a second what has become of each. Any
process that sees who fits makes the pair there, in one step; only who made it makes the table. All
others find it: whoever is paired for a table that is not there in time seeks again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from app.live import meeting, pairing
from app.live.pools import Pool
from app.live.seeking import AVOIDED, Paired, Seeker, State, Ticket, Turned, Waiting
from app.live.service import ContestedError, LiveTables
from app.live.store import Store, StoreError
from app.ops import metrics
from app.table import coins, seating
from app.table.commands import Elsewhere
from app.table.decision import Refused
from engine.game import Refusal, Unreadable

log = logging.getLogger(__name__)

EVERY: Final = 1.0
"""Seconds after which it is looked at in any case."""
BREATH: Final = 0.05
"""Seconds between two looks, however many come."""
PATIENCE_MS: Final = 10_000
"""So long somebody waits for the table that they were paired for, in site time."""
MAKING: Final = 32
"""So many tables this process makes at once."""
FAULTS: Final = (StoreError, ContestedError, Unreadable)


@dataclass(frozen=True, slots=True)
class Waits:
    """Somebody waits since ``since`` (site time, as ``now``), with so many others. ``window``: how
    far off an opponent may be, ``None``: however far."""

    since: int
    now: int
    others: int
    window: int | None


@dataclass(frozen=True, slots=True)
class Matched:
    """All sit at this table."""

    table: str = field(repr=False)


Word: TypeAlias = Waits | Matched | Refused
"""What a seeker is told; all but the first is the last."""


@dataclass(slots=True, eq=False)
class _One:
    """A seeker of this process. ``table``: they are paired for it since ``at``."""

    seeker: Seeker
    pool: Pool
    say: Callable[[Word], None]
    table: str | None = None
    at: int = 0
    told: tuple[int, int, int | None] | None = None


class Quick:
    """The seekers of this process.

    ``rating`` knows what a player is rated at a game by its name and rules, ``unwanted`` whom a
    player is not to meet at such a stake (:data:`AVOIDED` of them count; that either of two is
    known not to want the other is enough), and ``barred`` for how many milliseconds it is closed
    to a player who has left too often. None of these may raise; whoever knows better sets them.
    """

    def __init__(self, store: Store, tables: LiveTables) -> None:
        self.rating: Callable[[str, str, str], Awaitable[float | None]] = _unrated
        self.unwanted: Callable[[str, int], Awaitable[frozenset[str]]] = _nobody
        self.barred: Callable[[str], Awaitable[int]] = _open
        self._seeking = store.seeking
        self._tables = tables
        self._ones: dict[Ticket, _One] = {}
        self._making: set[asyncio.Task[None]] = set()
        self._wanted = asyncio.Event()

    @staticmethod
    def ticket(player: str) -> Ticket:
        """For one try of a player."""
        return Ticket(player, secrets.token_urlsafe(9))

    async def check(self, player: str, pool: Pool) -> Refused | None:
        """Why a player cannot take part, as far as it can be known beforehand (T4, T16). Raises
        :class:`StoreError`."""
        does = list((await self._tables.seats_of(player)).values())
        funds = await self._tables.funds(player, pool.stake, ()) if pool.stake else "covers"
        try:
            seating.may_wait(Elsewhere(does.count("waiting"), "playing" in does))
            coins.may_play(pool.stake, funds)
        except Refusal as refusal:
            return Refused(refusal.code, refusal.rule, dict(refusal.values))
        return None

    async def seek(
        self, ticket: Ticket, name: str, pool: Pool, say: Callable[[Word], None]
    ) -> None:
        """A player seeks from now on, and is told how it goes. Whatever comes of it, and also
        when this raises :class:`StoreError`, :meth:`leave` is to be called in the end."""
        barred = await self.barred(ticket.player)
        refused = await self.check(ticket.player, pool)
        if barred > 0:
            refused = Refused("left_often", "T13", {"minutes": -(-barred // 60_000)})
        if refused is not None:
            say(refused)
            return
        unwanted = sorted(await self.unwanted(ticket.player, pool.stake))
        seeker = Seeker(
            ticket,
            pool.name,
            name,
            self._tables.clock.now(),
            await self.rating(ticket.player, pool.game.name, pool.game.rules),
            frozenset(unwanted[:AVOIDED]),
        )
        one = self._ones[ticket] = _One(seeker, pool, say)
        self._count()
        await self._seek(one)
        self._wanted.set()

    async def leave(self, ticket: Ticket) -> None:
        """The player has gone, or been told the last. If it cannot be saved, they lapse."""
        self._ones.pop(ticket, None)
        self._count()
        try:
            await self._seeking.unseek(ticket)
        except StoreError as error:
            log.warning("a seeker is left to lapse: %s", error)

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                await self.work()
            except StoreError as error:
                log.warning("who seeks cannot be read: %s", error)
                await asyncio.sleep(EVERY)
            await asyncio.sleep(BREATH)

    async def work(self) -> None:
        """One look at all seekers of this process, and at whom they may meet. Raises
        :class:`StoreError`."""
        if not self._ones:
            return
        for ticket, state in (await self._seeking.beat(tuple(self._ones))).items():
            one = self._ones.get(ticket)
            if one is not None:
                await self._take(one, state)
        for one in tuple(self._ones.values()):
            if one.table is not None and self._here(one):
                await self._look(one, one.table)
        for pool in {one.pool.name: one.pool for one in self._waiting()}.values():
            await self._pair(pool)

    async def settle(self) -> None:
        """Wait for the tables that are being made."""
        while self._making:
            await asyncio.wait(self._making)

    # What has become of whom.

    def _waiting(self) -> list[_One]:
        return [one for one in self._ones.values() if one.table is None]

    def _here(self, one: _One) -> bool:
        return self._ones.get(one.seeker.ticket) is one

    def _count(self) -> None:
        metrics.SEEKERS.set(len(self._ones))

    def _end(self, one: _One, word: Matched | Refused) -> None:
        if self._here(one):
            del self._ones[one.seeker.ticket]
            self._count()
            one.say(word)

    async def _seek(self, one: _One, past: str | None = None) -> None:
        state = await self._seeking.seek(one.seeker, past)
        await self._take(one, state)
        if not self._here(one):  # gone meanwhile, and nobody else would say so
            await self._seeking.unseek(one.seeker.ticket)

    async def _take(self, one: _One, state: State) -> None:
        match state:
            case Waiting(since):
                if one.table is not None:
                    one.table, one.told = None, None
                one.seeker = replace(one.seeker, since=since)
            case Paired(table):
                if one.table != table:
                    one.table, one.at = table, self._tables.clock.now()
            case Turned(code):
                values: dict[str, str | int] = {"stake": one.pool.stake, "most": seating.WAITING}
                self._end(one, Refused(code, "T16", values))
            case "elsewhere":
                self._end(one, Refused("elsewhere", "T16"))
            case "lapsed":
                await self._seek(one)

    async def _look(self, one: _One, table_id: str) -> None:
        """Whether the table is there that somebody was paired for, and they sit there."""
        player = one.seeker.player
        try:
            table = await self._tables.load(table_id)
            seat = None if table is None else table.seat_of(player)
            if table is not None and seat is not None and table.status in meeting.GOING:
                self._end(one, Matched(table_id))
                return
            # One that is there and is over, or that they have left, is no table to wait for.
            over = table is not None and (seat is None or table.status in meeting.OVER)
            late = over or self._tables.clock.now() - one.at >= PATIENCE_MS
            if late and await meeting.free(self._tables, player, table_id):
                await self._seek(one, past=table_id)
        except (ContestedError, Unreadable) as error:
            log.warning("a table that was to be is left alone: %s", type(error).__name__)

    # Who meets whom.

    async def _pair(self, pool: Pool) -> None:
        seekers = await self._seeking.seekers(pool.name)
        now = self._tables.clock.now()
        self._tell(pool, len(seekers), now)
        for group in pairing.groups(seekers, now, pool.seats):
            own = any(each.ticket in self._ones for each in group)
            if not own or len(self._making) >= MAKING:
                continue
            table_id = LiveTables.new_table_id()
            if await self._seeking.pair([each.ticket for each in group], table_id):
                task = asyncio.create_task(self._make(pool, group, table_id))
                self._making.add(task)
                task.add_done_callback(self._made)

    def _tell(self, pool: Pool, waiting: int, now: int) -> None:
        for one in self._waiting():
            if one.pool.name == pool.name:
                since, window = one.seeker.since, pairing.window(one.seeker, now)
                news = (since, max(0, waiting - 1), window)
                if news != one.told:
                    one.told = news
                    one.say(Waits(since, now, *news[1:]))

    def _made(self, task: asyncio.Task[None]) -> None:
        self._making.discard(task)
        self._wanted.set()
        if not task.cancelled() and task.exception() is not None:
            log.error("a table was not made", exc_info=task.exception())

    async def _make(self, pool: Pool, group: tuple[Seeker, ...], table_id: str) -> None:
        """The table, and all seats of it taken. If that does not go well, those who are left of it
        wait again."""
        try:
            turned = await meeting.seat(self._tables, pool, group, table_id)
            if turned is None:
                metrics.QUICK.inc()
                return
            left = [each for each in group if each.ticket not in turned]
            back = [
                each.ticket
                for each in left
                if await meeting.free(self._tables, each.player, table_id)
            ]
            await self._seeking.part(table_id, back, turned)
        except FAULTS as error:
            # They find out for themselves that the table is not there, or not as it should be.
            log.warning("a pair was left alone: %s", type(error).__name__)


async def _unrated(_: str, __: str, ___: str) -> float | None:
    return None


async def _nobody(_: str, __: int) -> frozenset[str]:
    return frozenset()


async def _open(_: str) -> int:
    return 0
