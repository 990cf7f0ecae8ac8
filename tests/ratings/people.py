"""Players who may be rated, and matches of theirs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncEngine

from app.players.schema import players
from app.ratings.ratings import Played
from app.ratings.schema import ratings

AT = 1_700_000_000_000
"""A Wednesday, 15 November 2023, 2:13 in the morning in Tbilisi."""


async def people(engine: AsyncEngine, *who: str, kind: str = "registered") -> None:
    rows = [{"id": each, "name": each.title(), "since": 1, "kind": kind} for each in who]
    async with engine.begin() as connection:
        await connection.execute(insert(players), rows)


async def become(engine: AsyncEngine, who: str, kind: str) -> None:
    name = "" if kind == "deleted" else who.title()
    changed = update(players).where(players.c.id == who).values(kind=kind, name=name)
    async with engine.begin() as connection:
        await connection.execute(changed)


async def wiped(engine: AsyncEngine, *tables: str) -> None:
    async with engine.begin() as connection:
        for table in tables:
            await connection.execute(text(f"DELETE FROM {table}"))


async def kept(engine: AsyncEngine) -> dict[str, tuple[float, float, int, int]]:
    """All ratings, to the last digit."""
    query = select(
        ratings.c.player, ratings.c.mu, ratings.c.sigma, ratings.c.shown, ratings.c.matches
    )
    async with engine.connect() as connection:
        rows = await connection.execute(query)
        return {row[0]: (row[1], row[2], row[3], row[4]) for row in rows}


def played(
    match: str,
    players: Sequence[str] = ("nino", "gia"),
    winners: Sequence[int] = (0,),
    *,
    at: int = AT,
    public: bool = True,
    rules: str = "plain",
) -> Played:
    return Played(match, "pebbles", rules, players, winners, at, public)
