"""What waits to go out from the tables."""

from __future__ import annotations

from app.operator.office import Office, OperatorError
from app.operator.said import record, time
from app.operator.tables import MOST
from app.table.commands import Retry
from app.table.handle import RETRY_MOST_MS, RETRY_MS
from app.table.table import Outgoing
from engine.game import Unreadable


async def outbox(office: Office) -> list[str]:
    """The entries that wait, and the tables that nobody can see to."""
    lines = []
    for table_id in await office.store.armed(MOST):
        try:
            table = await office.tables.load(table_id)
        except Unreadable as error:
            lines.append(record(table=table_id, unreadable=str(error)))
            continue
        lines += [
            record(
                table=table_id,
                entry=entry.id,
                kind=entry.kind,
                match=entry.payload.get("match"),
                tries=entry.tries,
                since=time(_since(entry)),
                next=time(entry.retry_at),
            )
            for entry in (() if table is None else table.outbox)
        ]
    stuck = await office.store.stuck()
    return lines + [record(stuck=table_id, leases=leases) for table_id, leases in stuck.items()]


def _since(entry: Outgoing) -> int:
    """Since when an entry waits, at the least, in site time: every try makes it wait for longer."""
    waits = (min(RETRY_MS << min(n, 16), RETRY_MOST_MS) for n in range(entry.tries))
    return entry.retry_at - sum(waits)


async def retry(office: Office, table_id: str) -> list[str]:
    """Have all that waits at a table tried now."""
    table = await office.table(table_id)
    if not table.outbox:
        raise OperatorError("nothing waits there")
    what = {"table": table_id, "entries": [entry.id for entry in table.outbox]}
    await office.note("retry", what)
    await office.clock()
    await office.tables.handle(table_id, Retry())
    return [record(table=table_id, retried=len(table.outbox))]
