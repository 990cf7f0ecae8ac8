"""What players have reported."""

from __future__ import annotations

from app.live.sitetime import wall_ms
from app.operator.office import Office, OperatorError
from app.operator.said import record, time


async def reports(office: Office, limit: int, *, every: bool) -> list[str]:
    """The reports that wait, the latest first; ``every``: also those that are closed."""
    return [
        record(
            report=each.id,
            at=time(each.at),
            cause=each.cause,
            match=each.match,
            about=each.about,
            about_name=each.about_name,
            by=each.by,
            by_name=each.by_name,
            words=each.words,
            closed=None if each.closed_at is None else time(each.closed_at),
        )
        for each in await office.reports.recent(limit, closed=every)
    ]


async def close(office: Office, report: str) -> list[str]:
    """A report is seen to."""
    await office.note("close_report", {"report": report})
    if not await office.reports.close(report, wall_ms()):
        raise OperatorError(f"there is no open report {report}")
    return [record(closed=report)]
