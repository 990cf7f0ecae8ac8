"""Blocks and reports, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.players.blocks import MOST, Blocks
from app.players.players import Players
from app.players.reports import MOST as MOST_REPORTS
from app.players.reports import Reports

DAY_MS = 24 * 3_600_000


@pytest.fixture
async def people(lasting: AsyncEngine) -> AsyncEngine:
    players = Players(lasting)
    for n, name in enumerate(("nino", "gia", "tea")):
        await players.meet(name, name.title(), n)
    return lasting


async def test_who_is_blocked_is_apart_both_ways(people: AsyncEngine) -> None:
    blocks = Blocks(people)
    assert await blocks.block("nino", "gia", 1)
    assert await blocks.block("nino", "gia", 2)  # pressed twice
    assert await blocks.block("tea", "nino", 3)
    assert await blocks.of("nino") == {"gia": "Gia"}
    assert await blocks.of("gia") == {}
    assert await blocks.apart("nino") == {"gia", "tea"}
    assert await blocks.apart("gia") == {"nino"}
    assert await blocks.are_apart("gia", ["tea", "nino"])
    assert await blocks.are_apart("nino", ["gia"])
    assert not await blocks.are_apart("gia", ["tea"])
    await blocks.unblock("nino", "gia")
    assert not await blocks.are_apart("gia", ["nino"])


async def test_nobody_blocks_themselves_or_everybody(people: AsyncEngine) -> None:
    blocks, players = Blocks(people), Players(people)
    assert not await blocks.block("nino", "nino", 1)
    for n in range(MOST + 1):
        await players.meet(f"p{n}", "X", 1)
        assert await blocks.block("nino", f"p{n}", n) == (n < MOST)
    assert await blocks.block("nino", "p0", 1)  # it is so already


async def test_a_report_is_made_once_and_seen_to_once(people: AsyncEngine) -> None:
    reports = Reports(people)
    for words in ("იცრუა", "და კიდევ"):
        assert await reports.make("nino", "gia", "m1", "cheats", words=words, at=5)
    assert await reports.make("gia", "nino", "m1", "stalls", words="", at=6)
    assert await reports.made("nino", "m1") == {"gia"}
    newest, oldest = await reports.recent(10)
    assert (newest.by_name, newest.about_name, newest.cause) == ("Gia", "Nino", "stalls")
    assert (oldest.words, oldest.match, oldest.at) == ("იცრუა", "m1", 5)
    assert "იცრუა" not in repr(oldest)
    assert await reports.close(oldest.id, 7)
    assert not await reports.close(oldest.id, 8)
    assert not await reports.close("none", 8)
    assert await reports.recent(10) == [newest]
    assert [each.closed_at for each in await reports.recent(10, closed=True)] == [None, 7]
    assert await reports.recent(1) == [newest]


async def test_so_many_reports_a_day_and_no_more(people: AsyncEngine) -> None:
    reports = Reports(people)
    for n in range(MOST_REPORTS):
        assert await reports.make("nino", "gia", f"m{n}", "other", words="", at=100 + n)
    assert not await reports.make("nino", "gia", "more", "other", words="", at=200)
    assert await reports.make("tea", "gia", "more", "other", words="", at=200)
    assert await reports.make("nino", "gia", "more", "other", words="", at=101 + DAY_MS)
