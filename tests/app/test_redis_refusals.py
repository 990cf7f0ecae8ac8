"""What the Redis store refuses and is refused, and that no text tells what is hidden."""

from __future__ import annotations

import asyncio
import logging
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

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


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Of a server on the loopback, with its key, signed by nobody else."""
    path = tmp_path / "server.pem"
    asked = (
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-subj", "/CN=redis", "-addext", "subjectAltName=IP:127.0.0.1"),
    )
    paths = ("-keyout", path, "-out", tmp_path / "cert.pem")
    subprocess.run([*asked, *paths], check=True, capture_output=True)
    path.write_text(path.read_text() + (tmp_path / "cert.pem").read_text())
    return path


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
    "url",
    [
        *("http://host", "redis://", "redis://host:secret", "nonsense", "redis://host/secret"),
        *("unix:///secret", "redis://host?db=secret"),
    ],
)
async def test_a_url_that_is_none_is_refused_in_one_line(url: str) -> None:
    with pytest.raises(StoreError, match=r"^the URL of Redis must be .*$") as error:
        await RedisStore.open(url, "p1")
    assert "secret" not in f"{error.value}{error.value.__context__!r}"


@pytest.mark.parametrize("option", ["ssl_ca_certs=/secret", "ssl_cert_reqs=secret", "ssl_secret=1"])
async def test_options_that_cannot_be_used_are_refused_in_one_line(option: str) -> None:
    with pytest.raises(StoreError, match=r"^the options in the URL .*$") as error:
        await RedisStore.open(f"rediss://host?{option}", "p1")
    assert "secret" not in str(error.value)


async def test_no_option_makes_it_ask_twice(own_redis: Redis, opened: Opener) -> None:
    async with Line(own_redis.port) as line:
        options = "retry_on_timeout=yes&protocol=3&decode_responses=yes&health_check_interval=1"
        store = await opened(f"{line.url}?{options}")
        assert await store.save(FIRST)
        line.loses = True
        with pytest.raises(UnknownError):
            await store.save(following(FIRST, 3))
        stored = await store.load("t1")
        assert stored is not None
        assert stored.version == 2
        assert store._nodes._first.connection_kwargs.keys().isdisjoint(
            {"retry_on_timeout", "decode_responses", "health_check_interval"}
        )


async def test_tls_is_spoken_and_who_cannot_be_trusted_is_not_talked_to(
    own_redis: Redis, opened: Opener, certificate: Path
) -> None:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)
    async with Line(own_redis.port, tls) as line:
        with pytest.raises(StoreError, match="SSLCertVerificationError"):
            await RedisStore.open(line.url, "p1")
        for number, option in enumerate((f"ssl_ca_certs={certificate}", "ssl_cert_reqs=none")):
            store = await opened(f"{line.url}?{option}", f"p{number}")
            assert await store.save(replace(FIRST, table=f"t{number}"))
            await store.watch("t9")
        assert await store.save(replace(FIRST, table="t9"))


@pytest.mark.parametrize(
    "answer",
    ["LOADING hidden", "NOAUTH hidden", "CLUSTERDOWN hidden", "MISCONF hidden", "OOM hidden"],
)
async def test_what_the_client_takes_for_a_fault_of_the_line_may_be_an_answer(
    own_redis: Redis, opened: Opener, answer: str
) -> None:
    async with Line(own_redis.port) as line:
        store = await opened(line.url)
        assert await store.save(FIRST)
        made = line.made
        line.says = f"-{answer}\r\n".encode()
        code = answer.split(maxsplit=1)[0]
        with pytest.raises(StoreError, match=f"^Redis refused: {code}$") as error:
            await store.save(following(FIRST, 3))
        assert not isinstance(error.value, UnknownError)
        assert "hidden" not in repr(error.value.__context__)
        stored = await store.load("t1")
        assert stored is not None
        assert stored.version == 2  # the line said so, not Redis
        assert line.made == made


async def test_answers_are_never_taken_for_those_of_others(
    own_redis: Redis, opened: Opener
) -> None:
    async with Line(own_redis.port) as line:
        store = await opened(line.url)
        assert await store.save(FIRST)
        made = line.made
        line.says = b"HTTP/1.1 400 Bad Request\r\n"
        with pytest.raises(UnknownError):
            await store.save(following(FIRST, 3))
        assert await store.numbers(["t1"]) == {"t1": 3}
        line.says = b":1\r\n:1\r\n"
        assert await store.save(following(replace(FIRST, version=2), 4))
        stored = await store.load("t1")
        assert stored is not None
        assert stored.version == 3
        assert line.made == made + 2


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
