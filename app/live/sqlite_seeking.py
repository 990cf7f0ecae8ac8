"""Who seeks an opponent, in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, TypeAlias

import msgspec

from app.live.seeking import (
    LEARNED_MS,
    LEASE_MS,
    MOST,
    POOL,
    Paired,
    Seeker,
    Seeking,
    State,
    Ticket,
    Turned,
    Waiting,
)
from app.live.store import StoreError

Job: TypeAlias = Callable[[Callable[[sqlite3.Connection], Any]], Awaitable[Any]]
Rows: TypeAlias = Callable[..., Awaitable[list[Any]]]


class SqliteSeeking:
    """The seekers of an embedded server. ``job`` has a write done, ``rows`` reads, ``wall`` is the
    store's own time."""

    def __init__(self, job: Job, rows: Rows, wall: Callable[[], int]) -> None:
        self._job = job
        self._rows = rows
        self._wall = wall

    async def seek(self, seeker: Seeker, past: str | None = None) -> Waiting | Paired:
        state: Waiting | Paired | None = await self._job(
            lambda db: _seek(db, seeker, past, self._wall())
        )
        if state is None:
            raise StoreError("too many seek an opponent")
        return state

    async def beat(self, tickets: Collection[Ticket]) -> Mapping[Ticket, State]:
        found: Mapping[Ticket, State] = await self._job(
            lambda db: {ticket: _beat(db, ticket, self._wall()) for ticket in tickets}
        )
        return found

    async def seekers(self, pool: str) -> tuple[Seeker, ...]:
        rows = await self._rows(
            "SELECT player, token, name, since, rating, blocked FROM seekers"
            " WHERE pool = ? AND state = 'waiting' AND until > ? ORDER BY since, player LIMIT ?",
            pool,
            self._wall(),
            POOL,
        )
        return tuple(
            Seeker(
                Ticket(player, token),
                pool,
                name,
                since,
                rating,
                frozenset(msgspec.json.decode(blocked)),
            )
            for player, token, name, since, rating, blocked in rows
        )

    async def pair(self, tickets: Collection[Ticket], table: str) -> bool:
        paired: bool = await self._job(lambda db: _pair(db, tickets, table, self._wall()))
        return paired

    async def part(
        self, table: str, back: Collection[Ticket], turned: Mapping[Ticket, str]
    ) -> None:
        await self._job(lambda db: _part(db, table, back, turned, self._wall()))

    async def unseek(self, ticket: Ticket) -> None:
        await self._job(lambda db: _unseek(db, ticket, self._wall()))


def _seek(
    db: sqlite3.Connection, seeker: Seeker, past: str | None, now: int
) -> Waiting | Paired | None:
    db.execute("DELETE FROM seekers WHERE until <= ?", (now,))
    player, token = seeker.ticket.player, seeker.ticket.token
    row = db.execute(
        "SELECT state, detail, pool, since FROM seekers WHERE player = ?", (player,)
    ).fetchone()
    since = seeker.since
    if row is None:
        (count,) = db.execute("SELECT COUNT(*) FROM seekers").fetchone()
        if count >= MOST:
            return None
    else:
        state, detail, pool, before = row
        if state == "paired" and detail != past:
            db.execute("UPDATE seekers SET token = ? WHERE player = ?", (token, player))
            return Paired(detail)
        if state in {"waiting", "left"} and pool == seeker.pool:
            since = min(since, before)
    blocked = msgspec.json.encode(sorted(seeker.blocked))
    db.execute(
        "INSERT OR REPLACE INTO seekers VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', '', ?)",
        (player, token, seeker.pool, seeker.name, since, seeker.rating, blocked, now + LEASE_MS),
    )
    return Waiting(since)


def _beat(db: sqlite3.Connection, ticket: Ticket, now: int) -> State:
    row = db.execute(
        "SELECT token, state, detail, since FROM seekers WHERE player = ? AND until > ?",
        (ticket.player, now),
    ).fetchone()
    if row is None:
        return "lapsed"
    token, state, detail, since = row
    if token != ticket.token:
        return "elsewhere"
    if state == "paired":
        return Paired(detail)
    if state == "turned":
        return Turned(detail)
    db.execute("UPDATE seekers SET until = ? WHERE player = ?", (now + LEASE_MS, ticket.player))
    return Waiting(since)


def _pair(db: sqlite3.Connection, tickets: Collection[Ticket], table: str, now: int) -> bool:
    whose = [(ticket.player, ticket.token, now) for ticket in tickets]
    find = "SELECT state, detail FROM seekers WHERE player = ? AND token = ? AND until > ?"
    found = [db.execute(find, each).fetchone() for each in whose]
    if all(row == ("paired", table) for row in found):
        return True  # asked again
    if not all(row is not None and row[0] == "waiting" for row in found):
        return False
    db.executemany(
        "UPDATE seekers SET state = 'paired', detail = ?, until = ? WHERE player = ?",
        [(table, now + LEARNED_MS, ticket.player) for ticket in tickets],
    )
    return True


def _part(
    db: sqlite3.Connection,
    table: str,
    back: Collection[Ticket],
    turned: Mapping[Ticket, str],
    now: int,
) -> None:
    becomes = [("waiting", "", now + LEASE_MS, ticket) for ticket in back]
    becomes += [("turned", code, now + LEARNED_MS, ticket) for ticket, code in turned.items()]
    db.executemany(
        "UPDATE seekers SET state = ?, detail = ?, until = ?"
        " WHERE player = ? AND token = ? AND state = 'paired' AND detail = ? AND until > ?",
        [
            (state, detail, until, ticket.player, ticket.token, table, now)
            for state, detail, until, ticket in becomes
        ],
    )


def _unseek(db: sqlite3.Connection, ticket: Ticket, now: int) -> None:
    # Without its token nobody can speak for it any more; who has been paired stays so.
    db.execute(
        "UPDATE seekers SET token = '',"
        " until = CASE state WHEN 'waiting' THEN ? ELSE until END,"
        " state = CASE state WHEN 'waiting' THEN 'left' ELSE state END"
        " WHERE player = ? AND token = ?",
        (now + LEASE_MS, ticket.player, ticket.token),
    )


_seeking: type[Seeking] = SqliteSeeking
