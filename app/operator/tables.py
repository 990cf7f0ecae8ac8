"""Looking at tables, and voiding a match (T5)."""

from __future__ import annotations

import json

from app.live.lobby import SHOWN
from app.operator.office import Office, OperatorError
from app.operator.said import record, time
from app.table import views
from app.table.commands import Void
from app.table.decision import Refused
from app.table.table import Table
from engine.game import Unreadable

MOST = 10_000
"""Tables that are looked at."""
_WHY = {
    "not_running": "no match runs or is about to: nothing is voided",
    "stale": "another match is on there by now: nothing is voided",
    "unknown_table": "the table is gone: nothing is voided",
}


async def tables(office: Office, *, every: bool) -> list[str]:
    """The tables of the lobby, or all at which something falls due."""
    if every:
        ids = await office.store.armed(MOST)
    else:
        ids = tuple(listing["id"] for listing in await office.store.listed(SHOWN))
    return [line for table_id in ids if (line := await _line(office, table_id)) is not None]


async def _line(office: Office, table_id: str) -> str | None:
    try:
        table = await office.tables.load(table_id)
    except Unreadable as error:
        return record(table=table_id, unreadable=str(error))
    return None if table is None else _row(table)


def _row(table: Table) -> str:
    return record(
        table=table.id,
        status=table.status,
        game=f"{table.game.name}/{table.game.rules}",
        options=dict(table.options),
        public=table.public,
        stake=table.stake,
        match=table.match_id(),
        seats=[None if seat is None else seat.name for seat in table.seats],
        waiting=len(table.outbox),
        at=time(table.at),
    )


async def table(office: Office, table_id: str) -> list[str]:
    """A table as a watcher sees it, in one line of JSON: nothing that is hidden (T11)."""
    found = await office.table(table_id)
    return [json.dumps(views.table_view(found, None, found.at), ensure_ascii=False)]


async def void(office: Office, table_id: str, reason: str) -> list[str]:
    """Void the match that runs or is about to; its stakes go back. A finish that comes first
    wins. Raises :class:`OperatorError`."""
    found = await office.table(table_id)
    match = found.match_id()
    if match is None or found.status not in ("funding", "handshake", "running"):
        raise OperatorError(_WHY["not_running"])
    what = {"table": table_id, "match": match, "reason": reason}
    await office.note("void_asked", what)  # first: nothing is changed without an entry
    await office.clock()
    answer = await office.tables.handle(table_id, Void(office.who, match))
    if isinstance(answer, Refused):
        await office.note("void_refused", what)
        raise OperatorError(_WHY[answer.code])
    await office.note("void", what)
    return [record(voided=match, table=table_id, stake=found.stake)]
