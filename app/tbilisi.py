"""Days and weeks as they are in Tbilisi, where the site's day begins (T3)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Final

TBILISI: Final = timezone(timedelta(hours=4))
"""All year: Georgia has no summer time. So no machine needs a database of time zones for it."""


def at(ms: int) -> datetime:
    """A moment in milliseconds since 1970, as clocks there show it."""
    return datetime.fromtimestamp(ms / 1000, TBILISI)


def day(ms: int) -> date:
    """The day of a moment in milliseconds since 1970.

    >>> day(1_764_446_400_000).isoformat()  # 2025-11-29, 20:00 UTC
    '2025-11-30'
    """
    return at(ms).date()


def began(which: date) -> int:
    """When a day begins, in milliseconds since 1970."""
    midnight = datetime(which.year, which.month, which.day, tzinfo=TBILISI)
    return int(midnight.astimezone(UTC).timestamp()) * 1000


def week(ms: int) -> int:
    """When the week of a moment began, on its Monday, in milliseconds since 1970."""
    today = day(ms)
    return began(today - timedelta(days=today.weekday()))
