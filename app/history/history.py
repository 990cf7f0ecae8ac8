"""Keeping and finding what has ended. Keeping twice is keeping once."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from sqlalchemy import Select, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db, receipts
from app.history.schema import match_seats, matches, voids
from engine.game import Json

log = logging.getLogger(__name__)


class HistoryError(Exception):
    """The history is away: nothing was kept or read."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match (T14). Times are of the calendar, in milliseconds since 1970. ``digest``
    stands for all of it that does not depend on when it was kept; ``coins``: what it has moved,
    by seat, in all zero."""

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
    stake: int = 0
    coins: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.coins:  # a free table moves none
            object.__setattr__(self, "coins", [0] * len(self.players))


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
        seats = [
            {
                "match_id": finished.id,
                "seat": seat,
                "player": player,
                "won": seat in finished.winners,
                "ended_at": finished.ended_at,
            }
            for seat, player in enumerate(finished.players)
        ]
        try:
            async with db.writing(self._engine, HistoryError) as connection:
                same = ("digest", "stake", "coins")
                if await receipts.once(connection, matches, asdict(finished), same):
                    await connection.execute(insert(match_seats), seats)
        except receipts.OtherContentError:
            log.error("ALARM: match %s is kept with other content", finished.id)  # noqa: TRY400

    async def keep_void(self, void: CameToNothing) -> None:
        """Keep a handshake that came to nothing; the same for the same match."""
        try:
            async with db.writing(self._engine, HistoryError) as connection:
                same = ("table_id", "cause", "seats")
                await receipts.once(connection, voids, asdict(void), same)
        except receipts.OtherContentError:
            log.error("ALARM: void match %s is kept with other content", void.match)  # noqa: TRY400

    async def match(self, match: str) -> Finished | None:
        """A finished match, or ``None``."""
        wanted = [matches.c[each.name] for each in fields(Finished)]
        row = await self._one(match, select(*wanted).where(matches.c.id == match))
        return None if row is None else Finished(*row)

    async def void(self, match: str) -> CameToNothing | None:
        """A handshake that came to nothing, or ``None``."""
        wanted = [voids.c[each.name] for each in fields(CameToNothing)]
        row = await self._one(match, select(*wanted).where(voids.c.match == match))
        return None if row is None else CameToNothing(*row)

    async def played(self, player: str, limit: int = 50) -> list[str]:
        """The ids of the matches that a player has finished, the latest first."""
        of_player = select(match_seats.c.match_id).where(match_seats.c.player == player)
        order = (match_seats.c.ended_at.desc(), match_seats.c.match_id.desc())
        async with db.reading(self._engine, HistoryError) as connection:
            rows = await connection.execute(of_player.order_by(*order).limit(limit))
            return list(rows.scalars())

    async def _one(self, match: str, query: Select[Any]) -> tuple[Any, ...] | None:
        # Whatever stands in a request's path is asked for here; some of it no database takes.
        if not match.isprintable():
            return None
        async with db.reading(self._engine, HistoryError) as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else tuple(row)
