"""Live tables in Redis: the store of a site of any number of processes."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from app.live.redis import packing, scripts
from app.live.redis.errors import Refused
from app.live.redis.holds import Holds
from app.live.redis.keys import (
    ALL,
    CLOCK,
    LIVES,
    PROCESSES,
    SITE,
    Index,
    Shard,
    shard_of,
)
from app.live.redis.listener import Listener
from app.live.redis.nodes import Nodes
from app.live.redis.scripts import Script
from app.live.redis.seeking import RedisSeeking
from app.live.redis.wire import Command
from app.live.sitetime import GRACE_MS, HICCUP_MS, STALL_MS, Beat, Outage
from app.live.store import (
    FAILURES,
    LEASE_MS,
    LONGEST_MS,
    Save,
    SeatState,
    Store,
    Stored,
    Told,
    UnknownError,
)
from app.table.events import Entry, RecordLine
from engine.game import Json

log = logging.getLogger(__name__)

UNMADE_MS: Final = 60_000
"""So long a table is watched that is not there, unless somebody makes it."""
FEW: Final = 8
"""So many of a shard are looked at first when the lobby is put together."""
AT_ONCE: Final = 500
"""At most so many tables are asked for their numbers in one script."""
NOTHING_DONE: Final = frozenset(
    {
        *("ASK", "BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF", "MOVED", "NOAUTH"),
        *("NOREPLICAS", "NOSCRIPT", "OOM", "READONLY", "TRYAGAIN"),
    }
)
"""Errors that a script is refused with before it has written anything."""


class RedisStore:
    """The store of one process. Made by :meth:`open`."""

    def __init__(self, nodes: Nodes, process: str) -> None:
        self.process = process
        self.told: Callable[[Told], None] = lambda _: None
        self.missed: Callable[[], None] = lambda: None
        self._nodes = nodes
        self._holds = Holds(nodes)
        self._seeking = RedisSeeking(nodes)
        self._listener = Listener(nodes, process, self._hear, self._miss)
        self._life: bytes | None = None
        self._closed = False
        # A script may touch all shards of one Redis, but one shard only on a cluster.
        self._groups = [(shard,) for shard in ALL] if nodes.cluster else [ALL]

    @classmethod
    async def open(cls, url: str, process: str) -> RedisStore:
        """The store at ``url`` for the process of that name, which nobody else has. Raises
        :class:`StoreError`, in one line, if it cannot be reached or would not keep what it
        acknowledges."""
        nodes = await Nodes.open(url)
        store = cls(nodes, process)
        try:
            await store._listener.start()
        except BaseException:
            await store._listener.close()
            await nodes.close()
            raise
        return store

    async def load(self, table: str) -> Stored | None:
        shard = shard_of(table)
        version, state = await self._nodes.call(
            shard.slot, (b"HMGET", shard.table(table), b"v", b"s"), again=True
        )
        return None if version is None else Stored(int(version), packing.decode(state))

    async def save(self, save: Save) -> bool:
        shard = shard_of(save.table)
        try:
            saved: int = await self._nodes.run(
                shard.slot,
                scripts.SAVE,
                shard.of_table(save.table),
                packing.saving(save, shard, self.process),
            )
        except Refused as refused:
            if refused.code in NOTHING_DONE:
                raise
            raise UnknownError(f"a save went wrong: {refused}") from None
        return saved == 1

    async def log(self, table: str, after: int) -> tuple[Entry, ...]:
        shard = shard_of(table)
        keys = (shard.table(table), shard.log(table))
        pieces = await self._nodes.run(shard.slot, scripts.LOG, keys, (after,), again=True)
        return packing.entries_of(pieces, after)

    async def record(self, table: str, match: str) -> tuple[RecordLine, ...]:
        shard = shard_of(table)
        pieces = await self._nodes.run(
            shard.slot, scripts.RECORD, (shard.lines(table),), (match,), again=True
        )
        return packing.lines_of(pieces)

    async def listed(self, limit: int) -> tuple[Json, ...]:
        # On a cluster a shard is first asked for a few, and for more if all of those are shown.
        several = len(self._groups) > 1
        few = min(limit, FEW)
        most = few if several else limit
        found = await self._spread(scripts.LISTED, ("lobby", "listings"), (most, few))
        rows = sorted((int(place), id_, text) for each in found for place, id_, text in each)
        if several and few < limit:
            shown = {id_ for _, id_, _ in rows[:limit]}
            fuller = [
                group
                for group, each in zip(self._groups, found, strict=True)
                if len(each) == few and each[-1][1] in shown
            ]
            more = await self._spread(scripts.LISTED, ("lobby", "listings"), (limit, limit), fuller)
            extra = ((int(place), id_, text) for each in more for place, id_, text in each)
            rows = sorted({*rows, *extra})
        return tuple(packing.decode(text) for _, _, text in rows[:limit])

    async def seats_of(self, player: str) -> Mapping[str, SeatState]:
        found = await self._spread(scripts.SEATS, ("seats",), (player,))
        return packing.seats_of(member for each in found for member in each)

    # What falls due.

    async def lease_due(self, now: int, limit: int) -> tuple[str, ...]:
        limits = (LEASE_MS, FAILURES, LONGEST_MS)
        groups = self._groups
        shares = [limit] * len(groups)
        if len(groups) > 1:
            shares = await self._due_shares(now, limit)
        asked = [
            self._run(scripts.LEASE_DUE, ("due", "leases"), (now, share, *limits), group, False)
            for group, share in zip(groups, shares, strict=True)
            if share
        ]
        leased = [
            (int(due), id_)
            for each in await asyncio.gather(*asked)
            for due, id_ in zip(each[::2], each[1::2], strict=True)
        ]
        return tuple(id_.decode() for _, id_ in sorted(leased))

    async def next_due(self) -> int | None:
        found = await self._spread(scripts.NEXT_DUE, ("due",))
        return min((int(due) for due in found if due is not None), default=None)

    async def stuck(self) -> Mapping[str, int]:
        found = await self._spread(scripts.STUCK, ("leases",), (FAILURES,))
        rows = [
            (id_.decode(), int(leases) - 1)
            for each in found
            for id_, leases in zip(each[::2], each[1::2], strict=True)
        ]
        return dict(sorted(rows))

    async def armed(self, limit: int) -> tuple[str, ...]:
        found = await self._spread(scripts.ARMED, ("due",), (limit,))
        rows = sorted(
            (int(due), id_)
            for each in found
            for due, id_ in zip(each[::2], each[1::2], strict=True)
        )
        return tuple(id_.decode() for _, id_ in rows[:limit])

    # What other processes do.

    async def watch(self, table: str) -> None:
        shard = shard_of(table)
        keys = (shard.table(table), shard.watchers(table))
        await self._nodes.run(
            shard.slot, scripts.WATCH, keys, (self.process, UNMADE_MS), again=True
        )

    async def unwatch(self, table: str) -> None:
        shard = shard_of(table)
        command = (b"SREM", shard.watchers(table), self.process)
        await self._nodes.call(shard.slot, command, again=True)

    async def numbers(self, tables: Collection[str]) -> Mapping[str, int]:
        shares: dict[int, list[str]] = defaultdict(list)
        for table in tables:
            shares[shard_of(table).slot if self._nodes.cluster else 0].append(table)
        asked = [
            self._numbers(slot, share[i : i + AT_ONCE])
            for slot, share in shares.items()
            for i in range(0, len(share), AT_ONCE)
        ]
        return {table: n for each in await asyncio.gather(*asked) for table, n in each.items()}

    def hold(self, players: Collection[str]) -> AbstractAsyncContextManager[None]:
        return self._holds.hold(players)

    @property
    def seeking(self) -> RedisSeeking:
        return self._seeking

    # The site's time, and processes.

    async def beat(self, *, alone: bool = False) -> Beat:
        # Asked again it does no harm, but for `alone`, which would be said of the first time.
        wall, site, frozen, outage, ended, life = await self._nodes.run(
            SITE,
            scripts.BEAT,
            (CLOCK, PROCESSES, LIVES),
            (self.process, b"1" if alone else b"0", LEASE_MS, STALL_MS, GRACE_MS, HICCUP_MS),
            again=not alone,
        )
        lapsed = self._life is not None and self._life != life
        self._life = life
        last = Outage(int(outage), int(ended)) if int(outage) >= 0 else None
        return Beat(int(wall), int(site), int(frozen), last, lapsed)

    async def lapsed(self) -> Mapping[str, frozenset[str]]:
        # First whose marks there are: who begins to live meanwhile is not taken for dead.
        found = await self._spread(scripts.MARKING, ("marks",))
        marking = {process for each in found for process in each}
        answer = await self._nodes.run(
            SITE, scripts.LIVING, (CLOCK, PROCESSES), (STALL_MS,), again=True
        )
        if answer is None:
            return {}
        living, over = answer
        dead = tuple(sorted(marking.difference(living)))
        tables: dict[str, set[str]] = {process.decode(): set() for process in (*over, *dead)}
        if dead:
            for each in await self._spread(scripts.MARKED, ("marks",), dead):
                for member in each:
                    process, table = member.decode().split("\0")
                    tables[process].add(table)
        return {process: frozenset(names) for process, names in tables.items()}

    async def forget(self, process: str) -> None:
        for command in ((b"ZREM", PROCESSES, process), (b"HDEL", LIVES, process)):
            await self._nodes.call(SITE, command, again=True)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._listener.close()
        await self._nodes.close((SITE, (b"ZADD", PROCESSES, b"XX", 0, self.process)))

    # How it is asked.

    async def _spread(
        self,
        script: Script,
        names: tuple[Index, ...],
        args: Command = (),
        groups: Collection[tuple[Shard, ...]] | None = None,
    ) -> list[Any]:
        """What a reading script answers for all shards, in as few pieces as can be."""
        asked = [
            self._run(script, names, args, group, True)
            for group in (self._groups if groups is None else groups)
        ]
        return [await asked[0]] if len(asked) == 1 else await asyncio.gather(*asked)

    async def _run(
        self,
        script: Script,
        names: tuple[Index, ...],
        args: Command,
        shards: tuple[Shard, ...],
        again: bool,
    ) -> Any:
        keys = tuple(shard.index(name) for shard in shards for name in names)
        return await self._nodes.run(shards[0].slot, script, keys, args, again=again)

    async def _due_shares(self, now: int, limit: int) -> list[int]:
        """How many of each shard are among the first that are due."""
        first = (b"LIMIT", 0, limit, b"WITHSCORES")
        asked = [
            self._nodes.call(
                shard.slot,
                (b"ZRANGEBYSCORE", shard.index("due"), b"-inf", now, *first),
                again=True,
            )
            for shard in ALL
        ]
        rows = sorted(
            (int(due), id_, number)
            for number, each in enumerate(await asyncio.gather(*asked))
            for due, id_ in zip(each[1::2], each[::2], strict=True)
        )
        shares = [0] * len(ALL)
        for _, _, number in rows[:limit]:
            shares[number] += 1
        return shares

    async def _numbers(self, slot: int, tables: list[str]) -> dict[str, int]:
        keys = tuple(
            key
            for table in tables
            for shard in (shard_of(table),)
            for key in (shard.table(table), shard.watchers(table))
        )
        found = await self._nodes.run(slot, scripts.NUMBERS, keys, (self.process,), again=True)
        return {t: int(n) for t, n in zip(tables, found, strict=True) if n is not None}

    # What it hears.

    def _hear(self, message: bytes) -> None:
        try:
            self.told(packing.told(message))
        except Exception as error:  # noqa: BLE001 - the next message must be heard
            log.error("what was told was not understood: %s", type(error).__name__)  # noqa: TRY400

    def _miss(self) -> None:
        self.missed()


_store: type[Store] = RedisStore
