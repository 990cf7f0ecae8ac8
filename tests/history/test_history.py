"""What has ended is kept for good, once (T12, T14)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.history.history import CameToNothing, Finished, History

MATCH = Finished(
    id="m1",
    table_id="t1",
    game="pebbles",
    rules="plain",
    options={"target": 3},
    players=["nino", "gia"],
    names=["ნინო", "გია"],
    started_at=1_000,
    ended_at=2_000,
    reason="points",
    winners=[1],
    score=[1, 3],
    digest="d" * 64,
    record={"format": "match-record/1", "z": 1, "a": [1, "ა", None]},
    stake=50,
    coins=[-50, 50],
)
VOID = CameToNothing("m2", "t1", "no_hash", [1], 3_000)


async def seats(engine: AsyncEngine) -> list[tuple[str, int, str, bool]]:
    query = text("SELECT match_id, seat, player, won FROM match_seats ORDER BY match_id, seat")
    async with engine.connect() as connection:
        rows = await connection.execute(query)
        return [(row.match_id, row.seat, row.player, bool(row.won)) for row in rows]


async def test_a_match_comes_back_as_it_was_kept_t14(lasting: AsyncEngine) -> None:
    history = History(lasting)
    assert await history.match("m1") is None
    await history.keep(MATCH)
    kept = await history.match("m1")
    assert kept == MATCH
    assert kept is not None
    assert list(kept.record) == list(MATCH.record)  # a record is read in its order
    assert await seats(lasting) == [("m1", 0, "nino", False), ("m1", 1, "gia", True)]


async def test_a_free_match_moves_no_coins(lasting: AsyncEngine) -> None:
    free = Finished(**{  # as those who know no coins make it
        name: getattr(MATCH, name) for name in Finished.__slots__ if name not in ("stake", "coins")
    })  # fmt: skip
    assert (free.stake, free.coins) == (0, [0, 0])
    await History(lasting).keep(free)
    assert await History(lasting).match("m1") == free


async def test_keeping_twice_is_keeping_once(
    lasting: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    history = History(lasting)
    later = replace(MATCH, started_at=1_500, ended_at=2_500)
    await asyncio.gather(*(history.keep(MATCH) for _ in range(4)))
    await history.keep(later)
    await history.keep_void(VOID)
    await history.keep_void(replace(VOID, at=3_500))
    assert await history.match("m1") == MATCH
    assert await history.void("m2") == VOID
    assert len(await seats(lasting)) == 2
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize(
    "change", [{"digest": "e" * 64}, {"coins": [50, -50]}, {"stake": 60, "coins": [-50, 50]}]
)
async def test_other_content_is_an_alarm_and_changes_nothing(
    lasting: AsyncEngine, change: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    history = History(lasting)
    await history.keep(MATCH)
    await history.keep(replace(MATCH, **change))  # type: ignore[arg-type]
    assert caplog.text.count("ALARM: match m1") == 1
    assert await history.match("m1") == MATCH


@pytest.mark.parametrize("change", [{"table_id": "t2"}, {"cause": "left"}, {"seats": [0]}])
async def test_another_void_of_the_same_match_is_an_alarm(
    lasting: AsyncEngine, change: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    history = History(lasting)
    await history.keep_void(VOID)
    await history.keep_void(replace(VOID, **change))  # type: ignore[arg-type]
    assert caplog.text.count("ALARM: void match m2") == 1
    assert await history.void("m2") == VOID


async def test_the_matches_of_a_player_the_latest_first(lasting: AsyncEngine) -> None:
    history = History(lasting)
    for number, pair in enumerate((["nino", "gia"], ["luka", "nino"], ["gia", "luka"])):
        await history.keep(replace(MATCH, id=f"m{number}", players=pair, ended_at=9_000 - number))
    assert await history.played("nino") == ["m0", "m1"]
    assert await history.played("gia", limit=1) == ["m0"]
    assert await history.played("nobody") == []


@pytest.mark.parametrize("odd", ["\x00", "m\x001", "\ud800", "", "x" * 3_000, "'; DROP TABLE"])
async def test_asking_for_what_no_match_is_called_finds_nothing(
    lasting: AsyncEngine, odd: str
) -> None:
    history = History(lasting)
    assert await history.match(odd) is None
    assert await history.void(odd) is None
