"""What operators have changed, and who it was."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import db
from app.ledger.schema import audit
from app.ledger.values import LedgerError
from engine.game import Json


@dataclass(frozen=True, slots=True)
class Change:
    """A change by an operator. ``at``: milliseconds since 1970."""

    at: int
    who: str
    action: str
    what: Json


async def note(connection: AsyncConnection, change: Change) -> None:
    """Write a change in the transaction that makes it."""
    await connection.execute(
        insert(audit).values(at=change.at, who=change.who, action=change.action, what=change.what)
    )


class Audit:
    """The changes of operators. Every method raises :class:`LedgerError`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def write(self, change: Change) -> None:
        """Write down a change that is made elsewhere."""
        async with db.writing(self._engine, LedgerError) as connection:
            await note(connection, change)

    async def recent(self, limit: int = 50) -> list[Change]:
        """The last changes, the latest first."""
        wanted = select(audit.c.at, audit.c.who, audit.c.action, audit.c.what)
        async with db.reading(self._engine, LedgerError) as connection:
            rows = await connection.execute(wanted.order_by(audit.c.id.desc()).limit(limit))
            return [Change(*row) for row in rows]
