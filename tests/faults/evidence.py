"""All that is known of a run from outside, gathered when it is over: what players saw and said,
what Redis and Postgres hold, what processes wrote, and when what was broken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.history.schema import match_seats, matches, voids
from app.ledger.ledger import Ledger
from app.ledger.schema import accounts, entries, escrow, transfers
from tests.faults.journal import Journal, Who
from tests.faults.processes import Uses
from tests.faults.saves import Event, Saved
from tests.faults.schedule import Fault
from tests.faults.timeline import Timeline

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Books:
    """What Postgres holds. ``report``: what the ledger says when it goes over itself."""

    matches: dict[str, Row]
    seats: list[Row]
    voids: dict[str, Row]
    escrow: dict[str, Row]
    transfers: dict[str, Row]
    entries: list[Row]
    accounts: dict[str, int]
    report: str
    locks: int = 0


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left when all have gone home. ``outboxes``: entries that nobody carries, by table;
    ``kept``: keys in Redis two days later; ``at_rest`` and ``at_end`` by process."""

    outboxes: Mapping[str, int] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    at_rest: Mapping[int, Uses] = field(default_factory=dict)
    at_end: Mapping[int, Uses] = field(default_factory=dict)
    statuses: Mapping[int, list[int]] = field(default_factory=dict)


@dataclass
class Evidence:
    """``players`` by id; ``beats``: when any process beat; ``done``: faults, and when they came."""

    seed: int
    journal: Journal
    players: dict[str, Who]
    saves: list[Saved]
    beats: list[float]
    books: Books
    timeline: Timeline
    logs: dict[str, str]
    rest: Rest
    done: list[tuple[float, Fault]]

    @cached_property
    def by_table(self) -> dict[str, list[Saved]]:
        """The saves of each table, in order."""
        found: dict[str, list[Saved]] = {}
        for saved in self.saves:
            found.setdefault(saved.table, []).append(saved)
        return found

    @cached_property
    def events(self) -> dict[str, dict[int, Event]]:
        """The events of each table, by number."""
        return {
            table: {event.number: event for saved in saves for event in saved.events}
            for table, saves in self.by_table.items()
        }

    @cached_property
    def begun(self) -> dict[str, str]:
        """The tables of the matches that have begun, by match."""
        return {
            event.event["match"]: table
            for table, events in self.events.items()
            for event in events.values()
            if event.event["event"] == "match_started"
        }


async def books_of(url: str) -> Books:
    """What Postgres holds now."""
    engine = db.deployed(url)
    try:
        report = await Ledger(engine).check()
        said = "" if report.ok else str(report.differs)
        kept = {row["id"]: row for row in await _rows(engine, matches)}
        nothing = {row["match"]: row for row in await _rows(engine, voids)}
        stakes = {row["match"]: row for row in await _rows(engine, escrow)}
        moved = {row["key"]: row for row in await _rows(engine, transfers)}
        coins = {row["id"]: row["balance"] for row in await _rows(engine, accounts)}
        seats, lines = await _rows(engine, match_seats), await _rows(engine, entries)
        async with engine.connect() as connection:
            query = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
            locks = (await connection.execute(query)).scalar_one()
        return Books(kept, seats, nothing, stakes, moved, lines, coins, said, locks)
    finally:
        await db.close(engine)


async def _rows(engine: AsyncEngine, table: Any) -> list[Row]:
    async with engine.connect() as connection:
        return [dict(row._mapping) for row in await connection.execute(select(table))]
