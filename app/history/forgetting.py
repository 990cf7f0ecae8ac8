"""A deleted player's name, taken out of the matches that they have played."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.history.lists import Cursor
from app.history.schema import match_seats, matches
from app.players.schema import players
from engine.game import Json

NOBODY: Final = ""
"""The name of a deleted player."""
AT_ONCE: Final = 20
"""Matches in one transaction: their records are written anew."""


async def deleted(connection: AsyncConnection, who: Collection[str]) -> frozenset[str]:
    """Those players that are deleted. None of the others can be until the transaction is over."""
    query = select(players.c.id, players.c.kind).where(players.c.id.in_(sorted(who)))
    rows = await connection.execute(query.order_by(players.c.id).with_for_update(read=True))
    return frozenset(row.id for row in rows if row.kind == "deleted")


def nameless(record: Json, names: list[str]) -> Json:
    """A record under other names, in its order."""
    return {**record, "players": names} if "players" in record else record


async def forget(connection: AsyncConnection, player: str, after: Cursor | None) -> Cursor | None:
    """Take a player's name out of some of their matches, from ``after`` on; where to go on, or
    ``None``: that was all."""
    order = (match_seats.c.ended_at, match_seats.c.match_id)
    query: Any = (
        select(*order, match_seats.c.seat, matches.c.names, matches.c.record)
        .join(matches, matches.c.id == match_seats.c.match_id)
        .where(match_seats.c.player == player)
    )
    if after is not None:
        query = query.where(tuple_(*order) > tuple_(*after))
    # Locked in one order: two of one match may be forgotten at once, each with a name of its own.
    query = query.order_by(*order).limit(AT_ONCE).with_for_update(of=matches)
    rows = (await connection.execute(query)).all()
    for row in rows:
        if row.names[row.seat] != NOBODY:
            names = [NOBODY if seat == row.seat else each for seat, each in enumerate(row.names)]
            changed = {"names": names, "record": nameless(row.record, names)}
            await connection.execute(
                update(matches).where(matches.c.id == row.match_id).values(changed)
            )
    return (rows[-1].ended_at, rows[-1].match_id) if len(rows) == AT_ONCE else None
