"""What whoever runs the site asks: does it serve, is it ready, and does it end in order."""

from __future__ import annotations

import asyncio
import random
import re
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.ops.deadline import Deadline
from app.ops.ready import Ready
from app.table.commands import Resign
from app.table.table import Outgoing, Table
from tests.app.browsers import Browser, started
from tests.app.houses import Wall, eventually, house
from tests.app.redis_help import Line
from tests.app.robots import Robot
from tests.app.server import Server
from tests.app.tables import match_of
from tests.services.postgres import Postgres
from tests.services.redis import Given, Redis

KEY = "a key for tests alone"


def deployed(data: Path, redis: Redis | Given, database: str, **more: str) -> Server:
    """A process of a deployed site."""
    site = {
        "EZO_REDIS_URL": redis.url,
        "EZO_DATABASE_URL": database,
        "EZO_SECRET_KEY": KEY,
        "EZO_LOG_LEVEL": "warning",
    }
    return Server(data, 0, **(site | more))


def asked(server: Server, path: str = "/readyz") -> tuple[int, Any]:
    answer = httpx.get(server.origin + path, timeout=10)
    return answer.status_code, answer.json()


def serves(server: Server) -> bool:
    return httpx.get(server.origin + "/healthz", timeout=10).text == "ok\n"


async def becomes(server: Server, *wanted: tuple[int, Any]) -> None:
    """Ask until it answers so."""

    async def look() -> bool | None:
        found = await asyncio.to_thread(asked, server)
        return True if found in wanted else None

    await eventually(look)


def test_an_embedded_server_is_ready_from_its_first_answer(server: Server) -> None:
    assert httpx.get(server.origin + "/healthz").text == "ok\n"
    assert asked(server) == (200, {"status": "ready"})
    for path in ("/healthz", "/readyz"):
        head = httpx.head(server.origin + path)
        assert head.status_code == 200
        assert head.headers["cache-control"] == "no-store"


async def test_a_process_is_not_wanted_before_the_schema_is_current_and_then_is(
    tmp_path: Path, empty_redis: Redis, empty_database: str
) -> None:
    with deployed(tmp_path / "a", empty_redis, empty_database) as server:
        assert asked(server) == (503, {"status": "migrations"})
        assert await asyncio.to_thread(serves, server)
        engine = db.deployed(empty_database)
        await db.upgrade(engine)
        await db.close(engine)
        await becomes(server, (200, {"status": "ready"}))
        assert server.log() == ""


async def test_what_goes_away_later_degrades_and_comes_back(
    tmp_path: Path, mortal: Postgres
) -> None:
    database = mortal.create("site")
    engine = db.deployed(database)
    await db.upgrade(engine)
    await db.close(engine)
    redis = Redis().start()
    try:
        with deployed(tmp_path / "a", redis, database) as server:
            await becomes(server, (200, {"status": "ready"}))
            mortal.kill()
            await becomes(server, (200, {"status": "degraded", "away": ["database"]}))
            redis.kill()
            # Two seconds it is said to go on: no balancer turns away for a moment's trouble.
            await becomes(server, (200, {"status": "degraded", "away": ["store", "database"]}))
            await becomes(server, (503, {"status": "store", "away": ["store", "database"]}))
            assert await asyncio.to_thread(serves, server)
            redis.start()
            await becomes(server, (200, {"status": "degraded", "away": ["database"]}))
            mortal.start()
            await becomes(server, (200, {"status": "ready"}))
    finally:
        redis.close()


async def test_a_database_that_was_never_there_is_waited_for(
    tmp_path: Path, empty_redis: Redis, mortal: Postgres
) -> None:
    database = mortal.create("site")
    engine = db.deployed(database)
    await db.upgrade(engine)
    await db.close(engine)
    mortal.kill()
    with deployed(tmp_path / "a", empty_redis, database) as server:
        # Nobody knows what is in it: not degraded, not yet.
        await becomes(server, (503, {"status": "starting", "away": ["database"]}))
        mortal.start()
        await becomes(server, (200, {"status": "ready"}))
        assert server.log().count("the database is away") == 1  # once, however often it is asked


async def test_who_alone_has_lost_redis_is_sent_nobody(
    tmp_path: Path, empty_redis: Redis, database: str
) -> None:
    async with AsyncExitStack() as closing:
        line = await closing.enter_async_context(Line(empty_redis.port))
        alone = deployed(tmp_path / "a", Given(line.url), database)
        other = deployed(tmp_path / "b", empty_redis, database)
        for server in (alone, other):
            await asyncio.to_thread(server.start)
            closing.callback(server.kill)
            await becomes(server, (200, {"status": "ready"}))
        line.away = True
        line.cut()
        await becomes(alone, (503, {"status": "store", "away": ["store"]}))
        assert asked(other) == (200, {"status": "ready"})
        line.away = False
        await becomes(alone, (200, {"status": "ready"}))


