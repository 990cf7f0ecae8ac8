"""The public report on chance: what the committed source gave over all finished matches, beside
what is expected of it, and handshakes that came to nothing (T12). Made once a day."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import days, db
from app.history.bands import Band, band
from app.history.counted import Counter
from app.history.history import HistoryError
from app.history.schema import fairness_reports, given, matches, voids
from app.history.spans import SPAN, span
from engine import games
from engine.game import Json, Unreadable
from engine.given import Counts

log = logging.getLogger(__name__)

EVERY_S: Final = 60.0
"""Seconds between two looks of a process."""
CLAIM_MS: Final = 600_000
"""So long after its last sign of life a process that makes the report is taken for dead."""
DAYS: Final = 30
"""Days of which handshakes that came to nothing are counted one by one."""
RECORDS: Final = 20
"""Records that are in memory at once."""
PATIENCE: Final = 60.0
"""Seconds that a query over all matches may take on a server."""
ROWS: Final = 500
"""Counts of matches that are in memory at once."""


@dataclass(frozen=True, slots=True)
class Chances:
    """What chance gave in the matches of a rule set: by table and key how often, and how often it
    may be expected to. The bands are for each key alone: of many keys some lie outside."""

    game: str
    rules: str
    matches: int
    tables: dict[str, dict[str, Band]]


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a day of Tbilisi, made ``at``, in milliseconds since 1970. ``matches``: all
    that had ended; ``voids``: handshakes that came to nothing, by cause; ``days``: the same day by
    day, the latest first, for the last thirty."""

    day: str
    at: int
    matches: int
    chances: tuple[Chances, ...]
    voids: dict[str, int]
    days: tuple[tuple[str, dict[str, int]], ...]


def _now() -> int:
    return time.time_ns() // 1_000_000


class Fairness:
    """The reports, in a database that is prepared; any number of processes make them together.
    ``now`` reads a clock in milliseconds since 1970."""

    def __init__(self, engine: AsyncEngine, now: Callable[[], int] = _now) -> None:
        self._engine = engine
        self._now = now
        self._counter = Counter()

    async def run(self) -> None:
        """Look every minute until cancelled."""
        while True:
            try:
                await self.look()
            except HistoryError as error:
                log.warning("the fairness report cannot be made: %s", error)
            await asyncio.sleep(EVERY_S)

    async def look(self) -> None:
        """Make the report of today, unless it is there, somebody else is at it, or nothing has
        ended yet. Raises :class:`HistoryError`."""
        now = self._now()
        if await self._claimed(days.day(now), now):
            await self.recompute(now)

    async def latest(self) -> Report | None:
        """The last report; ``None``: there is none yet. Raises :class:`HistoryError`."""
        r = fairness_reports.c
        query = select(r.day, r.at, r.matches, r.content).where(r.at.is_not(None))
        async with db.reading(self._engine, HistoryError) as connection:
            row = (await connection.execute(query.order_by(r.day.desc()).limit(1))).first()
        return None if row is None else _report(*row)

    async def recompute(self, now: int, *, anew: bool = False) -> Report:
        """Make the report of the day of ``now``, in the place of one that is there. ``anew``: every
        record is played again, for an engine that counts otherwise than it did. Raises
        :class:`HistoryError`."""
        day = days.day(now)
        if anew:
            async with db.writing(self._engine, HistoryError, PATIENCE) as connection:
                await connection.execute(delete(given))
        await self._count_missing(day)
        content: dict[str, Any] = {"chances": await self._chances(day)}
        async with db.writing(self._engine, HistoryError) as connection:
            count = await connection.execute(select(func.count()).select_from(matches))
            content |= await _voids(connection, now)
            made: dict[str, Any] = {"at": now, "matches": count.scalar_one(), "content": content}
            report = db.insert(connection, fairness_reports)
            report = report.values(day=day, claimed_at=now, **made)
            await connection.execute(
                report.on_conflict_do_update(index_elements=["day"], set_=made)
            )
        return _report(day, now, made["matches"], content)

    async def _claimed(self, day: str, now: int) -> bool:
        """Whether the report of a day is to be made, and by this process."""
        r = fairness_reports.c
        async with db.reading(self._engine, HistoryError) as connection:
            query = select(r.at, r.claimed_at).where(r.day == day)
            row = (await connection.execute(query)).first()
            if row is not None and (row.at is not None or row.claimed_at > now - CLAIM_MS):
                return False
            ended = or_(select(matches.c.id).exists(), select(voids.c.match).exists())
            if not (await connection.execute(select(ended))).scalar_one():
                return False
        async with db.writing(self._engine, HistoryError) as connection:
            mine = db.insert(connection, fairness_reports).values(day=day, claimed_at=now)
            late = r.at.is_(None) & (r.claimed_at <= now - CLAIM_MS)
            claim = mine.on_conflict_do_update(
                index_elements=[r.day], set_={"claimed_at": now}, where=late
            )
            return bool((await connection.execute(claim)).rowcount)

    async def _at_it(self, connection: AsyncConnection, day: str) -> None:
        """A sign of life: nobody else need begin."""
        mine = update(fairness_reports).where(fairness_reports.c.day == day)
        await connection.execute(mine.values(claimed_at=self._now()))

    async def _count_missing(self, day: str) -> None:
        """Count the matches that were not counted when they were kept, a few at a time."""
        last = ""
        uncounted = (
            select(matches.c.id, matches.c.record, matches.c.game, matches.c.rules)
            .join(given, given.c.match_id == matches.c.id, isouter=True)
            .where(given.c.match_id.is_(None))
            .order_by(matches.c.id)
            .limit(RECORDS)
        )
        while True:
            async with db.reading(self._engine, HistoryError, PATIENCE) as connection:
                some = (await connection.execute(uncounted.where(matches.c.id > last))).all()
            if not some:
                return
            rows = []
            for match, record, game, rules in some:
                found = await self._counter.count(match, record)
                counts = None if found is None else found.given
                rows.append({"match_id": match, "game": game, "rules": rules, "counts": counts})
            async with db.writing(self._engine, HistoryError) as connection:
                kept = db.insert(connection, given).values(rows)
                await connection.execute(kept.on_conflict_do_nothing())
                await self._at_it(connection, day)
            last = some[-1].id

    async def _chances(self, day: str) -> list[Json]:
        """All matches' counts added up by rule set, some rows at a time."""
        sums: dict[tuple[str, str], tuple[int, Counts]] = {}
        counted = select(given).where(given.c.counts.is_not(None)).order_by(given.c.match_id)
        last = ""
        while True:
            async with db.writing(self._engine, HistoryError) as connection:
                some = await connection.execute(counted.where(given.c.match_id > last).limit(ROWS))
                rows = some.all()
                await self._at_it(connection, day)
            if not rows:
                return [_content(*key, *sums[key]) for key in sorted(sums)]
            for row in rows:
                number, counts = sums.get((row.game, row.rules), (0, {}))
                sums[row.game, row.rules] = (number + 1, _added(counts, row.counts))
            last = rows[-1].match_id


