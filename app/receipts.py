"""What was done once is not done again, and has to have been the same.

The receipt of a step is the row that it leaves: ``transfers.key``, ``escrow.match``,
``matches.id`` with its digest, ``voids.match``. It is written in the same transaction as the
step's effect, so there is no moment with one and without the other. A table of receipts beside
these would only say the same once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from app import db


class OtherContentError(Exception):
    """The step was done before, with other content."""


async def once(
    connection: AsyncConnection, table: Table, values: Mapping[str, Any], same: Sequence[str]
) -> bool:
    """Write a receipt, ``values`` by column, the whole primary key among them.

    ``True``: it is written now, the step is to be done. ``False``: it was there, and its columns
    ``same`` agree. Raises :class:`OtherContentError`: they do not. Somebody else writing the same
    receipt is waited for.
    """
    written = await connection.execute(
        db.insert(connection, table).values(**values).on_conflict_do_nothing()
    )
    if written.rowcount:
        return True
    key = [column == values[column.name] for column in table.primary_key.columns]
    kept = (await connection.execute(select(*(table.c[name] for name in same)).where(*key))).one()
    if tuple(kept) != tuple(values[name] for name in same):
        raise OtherContentError
    return False
