"""What players report of each other, with the match that it was in: for the operator."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.players.players import PlayersError
from app.players.schema import players, reports

Cause: TypeAlias = Literal["cheats", "stalls", "leaves", "name", "other"]
CAUSES: Final[tuple[Cause, ...]] = get_args(Cause)
WORDS: Final = 500
"""Characters that go with it."""
MOST: Final = 10
"""So many one player may make a day."""
_DAY_MS: Final = 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Report:
    """A report. Times in milliseconds since 1970; names as they are now."""

    id: str
    at: int
    by: str
    about: str
    match: str
    cause: str
    words: str = field(repr=False)
    closed_at: int | None = None
    by_name: str = ""
    about_name: str = ""


class Reports:
    """The reports, in a database that is prepared. Every method raises :class:`PlayersError`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def make(
        self, by: str, about: str, match: str, cause: Cause, *, words: str, at: int
    ) -> bool:
        """A report, once for a match and a player. ``False``: there were too many today."""
        async with db.writing(self._engine, PlayersError) as connection:
            today = select(func.count()).where(reports.c.by == by, reports.c.at > at - _DAY_MS)
            if (await connection.execute(today)).scalar_one() >= MOST:
                return False
            made = db.insert(connection, reports).values(
                id=secrets.token_hex(6),
                at=at,
                by=by,
                about=about,
                match=match,
                cause=cause,
                words=words[:WORDS],
            )
            await connection.execute(made.on_conflict_do_nothing())
        return True

    async def made(self, by: str, match: str) -> frozenset[str]:
        """Whom a player has reported for a match."""
        wanted = select(reports.c.about).where(reports.c.by == by, reports.c.match == match)
        async with db.reading(self._engine, PlayersError) as connection:
            return frozenset((await connection.execute(wanted)).scalars())

    async def recent(self, limit: int, *, closed: bool = False) -> list[Report]:
        """The latest first; ``closed``: also those that an operator has seen to."""
        by, about = players.alias("by_player"), players.alias("about_player")
        named: tuple[Any, ...] = (by.c.name, about.c.name)
        wanted = (
            select(*(reports.c[name] for name in Report.__slots__[:8]), *named)
            .join(by, by.c.id == reports.c.by)
            .join(about, about.c.id == reports.c.about)
            .order_by(reports.c.at.desc(), reports.c.id)
            .limit(limit)
        )
        if not closed:
            wanted = wanted.where(reports.c.closed_at.is_(None))
        async with db.reading(self._engine, PlayersError) as connection:
            return [Report(*row) for row in await connection.execute(wanted)]

    async def close(self, report: str, at: int) -> bool:
        """An operator has seen to it; ``False``: there is no such report that is open."""
        done = (
            update(reports)
            .where(reports.c.id == report, reports.c.closed_at.is_(None))
            .values(closed_at=at)
        )
        async with db.writing(self._engine, PlayersError) as connection:
            return bool((await connection.execute(done)).rowcount)