def _added(sums: Counts, more: Counts) -> Counts:
    for table, keys in more.items():
        mine = sums.setdefault(table, {})
        for key, count in keys.items():
            mine[key] = mine.get(key, 0) + count
    return sums


def _content(game: str, rules: str, number: int, counts: Counts) -> Json:
    """What is kept of a rule set: by table and key the count and the chance, in the game's
    order. The chances are kept as well: a later release may know others."""
    try:
        chances = games.game(game, rules).chances
    except Unreadable:  # it was taken off the site
        chances = {}
    tables = {
        table: {key: [counts.get(table, {}).get(key, 0), float(p)] for key, p in keys.items()}
        for table, keys in chances.items()
    }
    return {"game": game, "rules": rules, "matches": number, "tables": tables}


async def _voids(connection: AsyncConnection, now: int) -> dict[str, Any]:
    """Handshakes that came to nothing, by cause: all, and day by day."""
    count = func.count()
    by_cause = select(voids.c.cause, count).group_by(voids.c.cause).order_by(voids.c.cause)
    every = {row[0]: row[1] for row in await connection.execute(by_cause)}
    starts = [days.days_before(now, number) for number in range(DAYS)]
    by_day = (
        select(span(voids.c.at, starts), voids.c.cause, count)
        .where(voids.c.at >= starts[-1])
        .group_by(SPAN, voids.c.cause)
        .order_by(voids.c.cause)
    )
    causes: list[dict[str, int]] = [{} for _ in starts]
    for number, cause, found in await connection.execute(by_day):
        causes[number][cause] = found
    return {"voids": every, "days": [[days.day(s), c] for s, c in zip(starts, causes, strict=True)]}


def _report(day: str, at: int, number: int, content: Json) -> Report:
    return Report(
        day=day,
        at=at,
        matches=number,
        chances=tuple(
            Chances(each["game"], each["rules"], each["matches"], _bands(each["tables"]))
            for each in content["chances"]
        ),
        voids=dict(content["voids"]),
        days=tuple((day, dict(causes)) for day, causes in content["days"]),
    )


def _bands(tables: Json) -> dict[str, dict[str, Band]]:
    trials = {table: sum(count for count, _ in keys.values()) for table, keys in tables.items()}
    return {
        table: {key: band(count, trials[table], chance) for key, (count, chance) in keys.items()}
        for table, keys in tables.items()
    }
