"""What the Redis store refuses and is refused, and that no text tells what is hidden."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from app.live.redis.keys import shard_of
from app.live.redis.store import RedisStore
from app.live.store import StoreError, UnknownError
from app.table.events import Entry, RecordLine
from tests.app.redis_help import Line, Opener
from tests.app.store_contract import FIRST, following
from tests.services.redis import Redis


@pytest.fixture
async def opened() -> AsyncIterator[Opener]:
    async with AsyncExitStack() as closing:

        async def open_(url: str, process: str = "p1") -> RedisStore:
            store = await RedisStore.open(url, process)
            closing.push_async_callback(store.close)
            return store

        yield open_


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("appendonly", "no"), ("appendfsync", "everysec"), ("maxmemory-policy", "allkeys-lru")],
)
async def test_a_server_that_would_not_keep_it_is_refused(
    own_redis: Redis, name: str, wrong: str
) -> None:
    right = own_redis.ask("CONFIG", "GET", name)[1]
    own_redis.ask("CONFIG", "SET", name, wrong)
    with pytest.raises(StoreError, match=f"{name} {right}; it is {wrong}"):
        await RedisStore.open(own_redis.url, "p1")


async def test_where_nobody_may_ask_how_it_is_set_that_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = Redis("--rename-command", "CONFIG", "").start()
    try:
        store = await RedisStore.open(server.url, "p1")
        assert await store.save(FIRST)
        await store.close()
    finally:
        server.close()
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 3
    assert "appendfsync" in caplog.text


async def test_a_password_is_asked_for_and_never_told(caplog: pytest.LogCaptureFixture) -> None:
    server = Redis("--requirepass", "p@ss/word").start()
    try:
        for password in ("wrong", None):
            at = "" if password is None else f":{password}@"
            with pytest.raises(StoreError) as error:
                await RedisStore.open(f"redis://{at}127.0.0.1:{server.port}", "p1")
            assert "wrong" not in repr(error.value)
        for who in ("", "default"):
            store = await RedisStore.open(
                f"redis://{who}:p%40ss%2Fword@127.0.0.1:{server.port}/3", "p1"
            )
            assert await store.save(replace(FIRST, table=f"t{who}"))
            assert "word" not in f"{store!r}{vars(store)!r}{vars(store._nodes)!r}"
            await store.close()
    finally:
        server.close()
    assert "word" not in caplog.text


@pytest.mark.parametrize(
    "url", ["http://host", "redis://", "redis://host:port", "nonsense", "redis://host/name"]
)
async def test_a_url_that_is_none_is_refused_in_one_line(url: str) -> None:
    with pytest.raises(StoreError, match=r"^the URL of Redis must be .*$"):
        await RedisStore.open(url, "p1")


async def test_what_redis_refuses_at_once_has_done_nothing(
    own_redis: Redis, opened: Opener
) -> None:
    store = await opened(own_redis.url)
    assert await store.save(FIRST)
    own_redis.ask("REPLICAOF", "127.0.0.1", own_redis.port)
    with pytest.raises(StoreError, match="READONLY") as error:
        await store.save(following(FIRST, 3))
    assert not isinstance(error.value, UnknownError)
    own_redis.ask("REPLICAOF", "NO", "ONE")
    own_redis.ask("CONFIG", "SET", "maxmemory", 1)
    full = following(FIRST, 3, due=1, seats={"nino": "waiting"})
    with pytest.raises(StoreError, match="OOM") as error:
        await store.save(full)
    assert not isinstance(error.value, UnknownError)
    own_redis.ask("CONFIG", "SET", "maxmemory", 0)
    assert await store.next_due() is None
    assert len(await store.log("t1", 0)) == 2
    assert await store.save(full)


async def test_a_script_that_breaks_off_leaves_it_unknown(own_redis: Redis, opened: Opener) -> None:
    store = await opened(own_redis.url)
    own_redis.ask("SET", shard_of("t1").log("t1"), "no list")
    with pytest.raises(UnknownError, match="WRONGTYPE, line"):
        await store.save(FIRST)


async def test_what_redis_repeats_is_not_repeated() -> None:
    # An unknown command is quoted with its arguments.
    server = Redis("--rename-command", "EVALSHA", "").start()
    try:
        store = await RedisStore.open(server.url, "p1")
        with pytest.raises(UnknownError) as error:
            await store.save(replace(FIRST, table="hidden"))
        assert "hidden" not in repr(error.value)
        assert "refused: ERR" in str(error.value)
        await store.close()
    finally:
        server.close()


async def test_what_is_hidden_is_in_no_text(
    own_redis: Redis, opened: Opener, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "3-5-hidden"
    save = replace(
        FIRST,
        state={"bazaar": [secret]},
        entries=(Entry(1, {"tiles": [secret]}, frozenset({0})),),
        lines=(RecordLine({"tiles": [secret]}),),
        frames={0: secret},
    )
    texts = [repr(save)]
    async with Line(own_redis.port) as line:
        store, other = await opened(line.url), await opened(own_redis.url, "p2")
        await other.watch("t1")

        stumbled = asyncio.Event()

        def stumble(_: object) -> None:
            stumbled.set()
            raise ValueError(secret)

        other.told = stumble
        assert await store.save(replace(save, table="t0"))  # so that the script is known
        line.loses = True
        with pytest.raises(UnknownError) as lost:
            await store.save(save)
        own_redis.ask("SET", shard_of("t2").log("t2"), secret)
        with pytest.raises(UnknownError) as broken:
            await store.save(replace(save, table="t2"))
        stored = await store.load("t1")
        assert stored is not None
        assert stored.state == save.state
        await store.unwatch("t1")
        async with asyncio.timeout(60):
            await stumbled.wait()
        assert "not understood" in caplog.text
        texts += [repr(each) for each in (lost.value, broken.value, stored, store, store._nodes)]
        for error in (lost.value, broken.value):
            assert error.__cause__ is None
            assert secret not in repr(error.__context__)
    assert secret not in "".join(texts)
    assert secret not in caplog.text