async def test_a_store_may_be_away_for_a_moment_and_each_time_anew(lasting: AsyncEngine) -> None:
    there, now = True, 100.0
    ready = Ready(lasting, lambda: there, lambda: now)

    async def state() -> tuple[str, bool]:
        verdict = await ready.verdict()
        assert verdict.away == (() if there else ("store",))
        return verdict.state, verdict.wanted

    assert await state() == ("ready", True)
    for _ in range(2):
        there = False
        assert await state() == ("degraded", True)
        now += 2.0
        assert await state() == ("degraded", True)
        now += 0.1
        assert await state() == ("store", False)
        there = True
        assert await state() == ("ready", True)
    there, ready.stopping = False, True
    assert (await ready.verdict()).state == "stopping"
    await ready.close()


class Counting:
    """How often the database was really asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        self.hangs = asyncio.Event()
        self.hangs.set()
        monkeypatch.setattr(db, "current", self._current)
        monkeypatch.setattr(db, "answers", self._answers)

    async def _current(self, _: AsyncEngine) -> bool:
        return await self._answers(_)

    async def _answers(self, _: AsyncEngine) -> bool:
        self.asked += 1
        await self.hangs.wait()
        return True


async def test_the_database_is_asked_once_a_second_however_many_ask(
    monkeypatch: pytest.MonkeyPatch, lasting: AsyncEngine
) -> None:
    counting = Counting(monkeypatch)
    ready = Ready(lasting, lambda: True)
    verdicts = await asyncio.gather(*(ready.verdict() for _ in range(200)))
    assert {each.state for each in verdicts} == {"ready"}
    assert counting.asked == 1
    await ready.close()


async def test_a_database_that_hangs_makes_no_process_look_dead(
    monkeypatch: pytest.MonkeyPatch, lasting: AsyncEngine
) -> None:
    counting = Counting(monkeypatch)
    ready = Ready(lasting, lambda: True)
    assert (await ready.verdict()).state == "ready"
    counting.hangs.clear()

    async def degraded() -> bool | None:
        verdict = await asyncio.wait_for(ready.verdict(), 1)  # whatever it is, it comes at once
        return True if verdict.away == ("database",) else None

    await eventually(degraded)
    assert counting.asked == 2
    assert (await ready.verdict()).state == "degraded"
    ready.stopping = True
    assert (await ready.verdict()).state == "stopping"
    await ready.close()


# How it ends.


async def test_stopping_is_said_at_once_and_no_socket_is_taken(
    tmp_path: Path, empty_redis: Redis, database: str
) -> None:
    with deployed(tmp_path / "a", empty_redis, database, EZO_DRAIN_MS="1500") as server:
        browser = Browser(server)
        seat = await browser.open(browser.make_table("nardi", "short", points="1"))
        process = server._process
        assert process is not None
        process.send_signal(signal.SIGTERM)
        await becomes(server, (503, {"status": "stopping"}))
        # Those who are there play on while the balancer looks, new ones are sent elsewhere.
        late = await browser.connect(seat.id)
        await late.wait_closed()
        assert (late.close_code, late.close_reason) == (1012, "stopping")
        assert (await seat.ask("leave"))["type"] == "accepted"
        assert (await seat.closed())[0] == 1012
        assert await asyncio.to_thread(server.wait) == -signal.SIGTERM
        assert server.log() == ""
    # Its lease ended with it: nobody has to wait until it is over.
    scores = empty_redis.ask("ZRANGE", "ezo:{site}:processes", 0, -1, "WITHSCORES")
    assert scores[1::2] == ["0"]


async def test_rolled_over_under_play_nothing_is_lost_and_the_end_is_quick(
    tmp_path: Path, empty_redis: Redis, database: str
) -> None:
    """Two processes, stopped and started again in turn, until the match is over."""
    servers = [deployed(tmp_path / n, empty_redis, database, EZO_DRAIN_MS="100") for n in "ab"]
    took: list[float] = []
    loop = asyncio.get_running_loop()
    with servers[0], servers[1]:
        browsers = [Browser(server) for server in servers]
        table = browsers[0].make_table("domino", "georgian", target="75")
        browsers[1].sit(table)
        ups = [asyncio.Event(), asyncio.Event()]
        acted = asyncio.Semaphore(0)
        robots = [
            Robot(browsers[n], table, random.Random(n), ups[n], lambda _: acted.release())
            for n in (0, 1)
        ]
        for up in ups:
            up.set()
        playing = asyncio.gather(*(robot.run() for robot in robots))

        async def roll() -> None:
            for turn in range(4):
                for _ in range(6):
                    await acted.acquire()
                if playing.done():
                    return
                server, up = servers[turn % 2], ups[turn % 2]
                up.clear()
                began = loop.time()
                assert await asyncio.to_thread(server.stop) == -signal.SIGTERM
                took.append(loop.time() - began)
                await asyncio.to_thread(server.start)
                up.set()

        rolling = asyncio.create_task(roll())
        both: set[asyncio.Future[Any]] = {playing, rolling}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            await rolling
        await playing
        for _ in range(100):
            acted.release()
        await rolling
        assert [robot.last["status"] for robot in robots] == ["ended", "ended"]
        assert robots[0].end == robots[1].end
        assert took
        assert max(took) < 8
        # Somebody else served all the time: no clock stood still, nobody was told of an outage.
        assert not [notice for robot in robots for notice in robot.notices]
        assert [server.log() for server in servers] == ["", ""]


async def test_a_store_that_hangs_keeps_no_process_from_ending(
    tmp_path: Path, database: str
) -> None:
    redis = Redis().start()
    try:
        with deployed(tmp_path / "a", redis, database, EZO_DRAIN_MS="0") as server:
            browsers = [Browser(server), Browser(server)]
            await started(browsers, "nardi", "short", points="1")
            redis.suspend()
            assert await asyncio.to_thread(server.stop) == -signal.SIGTERM
        redis.resume()
    finally:
        redis.close()


async def test_an_entry_under_way_is_carried_to_its_end_and_the_next_is_left_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path / "data", Wall()) as site:
        await site.start("nino", "gia", "dato")
        await site.tables.handle("t1", Resign("nino", "c1", match_of(await site.table()).id))
        waiting = [entry.kind for entry in (await site.table()).outbox]
        assert len(waiting) > 1
        begun: list[str] = []
        goes_on = asyncio.Event()
        carry = site.worker._outbox.carry

        async def slow(table: Table, entry: Outgoing) -> None:
            begun.append(entry.kind)
            await goes_on.wait()
            await carry(table, entry)

        monkeypatch.setattr(site.worker._outbox, "carry", slow)
        working = asyncio.create_task(site.worker.work())

        async def under_way() -> bool | None:
            return True if begun else None

        await eventually(under_way)
        site.worker.stop()
        goes_on.set()
        await working
        assert begun == waiting[:1]
        assert [entry.kind for entry in (await site.table()).outbox] == waiting[1:]
        assert not await site.worker._lease()


async def test_closing_takes_so_long_at_most_all_together(caplog: pytest.LogCaptureFixture) -> None:
    deadline = Deadline(0.05)
    never = asyncio.Event()

    async def hangs() -> None:
        await never.wait()

    began = asyncio.get_running_loop().time()
    for _ in range(20):
        await deadline.within(hangs)
    assert asyncio.get_running_loop().time() - began < 0.9
    assert "not all that was under way has ended in time" in caplog.text


# What no request may exceed, from outside.


async def said(server: Server, *pieces: bytes) -> bytes:
    """What bytes are answered with, until the server closes or has no more to say."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        for piece in pieces:
            writer.write(piece)
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def form(server: Server, *more: str) -> bytes:
    lines = (
        "POST /name HTTP/1.1",
        f"Host: {server.host}",
        f"Origin: {server.origin}",
        "Content-Type: application/x-www-form-urlencoded",
        *more,
        "",
        "",
    )
    return "\r\n".join(lines).encode()


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


