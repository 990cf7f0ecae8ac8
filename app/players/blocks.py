"""Whom a player does not want to meet: neither by quick match nor at a table of theirs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import and_, delete, func, or_, select, union
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.players.players import PlayersError
from app.players.schema import blocks, players

MOST: Final = 200
"""So many a player may block."""


class Blocks:
    """The blocks, in a database that is prepared. Every method raises :class:`PlayersError`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def block(self, player: str, other: str, at: int) -> bool:
        """Whether it is so now; ``False``: it is somebody themselves, or too many are blocked.
        ``at`` in milliseconds since 1970."""
        if player == other:
            return False
        async with db.writing(self._engine, PlayersError) as connection:
            mine = select(func.count()).where(blocks.c.player == player, blocks.c.blocked != other)
            if (await connection.execute(mine)).scalar_one() >= MOST:
                return False
            made = db.insert(connection, blocks).values(player=player, blocked=other, at=at)
            await connection.execute(made.on_conflict_do_nothing())
        return True

    async def unblock(self, player: str, other: str) -> None:
        """No more."""
        async with db.writing(self._engine, PlayersError) as connection:
            await connection.execute(
                delete(blocks).where(blocks.c.player == player, blocks.c.blocked == other)
            )

    async def of(self, player: str) -> dict[str, str]:
        """Whom a player has blocked: names by id, the last first."""
        wanted = (
            select(players.c.id, players.c.name)
            .join(blocks, blocks.c.blocked == players.c.id)
            .where(blocks.c.player == player)
            .order_by(blocks.c.at.desc(), players.c.id)
        )
        async with db.reading(self._engine, PlayersError) as connection:
            return {row.id: row.name for row in await connection.execute(wanted)}

    async def apart(self, player: str) -> frozenset[str]:
        """Whom a player does not meet, whoever of the two wants it so."""
        mine = select(blocks.c.blocked).where(blocks.c.player == player)
        theirs = select(blocks.c.player).where(blocks.c.blocked == player)
        async with db.reading(self._engine, PlayersError) as connection:
            return frozenset((await connection.execute(union(mine, theirs))).scalars())

    async def are_apart(self, player: str, others: Collection[str]) -> bool:
        """Whether a player does not meet some of these."""
        some = sorted(others)
        between = or_(
            and_(blocks.c.player == player, blocks.c.blocked.in_(some)),
            and_(blocks.c.blocked == player, blocks.c.player.in_(some)),
        )
        async with db.reading(self._engine, PlayersError) as connection:
            return (
                await connection.execute(select(blocks.c.at).where(between))
            ).first() is not None
