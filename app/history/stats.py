"""A player's matches added up: in all, by month, and match by match for a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Table, case, distinct, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from app import days
from app.history.lists import MOST, VOID
from app.history.schema import figures, match_seats
from app.history.spans import SPAN, span

_COUNTS: Final = (match_seats.c.reason != VOID, match_seats.c.computer.is_(False))


@dataclass(frozen=True, slots=True)
class Stats:
    """A player's matches of a rule set, void ones and those against the computer left out.
    ``sums``: their figures by name, added up over the ``counted`` ones of them: the engine may
    have refused a record."""

    matches: int
    wins: int
    counted: int
    sums: dict[str, int]


@dataclass(frozen=True, slots=True)
class Sample:
    """One match of a plot: when it ended, in milliseconds since 1970, whether it was won, and its
    figures by name, none if it was not counted."""

    match: str
    ended_at: int
    won: bool
    values: dict[str, int]


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose matches, of which game and rule set."""

    player: str
    game: str
    rules: str

    def of(self, table: Table) -> list[ColumnElement[bool]]:
        """The same asked of a table."""
        return [
            table.c.player == self.player,
            table.c.game == self.game,
            table.c.rules == self.rules,
        ]


async def stats(connection: AsyncConnection, whose: Whose, since: int | None) -> Stats:
    """All matches of a player, or those that ended at ``since`` or later."""
    found = await _by_span(connection, whose, [since or 0])
    return found[0]


async def months(
    connection: AsyncConnection, whose: Whose, now: int, count: int
) -> list[tuple[str, Stats]]:
    """The last months up to that of ``now``, the latest first: ``2026-11`` and what was played."""
    starts = days.months(now, count)
    found = await _by_span(connection, whose, [start for _, start in starts])
    return [(name, found[number]) for number, (name, _) in enumerate(starts)]


async def course(connection: AsyncConnection, whose: Whose, limit: int) -> list[Sample]:
    """The last matches of a player, the latest first."""
    seats = match_seats.c
    last = (
        select(seats.match_id, seats.ended_at, seats.won)
        .where(*whose.of(match_seats), *_COUNTS)
        .order_by(seats.ended_at.desc(), seats.match_id.desc())
        .limit(max(1, min(limit, MOST)))
    )
    samples = [Sample(*row, {}) for row in await connection.execute(last)]
    by_id = {each.match: each for each in samples}
    values = select(figures.c.match_id, figures.c.name, figures.c.value).where(
        figures.c.match_id.in_(by_id), figures.c.player == whose.player
    )
    for match, name, value in await connection.execute(values):
        by_id[match].values[name] = value
    return samples


async def _by_span(connection: AsyncConnection, whose: Whose, starts: Sequence[int]) -> list[Stats]:
    """What was played in each of some spans of time: one begins where the one after it ends, the
    latest has no end."""
    seats = match_seats.c
    won = func.sum(case((seats.won, 1), else_=0))
    played = (
        select(span(seats.ended_at, starts), func.count(), won)
        .where(*whose.of(match_seats), *_COUNTS, seats.ended_at >= starts[-1])
        .group_by(SPAN)
    )
    when = span(figures.c.ended_at, starts)
    mine = [*whose.of(figures), figures.c.ended_at >= starts[-1]]
    counted = select(when, func.count(distinct(figures.c.match_id))).where(*mine).group_by(SPAN)
    added = (
        select(when, figures.c.name, func.sum(figures.c.value))
        .where(*mine)
        .group_by(SPAN, figures.c.name)
        .order_by(figures.c.name)
    )
    matches = {row[0]: (row[1], int(row[2])) for row in await connection.execute(played)}
    whole = {row[0]: row[1] for row in await connection.execute(counted)}
    sums: dict[int, dict[str, int]] = {}
    for number, name, value in await connection.execute(added):
        sums.setdefault(number, {})[name] = int(value)
    none = (0, 0)
    return [
        Stats(*matches.get(number, none), whole.get(number, 0), sums.get(number, {}))
        for number in range(len(starts))
    ]
