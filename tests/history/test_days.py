"""Days, weeks and months of Tbilisi."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app import days

HOUR = 3_600_000


def utc(*parts: int) -> int:
    return round(datetime(*parts, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (utc(2026, 11, 29, 19, 59, 59), "2026-11-29"),
        (utc(2026, 11, 29, 20), "2026-11-30"),
        (utc(2026, 7, 1, 19, 59), "2026-07-01"),  # no summer time
        (utc(2026, 7, 1, 20), "2026-07-02"),
    ],
)
def test_a_day_begins_at_eight_in_the_evening_of_utc(at: int, day: str) -> None:
    assert days.day(at) == day


def test_a_week_begins_on_monday_at_midnight() -> None:
    monday = utc(2026, 11, 29, 20)  # the 30th in Tbilisi
    assert days.monday(monday) == monday
    assert days.monday(monday - 1) == monday - 7 * 24 * HOUR
    assert days.monday(monday + 7 * 24 * HOUR - 1) == monday


def test_the_last_months_the_latest_first() -> None:
    assert days.months(utc(2026, 2, 28, 20), 4) == [
        ("2026-03", utc(2026, 2, 28, 20)),
        ("2026-02", utc(2026, 1, 31, 20)),
        ("2026-01", utc(2025, 12, 31, 20)),
        ("2025-12", utc(2025, 11, 30, 20)),
    ]


def test_days_before() -> None:
    assert days.days_before(utc(2026, 3, 1, 12), 0) == utc(2026, 2, 28, 20)
    assert days.days_before(utc(2026, 3, 1, 12), 29) == utc(2026, 1, 30, 20)
