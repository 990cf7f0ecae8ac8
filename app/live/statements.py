"""What the SQLite store writes: its tables, and the writes of one job each."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final

import msgspec

from app.live.sitetime import Beat, Outage, Reckoning, advance, beat_of
from app.live.store import FAILURES, LEASE_MS, LONGEST_MS, Save
from app.table.events import Entry, RecordLine

SCHEMA: Final = 3

TABLES: Final = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, version INTEGER NOT NULL, state BLOB NOT NULL,
    due INTEGER, leases INTEGER NOT NULL,
    listing BLOB, waiting INTEGER, made_at INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tables_due ON tables (due) WHERE due IS NOT NULL;
CREATE INDEX IF NOT EXISTS tables_stuck ON tables (leases) WHERE leases > 1;
CREATE INDEX IF NOT EXISTS tables_listed ON tables (waiting, made_at) WHERE listing IS NOT NULL;
CREATE TABLE IF NOT EXISTS log (
    table_id TEXT NOT NULL, number INTEGER NOT NULL, audience BLOB, event BLOB NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lines (
    match_id TEXT NOT NULL, n INTEGER NOT NULL, table_id TEXT NOT NULL,
    line BLOB NOT NULL, ms INTEGER NOT NULL, auto INTEGER NOT NULL, PRIMARY KEY (match_id, n)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lines_table ON lines (table_id);
CREATE TABLE IF NOT EXISTS seats (
    player TEXT NOT NULL, table_id TEXT NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (player, table_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seats_table ON seats (table_id);
CREATE TABLE IF NOT EXISTS marks (
    process TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (process, table_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS marks_table ON marks (table_id);
CREATE TABLE IF NOT EXISTS processes (id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seekers (
    player TEXT PRIMARY KEY, token TEXT NOT NULL, pool TEXT NOT NULL, name TEXT NOT NULL,
    since INTEGER NOT NULL, rating REAL, blocked BLOB NOT NULL,
    state TEXT NOT NULL, detail TEXT NOT NULL, until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seekers_pool ON seekers (pool, since) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS seekers_until ON seekers (until);
CREATE TABLE IF NOT EXISTS site_time (
    one INTEGER PRIMARY KEY CHECK (one = 1), seen INTEGER NOT NULL, since INTEGER NOT NULL,
    site INTEGER NOT NULL, outage_ms INTEGER, outage_ended_at INTEGER
);
"""

UPGRADES: Final = {
    2: """
INSERT INTO site_time SELECT 1, wall, wall, site, NULL, NULL FROM beat;
DROP TABLE beat;
""",
}
"""From an earlier schema to the next one, after :data:`TABLES`."""

LAPSED: Final = """
SELECT process, table_id FROM marks
WHERE process NOT IN (SELECT id FROM processes WHERE until > ?1)
UNION ALL
SELECT id, NULL FROM processes WHERE until <= ?1
"""

_encode = msgspec.json.encode


def _entry_row(table: str, entry: Entry) -> tuple[str, int, bytes | None, bytes]:
    audience = None if entry.audience is None else _encode(sorted(entry.audience))
    return table, entry.number, audience, _encode(entry.event)


def _line_row(line: RecordLine) -> tuple[bytes, int, bool]:
    return _encode(line.line), line.ms, line.auto


def saving(save: Save) -> Callable[[sqlite3.Connection], bool]:
    """A save, encoded; what it answers is whether the version was the expected one."""
    listing = save.listing
    row = (
        save.version,
        _encode(save.state),
        save.due,
        None if listing is None else _encode(listing),
        None if listing is None else listing["status"] == "open",
        None if listing is None else listing["made_at"],
        save.table,
    )
    entries = [_entry_row(save.table, entry) for entry in save.entries]
    lines = [_line_row(line) for line in save.lines]

    def work(db: sqlite3.Connection) -> bool:
        if not (_gone(db, save) if save.gone else _stored(db, save, row)):
            return False
        _indexed(db, save)
        if not save.gone:
            db.executemany("INSERT INTO log VALUES (?1, ?2, ?3, ?4)", entries)
            _recorded(db, save, lines)
        return True

    return work


