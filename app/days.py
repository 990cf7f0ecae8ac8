"""Days, weeks and months as they are where the site is at home: in Tbilisi.

Moments are of the calendar, in milliseconds since 1970.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def _home() -> tzinfo:
    try:
        return ZoneInfo("Asia/Tbilisi")
    except ZoneInfoNotFoundError:  # a machine that knows no zones; there is no summer time
        return timezone(timedelta(hours=4))


HOME: Final = _home()


def day(at: int) -> str:
    """The day of a moment: ``2026-11-30``."""
    return local(at).date().isoformat()


def monday(at: int) -> int:
    """When the week of a moment began."""
    there = local(at)
    return _start(there - timedelta(days=there.weekday()))


def months(at: int, count: int) -> list[tuple[str, int]]:
    """The last ``count`` months up to that of a moment, the latest first: ``2026-11`` and when it
    began."""
    first = local(at).replace(day=1)
    found = []
    for _ in range(count):
        found.append((f"{first:%Y-%m}", _start(first)))
        first = (first - timedelta(days=1)).replace(day=1)
    return found


def days_before(at: int, count: int) -> int:
    """The start of the day that lies ``count`` days before that of a moment."""
    return _start(local(at) - timedelta(days=count))


def local(at: int) -> datetime:
    """A moment, as clocks there show it."""
    return datetime.fromtimestamp(at / 1000, HOME)


def _start(moment: datetime) -> int:
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return round(midnight.timestamp() * 1000)
