"""Where registered players are signed in. A browser has a secret, the database its hash."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import db
from app.players.players import Player, PlayersError
from app.players.schema import players, sessions

MOST: Final = 20
"""So many places a player is signed in at; one more ends the oldest."""
LASTS_MS: Final = 180 * 24 * 3_600_000
"""A session that nobody has used for so long is over."""
SEEN_MS: Final = 3_600_000
"""When somebody was last seen is kept to the hour."""
_DEVICE: Final = 120


@dataclass(frozen=True, slots=True)
class Session:
    """A place where a player is signed in. ``id`` opens nothing. Times in milliseconds since
    1970."""

    id: str
    since: int
    seen: int
    device: str


def id_of(secret: str) -> str:
    """What is kept of a session's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


async def begin(connection: AsyncConnection, player: str, device: str, at: int) -> str:
    """Sign a player in; the secret of the new session."""
    secret = secrets.token_urlsafe(24)
    await connection.execute(
        insert(sessions).values(
            id=id_of(secret), player=player, since=at, seen=at, device=device[:_DEVICE]
        )
    )
    kept = select(sessions.c.id).where(sessions.c.player == player)
    newest = kept.order_by(sessions.c.since.desc(), sessions.c.id).limit(MOST)
    await connection.execute(
        delete(sessions).where(
            sessions.c.player == player, sessions.c.id.not_in(newest.scalar_subquery())
        )
    )
    return secret


async def end(connection: AsyncConnection, player: str, but: str | None = None) -> None:
    """Sign a player out everywhere, ``but`` for one session."""
    gone = delete(sessions).where(sessions.c.player == player)
    await connection.execute(gone if but is None else gone.where(sessions.c.id != but))


class Sessions:
    """The sessions, in a database that is prepared. Every method raises :class:`PlayersError`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def player(self, session: str, at: int) -> Player | None:
        """Who is signed in with a session (its id), seen now; ``None``: it is over."""
        wanted = (
            select(players.c.id, players.c.name, players.c.since, players.c.kind, sessions.c.seen)
            .join(sessions, sessions.c.player == players.c.id)
            .where(sessions.c.id == session, sessions.c.seen > at - LASTS_MS)
        )
        async with db.reading(self._engine, PlayersError) as connection:
            row = (await connection.execute(wanted)).first()
        if row is None:
            return None
        *player, seen = row
        if at - seen > SEEN_MS:
            async with db.writing(self._engine, PlayersError) as connection:
                await connection.execute(
                    update(sessions).where(sessions.c.id == session).values(seen=at)
                )
        return Player(*player)

    async def alive(self, ids: Collection[str], at: int) -> set[str]:
        """Those of some sessions (their ids) that are not over."""
        wanted = select(sessions.c.id).where(
            sessions.c.id.in_(sorted(ids)), sessions.c.seen > at - LASTS_MS
        )
        async with db.reading(self._engine, PlayersError) as connection:
            return set((await connection.execute(wanted)).scalars())

    async def of(self, player: str) -> list[Session]:
        """Where a player is signed in, the last begun first."""
        wanted = (
            select(sessions.c.id, sessions.c.since, sessions.c.seen, sessions.c.device)
            .where(sessions.c.player == player)
            .order_by(sessions.c.since.desc(), sessions.c.id)
        )
        async with db.reading(self._engine, PlayersError) as connection:
            return [Session(*row) for row in await connection.execute(wanted)]

    async def end(self, session: str) -> None:
        """Sign out here. What is over already stays so."""
        async with db.writing(self._engine, PlayersError) as connection:
            await connection.execute(delete(sessions).where(sessions.c.id == session))

    async def end_secret(self, secret: str) -> None:
        """Sign out where this secret opens."""
        await self.end(id_of(secret))

    async def end_all(self, player: str, but: str | None = None) -> None:
        """Sign a player out everywhere, ``but`` for one session."""
        async with db.writing(self._engine, PlayersError) as connection:
            await end(connection, player, but)
