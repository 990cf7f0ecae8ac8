"""A killed server loses nothing that it acknowledged, and play goes on to the end."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.live.sqlite import SqliteStore
from engine.record import read
from engine.replay import Replay
from engine.verify import verify
from tests.app.browsers import Browser, Line, started
from tests.app.houses import eventually
from tests.app.robots import Robot
from tests.app.server import Server

KILLS = int(os.environ.get("EZO_KILLS", "5"))
"""How often the server is killed during a match."""

GAMES = pytest.mark.parametrize(
    ("game", "rules", "options"),
    [("domino", "georgian", {"target": "75"}), ("nardi", "short", {"points": "1"})],
)


@GAMES
async def test_killed_at_random_points_under_play_nothing_acknowledged_is_lost(
    game: str, rules: str, options: dict[str, str], tmp_path: Path
) -> None:
    # A restarted server left both players waiting: both resync and play goes on.
    rng = random.Random(7)
    with Server(tmp_path / "data") as server:
        browsers = [Browser(server), Browser(server)]
        table = browsers[0].make_table(game, rules, **options)
        browsers[1].sit(table)
        up, acted = asyncio.Event(), asyncio.Semaphore(0)
        up.set()

        def count(_: dict[str, Any]) -> None:
            acted.release()

        robots = [
            Robot(browser, table, random.Random(seat), up, count)
            for seat, browser in enumerate(browsers)
        ]
        playing = asyncio.gather(*(robot.run() for robot in robots))

        async def kill_now_and_then() -> None:
            for kill in range(KILLS):
                # The first ones fall into the handshake.
                for _ in range(rng.randrange(1, 3) if kill < 2 else rng.randrange(4, 12)):
                    await acted.acquire()
                await asyncio.sleep(rng.random() * 0.01)
                if playing.done():
                    return
                await restart(server, up)

        killing = asyncio.create_task(kill_now_and_then())
        both: set[asyncio.Future[Any]] = {playing, killing}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            await killing
        await playing
        for _ in range(100):  # a killer who still waits for moves has come too late
            acted.release()
        await killing
        # Once more, before what came of it may have been carried out.
        await restart(server, up)
        assert [robot.last["status"] for robot in robots] == ["ended", "ended"]
        assert robots[0].end == robots[1].end
        assert robots[0].end["reason"] == "points"
        assert all(robot.lines > KILLS // 2 for robot in robots)
        assert any(robot.notices for robot in robots)
        match, last = robots[0].last["match"], robots[0].number
        record = await eventually(lambda: downloaded(browsers[0], match))
        check(record, robots[0].last)
        assert server.stop() == -signal.SIGTERM
        assert server.log() == ""
    await the_log_is_whole(tmp_path, table, last, robots)


async def restart(server: Server, up: asyncio.Event) -> None:
    up.clear()
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    up.set()


async def downloaded(browser: Browser, match: str) -> Any | None:
    answer: httpx.Response = await asyncio.to_thread(browser.get, f"/m/{match}/record.json")
    return answer.json() if answer.status_code == 200 else None


def check(document: Any, table: dict[str, Any]) -> None:
    """The record replays to the same end, and every shuffle and roll is as committed."""
    record = read(document)
    replay = Replay(record)
    rows = list(replay)
    assert not replay.refused, rows[-1]
    assert [rows[-1]["winner"]] == table["ended"]["winners"]
    assert rows[-1]["score"] == table["ended"]["score"]
    assert list(verify(record))[-1] == {"match": table["match"], "verified": True}
    assert document["fairness"]["commitment"] == table["fairness"]["commitment"]
    assert document["fairness"]["numbers"] == table["fairness"]["numbers"]


async def the_log_is_whole(folder: Path, table: str, last: int, robots: list[Robot]) -> None:
    store = SqliteStore(folder / "data" / "tables.db")
    try:
        log = await store.log(table, 0)
    finally:
        await store.close()
    assert [entry.number for entry in log][:last] == list(range(1, last + 1))
    # Each acknowledged command led to just the events that it was answered with, once.
    names = [entry.event["event"] for entry in log]
    for robot in robots:
        sent = [command["type"] for command, _ in robot.accepted.values()]
        assert sent.count("hash") <= 1
        assert sent.count("reveal") <= 1
    assert names.count("hashed") == names.count("revealed") == 2
    assert names.count("match_started") == names.count("ended") == 1


async def test_a_server_killed_for_a_moment_charges_nobody_and_says_so_t9(
    tmp_path: Path,
) -> None:
    with Server(tmp_path / "data") as server:
        browsers = [Browser(server), Browser(server)]
        seats = await started(browsers, "nardi", "short", points="1")
        before = seats[0].table
        mover = next(seat for seat in (0, 1) if before["clocks"][seat]["since"] is not None)
        up = asyncio.Event()
        await restart(server, up)
        for seat in seats:
            assert await seat.closed() == (None, "")
        back = await browsers[mover].open(seats[0].id, seen=seats[0].number)
        (snapshot,) = [frame for frame in back.frames if frame["type"] == "snapshot"]
        assert snapshot["notice"]["outage_ms"] > 0
        assert snapshot["notice"]["ended_at"] == back.table["now"]
        assert 0 < snapshot["notice"]["frozen_ms"] <= 10_000
        for name in ("reserve_ms", "since", "until"):
            assert back.table["clocks"][mover][name] == before["clocks"][mover][name]
        # It stands still for ten seconds: whatever happens now happens at the same time.
        await back.table_is(lambda table: table["seats"][mover]["present"])
        assert back.table["now"] == snapshot["table"]["now"]
        assert back.table["seats"][1 - mover]["present"] is False
        assert back.table["clocks"][mover]["absence_until"] is None


async def test_a_server_that_stops_says_come_back(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        browser = Browser(server)
        seat = await browser.open(browser.make_table("domino", "georgian", target="75"))
        await seat.table_is(lambda table: table["seats"][0]["present"])
        visitor = Line(await browser.socket("/ws/lobby"))
        await visitor.hear()
        assert await asyncio.to_thread(server.stop) == -signal.SIGTERM
        assert (await seat.closed())[0] == 1012
        assert (await visitor.closed())[0] == 1012
        # It knew that the connection ends: nothing is left to be found out.
        await asyncio.to_thread(server.start)
        again = await browser.open(seat.id)
        await again.table_is(lambda table: table["seats"][0]["present"])
        events = [e for f in again.frames if f["type"] == "change" for e in f["events"]]
        assert [e["event"] for e in events] == ["present"]
        assert again.number == seat.number + 2
        assert server.log() == ""
