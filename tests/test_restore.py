"""A copy of both grounds taken under play, and a site that goes on from it: as
docs/operations.md says, with the tools that it names, where they are installed."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hiredis

from app import db
from tests.app.browsers import Browser, Seat, level, move
from tests.app.houses import eventually
from tests.app.server import PATIENCE
from tests.app.test_coins_served import become, begun, newcomer, operated
from tests.app.test_health import deployed
from tests.services.postgres import Postgres
from tests.services.redis import Redis, ask, binary, free_port

CLI = shutil.which("redis-cli")
DUMP = shutil.which("pg_dump")
RESTORE = shutil.which("pg_restore")


def tool(*command: str | Path | None) -> None:
    assert command[0] is not None
    subprocess.run(
        [each for each in command if each is not None],
        check=True, capture_output=True, timeout=PATIENCE * 2,
    )  # fmt: skip


def copied(redis: Redis, database: str, folder: Path) -> None:
    """Redis first: whatever it has told Postgres by then is in the later copy of that."""
    tool(CLI, "-p", str(redis.port), "--rdb", folder / "dump.rdb")
    tool(DUMP, "--format=custom", "--file", folder / "ezo.dump", database)


@contextmanager
def restored(folder: Path) -> Iterator[str]:
    """A Redis that has the copy, with everything on its disk. Gives its address."""
    port, kept = free_port(), folder / "redis"
    kept.mkdir()
    shutil.copy(folder / "dump.rdb", kept / "dump.rdb")
    basic = [binary(), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(kept)]
    # Told to keep an append-only file it would begin with an empty one, and not read the copy.
    first = subprocess.Popen([*basic, "--appendonly", "no"], stdout=subprocess.DEVNULL)
    _answers(port)
    ask("127.0.0.1", port, "CONFIG", "SET", "appendonly", "yes")
    end = time.monotonic() + PATIENCE
    while "aof_rewrite_in_progress:1" in (info := ask("127.0.0.1", port, "INFO", "persistence")):
        assert time.monotonic() < end
        time.sleep(0.02)
    assert "aof_last_bgrewrite_status:ok" in info
    ask_shutdown(port)
    first.wait(PATIENCE)
    lasting = ["--appendonly", "yes", "--appendfsync", "always"]
    second = subprocess.Popen(
        [*basic, *lasting, "--maxmemory-policy", "noeviction"], stdout=subprocess.DEVNULL
    )
    try:
        _answers(port)
        yield f"redis://127.0.0.1:{port}"
    finally:
        second.kill()
        second.wait()


def ask_shutdown(port: int) -> None:
    try:
        ask("127.0.0.1", port, "SHUTDOWN")
    except ConnectionResetError:
        return


def _answers(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if ask("127.0.0.1", port, "PING") == "PONG":
                return
        except (OSError, hiredis.ReplyError):  # it is not there yet, or reads its data
            time.sleep(0.02)
    raise AssertionError("Redis does not answer")


async def back(browsers: list[Browser], table: str) -> list[Seat]:
    """The same players at the same table again, as after a reload."""
    return [await browser.open(table) for browser in browsers]


async def test_a_site_goes_on_from_copies_of_both_grounds_taken_under_play(
    tmp_path: Path, mortal: Postgres
) -> None:
    if None in (CLI, DUMP, RESTORE):
        return
    database = mortal.create("ezo")
    engine = db.deployed(database)
    await db.upgrade(engine)
    await db.close(engine)
    rng = random.Random(4)
    copies = tmp_path / "copies"
    await asyncio.to_thread(copies.mkdir)
    redis = Redis().start()
    try:
        with deployed(tmp_path / "a", redis, database) as site:
            pairs = [
                [await newcomer(site, name, 1000) for name in names]
                for names in (("ნინო", "გია"), ("დათო", "ლალი"))
            ]
            ended = await begun(pairs[0])
            await ended[1].accepted("resign")
            await become(pairs[0], 1100, 900)
            running = await begun(pairs[1], target="355")
            for _ in range(4):
                await move(running, rng)
            await level(running)

            # Copies, while they play on.
            before = running[0].table["ply"]
            copying = asyncio.create_task(asyncio.to_thread(copied, redis, database, copies))
            for _ in range(12):
                await move(running, rng)
                await level(running)
            await copying
            await running[0].accepted("resign")
            table = running[0].id
            assert await asyncio.to_thread(site.stop) < 0
    finally:
        redis.close()

    fresh = mortal.create("restored")
    await asyncio.to_thread(
        tool, RESTORE, "--exit-on-error", "--no-owner", "--dbname", fresh, copies / "ezo.dump"
    )
    with restored(copies) as url:
        again = Again(url)
        with deployed(tmp_path / "b", again, fresh) as site:  # type: ignore[arg-type]
            for browser in (*pairs[0], *pairs[1]):
                browser.server = site
            # What had ended before the copies stands; what ran goes on from the copy's moment.
            await become(pairs[0], 1100, 900)
            await become(pairs[1], 900, 900)
            seats = await back(pairs[1], table)
            assert seats[0].table["status"] == "running"
            assert seats[0].table["ply"] >= before
            (notice,) = [f["notice"] for f in seats[0].frames if f["type"] == "snapshot"]
            assert notice["outage_ms"] > 0
            for _ in range(3):
                await move(seats, rng)
            await level(seats)
            await seats[1].accepted("resign")
            await become(pairs[1], 1100, 900)

            async def whole() -> bool | None:
                return True if "ok=true" in await operated(site, "ledger", "check") else None

            await eventually(whole)


class Again:
    """A Redis that is there already."""

    def __init__(self, url: str) -> None:
        self.url = url
