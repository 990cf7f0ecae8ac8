"""How often two players have played each other for coins: so many times a day and no more, so that
nobody carries coins from one account to another (T3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import permutations
from typing import Final

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import days, db
from app.ledger.schema import escrow, meetings
from app.ledger.values import LedgerError

MOST: Final = 10
"""Coin matches a day between the same two players."""


async def met(connection: AsyncConnection, match: str, players: Sequence[str], at: int) -> None:
    """These players have staked coins for a match; in the transaction that takes them."""
    day = days.day(at)
    rows = [
        {"match": match, "one": one, "other": other, "day": day}
        for one, other in permutations(players, 2)
    ]
    if rows:
        await connection.execute(insert(meetings), rows)


class Meetings:
    """The meetings, in a database that is prepared. ``now`` reads a clock in milliseconds since
    1970. Every method raises :class:`LedgerError`."""

    def __init__(self, engine: AsyncEngine, now: Callable[[], int]) -> None:
        self._engine = engine
        self._now = now

    async def enough(self, player: str, others: Collection[str] | None = None) -> set[str]:
        """Whom, ``others`` or all, a player has met for coins often enough today. Matches whose
        stakes went back do not count."""
        wanted = (
            select(meetings.c.other)
            .join(escrow, escrow.c.match == meetings.c.match)
            .where(
                meetings.c.one == player,
                meetings.c.day == days.day(self._now()),
                escrow.c.state.in_(("staked", "paid")),
            )
            .group_by(meetings.c.other)
            .having(func.count() >= MOST)
        )
        if others is not None:
            wanted = wanted.where(meetings.c.other.in_(sorted(others)))
        async with db.reading(self._engine, LedgerError) as connection:
            return set((await connection.execute(wanted)).scalars())
