"""What a player's matches add up to."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.history.history import History
from app.history.stats import Stats, Whose
from engine.figures import figures
from engine.game import Json
from engine.record import read
from tests.history.kept import AT, DOMINO, NARDI, finished, record_of
from tests.history.test_history import MATCH

DOMINO_OF_NINO = Whose("nino", "domino", "georgian")
OTHER = record_of("domino", "two")


def values(*records: tuple[Json, int]) -> dict[str, int]:
    """What the engine counts for a seat of each record, added up."""
    added: dict[str, int] = {}
    for record, seat in records:
        for name, value in figures(read(record))[seat].items():
            added[name] = added.get(name, 0) + value
    return added


def won(record: Json, seat: int) -> bool:
    return bool(record["end"]["winner"] == seat)


async def test_stats_are_the_engines_figures_added_up(lasting: AsyncEngine) -> None:
    history = History(lasting)
    await history.keep(finished("m1", DOMINO, ("nino", "gia"), at=AT))
    await history.keep(finished("m2", OTHER, ("gia", "nino"), at=AT + 5))
    await history.keep(finished("m3", NARDI, ("nino", "gia"), at=AT + 6))
    await history.keep(finished("m4", OTHER, ("luka", "gia"), at=AT + 7))
    both = values((DOMINO, 0), (OTHER, 1))
    wins = won(DOMINO, 0) + won(OTHER, 1)
    assert both["hands"] > 0
    assert await history.stats(DOMINO_OF_NINO) == Stats(2, wins, 2, both)
    since = await history.stats(DOMINO_OF_NINO, AT + 1)
    assert since == Stats(1, int(won(OTHER, 1)), 1, values((OTHER, 1)))
    assert await history.stats(DOMINO_OF_NINO, AT + 6) == Stats(0, 0, 0, {})
    (game,) = [await history.stats(Whose("nino", "nardi", "short"))]
    assert game.sums == values((NARDI, 0))


async def test_a_match_that_is_kept_twice_counts_once(lasting: AsyncEngine) -> None:
    history = History(lasting)
    await asyncio.gather(*(history.keep(finished("m1")) for _ in range(3)))
    await history.keep(finished("m1", at=AT + 1))
    found = await history.stats(DOMINO_OF_NINO)
    assert (found.matches, found.sums) == (1, values((DOMINO, 0)))


async def test_a_record_that_the_engine_refuses_is_kept_without_figures(
    lasting: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    history = History(lasting)
    wrong = finished("m1")
    wrong.record["hands"][0] = {**DOMINO["hands"][0], "plays": ["0 9-9"]}
    await history.keep(wrong)
    await history.keep(MATCH if MATCH.id != "m1" else finished("m2", OTHER))
    kept = await history.match("m1")
    assert kept == wrong
    assert "match m1 cannot be counted" in caplog.text
    assert "9-9" not in caplog.text
    found = await history.stats(DOMINO_OF_NINO)
    assert (found.matches, found.counted, found.sums) == (2, 1, values((OTHER, 0)))
    course = await history.course(DOMINO_OF_NINO)
    assert [each.values for each in course if each.match == "m1"] == [{}]


async def test_a_void_match_counts_for_nobody_t5(lasting: AsyncEngine) -> None:
    history = History(lasting)
    await history.keep(finished("m1", record_of("domino", winner=None, reason="void")))
    assert await history.stats(DOMINO_OF_NINO) == Stats(0, 0, 0, {})
    assert await history.course(DOMINO_OF_NINO) == []
    async with lasting.connect() as connection:
        count = await connection.execute(text("SELECT count(*) FROM figures"))
        assert count.scalar_one() == 0


async def test_what_was_played_of_a_match_given_up_counts(lasting: AsyncEngine) -> None:
    history = History(lasting)
    given_up = record_of("domino", winner=1, reason="resigned")
    await history.keep(finished("m1", given_up))
    found = await history.stats(DOMINO_OF_NINO)
    assert found == Stats(1, 0, 1, values((given_up, 0)))


async def test_by_month_of_tbilisi(lasting: AsyncEngine) -> None:
    history = History(lasting)
    march = round(datetime(2026, 2, 28, 20, tzinfo=UTC).timestamp() * 1000)
    await history.keep(finished("m1", DOMINO, at=march - 1))
    await history.keep(finished("m2", OTHER, at=march))
    await history.keep(finished("m3", DOMINO, at=march + 1))
    await history.keep(finished("old", DOMINO, at=march - 40 * 86_400_000))
    found = await history.months(DOMINO_OF_NINO, march + 5, 3)
    first, second = int(won(DOMINO, 0)), int(won(OTHER, 0))
    assert found == [
        ("2026-03", Stats(2, first + second, 2, values((DOMINO, 0), (OTHER, 0)))),
        ("2026-02", Stats(1, first, 1, values((DOMINO, 0)))),
        ("2026-01", Stats(1, first, 1, values((DOMINO, 0)))),
    ]
    assert await history.months(DOMINO_OF_NINO, march - 1, 1) == [
        ("2026-02", Stats(3, 2 * first + second, 3, values((DOMINO, 0), (DOMINO, 0), (OTHER, 0))))
    ]


async def test_match_by_match_for_a_plot(lasting: AsyncEngine) -> None:
    history = History(lasting)
    for number in range(5):
        record = (DOMINO, OTHER)[number % 2]
        await history.keep(finished(f"m{number}", record, ("gia", "nino"), at=AT + number))
    last = await history.course(DOMINO_OF_NINO, 3)
    assert [each.match for each in last] == ["m4", "m3", "m2"]
    assert [each.values for each in last] == [
        values((DOMINO, 1)), values((OTHER, 1)), values((DOMINO, 1)),
    ]  # fmt: skip
    assert [each.won for each in last] == [won(DOMINO, 1), won(OTHER, 1), won(DOMINO, 1)]
    assert last[0].ended_at == AT + 4
