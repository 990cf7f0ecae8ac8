"""The Redis store when something dies, hangs, or moves: what was acknowledged
stands, what is not known is said so, and whoever watches learns that they missed something."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from app.live.redis import holds, listener
from app.live.redis.keys import shard_of
from app.live.redis.store import RedisStore
from app.live.seeking import Turned, Waiting
from app.live.store import Save, StoreError, UnknownError
from app.table.events import Entry
from tests.app.redis_help import Ears, Line, Opener
from tests.app.seeking_contract import GIA, NINO
from tests.app.store_contract import FIRST, following
from tests.services.redis import Redis, RedisCluster, free_port


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture
async def opened(ears: Ears) -> AsyncIterator[Opener]:
    async with AsyncExitStack() as closing:

        async def open_(url: str, process: str = "p1") -> RedisStore:
            store = await RedisStore.open(url, process)
            ears.listen(store)
            closing.push_async_callback(store.close)
            return store

        yield open_


def save_of(table: str, version: int, number: int, by: str, count: int) -> Save:
    entries = tuple(Entry(number + i, {"by": by}) for i in range(1, count + 1))
    return Save(table, version, version + 1, {"by": by}, entries)


async def test_two_processes_that_save_the_same_tables(
    own_redis: Redis, opened: Opener, ears: Ears
) -> None:
    stores = [await opened(own_redis.url, name) for name in ("p1", "p2")]
    tables = [f"t{i}" for i in range(8)]
    made: dict[tuple[str, int], tuple[str, int, int]] = {}

    async def work(store: RedisStore, seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(60):
            table = dice.choice(tables)
            stored = await store.load(table)
            number = (await store.numbers([table])).get(table, 0)
            version = 0 if stored is None else stored.version
            if dice.random() < 0.3:
                await asyncio.sleep(0)
            count = dice.randrange(4)
            if await store.save(save_of(table, version, number, store.process, count)):
                assert (table, version + 1) not in made
                made[table, version + 1] = (store.process, number + 1, number + count)

    for store in stores:
        for table in tables:
            await store.watch(table)
    await asyncio.gather(*(work(store, seed) for seed, store in enumerate(stores * 3)))
    assert {process for process, _, _ in made.values()} == {"p1", "p2"}
    for table in tables:
        versions = sorted(version for name, version in made if name == table)
        assert versions == list(range(1, len(versions) + 1))
        stored = await stores[0].load(table)
        assert stored is not None
        assert stored.version == len(versions)
        log = await stores[1].log(table, 0)
        count = sum(last - first + 1 for (t, _), (_, first, last) in made.items() if t == table)
        assert [entry.number for entry in log] == list(range(1, count + 1))
    for store in stores:
        foreign = {key: made[key] for key in made if made[key][0] != store.process}
        told = await ears.heard(store, len(foreign))
        assert {(each.table, each.version) for each in told} == set(foreign)
        for table in tables:
            versions = [each.version for each in told if each.table == table]
            assert versions == sorted(versions)
        for each in told:
            _, first, last = foreign[each.table, each.version]
            assert (each.first, each.number) == (first, last)


async def test_a_server_that_is_killed_loses_nothing_that_it_acknowledged(
    own_redis: Redis, opened: Opener, ears: Ears
) -> None:
    store, other = await opened(own_redis.url, "p1"), await opened(own_redis.url, "p2")
    await other.watch("t0")
    acknowledged: dict[str, int] = {}
    unknown = 0
    going = asyncio.Event()

    async def play(table: str) -> None:
        nonlocal unknown
        save = replace(FIRST, table=table, match=table)
        try:
            while True:
                assert await store.save(save)
                acknowledged[table] = save.version
                if sum(acknowledged.values()) > 400:
                    going.set()
                save = following(save, save.version + 2)
        except UnknownError:
            unknown += 1
        except StoreError:
            pass

    players = [asyncio.ensure_future(play(f"t{i}")) for i in range(16)]
    await going.wait()
    own_redis.kill()
    await asyncio.gather(*players)
    assert unknown > 0
    with pytest.raises(StoreError) as error:
        await store.save(FIRST)
    assert not isinstance(error.value, UnknownError)  # there was nobody to send it to

    own_redis.start()
    await ears.missed(store)
    await ears.missed(other)
    for table, version in acknowledged.items():
        stored = await store.load(table)
        assert stored is not None
        assert version <= stored.version <= version + 1
        numbers = [entry.number for entry in await store.log(table, 0)]
        assert numbers[-1] == stored.version + 1
        assert (await other.numbers([table])) == {table: stored.version + 1}
    stored = await store.load("t0")
    assert stored is not None
    before = len(await ears.heard(other, 0))
    assert await store.save(save_of("t0", stored.version, stored.version + 1, "p1", 1))
    assert (await ears.heard(other, before + 1))[-1].version == stored.version + 1


async def test_a_save_whose_answer_is_lost_is_unknown_and_stands_once(
    own_redis: Redis, opened: Opener, ears: Ears
) -> None:
    async with Line(own_redis.port) as line:
        store = await opened(line.url)
        assert await store.save(FIRST)
        line.loses = True
        with pytest.raises(UnknownError):
            await store.save(following(FIRST, 3))
        assert line.lost == 1
        stored = await store.load("t1")
        assert stored is not None
        assert stored.version == 2
        assert [entry.number for entry in await store.log("t1", 0)] == [1, 2, 3]
        # What only reads is asked again.
        line.loses = True
        assert await store.numbers(["t1"]) == {"t1": 3}
        assert line.lost == 2
        await ears.missed(store, 0)


async def test_a_pair_whose_answer_is_lost_is_made_once_and_known(
    own_redis: Redis, opened: Opener
) -> None:
    async with Line(own_redis.port) as line:
        seeking = (await opened(line.url)).seeking
        for n, seeker in enumerate((NINO, GIA), 1):
            line.loses = True
            assert await seeking.seek(seeker) == Waiting(seeker.since)
            assert line.lost == n
        line.loses = True
        assert await seeking.pair([NINO.ticket, GIA.ticket], "t1")
        assert line.lost == 3
        assert not await seeking.pair([NINO.ticket, GIA.ticket], "t2")
        line.loses = True
        await seeking.part("t1", [NINO.ticket], {GIA.ticket: "cannot_cover"})
        states = await seeking.beat([NINO.ticket, GIA.ticket])
        assert list(states.values()) == [Waiting(NINO.since), Turned("cannot_cover")]


async def test_who_lapsed_is_told_so_even_if_the_first_answer_is_lost(
    own_redis: Redis, opened: Opener
) -> None:
    async with Line(own_redis.port) as line:
        store = await opened(line.url)
        other = await opened(own_redis.url, "p2")
        assert not (await store.beat()).lapsed
        await other.forget("p1")
        line.loses = True
        assert (await store.beat()).lapsed
        assert line.lost == 1
        await other.forget("p1")
        for alone in (True, False):
            line.loses = alone
            if alone:
                with pytest.raises(UnknownError):
                    await store.beat(alone=True)
            else:
                assert (await store.beat()).lapsed
        assert not (await store.beat()).lapsed


async def test_a_line_that_breaks_is_mended_and_something_was_missed(
    own_redis: Redis, opened: Opener, ears: Ears, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "CHECK", 3_600.0)  # it is said, not only found out in time
    async with Line(own_redis.port) as line:
        store = await opened(line.url)
        other = await opened(own_redis.url, "p2")
        await store.watch("t1")
        save = FIRST
        assert await other.save(save)
        for turn in range(1, 4):
            assert len(await ears.heard(store, turn)) == turn
            line.cut()
            await ears.missed(store, turn)
            assert await store.numbers(["t1"]) == {"t1": turn + 1}
            save = following(save, turn + 2)
            assert await other.save(save)


async def test_a_server_that_hangs_is_not_waited_for(
    own_redis: Redis, opened: Opener, ears: Ears
) -> None:
    store, other = await opened(own_redis.url), await opened(own_redis.url, "p2")
    await store.watch("t1")
    assert await store.save(FIRST)
    own_redis.suspend()
    try:
        async with asyncio.timeout(30):
            saving = asyncio.ensure_future(store.save(following(FIRST, 3)))
            held = asyncio.ensure_future(_held(other))
            with pytest.raises(UnknownError):
                await saving
            with pytest.raises(StoreError):
                await held
            with pytest.raises(StoreError):
                await store.load("t1")
    finally:
        own_redis.resume()
    # It was sent, and may be done yet; then the next one sees it.
    stored = await store.load("t1")
    assert stored is not None
    assert stored.version in {1, 2}
    assert [entry.number for entry in await store.log("t1", 0)] == [*range(1, stored.version + 2)]


async def _held(store: RedisStore) -> None:
    async with store.hold(["nino"]):
        pass


async def test_a_silent_listener_comes_back(own_redis: Redis, opened: Opener, ears: Ears) -> None:
    # The connection looks alive, and nothing comes: only a question shows it.
    store = await opened(own_redis.url)
    gone = asyncio.Event()
    ear = next(iter(store._listener._ears.values()))[1]
    ear._lost = gone.set
    own_redis.suspend()
    try:
        store._listener._broken.set()  # it is time to ask
        async with asyncio.timeout(30):
            await gone.wait()
    finally:
        own_redis.resume()
    store._listener._broken.set()
    await ears.missed(store)


async def test_scripts_that_redis_has_forgotten_are_brought_again(
    own_redis: Redis, opened: Opener
) -> None:
    store = await opened(own_redis.url)
    assert await store.save(FIRST)
    for version in range(2, 5):
        own_redis.ask("SCRIPT", "FLUSH")
        save = following(replace(FIRST, version=version - 1), version + 1)
        assert await store.save(save)
        assert not await store.save(save)
    own_redis.ask("SCRIPT", "FLUSH")
    assert len(await store.log("t1", 0)) == 5
    own_redis.ask("SCRIPT", "FLUSH")
    async with store.hold(["nino"]):
        own_redis.ask("SCRIPT", "FLUSH")
    assert own_redis.ask("EXISTS", "ezo:held:nino") == 0


async def test_where_nobody_listens_nothing_was_sent(own_redis: Redis, opened: Opener) -> None:
    own_redis.stop()
    with pytest.raises(StoreError, match="ConnectionRefusedError"):
        await RedisStore.open(own_redis.url, "p1")


async def test_a_hold_of_two_is_given_up_when_one_cannot_be_had(
    own_redis: Redis, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = await opened(own_redis.url), await opened(own_redis.url, "p2")
    async with store.hold(["nino"]):
        both = asyncio.ensure_future(_both(other))
        await asyncio.wait({both}, timeout=0.05)
        async with store.hold(["gia"]):  # who waits for nino does not keep gia meanwhile
            pass
        assert not both.done()
    await both
    assert own_redis.ask("PTTL", "ezo:held:nino") == -2
    # Somebody who never lets go is not waited for for ever.
    monkeypatch.setattr(holds, "PATIENCE", 0.2)
    assert own_redis.ask("SET", "ezo:held:nino", "another") == "OK"
    with pytest.raises(StoreError, match="holds on"):
        async with asyncio.timeout(60):
            await _both(other)
    assert own_redis.kept() == {"ezo:held:nino"}


async def _both(store: RedisStore) -> None:
    async with store.hold(["nino", "gia"]):
        pass


async def test_many_at_once_wait_for_room(own_redis: Redis, opened: Opener) -> None:
    store = await opened(own_redis.url)
    saves = [store.save(replace(FIRST, table=f"t{i}", match=f"m{i}")) for i in range(3_000)]
    assert all(await asyncio.gather(*saves))
    assert int(own_redis.ask("INFO", "clients").split("connected_clients:")[1].split()[0]) <= 4
    found = await store.numbers([f"t{i}" for i in range(3_000)])
    assert set(found.values()) == {2}
    # On closing, too; and Redis is taught the script first.
    own_redis.ask("SCRIPT", "FLUSH")
    again = [
        asyncio.ensure_future(store.save(following(replace(FIRST, table=table), 3)))
        for table in found
    ]
    await asyncio.sleep(0)
    await store.close()
    assert all(await asyncio.gather(*again))


@pytest.mark.parametrize("endpoint", ["ip", "unknown-endpoint"])
async def test_a_slot_that_moves_is_followed(opened: Opener, ears: Ears, endpoint: str) -> None:
    cluster = RedisCluster()
    try:
        cluster.start()
        for node in cluster.nodes:  # unknown: where the one is that says so
            node.ask("CONFIG", "SET", "cluster-preferred-endpoint-type", endpoint)
        store, other = await opened(cluster.url), await opened(cluster.url, "p2")
        await other.watch("t1")
        save = FIRST
        assert await store.save(save)
        assert len(await ears.heard(other, 1)) == 1
        slot = shard_of("t1").slot
        names = {node.ask("CLUSTER", "MYID"): node for node in cluster.nodes}
        old = next(n for n in names if "MOVED" not in _moved(names[n], "t1"))
        new = next(n for n in names if n != old)
        names[new].ask("CLUSTER", "SETSLOT", slot, "IMPORTING", old)
        names[old].ask("CLUSTER", "SETSLOT", slot, "MIGRATING", new)
        # On its way: what is new is made over there already.
        fresh = next(f"n{i}" for i in range(10_000) if shard_of(f"n{i}") == shard_of("t1"))
        assert await store.load(fresh) is None
        keys = names[old].ask("CLUSTER", "GETKEYSINSLOT", slot, 100)
        names[old].ask("MIGRATE", "127.0.0.1", names[new].port, "", 0, 9_000, "KEYS", *keys)
        stored = await store.load("t1")  # the old one says where to ask
        assert stored is not None
        assert stored.version == 1
        # While some keys are here and some there nothing can be saved, and that is certain.
        save = following(save, 3)
        with pytest.raises(StoreError, match="TRYAGAIN") as error:
            await store.save(save)
        assert not isinstance(error.value, UnknownError)
        for node in (names[new], names[old], *cluster.nodes):
            node.ask("CLUSTER", "SETSLOT", slot, "NODE", new)
        assert await store.save(save)
        assert store._nodes.at(slot).port == names[new].port  # and nobody need say it again
        await ears.missed(other)
        assert await other.numbers(["t1"]) == {"t1": 3}
        assert await store.save(following(save, 4))
        assert (await ears.heard(other, 2))[-1].number == 4
    finally:
        cluster.close()


def _moved(node: Redis, table: str) -> str:
    try:
        return str(node.ask("EXISTS", shard_of(table).table(table)))
    except Exception as error:  # noqa: BLE001
        return str(error)


@pytest.mark.parametrize("which", [0, 1])  # 0 is the one that the URL names
async def test_one_of_the_cluster_is_away_and_comes_back(
    opened: Opener, ears: Ears, which: int
) -> None:
    cluster = RedisCluster()
    try:
        cluster.start()
        store = await opened(cluster.url)
        saves = [replace(FIRST, table=f"t{i}", match=f"m{i}") for i in range(64)]
        assert all(await asyncio.gather(*map(store.save, saves)))
        cluster.nodes[which].kill()
        answers = await asyncio.gather(
            *(store.load(save.table) for save in saves), return_exceptions=True
        )
        away = [each for each in answers if isinstance(each, StoreError)]
        assert 0 < len(away) < 64
        assert len(away) + sum(not isinstance(each, BaseException) for each in answers) == 64
        cluster.nodes[which].start()
        await asyncio.to_thread(cluster.wait)
        await ears.missed(store)
        for save in saves:
            stored = await store.load(save.table)
            assert stored is not None
    finally:
        cluster.close()


async def test_a_cluster_that_has_moved_is_found_where_the_url_says(
    opened: Opener, ears: Ears
) -> None:
    cluster = RedisCluster()
    try:
        cluster.start()
        async with Line(cluster.nodes[0].port) as line:
            store = await opened(line.url)
            assert await store.save(FIRST)
            for node in cluster.nodes:
                node.stop()
                node.port = free_port()
                node.start()
            line.port = cluster.nodes[0].port
            await asyncio.to_thread(cluster.wait)
            await ears.missed(store)
            stored = await store.load("t1")
            assert stored is not None
            assert store._nodes.at(shard_of("t1").slot).port in {n.port for n in cluster.nodes}
            assert await store.save(following(FIRST, 3))
    finally:
        cluster.close()
