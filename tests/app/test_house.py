"""What a whole house does by itself, and that one that cannot want players yet lets no time pass
for the tables (T9)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import SecretStr

from app import days
from app.history import fairness
from app.house import open_site
from app.live.folder import DataFolder
from app.live.pulse import Pulse
from app.live.worker import Worker
from app.settings import Settings
from tests.app.houses import START, eventually
from tests.history.kept import finished
from tests.services.redis import Given, Redis, free_port


def without_postgres(redis: Redis | Given) -> Settings:
    """A site whose Redis is up and whose Postgres is slow to come."""
    return Settings(
        redis_url=SecretStr(redis.url),
        database_url=SecretStr(f"postgresql://ezo@127.0.0.1:{free_port()}/ezo"),
        secret_key=SecretStr("k" * 16),
    )


async def test_while_everybody_is_turned_away_nothing_beats_and_no_clock_runs_t9(
    empty_redis: Redis | Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Redis is up and Postgres is slow to come: the players cannot come back, so nobody pays.
    begun = {part: asyncio.Event() for part in (Pulse, Worker)}
    for part, event in begun.items():

        async def run(_: object, begins: asyncio.Event = event) -> None:
            begins.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(part, "run", run)
    async with open_site(without_postgres(empty_redis), None) as site:
        for _ in range(3):
            assert not (await site.watch.ready.verdict()).wanted
        assert [event.is_set() for event in begun.values()] == [False, False]
        site.watch.ready._migrated = True  # as if the schema had been seen
        async with asyncio.timeout(30):
            for event in begun.values():
                await event.wait()


async def test_a_part_that_missed_its_end_is_told_again(
    empty_redis: Redis | Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, missed = asyncio.Event(), asyncio.Event()

    async def run(_: object) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:  # as a wait does that ends in the same moment
            missed.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Worker, "run", run)
    async with asyncio.timeout(30):
        async with open_site(without_postgres(empty_redis), None) as site:
            site.watch.ready._migrated = True
            await begun.wait()
    assert missed.is_set()


async def test_the_report_on_chance_is_there_soon_after_the_first_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness, "EVERY_S", 0.01)
    folder = DataFolder(tmp_path / "data")
    now = START
    async with open_site(Settings(), folder, lambda: now) as site:
        assert await site.fairness.latest() is None
        await site.history.keep(finished("m1"))
        report = await eventually(site.fairness.latest)
        assert (report.day, report.matches) == (days.day(now), 1)
        # The boards go by the same clock.
        board = await site.boards.board("week", "pebbles", "plain")
        assert board.rows == ()
    folder.close()
