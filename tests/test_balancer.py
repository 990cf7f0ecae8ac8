"""The real balancer with the real configuration, where it is installed: nothing is played through
a mock of it, and where it is not there is nothing to try."""

from __future__ import annotations

import asyncio
import random
import signal
from pathlib import Path
from typing import Any

import httpx

from tests.app.browsers import level, move, started
from tests.app.houses import eventually
from tests.app.robots import Robot
from tests.app.test_restart import check
from tests.balanced import HAPROXY, OPENSSL, Process, balanced
from tests.services.redis import Redis

THERE = HAPROXY is not None and OPENSSL is not None
AT_TABLES = 'ezo_connections{place="table"}'


async def connections(processes: list[Process]) -> list[float]:
    return [await asyncio.to_thread(each.figure, AT_TABLES) for each in processes]


async def test_both_players_of_a_table_meet_in_one_process_and_tables_spread(
    tmp_path: Path, empty_redis: Redis, database: str
) -> None:
    if not THERE:
        return
    async with balanced(tmp_path, empty_redis.url, database) as site:

        async def both() -> bool | None:
            """Whether the balancer has found both processes: either answers in turn."""
            before = await asyncio.to_thread(requests, site.processes)
            for _ in range(12):
                await asyncio.to_thread(site.get, "/")
            after = await asyncio.to_thread(requests, site.processes)
            grown = [b - a for a, b in zip(before, after, strict=True)]
            return True if min(grown) > 0 else None

        await eventually(both)
        met: set[int] = set()
        for _ in range(12):
            players = [site.guest(), site.guest()]
            seats = await started(players, "nardi", "short", points="1")
            there = await connections(site.processes)
            assert sorted(there) == [0, 2]
            met.add(there.index(2))
            for _ in range(2):
                await move(seats, random.Random(1))
            await level(seats)
            for seat in seats:
                await seat.close()
            for player in players:
                player.http.close()

            async def gone() -> bool | None:
                return True if await connections(site.processes) == [0, 0] else None

            await eventually(gone)
            if len(met) == 2:
                break
        assert met == {0, 1}

        # What only the operator may ask is asked from inside, and the balancer says how it is.
        for path in ("/metrics", "/readyz"):
            assert (await asyncio.to_thread(site.get, path)).status_code == 404
        answer = await asyncio.to_thread(
            site.get, "/", **{"x-forwarded-proto": "http", "x-forwarded-for": "192.0.2.1"}
        )
        assert answer.headers["strict-transport-security"]
        guest = site.guest()
        named = await asyncio.to_thread(guest.post, "/name", {"name": "ნინო"})
        assert "Secure" in named.headers["set-cookie"]


def requests(processes: list[Process]) -> list[float]:
    return [each.figure('ezo_requests_total{status="2xx"}') for each in processes]


async def test_a_process_that_is_killed_or_stopped_ends_no_match(
    tmp_path: Path, empty_redis: Redis, database: str
) -> None:
    if not THERE:
        return
    async with balanced(tmp_path, empty_redis.url, database) as site:
        players = [site.guest(), site.guest()]
        table = players[0].make_table("domino", "georgian", target="75")
        players[1].sit(table)
        up, acted = asyncio.Event(), asyncio.Semaphore(0)
        up.set()
        robots = [
            Robot(player, table, random.Random(n), up, lambda _: acted.release())
            for n, player in enumerate(players)
        ]
        playing = asyncio.gather(*(robot.run() for robot in robots))

        async def end(number: signal.Signals) -> None:
            for _ in range(8):
                await acted.acquire()
            there = await connections(site.processes)
            serving = site.processes[there.index(max(there))]
            await asyncio.to_thread(serving.end, number)
            for _ in range(8):  # play goes on at the other one
                await acted.acquire()
            await serving.start()

        async def ending() -> None:
            await end(signal.SIGKILL)
            await end(signal.SIGTERM)

        both = asyncio.create_task(ending())
        tasks: set[asyncio.Future[Any]] = {playing, both}
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            await both
        await playing
        for _ in range(100):
            acted.release()
        await both
        assert [robot.last["status"] for robot in robots] == ["ended", "ended"]
        assert robots[0].end == robots[1].end
        assert max(robot.lines for robot in robots) > 1

        async def kept() -> httpx.Response | None:
            path = f"/m/{robots[0].last['match']}/record.json"
            answer = await asyncio.to_thread(site.get, path)
            return answer if answer.status_code == 200 else None

        check((await eventually(kept)).json(), robots[0].last)
