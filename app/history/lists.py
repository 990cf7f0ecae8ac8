"""Lists of finished matches, and what two players have made of each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from app.history.schema import match_seats, matches

VOID: Final = "void"
"""The reason of a match that nobody has won (T5)."""
MOST: Final = 100
"""Matches that a list gives at once, at most."""

Cursor: TypeAlias = tuple[int, str]
"""Where a list goes on: :attr:`Summary.cursor` of the last one seen."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches of a player: all, or of a game, of a rule set, won or lost (never void),
    for coins, with somebody else at the table, of public tables."""

    game: str | None = None
    rules: str | None = None
    won: bool | None = None
    coins: bool = False
    against: str | None = None
    public: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished match without its record. ``players`` are for the house alone; the name of one
    who was deleted is empty. Times are of the calendar, in milliseconds since 1970."""

    id: str
    game: str
    rules: str
    options: dict[str, int]
    names: list[str]
    players: list[str]
    winners: list[int]
    reason: str
    score: list[int]
    stake: int
    coins: list[int]
    started_at: int
    ended_at: int

    @property
    def cursor(self) -> Cursor:
        """From here the list goes on."""
        return (self.ended_at, self.id)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The matches of two players at one table, void ones left out: how many, how many each has
    won, each one's points in all, and the last."""

    matches: int
    wins: tuple[int, int]
    points: tuple[int, int]
    last: Summary | None


_SUMMARY: Final = tuple(matches.c[each.name] for each in fields(Summary))
_mine: Final = match_seats.alias("mine")
_theirs: Final = match_seats.alias("theirs")


async def of(
    connection: AsyncConnection, player: str, wanted: Wanted, before: Cursor | None, limit: int
) -> list[Summary]:
    """The matches of a player, the latest first."""
    if not _askable(wanted, before):
        return []
    return await _summaries(connection, _which(player, wanted), before, limit)


async def between(
    connection: AsyncConnection, one: str, two: str, game: str | None, rules: str | None
) -> HeadToHead:
    """What two players have made of each other, whoever else was at the table."""
    wanted = Wanted(game=game, rules=rules)
    decided = [*_which(one, wanted), _mine.c.reason != VOID]
    both = and_(_theirs.c.match_id == _mine.c.match_id, _theirs.c.player == two)
    sums = (
        func.count(),
        *(func.coalesce(func.sum(case((each.c.won, 1), else_=0)), 0) for each in (_mine, _theirs)),
        *(func.coalesce(func.sum(each.c.points), 0) for each in (_mine, _theirs)),
    )
    query = select(*sums).select_from(_mine.join(_theirs, both)).where(*decided)
    count, *rest = map(int, (await connection.execute(query)).one())
    last = await _summaries(connection, [*decided, _at_table(two)], None, 1)
    return HeadToHead(count, (rest[0], rest[1]), (rest[2], rest[3]), last[0] if last else None)


async def _summaries(
    connection: AsyncConnection,
    which: Iterable[ColumnElement[bool]],
    before: Cursor | None,
    limit: int,
) -> list[Summary]:
    query: Select[Any] = select(*_SUMMARY).join(_mine, _mine.c.match_id == matches.c.id)
    query = query.where(*which)
    if before is not None:
        query = query.where(tuple_(_mine.c.ended_at, _mine.c.match_id) < tuple_(*before))
    query = query.order_by(_mine.c.ended_at.desc(), _mine.c.match_id.desc())
    rows = await connection.execute(query.limit(max(1, min(limit, MOST))))
    return [Summary(*row) for row in rows]


def _askable(wanted: Wanted, before: Cursor | None) -> bool:
    """Whether there may be any: what stands in a request's address is asked for here, and some of
    it no database takes."""
    at, match = before or (0, "")
    texts = [match, *(text for text in (wanted.game, wanted.rules, wanted.against) if text)]
    return abs(at) < 1 << 62 and all(text.isprintable() for text in texts)


def _which(player: str, wanted: Wanted) -> list[ColumnElement[bool]]:
    which = [_mine.c.player == player]
    if wanted.game is not None:
        which.append(_mine.c.game == wanted.game)
    if wanted.rules is not None:
        which.append(_mine.c.rules == wanted.rules)
    if wanted.won is not None:
        which += [_mine.c.won == wanted.won, _mine.c.reason != VOID]
    if wanted.coins:
        which.append(_mine.c.stake > 0)
    if wanted.against is not None:
        which.append(_at_table(wanted.against))
    if wanted.public:
        which.append(matches.c.public)
    return which


def _at_table(player: str) -> ColumnElement[bool]:
    return exists().where(_theirs.c.match_id == _mine.c.match_id, _theirs.c.player == player)
