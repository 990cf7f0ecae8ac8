"""Live tables in SQLite, for one server: one writer thread that commits in groups."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from app.live import statements
from app.live.locks import Locks
from app.live.sitetime import Beat, wall_ms
from app.live.sqlite_seeking import SqliteSeeking
from app.live.store import FAILURES, Save, SeatState, Store, Stored, StoreError, Told
from app.table.events import Entry, RecordLine
from engine.game import Json

T = TypeVar("T")

GROUP = 64
"""At most so many writes share one commit, so that the first does not wait for long."""

_decode = msgspec.json.decode


def _open(path: Path) -> sqlite3.Connection:
    # Every connection is used by one thread only: the writer's, or the reader's.
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA busy_timeout = 5000")
    return db


def prepare(path: Path) -> None:
    """Make the file what this release reads. Raises :class:`StoreError`, in one line, if it is of
    another schema, no database, or cannot be opened."""
    wanted = statements.SCHEMA
    try:
        with closing(_open(path)) as db:
            (schema,) = db.execute("PRAGMA user_version").fetchone()
            if schema not in {0, wanted, *statements.UPGRADES}:
                raise StoreError(f"{path} is of schema {schema}; this release reads {wanted}")
            upgrade = statements.UPGRADES.get(schema, "")
            db.executescript(
                f"BEGIN IMMEDIATE; {statements.TABLES} {upgrade}"
                f" PRAGMA user_version = {wanted}; COMMIT;"
            )
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened: {error}") from None


class _Job:
    """A write on its way, and where its answer goes."""

    __slots__ = ("answer", "done", "work")

    def __init__(
        self, work: Callable[[sqlite3.Connection], Any], done: asyncio.Future[Any]
    ) -> None:
        self.work = work
        self.done = done
        self.answer: Any = None


class SqliteStore:
    """The store of an embedded server, in the file ``path``. Made and closed on one event loop.

    ``wall`` reads a clock in milliseconds: the store's own time. ``guest``: the server may be
    running, and this is somebody else who looks in, an operator; who does not say so knows that
    all other processes are gone. Nobody is told of others' saves as they happen: whoever watches
    finds them by :meth:`numbers`. Raises :class:`StoreError` like :func:`prepare`.
    """

    def __init__(
        self,
        path: Path,
        wall: Callable[[], int] = wall_ms,
        process: str = "embedded",
        *,
        guest: bool = False,
    ) -> None:
        self.process = process
        self.told: Callable[[Told], None] = lambda _: None
        self.missed: Callable[[], None] = lambda: None
        self._loop = asyncio.get_running_loop()
        self._wall = wall
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self.commits = 0
        """So many commits were made: fewer than writes when writes met."""
        prepare(path)
        try:
            self._db = _open(path)
            if not guest:
                self._db.execute("DELETE FROM processes")
                self._db.execute("DELETE FROM seekers")
            self._read_db = _open(path)
        except sqlite3.Error as error:
            raise StoreError(f"{path} cannot be used: {error}") from None
        self._players = Locks()
        self._seeking = SqliteSeeking(self._job, self._rows, wall)
        self._beaten = False
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="tables-read")
        self._writer = threading.Thread(target=self._write, name="tables-write", daemon=True)
        self._writer.start()

    async def load(self, table: str) -> Stored | None:
        row = await self._row("SELECT version, state FROM tables WHERE id = ?", table)
        return None if row is None else Stored(row[0], _decode(row[1]))

    async def save(self, save: Save) -> bool:
        # Encoded here, so that nothing but SQL can fail in the writer's thread.
        return await self._job(statements.saving(save))

    async def log(self, table: str, after: int) -> tuple[Entry, ...]:
        rows = await self._rows(
            "SELECT number, event, audience FROM log WHERE table_id = ? AND number > ?"
            " ORDER BY number",
            table,
            after,
        )
        return tuple(
            Entry(number, _decode(event), None if who is None else frozenset(_decode(who)))
            for number, event, who in rows
        )

    async def record(self, table: str, match: str) -> tuple[RecordLine, ...]:
        rows = await self._rows(
            "SELECT line, ms, auto FROM lines WHERE match_id = ? AND table_id = ? ORDER BY n",
            match,
            table,
        )
        return tuple(RecordLine(_decode(line), ms, bool(auto)) for line, ms, auto in rows)

    async def listed(self, limit: int) -> tuple[Json, ...]:
        rows = await self._rows(
            "SELECT listing FROM tables WHERE listing IS NOT NULL"
            " ORDER BY waiting DESC, made_at DESC, id LIMIT ?",
            limit,
        )
        return tuple(_decode(listing) for (listing,) in rows)

    async def seats_of(self, player: str) -> Mapping[str, SeatState]:
        rows = await self._rows(
            "SELECT table_id, state FROM seats WHERE player = ? ORDER BY table_id", player
        )
        return dict(rows)

    async def lease_due(self, now: int, limit: int) -> tuple[str, ...]:
        leased: tuple[str, ...] = await self._job(lambda db: statements.lease_due(db, now, limit))
        return leased

    async def next_due(self) -> int | None:
        due: int | None = (await self._row("SELECT MIN(due) FROM tables"))[0]
        return due

    async def stuck(self) -> Mapping[str, int]:
        rows = await self._rows(
            "SELECT id, leases - 1 FROM tables WHERE leases > ? ORDER BY id", FAILURES
        )
        return dict(rows)

    async def armed(self, limit: int) -> tuple[str, ...]:
        rows = await self._rows(
            "SELECT id FROM tables WHERE due IS NOT NULL ORDER BY due, id LIMIT ?", limit
        )
        return tuple(id_ for (id_,) in rows)

    async def watch(self, table: str) -> None:
        """Nobody is told here."""

    async def unwatch(self, table: str) -> None:
        """Nobody is told here."""

    async def numbers(self, tables: Collection[str]) -> Mapping[str, int]:
        rows = await self._rows(
            "SELECT id, (SELECT MAX(number) FROM log WHERE table_id = id) FROM tables"
            " WHERE id IN (SELECT value FROM json_each(?))",
            msgspec.json.encode(list(tables)).decode(),
        )
        return {table: number or 0 for table, number in rows}

    @asynccontextmanager
    async def hold(self, players: Collection[str]) -> AsyncIterator[None]:
        async with AsyncExitStack() as held:
            for player in sorted(set(players)):
                await held.enter_async_context(self._players[player])
            yield

    @property
    def seeking(self) -> SqliteSeeking:
        return self._seeking

    async def beat(self, *, alone: bool = False) -> Beat:
        again = self._beaten
        found: Beat = await self._job(
            lambda db: statements.beat(db, self.process, self._wall(), alone=alone, again=again)
        )
        self._beaten = True
        return found

    async def lapsed(self) -> Mapping[str, frozenset[str]]:
        rows = await self._rows(statements.LAPSED, self._wall())
        found: dict[str, set[str]] = {}
        for process, table in rows:
            tables = found.setdefault(process, set())
            if table is not None:
                tables.add(table)
        return {process: frozenset(tables) for process, tables in found.items()}

    async def forget(self, process: str) -> None:
        await self._job(lambda db: db.execute("DELETE FROM processes WHERE id = ?", (process,)))

    async def close(self) -> None:
        if self._closed:
            return
        await self._job(
            lambda db: db.execute("UPDATE processes SET until = 0 WHERE id = ?", (self.process,))
        )
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown()
        self._read_db.close()
        self._db.close()

    async def _job(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise StoreError("the store is closed")
        job = _Job(work, self._loop.create_future())
        self._jobs.put(job)
        answer: T = await job.done
        return answer

    async def _rows(self, sql: str, *values: Any) -> list[Any]:
        return await self._read(lambda: self._read_db.execute(sql, values).fetchall())

    async def _row(self, sql: str, *values: Any) -> Any:
        return await self._read(lambda: self._read_db.execute(sql, values).fetchone())

    async def _read(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise StoreError("the store is closed")
        try:
            return await self._loop.run_in_executor(self._readers, work)
        except sqlite3.Error as error:
            raise StoreError(f"the tables cannot be read: {type(error).__name__}") from None

    # The writer's thread from here on.

    def _write(self) -> None:
        going = True
        while going:
            jobs = [self._jobs.get()]
            while len(jobs) < GROUP and jobs[-1] is not None:
                try:
                    jobs.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            going = jobs[-1] is not None
            group = [job for job in jobs if job is not None]
            if group:
                self._commit(group)
                self._loop.call_soon_threadsafe(_answer, group)

    def _commit(self, group: list[_Job]) -> None:
        """All of the group in one transaction; no job is answered before it is on the disk."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for job in group:
                self._db.execute("SAVEPOINT one")
                try:
                    job.answer = job.work(self._db)
                except Exception as error:  # noqa: BLE001 - the thread must outlive every job
                    self._db.execute("ROLLBACK TO one")
                    job.answer = StoreError(f"a table was not saved: {type(error).__name__}")
                self._db.execute("RELEASE one")
            self._db.execute("COMMIT")
            self.commits += 1
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            for job in group:
                job.answer = StoreError(f"tables were not saved: {type(error).__name__}")


def _answer(group: list[_Job]) -> None:
    for job in group:
        if job.done.done():
            continue
        if isinstance(job.answer, StoreError):
            job.done.set_exception(job.answer)
        else:
            job.done.set_result(job.answer)


_store: type[Store] = SqliteStore
