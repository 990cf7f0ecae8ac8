"""What the site gives (T3), and how often two may meet for coins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.ledger.gifts import BONUS, WELCOME, Gifts
from app.ledger.ledger import Ledger
from app.ledger.meetings import MOST, Meetings
from app.ledger.values import LedgerError, Staked

EVENING = 1_764_446_399_999
"""The last moment of a day in Tbilisi: 2025-11-29, 19:59:59.999 UTC."""


class Clock:
    """A clock that stands until a test moves it."""

    def __init__(self, ms: int = EVENING) -> None:
        self.ms = ms

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def with_coins(ledger: Ledger, player: str, amount: int) -> None:
    await ledger.grant(player, amount, f"start:{player}", None)


async def test_a_registered_player_starts_with_a_thousand_once_t3(
    lasting: AsyncEngine, clock: Clock
) -> None:
    gifts, ledger = Gifts(lasting, clock), Ledger(lasting, clock)

    async def welcome() -> bool:
        async with db.writing(lasting, LedgerError) as connection:
            return await gifts.welcome(connection, "nino")

    given = await asyncio.gather(*(welcome() for _ in range(4)))
    assert sorted(given) == [False, False, False, True]
    assert await ledger.balance("nino") == WELCOME == 1_000
    assert [each.kind for each in await ledger.movements("nino")] == ["welcome"]
    assert (await ledger.check()).ok


async def test_the_bonus_comes_once_a_day_of_tbilisi_t3(lasting: AsyncEngine, clock: Clock) -> None:
    gifts, ledger = Gifts(lasting, clock), Ledger(lasting, clock)
    await with_coins(ledger, "nino", 10)
    given = await asyncio.gather(*(gifts.bonus("nino") for _ in range(4)))
    assert sorted(given) == ["given", "had", "had", "had"]
    assert await ledger.balance("nino") == 10 + BONUS
    clock.ms += 1  # midnight
    assert await gifts.bonus("nino") == "given"
    assert await gifts.bonus("nino") == "had"
    assert await ledger.balance("nino") == 10 + 2 * BONUS
    assert (await ledger.check()).ok


@pytest.mark.parametrize(("has", "answer"), [(499, "given"), (500, "enough"), (0, "given")])
async def test_the_bonus_is_for_who_has_less_than_five_hundred_t3(
    has: int, answer: str, lasting: AsyncEngine, clock: Clock
) -> None:
    gifts, ledger = Gifts(lasting, clock), Ledger(lasting, clock)
    await with_coins(ledger, "nino", 1_000)
    if has < 1_000:
        await ledger.grant("nino", has - 1_000, "less", None)
    assert await gifts.bonus("nino") == answer
    assert await ledger.balance("nino") == has + (BONUS if answer == "given" else 0)


async def test_who_had_enough_may_have_the_bonus_later_the_same_day(
    lasting: AsyncEngine, clock: Clock
) -> None:
    gifts, ledger = Gifts(lasting, clock), Ledger(lasting, clock)
    await with_coins(ledger, "nino", 600)
    assert await gifts.bonus("nino") == "enough"
    await ledger.grant("nino", -200, "lost", None)
    assert await gifts.bonus("nino") == "given"


async def test_who_has_staked_it_all_is_not_poor(lasting: AsyncEngine, clock: Clock) -> None:
    gifts, ledger = Gifts(lasting, clock), Ledger(lasting, clock)
    for player in ("nino", "gia"):
        await with_coins(ledger, player, 1_000)
    await ledger.stake("m1", "t1", ["nino", "gia"], 1_000)
    assert await gifts.bonus("nino") == "enough"
    await ledger.pay("m1", [1])
    assert await gifts.bonus("nino") == "given"
    assert await gifts.bonus("gia") == "enough"


@pytest.mark.parametrize("kind", ["welcome", "bonus"])
async def test_nobody_else_uses_the_keys_of_gifts(
    kind: str, lasting: AsyncEngine, clock: Clock
) -> None:
    with pytest.raises(ValueError, match="no such grant"):
        await Ledger(lasting, clock).grant("nino", 5, f"{kind}:nino", "operator")


async def test_meetings_for_coins_are_counted_by_day_and_both_ways(
    lasting: AsyncEngine, clock: Clock
) -> None:
    ledger, meetings = Ledger(lasting, clock), Meetings(lasting, clock)
    for player in ("nino", "gia", "tea"):
        await with_coins(ledger, player, 10_000)
    await stakes(ledger, MOST - 1, lambda n: f"m{n}")
    await ledger.stake("other", "t9", ["nino", "tea"], 50)
    assert await meetings.enough("nino") == set()
    assert await ledger.stake("back", "t1", ["gia", "nino"], 50) == Staked()
    assert await meetings.enough("nino") == {"gia"}
    assert await meetings.enough("gia") == {"nino"}
    assert await meetings.enough("nino", {"tea"}) == set()
    # What went back was no match.
    await ledger.refund("back")
    assert await meetings.enough("nino") == set()
    await ledger.stake("again", "t1", ["gia", "nino"], 50)
    assert await meetings.enough("gia", ["nino", "tea"]) == {"nino"}
    clock.ms += 1
    assert await meetings.enough("gia") == set()


async def test_all_at_a_table_of_four_have_met(lasting: AsyncEngine, clock: Clock) -> None:
    ledger, meetings = Ledger(lasting, clock), Meetings(lasting, clock)
    four = ["nino", "gia", "tea", "luka"]
    for player in four:
        await with_coins(ledger, player, 10_000)
    for n in range(MOST):
        await ledger.stake(f"m{n}", "t1", four, 50)
    assert await meetings.enough("tea") == {"nino", "gia", "luka"}


async def stakes(ledger: Ledger, count: int, name: Callable[[int], str]) -> None:
    for n in range(count):
        assert await ledger.stake(name(n), "t1", ["nino", "gia"], 50) == Staked()
