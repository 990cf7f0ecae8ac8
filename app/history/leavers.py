"""Who leaves matches again and again: quick match is closed to them for a while."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.history.history import HistoryError
from app.history.schema import match_seats, matches

DAY_MS: Final = 24 * 3_600_000
MOST: Final = 3
"""So many matches left within a day are too many."""
CLOSED_MS: Final = 3_600_000
"""For so long after the last of them."""


class Leavers:
    """Who has left, in a database that is prepared."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def closed(self, player: str, at: int) -> int:
        """For how many milliseconds more quick match is closed to a player at ``at``, of the
        calendar. To leave is to go while a match runs, or to stay away too long (T8, T13): not to
        resign. Raises :class:`HistoryError`."""
        left = (
            select(match_seats.c.ended_at)
            .join(matches, matches.c.id == match_seats.c.match_id)
            .where(
                match_seats.c.player == player,
                match_seats.c.won.is_(False),
                match_seats.c.computer.is_(False),  # nobody was left waiting there
                match_seats.c.ended_at > at - DAY_MS,
                matches.c.reason == "left",
            )
            .order_by(match_seats.c.ended_at.desc())
            .limit(MOST)
        )
        async with db.reading(self._engine, HistoryError) as connection:
            times = list((await connection.execute(left)).scalars())
        return max(0, times[0] + CLOSED_MS - at) if len(times) == MOST else 0
