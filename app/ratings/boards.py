"""Leaderboards: of the week, of all time, of the coins won."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import (
    Column,
    ColumnElement,
    Select,
    and_,
    exists,
    false,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import days, db
from app.history.schema import winnings
from app.players.schema import IS_DELETED, players
from app.ratings.ratings import RatingsError
from app.ratings.schema import ratings

BoardKind: TypeAlias = Literal["week", "all", "coins"]
"""Rating points since Monday 0:00 in Tbilisi; the rating, provisional ones behind the others; the
coins that all matches of the game have moved."""

MOST: Final = 100
"""Rows of a board, at most."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player's place. Who has as much has the same place, and the next one counts them all.
    ``player`` is for the house alone; ``matches``: those that made the ``value``."""

    place: int
    player: str
    name: str
    value: int
    matches: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Board:
    """The first rows, and the asking player's own wherever it is; ``None``: they are not on it."""

    rows: tuple[Row, ...]
    own: Row | None


@dataclass(frozen=True, slots=True)
class _Kind:
    """Where a board is read. ``ranks``: from which the highest comes first, and who has the same
    has the same place; ``whose``: the last part of the order."""

    whose: Column[str]
    ranks: Sequence[ColumnElement[Any]]
    columns: Sequence[ColumnElement[Any]]
    which: Sequence[ColumnElement[bool]]


def _now() -> int:
    return time.time_ns() // 1_000_000


class Boards:
    """The boards, in a database that is prepared. ``now`` reads a clock in milliseconds since
    1970."""

    def __init__(self, engine: AsyncEngine, now: Callable[[], int] = _now) -> None:
        self._engine = engine
        self._now = now

    async def board(
        self,
        kind: BoardKind,
        game: str,
        rules: str,
        *,
        limit: int = 50,
        of: str | None = None,
    ) -> Board:
        """A board of a rule set, and the place of player ``of``. Players who are deleted are on
        none. Raises :class:`RatingsError`."""
        read = _kind(kind, game, rules, self._now())
        limit = max(1, min(limit, MOST))
        async with db.reading(self._engine, RatingsError, snapshot=True) as connection:
            rows = await _rows(connection, read, limit)
            own = next((row for row in rows if row.player == of), None)
            if own is None and of is not None:
                own = await _own(connection, read, of)
        return Board(rows, own)


def _kind(kind: BoardKind, game: str, rules: str, now: int) -> _Kind:
    r, w = ratings.c, winnings.c
    match kind:
        case "all":
            columns = (r.shown, r.matches, ~r.established)
            which = (r.game == game, r.rules == rules)
            return _Kind(r.player, (r.established, r.shown), columns, which)
        case "week":
            columns = (r.gained, r.week_matches, ~r.established)
            this = (r.game == game, r.rules == rules, r.week == days.monday(now))
            return _Kind(r.player, (r.gained,), columns, this)
        case "coins":
            columns = (w.coins, w.matches, false())
            return _Kind(w.player, (w.coins,), columns, (w.game == game, w.rules == rules))


def _on(kind: _Kind, *wanted: ColumnElement[Any]) -> Select[Any]:
    there = and_(players.c.id == kind.whose, players.c.kind == "registered")
    return select(*wanted).join(players, there).where(*kind.which)


async def _rows(connection: AsyncConnection, kind: _Kind, limit: int) -> tuple[Row, ...]:
    # All from the highest on, the players too: then an index gives them from its end.
    order = [column.desc() for column in (*kind.ranks, kind.whose)]
    query = _on(kind, *kind.ranks, kind.whose, players.c.name, *kind.columns)
    found: list[Row] = []
    place, before = 0, ()
    for number, row in enumerate(await connection.execute(query.order_by(*order).limit(limit)), 1):
        ranked = row[: len(kind.ranks)]
        if ranked != before:
            place, before = number, ranked
        found.append(_row(place, row[len(kind.ranks) :]))
    return tuple(found)


async def _own(connection: AsyncConnection, kind: _Kind, player: str) -> Row | None:
    query = _on(kind, *kind.ranks, kind.whose, players.c.name, *kind.columns)
    row = (await connection.execute(query.where(kind.whose == player))).one_or_none()
    if row is None:
        return None
    # Without a look at each one's player: an index alone counts them, and few are to be left out.
    ahead = _ahead(kind, row[: len(kind.ranks)])
    every = select(func.count()).select_from(kind.whose.table).where(*kind.which, ahead)
    theirs = exists().where(kind.whose == players.c.id, *kind.which, ahead)
    gone = select(func.count()).select_from(players).where(IS_DELETED, theirs)
    place = 1
    for query, sign in ((every, 1), (gone, -1)):
        place += sign * (await connection.execute(query)).scalar_one()
    return _row(place, row[len(kind.ranks) :])


def _row(place: int, rest: Sequence[Any]) -> Row:
    player, name, value, matches, provisional = rest
    return Row(place, player, name, value, matches, bool(provisional))


def _ahead(kind: _Kind, ranked: Sequence[Any]) -> ColumnElement[bool]:
    """Whoever is ranked higher: by the first that differs."""
    higher = []
    for number, (column, own) in enumerate(zip(kind.ranks, ranked, strict=True)):
        same = [c == literal(mine) for c, mine in zip(kind.ranks[:number], ranked, strict=False)]
        higher.append(and_(*same, column > literal(own)))
    return or_(*higher)
