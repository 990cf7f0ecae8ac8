"""A table for those who have found each other by quick match."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from app.live.pools import Pool
from app.live.seeking import Seeker, Ticket
from app.live.service import LiveTables
from app.table.clock import PRESETS
from app.table.commands import Create, Leave, Sit
from app.table.decision import Accepted, Refused

GOING: Final = frozenset({"funding", "handshake", "running"})
OVER: Final = frozenset({"ended", "closed"})
"""The states of a table at which all have found each other."""
OTHERS: Final = frozenset({"taken", "table_closed", "unknown_table"})
"""What is none of the fault of who sits down: others were there first."""


async def seat(
    tables: LiveTables, pool: Pool, group: Sequence[Seeker], table_id: str
) -> dict[Ticket, str] | None:
    """Make the table, and have all of the group sit down. ``None``: they sit there. Else who was
    turned away, and the code of why; nobody, if somebody from elsewhere sat down first. Raises
    like :meth:`LiveTables.handle`."""
    first, *others = group
    create = Create(
        *(table_id, pool.game, pool.options, PRESETS["standard"], True, first.player, first.name),
        stake=pool.stake,
    )
    answer = await tables.handle(table_id, create)
    if isinstance(answer, Refused):
        return {first.ticket: answer.code}
    for each in others:
        answer = await tables.handle(table_id, Sit(each.player, each.name, LiveTables.fresh()))
        if isinstance(answer, Refused):
            return {} if answer.code in OTHERS else {each.ticket: answer.code}
    return None


async def free(tables: LiveTables, player: str, table_id: str) -> bool:
    """Whether nothing keeps a player at the table: nobody is to wait alone where quick match has
    brought them. Raises like :meth:`LiveTables.handle`."""
    table = await tables.load(table_id)
    if table is None or table.seat_of(player) is None or table.status in ("ended", "closed"):
        return True
    if table.status != "open":
        return False
    leave = Leave(player, secrets.token_hex(8), table.match_id())
    return isinstance(await tables.handle(table_id, leave), Accepted)