def _stored(db: sqlite3.Connection, save: Save, row: tuple[object, ...]) -> bool:
    if save.expected == 0:
        done = db.execute(
            "INSERT INTO tables (version, state, due, listing, waiting, made_at, id, leases)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING",
            row,
        )
    else:
        done = db.execute(
            "UPDATE tables SET version = ?, state = ?, due = ?, listing = ?, waiting = ?,"
            " made_at = ?, leases = 0 WHERE id = ? AND version = ?",
            (*row, save.expected),
        )
    return done.rowcount == 1


def _gone(db: sqlite3.Connection, save: Save) -> bool:
    done = db.execute(
        "DELETE FROM tables WHERE id = ? AND version = ?", (save.table, save.expected)
    )
    if done.rowcount != 1:
        return False
    db.execute("DELETE FROM log WHERE table_id = ?", (save.table,))
    db.execute("DELETE FROM lines WHERE table_id = ?", (save.table,))
    return True


def _indexed(db: sqlite3.Connection, save: Save) -> None:
    db.execute("DELETE FROM seats WHERE table_id = ?", (save.table,))
    db.execute("DELETE FROM marks WHERE table_id = ?", (save.table,))
    if save.gone:
        return
    seats = [(player, save.table, state) for player, state in save.seats.items()]
    db.executemany("INSERT INTO seats VALUES (?, ?, ?)", seats)
    marks = [(process, save.table) for process in save.processes]
    db.executemany("INSERT INTO marks VALUES (?, ?)", marks)


def _recorded(db: sqlite3.Connection, save: Save, lines: list[tuple[bytes, int, bool]]) -> None:
    if not lines:
        return
    (last,) = db.execute(
        "SELECT COALESCE(MAX(n), 0) FROM lines WHERE match_id = ?", (save.match,)
    ).fetchone()
    rows = [(save.match, n, save.table, *line) for n, line in enumerate(lines, last + 1)]
    db.executemany("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?)", rows)


def lease_due(db: sqlite3.Connection, now: int, limit: int) -> tuple[str, ...]:
    """Tables that are due, left to the caller for a while."""
    rows = db.execute(
        "SELECT id, leases FROM tables WHERE due <= ? ORDER BY due, id LIMIT ?", (now, limit)
    ).fetchall()
    leased = [(now + _left_alone(leases + 1), id_) for id_, leases in rows]
    db.executemany("UPDATE tables SET due = ?, leases = leases + 1 WHERE id = ?", leased)
    return tuple(id_ for id_, _ in rows)


def _left_alone(leases: int) -> int:
    """For how long a table is left alone that was leased so often in a row."""
    doubled = min(max(0, leases - FAILURES), 16)
    return min(LEASE_MS << doubled, LONGEST_MS)


def beat(db: sqlite3.Connection, process: str, wall: int, *, alone: bool, again: bool) -> Beat:
    """The site serves at ``wall``, and the process lives. ``again``: it has said so before."""
    row = db.execute("SELECT seen, since, site, outage_ms, outage_ended_at FROM site_time")
    kept = _reckoning(row.fetchone())
    after = advance(kept, wall, alone=alone)
    outage = after.outage
    db.execute(
        "INSERT OR REPLACE INTO site_time VALUES (1, ?, ?, ?, ?, ?)",
        (
            after.seen,
            after.since,
            after.site,
            None if outage is None else outage.ms,
            None if outage is None else outage.ended_at,
        ),
    )
    if kept is not None and outage != kept.outage:
        # While nobody could say that they live, nobody's silence meant anything.
        db.execute("UPDATE processes SET until = ? WHERE until > ?", (wall + LEASE_MS, kept.seen))
    lives = db.execute(
        "SELECT 1 FROM processes WHERE id = ? AND until > ?", (process, wall)
    ).fetchone()
    db.execute("INSERT OR REPLACE INTO processes VALUES (?, ?)", (process, wall + LEASE_MS))
    return beat_of(after, lapsed=again and lives is None)


def _reckoning(row: tuple[int, int, int, int | None, int | None] | None) -> Reckoning | None:
    if row is None:
        return None
    seen, since, site, ms, ended_at = row
    outage = None if ms is None or ended_at is None else Outage(ms, ended_at)
    return Reckoning(seen, since, site, outage)
