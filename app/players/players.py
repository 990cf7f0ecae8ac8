"""Knowing who has played here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.players.schema import players

Kind: TypeAlias = Literal["guest", "registered", "deleted"]

_WANTED = (players.c.id, players.c.name, players.c.since, players.c.kind)


class PlayersError(Exception):
    """The players are away: nothing was kept or read."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player. ``since``: when they first acted, in milliseconds since 1970."""

    id: str
    name: str
    since: int
    kind: Kind


class Players:
    """The players, in a database that is prepared. Every method raises :class:`PlayersError`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def meet(self, id_: str, name: str, at: int) -> None:
        """Somebody acts, under a name, at a time in milliseconds since 1970 (T2). The first time
        makes a guest; later ones keep a guest's name up to date and nothing else."""
        async with db.writing(self._engine, PlayersError) as connection:
            first = db.insert(connection, players).values(id=id_, name=name, since=at, kind="guest")
            await connection.execute(
                first.on_conflict_do_update(
                    index_elements=[players.c.id],
                    set_={"name": first.excluded.name},
                    where=(players.c.name != first.excluded.name) & (players.c.kind == "guest"),
                )
            )

    async def find(self, id_: str) -> Player | None:
        """A player by id, or ``None``."""
        async with db.reading(self._engine, PlayersError) as connection:
            row = (await connection.execute(select(*_WANTED).where(players.c.id == id_))).first()
        return None if row is None else Player(*row)

    async def guests(self, ids: Collection[str]) -> set[str]:
        """Those of some players who are guests still, or have not been met."""
        others = select(players.c.id).where(
            players.c.id.in_(sorted(ids)), players.c.kind != "guest"
        )
        async with db.reading(self._engine, PlayersError) as connection:
            return set(ids) - set((await connection.execute(others)).scalars())

    async def search(self, asked: str, limit: int = 50) -> list[Player]:
        """The players with exactly this id or name, the earliest first: for operators."""
        same = or_(players.c.id == asked, players.c.name == asked)
        query = select(*_WANTED).where(same).order_by(players.c.since, players.c.id)
        async with db.reading(self._engine, PlayersError) as connection:
            return [Player(*row) for row in await connection.execute(query.limit(limit))]
