"""Live tables in SQLite, for one process: one writer thread that commits in groups."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from app.live.store import Save, Store, Stored, StoreError
from app.table.events import Entry
from engine.game import Json, Line

T = TypeVar("T")

SCHEMA = 1
GROUP = 64
"""At most so many saves share one commit, so that the first does not wait for long."""

_TABLES = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, version INTEGER NOT NULL, state BLOB NOT NULL, due REAL, listing BLOB
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tables_due ON tables (due) WHERE due IS NOT NULL;
CREATE INDEX IF NOT EXISTS tables_listed ON tables (id) WHERE listing IS NOT NULL;
CREATE TABLE IF NOT EXISTS log (
    table_id TEXT NOT NULL, number INTEGER NOT NULL, audience BLOB, event BLOB NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lines (
    match_id TEXT NOT NULL, n INTEGER NOT NULL, line BLOB NOT NULL, PRIMARY KEY (match_id, n)
) WITHOUT ROWID;
"""

_encode = msgspec.json.encode
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
    try:
        with closing(_open(path)) as db:
            (schema,) = db.execute("PRAGMA user_version").fetchone()
            if schema not in {0, SCHEMA}:
                raise StoreError(f"{path} is of schema {schema}; this release reads {SCHEMA}")
            db.executescript(f"{_TABLES} PRAGMA user_version = {SCHEMA};")
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened: {error}") from None


class _Job:
    """A save on its way, encoded, and where its answer goes."""

    __slots__ = ("answer", "done", "entries", "lines", "row", "save")

    def __init__(self, save: Save, done: asyncio.Future[bool]) -> None:
        listing = None if save.listing is None else _encode(save.listing)
        self.save = save
        self.done = done
        self.row = (save.version, _encode(save.state), save.due, listing, save.table)
        self.entries = [_entry_row(save.table, entry) for entry in save.entries]
        self.lines = [_encode(line) for line in save.lines]
        self.answer: bool | StoreError = False


class SqliteStore:
    """The store of an embedded server, in the file ``path``. Made and closed on one event loop.

    Raises :class:`StoreError` like :func:`prepare`.
    """

    def __init__(self, path: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self.commits = 0
        """So many commits were made: fewer than saves when saves met."""
        prepare(path)
        self._db = _open(path)
        self._read_db = _open(path)
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="tables-read")
        self._writer = threading.Thread(target=self._write, name="tables-write", daemon=True)
        self._writer.start()

    async def load(self, table: str) -> Stored | None:
        row = await self._row("SELECT version, state FROM tables WHERE id = ?", table)
        return None if row is None else Stored(row[0], _decode(row[1]))

    async def save(self, save: Save) -> bool:
        if self._closed:
            raise StoreError("the store is closed")
        # Encoded here, so that nothing but SQL can fail in the writer's thread.
        job = _Job(save, self._loop.create_future())
        self._jobs.put(job)
        return await job.done

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

    async def record(self, match: str) -> tuple[Line, ...]:
        rows = await self._rows("SELECT line FROM lines WHERE match_id = ? ORDER BY n", match)
        return tuple(_decode(line) for (line,) in rows)

    async def due(self, now: float, limit: int) -> tuple[str, ...]:
        rows = await self._rows(
            "SELECT id FROM tables WHERE due <= ? ORDER BY due LIMIT ?", now, limit
        )
        return tuple(id_ for (id_,) in rows)

    async def listed(self) -> tuple[Json, ...]:
        rows = await self._rows("SELECT listing FROM tables WHERE listing IS NOT NULL ORDER BY id")
        return tuple(_decode(listing) for (listing,) in rows)

    async def close(self) -> None:
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown()
        self._read_db.close()
        self._db.close()

    async def _rows(self, sql: str, *values: Any) -> list[Any]:
        return await self._read(lambda: self._read_db.execute(sql, values).fetchall())

    async def _row(self, sql: str, *values: Any) -> Any:
        return await self._read(lambda: self._read_db.execute(sql, values).fetchone())

    async def _read(self, work: Callable[[], T]) -> T:
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
                    job.answer = _save(self._db, job)
                except sqlite3.Error as error:
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


def _entry_row(table: str, entry: Entry) -> tuple[str, int, bytes | None, bytes]:
    audience = None if entry.audience is None else _encode(sorted(entry.audience))
    return table, entry.number, audience, _encode(entry.event)


def _save(db: sqlite3.Connection, job: _Job) -> bool:
    save = job.save
    if save.expected == 0:
        changed = db.execute(
            "INSERT INTO tables (version, state, due, listing, id) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            job.row,
        ).rowcount
    else:
        changed = db.execute(
            "UPDATE tables SET version = ?, state = ?, due = ?, listing = ?"
            " WHERE id = ? AND version = ?",
            (*job.row, save.expected),
        ).rowcount
    if changed != 1:
        return False
    db.executemany(
        "INSERT INTO log (table_id, number, audience, event) VALUES (?, ?, ?, ?)", job.entries
    )
    if job.lines:
        (last,) = db.execute(
            "SELECT COALESCE(MAX(n), 0) FROM lines WHERE match_id = ?", (save.match,)
        ).fetchone()
        db.executemany(
            "INSERT INTO lines (match_id, n, line) VALUES (?, ?, ?)",
            [(save.match, n, line) for n, line in enumerate(job.lines, last + 1)],
        )
    return True


_store: type[Store] = SqliteStore
