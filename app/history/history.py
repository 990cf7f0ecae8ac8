"""Keeping and finding what has ended. Keeping twice is keeping once."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from sqlalchemy import Column, Table, insert, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from app.history.schema import matches, voids
from engine.game import Json

log = logging.getLogger(__name__)


class HistoryError(Exception):
    """The history is away: nothing was kept or read."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match (T14). Times are of the calendar, in milliseconds since 1970. ``digest``
    stands for all of it that does not depend on when it was kept."""

    id: str
    table_id: str
    game: str
    rules: str
    options: dict[str, int]
    players: list[str]
    names: list[str]
    started_at: int
    ended_at: int
    reason: str
    winners: list[int]
    score: list[int]
    digest: str
    record: Json = field(repr=False)


@dataclass(frozen=True, slots=True)
class CameToNothing:
    """A handshake that came to nothing, and why (T12)."""

    match: str
    table_id: str
    cause: str
    seats: list[int]
    at: int


class History:
    """What has ended, in a database that is prepared. Every method raises :class:`HistoryError`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def keep(self, finished: Finished) -> None:
        """Keep a match. One that is there already must be the same, else there is an alarm."""
        kept = await self._keep(matches, asdict(finished), matches.c.id, matches.c.digest)
        if kept is not None and kept != (finished.digest,):
            log.error("ALARM: match %s is kept with other content", finished.id)

    async def keep_void(self, void: CameToNothing) -> None:
        """Keep a handshake that came to nothing; the same for the same match."""
        same = (voids.c.table_id, voids.c.cause, voids.c.seats)
        kept = await self._keep(voids, asdict(void), voids.c.match, *same)
        if kept is not None and kept != (void.table_id, void.cause, void.seats):
            log.error("ALARM: void match %s is kept with other content", void.match)

    async def match(self, match: str) -> Finished | None:
        """A finished match, or ``None``."""
        wanted = [matches.c[each.name] for each in fields(Finished)]
        row = await self._one(select(*wanted).where(matches.c.id == match))
        return None if row is None else Finished(*row)

    async def void(self, match: str) -> CameToNothing | None:
        """A handshake that came to nothing, or ``None``."""
        wanted = [voids.c[each.name] for each in fields(CameToNothing)]
        row = await self._one(select(*wanted).where(voids.c.match == match))
        return None if row is None else CameToNothing(*row)

    async def _keep(
        self, table: Table, values: dict[str, Any], key: Column[Any], *same: Column[Any]
    ) -> tuple[Any, ...] | None:
        """``None`` if it was kept now, else the values that were kept before."""
        try:
            async with self._engine.begin() as connection:
                await connection.execute(insert(table).values(values))
        except IntegrityError:
            return await self._one(select(*same).where(key == values[key.name]))
        except (SQLAlchemyError, OSError) as error:
            raise HistoryError(f"not kept: {type(error).__name__}") from None
        return None

    async def _one(self, query: Any) -> tuple[Any, ...] | None:
        try:
            async with self._engine.connect() as connection:
                row = (await connection.execute(query)).one_or_none()
        except (SQLAlchemyError, OSError) as error:
            raise HistoryError(f"not read: {type(error).__name__}") from None
        return None if row is None else tuple(row)