async def test_a_body_that_is_too_long_is_not_read_to_its_end_in_chunks_neither(
    server: Server,
) -> None:
    head = form(server, "Transfer-Encoding: chunked")
    # It never says that it ends: the answer comes all the same, and the line is closed.
    answer = await said(server, head, *(chunk(b"x" * 1000) for _ in range(9)))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in answer.lower()
    whole = await said(
        server,
        form(server, "Transfer-Encoding: chunked", "Connection: close"),
        chunk(b"name=Nin"),
        chunk(b"o&back=/"),
        b"0\r\n\r\n",
    )
    assert whole.startswith(b"HTTP/1.1 303 ")
    declared = await said(server, form(server, "Content-Length: 1000000"), b"name=" + b"x" * 9000)
    assert declared.startswith(b"HTTP/1.1 413 ")


async def test_headers_are_bounded_and_so_are_those_of_trailers(server: Server) -> None:
    many = [f"X-{n}: {'x' * 1000}" for n in range(300)]
    answer = await said(server, form(server, *many, "Content-Length: 0"))
    assert answer == b"" or re.match(rb"HTTP/1.1 4\d\d ", answer), answer[:100]
    endless = form(server, "Transfer-Encoding: chunked") + chunk(b"name=Nino") + b"0\r\n"
    trailers = b"".join(b"X-%d: %s\r\n" % (n, b"x" * 1000) for n in range(60))
    answer = await said(server, endless, trailers)
    assert not answer.startswith(b"HTTP/1.1 303 ")


async def test_the_schema_of_a_later_release_is_good_enough(
    lasting: AsyncEngine,
) -> None:
    async with db.writing(lasting, db.DatabaseError) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    ready = Ready(lasting, lambda: True)
    assert (await ready.verdict()).state == "ready"
    await ready.close()
