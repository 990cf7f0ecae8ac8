"""The Redis store on real servers: the contract, on one and on a cluster, and what may break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TypeAlias

import pytest
from redis.crc import key_slot

from app.live.redis.keys import ALL, CLOCK, LIVES, PROCESSES, SEEKING, SITE, held, shard_of
from app.live.redis.store import RedisStore
from app.live.sitetime import GRACE_MS, STALL_MS, Outage, Reckoning, advance, beat_of
from app.live.store import LEASE_MS, Store, StoreError, Told
from tests.app.redis_help import Ears
from tests.app.seeking_contract import SeekingContract
from tests.app.store_contract import (
    FIRST,
    Later,
    Peer,
    SharedContract,
    following,
    listing,
)
from tests.services.redis import Given, Redis, RedisCluster

Site: TypeAlias = Redis | Given | RedisCluster
Heard: TypeAlias = Callable[[Store, int], Awaitable[list[Told]]]
SITE_KEYS = {key.decode() for key in (CLOCK, PROCESSES, LIVES)}


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture
def heard(ears: Ears) -> Heard:
    return ears.heard


@pytest.fixture
async def peer(site: Site, ears: Ears) -> AsyncIterator[Peer]:
    async with AsyncExitStack() as closing:

        async def another(process: str) -> RedisStore:
            opened = await RedisStore.open(site.url, process)
            ears.listen(opened)
            closing.push_async_callback(opened.close)
            return opened

        yield another


@pytest.fixture
async def store(peer: Peer) -> Store:
    return await peer("p1")


@pytest.fixture
def later(site: Site) -> Later:
    """Time passes: all that was kept of it was so much earlier."""

    async def pass_(ms: int) -> None:
        for name in ("seen", "since"):
            if site.ask("HEXISTS", CLOCK, name):
                site.ask("HINCRBY", CLOCK, name, -ms)
        for process in site.ask("ZRANGE", PROCESSES, 0, -1):
            site.ask("ZINCRBY", PROCESSES, -ms, process)
        for player in site.ask("ZRANGE", SEEKING, 0, -1):
            site.ask("ZINCRBY", SEEKING, -ms, player)
        for key in site.kept():
            if key.startswith("ezo:held:"):
                site.ask("PEXPIRE", key, site.ask("PTTL", key) - ms)

    return pass_


class Everywhere(SharedContract, SeekingContract):
    """What holds on one Redis as on a cluster."""

    async def test_the_lobby_takes_the_first_of_all_shards(self, store: Store) -> None:
        # Most of those that come first are in one shard, so that it is asked for more.
        names = [f"t{i}" for i in range(4_000)]
        crowded = [name for name in names if shard_of(name).number == 7][:40]
        others = [name for name in names if shard_of(name).number != 7][:60]
        made = {}
        for i, name in enumerate((*crowded, *others)):
            text = listing(name, "open" if i % 3 else "running", 1_000 - i // 2)
            made[name] = text
            assert await store.save(replace(FIRST, table=name, match=name, listing=text))
        order = sorted(
            made.values(), key=lambda each: (each["status"] != "open", -each["made_at"], each["id"])
        )
        for limit in (1, 7, 8, 9, 60, 200):
            assert list(await store.listed(limit)) == order[:limit]

    async def test_what_is_due_is_leased_in_order_over_all_shards(self, store: Store) -> None:
        for i in range(40):
            assert await store.save(
                replace(FIRST, table=f"t{i}", match=f"m{i}", due=1_700_000_000_000 + i)
            )
        now = 1_700_000_000_030
        assert await store.next_due() == 1_700_000_000_000
        assert await store.lease_due(now, 20) == tuple(f"t{i}" for i in range(20))
        assert await store.lease_due(now, 20) == tuple(f"t{i}" for i in range(20, 31))
        assert await store.lease_due(now, 20) == ()
        assert await store.next_due() == 1_700_000_000_031

    async def test_of_those_due_at_once_the_first_by_name_is_leased(self, store: Store) -> None:
        for i in range(9, -1, -1):
            assert await store.save(replace(FIRST, table=f"t{i}", match=f"m{i}", due=5))
        assert [await store.lease_due(5, 1) for _ in range(10)] == [(f"t{i}",) for i in range(10)]

    async def test_names_that_begin_alike_are_not_mixed_up(self, store: Store) -> None:
        names = ("p", "p1", "p12", "p2", "ღ")
        for i, name in enumerate(names):
            assert await store.save(
                replace(FIRST, table=f"t{i}", seats={name: "playing"}, processes=frozenset(names))
            )
        assert await store.lapsed() == dict.fromkeys(names, frozenset(f"t{i}" for i in range(5)))
        for i, name in enumerate(names):
            assert await store.seats_of(name) == {f"t{i}": "playing"}

    async def test_two_that_lease_at_once_share_what_is_due(self, store: Store, peer: Peer) -> None:
        other = await peer("p2")
        for i in range(30):
            assert await store.save(replace(FIRST, table=f"t{i}", match=f"m{i}", due=i))
        leased: list[str] = []
        for _ in range(40):
            pairs = await asyncio.gather(store.lease_due(100, 2), other.lease_due(100, 2))
            leased += [name for pair in pairs for name in pair]
        assert sorted(leased) == sorted(f"t{i}" for i in range(30))

    async def test_tables_that_are_gone_leave_nothing(
        self, store: Store, peer: Peer, site: Site, later: Later
    ) -> None:
        other = await peer("p2")
        await store.beat()
        for i in range(20):
            first = replace(
                FIRST,
                table=f"t{i}",
                match=f"m{i}",
                due=i,
                listing=listing(f"t{i}", "open", i),
                seats={"nino": "waiting", "gia": "waiting"},
                processes=frozenset({"p1", "p2"}),
            )
            await other.watch(f"t{i}")
            assert await store.save(first)
            second = following(first, 3, match=f"n{i}", lines=FIRST.lines)
            assert await store.save(second)
            if i % 2:
                await store.numbers([f"t{i}"])
                await store.lease_due(10**14, 1)
            assert len(site.kept()) > len(SITE_KEYS)
            assert await store.save(replace(second, expected=2, gone=True))
        async with store.hold(["nino"]):
            pass
        assert site.kept() == SITE_KEYS
        await store.forget("p1")
        assert site.kept() == {CLOCK.decode()}

    async def test_a_table_that_is_never_made_is_not_watched_for_ever(
        self, store: Store, peer: Peer, site: Site
    ) -> None:
        key = shard_of("t1").watchers("t1")
        await store.watch("t1")
        assert 0 < site.ask("PTTL", key) <= 60_000
        assert await (await peer("p2")).save(FIRST)
        assert site.ask("PTTL", key) == -1
        assert site.ask("SMEMBERS", key) == ["p1"]

    async def test_who_hears_nothing_is_told_no_more(
        self, store: Store, peer: Peer, site: Site
    ) -> None:
        other = await peer("p2")
        key = shard_of("t1").watchers("t1")
        for each in (store, other):
            await each.watch("t1")
        await other.close()
        assert await store.save(FIRST)
        assert site.ask("SMEMBERS", key) == ["p1"]

    async def test_a_table_that_goes_is_told(self, store: Store, peer: Peer, heard: Heard) -> None:
        other = await peer("p2")
        await other.watch("t1")
        assert await store.save(FIRST)
        assert await store.save(replace(FIRST, expected=1, gone=True, entries=(), lines=()))
        assert [(each.first, each.number) for each in await heard(other, 2)] == [(1, 2), (3, 2)]

    async def test_closing_finishes_what_was_asked_for(self, store: Store, peer: Peer) -> None:
        other = await peer("p2")
        saves = [
            asyncio.ensure_future(store.save(replace(FIRST, table=f"t{i}", match=f"m{i}")))
            for i in range(50)
        ]
        await asyncio.sleep(0)
        await store.close()
        assert all(await asyncio.gather(*saves))
        assert len(await other.numbers([f"t{i}" for i in range(50)])) == 50
        await store.close()
        for asked in (
            store.load("t1"),
            store.save(FIRST),
            store.watch("t1"),
            store.numbers(["t1"]),
            store.beat(),
            store.lapsed(),
            store.next_due(),
            store.listed(5),
        ):
            with pytest.raises(StoreError, match="closed"):
                await asked
        with pytest.raises(StoreError, match="closed"):
            async with store.hold(["nino"]):
                pass

    async def test_closing_finishes_what_nobody_waits_for_any_more(
        self, store: Store, peer: Peer
    ) -> None:
        other = await peer("p2")
        assert await store.save(FIRST)
        saving = asyncio.ensure_future(store.save(following(FIRST, 3)))
        await asyncio.sleep(0)
        saving.cancel()
        async with asyncio.timeout(60):
            await store.close()
        assert saving.cancelled()
        assert await other.numbers(["t1"]) == {"t1": 3}

    async def test_who_lets_go_late_takes_nothing_from_the_next(
        self, store: Store, peer: Peer, site: Site, later: Later
    ) -> None:
        other = await peer("p2")
        late = store.hold(["gia", "nino"])
        await late.__aenter__()
        await later(LEASE_MS)
        async with other.hold(["nino"]):
            token = site.ask("GET", "ezo:held:nino")
            assert token is not None
            await late.__aexit__(None, None, None)
            assert site.ask("GET", "ezo:held:nino") == token
        assert site.ask("GET", "ezo:held:nino") is None

    # Site time (T9).

    async def test_the_script_reckons_as_advance_does_t9(self, store: Store, site: Site) -> None:
        first = await store.beat()
        assert first == beat_of(advance(None, first.wall))
        cases = [
            (gap, ahead, alone, outage)
            for gap in (-90_000, -1, 0, 1_500, STALL_MS - 500, STALL_MS + 1, 700_000)
            for ahead in (-100_000, 0, 4_000, GRACE_MS)
            for alone in (False, True)
            for outage in (None, Outage(12_345, 999))
        ]
        for gap, ahead, alone, outage in cases:
            seconds, micros = (
                site.ask("TIME")
                if not isinstance(site, RedisCluster)
                else (site.nodes[0].ask("TIME"))
            )
            seen = int(seconds) * 1_000 + int(micros) // 1_000 - gap
            last = Reckoning(seen, seen + ahead, 1_600_000_000_123, outage)
            site.ask(
                *("HSET", CLOCK, "seen", last.seen, "since", last.since, "site", last.site),
                *("outage", -1 if outage is None else outage.ms),
                *("ended", 0 if outage is None else outage.ended_at),
            )
            beat = await store.beat(alone=alone)
            assert beat.wall - seen >= gap
            expected = beat_of(advance(last, beat.wall, alone=alone))
            assert replace(beat, lapsed=False) == expected
            # And it was kept so, too.
            again = await store.beat()
            kept = advance(advance(last, beat.wall, alone=alone), again.wall)
            assert replace(again, lapsed=False) == beat_of(kept)

    async def test_nobody_has_lapsed_until_somebody_serves_again_t9(
        self, store: Store, peer: Peer, later: Later
    ) -> None:
        await store.beat()
        assert await store.save(replace(FIRST, processes=frozenset({"p1"})))
        await later(60_000)
        other = await peer("p2")
        assert await other.lapsed() == {}
        await other.beat()
        assert await other.lapsed() == {}
        assert not (await store.beat()).lapsed

    async def test_who_was_dead_before_an_outage_is_dead_after_it(
        self, store: Store, peer: Peer, later: Later
    ) -> None:
        other = await peer("p2")
        await store.beat()
        await other.beat()
        for _ in range(2):
            await later(LEASE_MS - 1_000)
            await other.beat()
        assert await other.lapsed() == {"p1": frozenset()}
        await later(60_000)
        await other.beat()
        assert await other.lapsed() == {"p1": frozenset()}
        third = await peer("p3")
        await third.beat()
        await third.close()
        await later(60_000)
        await other.beat()
        assert await other.lapsed() == {"p1": frozenset(), "p3": frozenset()}

    async def test_leases_go_back_with_the_clock(
        self, store: Store, peer: Peer, later: Later
    ) -> None:
        other = await peer("p2")
        await store.beat()
        await other.beat()
        await later(-3_600_000)  # all was said an hour from now: the clock was set back
        await other.beat()
        assert await other.lapsed() == {}
        await later(LEASE_MS - 1_000)
        await other.beat()
        await later(1_000)
        assert await other.lapsed() == {"p1": frozenset()}


class TestRedis(Everywhere):
    """One Redis."""

    @pytest.fixture
    def site(self, empty_redis: Redis | Given) -> Site:
        return empty_redis


class TestRedisCluster(Everywhere):
    """A cluster of three."""

    @pytest.fixture
    def site(self, empty_cluster: RedisCluster) -> Site:
        return empty_cluster

    async def test_what_is_kept_of_a_table_is_in_one_slot(
        self, store: Store, peer: Peer, site: Site
    ) -> None:
        assert isinstance(site, RedisCluster)
        await (await peer("p2")).watch("t1")
        assert await store.save(
            replace(
                FIRST,
                due=1,
                listing=listing("t1", "open", 1),
                seats={"nino": "waiting"},
                processes=frozenset({"p1"}),
            )
        )
        await store.lease_due(10, 1)
        keys = site.kept()
        assert len(keys) == len(shard_of("t1").of_table("t1"))
        slots = {site.nodes[0].ask("CLUSTER", "KEYSLOT", key) for key in keys}
        assert slots == {shard_of("t1").slot}

    async def test_the_slots_are_those_that_redis_reckons(self, site: Site) -> None:
        assert isinstance(site, RedisCluster)
        ask = site.nodes[0].ask
        for key in (*(shard.prefix for shard in ALL), held("nino"), b"a{}b", b"{}", b"a{b", b"{x}"):
            assert key_slot(key) == ask("CLUSTER", "KEYSLOT", key)
        assert ask("CLUSTER", "KEYSLOT", LIVES) == SITE == key_slot(PROCESSES)
