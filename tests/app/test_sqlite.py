"""The SQLite store: the contract, groups, and what a restart finds."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from app.live.sitetime import Outage
from app.live.sqlite import SqliteStore
from app.live.store import StoreError
from tests.app.seeking_contract import SeekingContract
from tests.app.store_contract import ENTRIES, FIRST, Later, Peer, StoreContract, following


class Wall:
    """The store's own clock."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
async def store(tmp_path: Path, wall: Wall) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "tables.db", wall, "p1")
    yield opened
    await opened.close()


@pytest.fixture
async def peer(store: SqliteStore, tmp_path: Path, wall: Wall) -> AsyncIterator[Peer]:
    # Another name on the same data; the locks on players are one server's.
    async with AsyncExitStack() as closing:

        async def another(process: str) -> SqliteStore:
            opened = SqliteStore(tmp_path / "tables.db", wall, process, guest=True)
            opened._players = store._players
            closing.push_async_callback(opened.close)
            return opened

        yield another


@pytest.fixture
def later(wall: Wall) -> Later:
    async def pass_(ms: int) -> None:
        wall.ms += ms

    return pass_


class TestSqlite(StoreContract, SeekingContract):
    """All of the contract."""


async def test_what_was_saved_is_there_after_opening_again(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "tables.db")
    assert await first.save(FIRST)
    await first.close()
    second = SqliteStore(tmp_path / "tables.db")
    stored = await second.load("t1")
    assert stored is not None
    assert stored.state == FIRST.state
    assert await second.log("t1", 0) == ENTRIES
    assert await second.save(following(FIRST, 3))
    await second.close()


async def test_opening_finds_every_process_dead_at_once(tmp_path: Path) -> None:
    # The folder is one process's alone: who opens it knows that all others are gone.
    first = SqliteStore(tmp_path / "tables.db", process="p1")
    await first.beat()
    assert await first.save(replace(FIRST, processes=frozenset({"p1"})))
    assert await first.lapsed() == {}
    second = SqliteStore(tmp_path / "tables.db", process="p2")
    assert await second.lapsed() == {"p1": frozenset({"t1"})}
    await second.close()
    await first.close()


async def test_who_looks_in_on_a_running_server_takes_nobody_for_dead(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "tables.db", process="p1")
    await first.beat()
    assert await first.save(replace(FIRST, processes=frozenset({"p1"})))
    operator = SqliteStore(tmp_path / "tables.db", process="operator", guest=True)
    assert await operator.lapsed() == {}
    assert await operator.save(following(FIRST, 3, processes=frozenset({"p1"})))
    assert await first.numbers(["t1"]) == {"t1": 3}
    await operator.close()
    await first.close()


async def test_the_tables_of_the_schema_before_are_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    store = SqliteStore(path)
    assert await store.save(FIRST)
    await store.close()
    db = sqlite3.connect(path)
    db.executescript(
        "DROP TABLE site_time; PRAGMA user_version = 2;"
        "CREATE TABLE beat (one INTEGER PRIMARY KEY CHECK (one = 1),"
        " site INTEGER NOT NULL, wall INTEGER NOT NULL);"
        "INSERT INTO beat VALUES (1, 4000, 900000);"
    )
    db.close()
    again = SqliteStore(path, lambda: 1_000_000)
    assert await again.load("t1") is not None
    beat = await again.beat(alone=True)
    assert (beat.site, beat.outage) == (4_000, Outage(100_000, 4_000))
    await again.close()


async def test_saves_that_meet_share_a_commit_and_none_is_answered_before_it(
    store: SqliteStore, tmp_path: Path
) -> None:
    other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before = store.commits
    saves = [
        asyncio.ensure_future(store.save(replace(FIRST, table=f"t{i}", match=f"m{i}")))
        for i in range(20)
    ]
    done, _ = await asyncio.wait(saves, timeout=0.2)
    assert not done
    other.execute("COMMIT")
    other.close()
    assert await asyncio.gather(*saves) == [True] * 20
    # The first may have set out alone; all that waited behind it went together.
    assert store.commits - before <= 2


async def test_a_save_that_fails_takes_no_other_with_it(store: SqliteStore) -> None:
    assert await store.save(FIRST)
    broken = following(FIRST, 2)  # the log has a 2 already
    good = [replace(FIRST, table=f"t{i}", match=f"m{i}") for i in (2, 3)]
    answers = await asyncio.gather(
        store.save(good[0]), store.save(broken), store.save(good[1]), return_exceptions=True
    )
    assert answers[0] is True
    assert answers[2] is True
    assert isinstance(answers[1], StoreError)
    stored = await store.load("t1")
    assert stored is not None
    assert stored.version == 1
    assert await store.save(following(FIRST, 3))


async def test_a_fault_in_one_write_does_not_end_the_writer(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="OverflowError"):
        await store.save(replace(FIRST, due=1 << 70))
    assert await store.load("t1") is None
    assert await store.save(FIRST)


async def test_commits_are_on_the_disk_before_they_are_answered(store: SqliteStore) -> None:
    pragmas = {
        name: store._db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous")
    }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2}


async def test_a_database_of_another_schema_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="schema 99"):
        SqliteStore(path)


async def test_what_is_no_database_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    path.write_text("no database at all, but long enough to be taken for one" * 20)
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(path)


async def test_a_closed_store_takes_nothing_more(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tables.db")
    last = asyncio.ensure_future(store.save(FIRST))
    await asyncio.sleep(0)  # let it be asked for
    await store.close()
    assert await last
    with pytest.raises(StoreError, match="closed"):
        await store.save(following(FIRST, 3))
    with pytest.raises(StoreError, match="closed"):
        await store.load("t1")
