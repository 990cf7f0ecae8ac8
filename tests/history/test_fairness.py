"""The public report on chance (T12)."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.history import counted, fairness
from app.history.bands import band
from app.history.fairness import CLAIM_MS, Fairness, Report
from app.history.history import CameToNothing, History, HistoryError
from engine import games
from engine.game import Json
from engine.given import given
from engine.record import read
from tests.history.kept import AT, DOMINO, NARDI, finished, record_of
from tests.history.test_history import MATCH

DAY = 86_400_000
TODAY = round(datetime(2026, 11, 30, 8, tzinfo=UTC).timestamp() * 1000)
"""Noon of 30 November 2026 in Tbilisi."""
OTHER = record_of("domino", "two")


class Clock:
    def __init__(self) -> None:
        self.ms = TODAY

    def __call__(self) -> int:
        return self.ms


async def keep(history: History, *records: Json) -> None:
    for number, record in enumerate(records):
        await history.keep(finished(f"m{number:03}", record, at=AT + number))


async def uncounted(engine: AsyncEngine) -> None:
    """As if all matches were of before they were counted."""
    async with engine.begin() as connection:
        await connection.execute(text("DELETE FROM given"))


def counts(*records: Json) -> dict[str, dict[str, int]]:
    """By the engine, and a plain sum."""
    sums: dict[str, dict[str, int]] = {}
    for record in records:
        for table, keys in given(read(record)).items():
            for key, count in keys.items():
                of = sums.setdefault(table, {})
                of[key] = of.get(key, 0) + count
    return sums


def seen(report: Report | None, game: str) -> dict[str, dict[str, int]]:
    assert report is not None
    (found,) = [each for each in report.chances if each.game == game]
    return {t: {k: each.count for k, each in keys.items()} for t, keys in found.tables.items()}


async def test_the_report_is_what_the_engine_counts_beside_what_it_expects(
    lasting: AsyncEngine,
) -> None:
    await keep(History(lasting), DOMINO, OTHER, NARDI)
    report = await Fairness(lasting).recompute(TODAY)
    assert (report.day, report.at, report.matches) == ("2026-11-30", TODAY, 3)
    assert [(each.game, each.rules, each.matches) for each in report.chances] == [
        ("domino", "georgian", 2),
        ("nardi", "short", 1),
    ]
    assert seen(report, "domino") == counts(DOMINO, OTHER)
    assert seen(report, "nardi") == counts(NARDI)
    for each in report.chances:
        chances = games.game(each.game, each.rules).chances
        assert list(each.tables) == list(chances)
        for table, keys in each.tables.items():
            assert list(keys) == list(chances[table])
            trials = sum(one.count for one in keys.values())
            assert trials > 0
            for key, one in keys.items():
                assert one == band(one.count, trials, float(chances[table][key]))
    assert await Fairness(lasting).latest() == report


async def test_matches_that_were_not_counted_are_counted_for_the_report(
    lasting: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness, "RECORDS", 2)
    monkeypatch.setattr(fairness, "ROWS", 2)
    history = History(lasting)
    await keep(history, DOMINO, OTHER, NARDI, OTHER, DOMINO)
    at_once = await Fairness(lasting).recompute(TODAY)
    await uncounted(lasting)
    await history.keep(finished("m005", NARDI))  # this one is
    report = await Fairness(lasting).recompute(TODAY)
    assert seen(report, "domino") == seen(at_once, "domino") == counts(*[DOMINO, OTHER] * 2)
    assert seen(report, "nardi") == counts(NARDI, NARDI)
    again = await Fairness(lasting).recompute(TODAY)
    assert again == report


async def test_a_recount_plays_every_record_again(
    lasting: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(History(lasting), DOMINO)
    monkeypatch.setattr(counted, "given", lambda _: {"opener": {"0": 7}})
    report = await Fairness(lasting).recompute(TODAY)
    assert seen(report, "domino") == counts(DOMINO)
    anew = await Fairness(lasting).recompute(TODAY, anew=True)
    assert seen(anew, "domino")["opener"]["0"] == 7


async def test_a_match_counts_once_however_often_it_is_kept(lasting: AsyncEngine) -> None:
    history = History(lasting)
    match = finished("m1")
    await asyncio.gather(*(history.keep(match) for _ in range(3)))
    report = await Fairness(lasting).recompute(TODAY)
    assert seen(report, "domino") == counts(DOMINO)


async def test_void_and_given_up_matches_count_too(lasting: AsyncEngine) -> None:
    # Else a loser could choose what is counted.
    void = record_of("domino", winner=None, reason="void")
    left = record_of("domino", "two", winner=1, reason="left")
    await keep(History(lasting), void, left)
    assert seen(await Fairness(lasting).recompute(TODAY), "domino") == counts(void, left)


async def test_what_the_engine_refuses_is_looked_at_once(
    lasting: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    await History(lasting).keep(MATCH)
    await uncounted(lasting)
    caplog.clear()
    for _ in range(2):
        report = await Fairness(lasting).recompute(TODAY)
        assert (report.matches, report.chances) == (1, ())
    assert caplog.text.count("cannot be counted") == 1


async def test_void_handshakes_by_cause_and_day(lasting: AsyncEngine) -> None:
    history = History(lasting)
    midnight = TODAY - 12 * 3_600_000
    moments = [
        ("no_hash", TODAY), ("no_hash", midnight), ("left", midnight - 1), ("left", midnight - 2),
        ("no_number", midnight - 29 * DAY), ("no_number", midnight - 29 * DAY - 1),
    ]  # fmt: skip
    for number, (cause, at) in enumerate(moments):
        await history.keep_void(CameToNothing(f"v{number}", "t1", cause, [0], at))
    report = await Fairness(lasting).recompute(TODAY)
    assert report.voids == {"left": 2, "no_hash": 2, "no_number": 2}
    assert len(report.days) == 30
    assert [each for each in report.days if each[1]] == [
        ("2026-11-30", {"no_hash": 2}),
        ("2026-11-29", {"left": 2}),
        ("2026-11-01", {"no_number": 1}),
    ]
    assert [day for day, _ in report.days] == sorted((day for day, _ in report.days), reverse=True)


# ── once a day ────────────────────────────────────────────────────────────────────────────────


async def test_a_fresh_site_has_none_until_something_has_ended(lasting: AsyncEngine) -> None:
    clock = Clock()
    site = Fairness(lasting, clock)
    await site.look()
    assert await site.latest() is None
    await keep(History(lasting), DOMINO)
    await site.look()
    first = await site.latest()
    assert first is not None
    assert (first.day, first.matches) == ("2026-11-30", 1)
    await keep(History(lasting), DOMINO, OTHER)
    clock.ms += 60_000
    await site.look()
    assert await site.latest() == first  # not again today
    clock.ms = TODAY + DAY // 2  # midnight
    await site.look()
    second = await site.latest()
    assert second is not None
    assert (second.day, second.matches, second.at) == ("2026-12-01", 2, clock.ms)


async def test_a_void_handshake_is_something_too(lasting: AsyncEngine) -> None:
    await History(lasting).keep_void(CameToNothing("v", "t1", "left", [0], TODAY))
    site = Fairness(lasting, Clock())
    await site.look()
    report = await site.latest()
    assert report is not None
    assert (report.matches, report.voids) == (0, {"left": 1})


def counting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """On which threads records are counted."""
    threads: list[str] = []

    def noted(record: Any) -> Any:
        threads.append(threading.current_thread().name)
        return given(record)

    monkeypatch.setattr(counted, "given", noted)
    return threads


@pytest.mark.parametrize("processes", [2, 4])
async def test_many_processes_make_it_once(
    lasting: AsyncEngine, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    await keep(History(lasting), DOMINO, OTHER)
    await uncounted(lasting)
    threads = counting(monkeypatch)
    every = [Fairness(lasting, Clock()) for _ in range(processes)]
    await asyncio.gather(*(each.look() for each in every))
    assert len(threads) == 2
    assert threading.main_thread().name not in threads  # the tables go on meanwhile
    assert seen(await every[0].latest(), "domino") == counts(DOMINO, OTHER)


async def test_a_process_that_died_at_it_is_followed_by_another(
    lasting: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(History(lasting), DOMINO, OTHER)
    await uncounted(lasting)
    clock = Clock()
    dying = Fairness(lasting, clock)

    async def dies(*_: Any) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as patched:
        patched.setattr(dying, "_chances", dies)
        with pytest.raises(asyncio.CancelledError):
            await dying.look()
    other = Fairness(lasting, clock)
    await other.look()
    assert await other.latest() is None  # it may be at it still
    clock.ms += CLAIM_MS
    threads = counting(monkeypatch)
    await other.look()
    assert seen(await other.latest(), "domino") == counts(DOMINO, OTHER)
    assert threads == []  # what the first had counted stands


async def test_a_process_that_takes_long_says_so(
    lasting: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness, "RECORDS", 1)
    await keep(History(lasting), DOMINO, OTHER, DOMINO)
    await uncounted(lasting)
    clock = Clock()

    threads = counting(monkeypatch)
    one, two = Fairness(lasting, clock), Fairness(lasting, clock)
    count = one._counter.count

    async def slow(match: str, record: Json) -> Any:
        clock.ms += CLAIM_MS - 1
        await two.look()
        return await count(match, record)

    monkeypatch.setattr(one._counter, "count", slow)
    await one.look()
    assert len(threads) == 3
    assert seen(await two.latest(), "domino") == counts(DOMINO, OTHER, DOMINO)


async def test_a_database_that_is_away_is_told_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    nowhere = db.deployed("postgresql://ezo@127.0.0.1:1/ezo")
    site = Fairness(nowhere, Clock())
    with pytest.raises(HistoryError):
        await site.latest()
    await db.close(nowhere)
    monkeypatch.setattr(fairness, "EVERY_S", 0)
    looks: list[None] = []
    twice = asyncio.Event()

    async def fails() -> None:
        looks.append(None)
        if len(looks) == 2:
            twice.set()
        raise HistoryError("away")

    monkeypatch.setattr(site, "look", fails)
    task = asyncio.create_task(site.run())
    await twice.wait()
    task.cancel()
    await asyncio.wait({task})
    assert "the fairness report cannot be made: away" in caplog.text


async def test_the_report_outlives_a_rule_set(
    lasting: AsyncEngine,
) -> None:
    await keep(History(lasting), DOMINO)
    async with lasting.begin() as connection:
        await connection.execute(text("UPDATE given SET game = 'gone'"))
    report = await Fairness(lasting).recompute(TODAY)
    assert [(each.game, each.matches, each.tables) for each in report.chances] == [("gone", 1, {})]
    assert replace(report) == await Fairness(lasting).latest()
