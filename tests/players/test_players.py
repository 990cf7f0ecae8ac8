"""Everybody who has acted is known, by the name they have now (T2)."""

from __future__ import annotations

import asyncio

from sqlalchemy.ext.asyncio import AsyncEngine

from app.players.players import Player, Players


async def test_the_first_action_makes_a_guest_t2(lasting: AsyncEngine) -> None:
    players = Players(lasting)
    assert await players.find("p1") is None
    await players.meet("p1", "სტუმარი 1234", 1_000)
    assert await players.find("p1") == Player("p1", "სტუმარი 1234", 1_000, "guest")


async def test_later_ones_keep_the_name_up_to_date_and_nothing_else(lasting: AsyncEngine) -> None:
    players = Players(lasting)
    await players.meet("p1", "ნინო", 1_000)
    await players.meet("p1", "ნინო", 2_000)
    assert await players.find("p1") == Player("p1", "ნინო", 1_000, "guest")
    await players.meet("p1", "ნინუცა", 3_000)
    assert await players.find("p1") == Player("p1", "ნინუცა", 1_000, "guest")


async def test_meeting_somebody_many_times_at_once_is_meeting_once(lasting: AsyncEngine) -> None:
    players = Players(lasting)
    await asyncio.gather(*(players.meet("p1", "გია", 1_000) for _ in range(8)))
    assert await players.search("გია") == [Player("p1", "გია", 1_000, "guest")]


async def test_operators_find_by_exact_id_or_name(lasting: AsyncEngine) -> None:
    players = Players(lasting)
    for id_, name, at in (("p2", "გია", 2_000), ("p1", "გია", 3_000), ("გია", "ნინო", 1_000)):
        await players.meet(id_, name, at)
    assert [each.id for each in await players.search("გია")] == ["გია", "p2", "p1"]
    assert [each.id for each in await players.search("გია", limit=2)] == ["გია", "p2"]
    assert [each.id for each in await players.search("p1")] == ["p1"]
    assert await players.search("გი") == []
