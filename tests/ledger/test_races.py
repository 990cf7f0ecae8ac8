"""Several processes at the same coins at the same time, on a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.ledger.ledger import Ledger
from app.ledger.values import Cancelled, ContradictionError, NotCoveredError, Short, Staked

ROUNDS = 12


@pytest.fixture
async def engines(database: str) -> AsyncIterator[list[AsyncEngine]]:
    """The connections of three processes."""
    engines = [db.deployed(database) for _ in range(3)]
    yield engines
    for engine in engines:
        await db.close(engine)


@pytest.fixture
async def ledgers(engines: list[AsyncEngine]) -> AsyncIterator[list[Ledger]]:
    """The ledgers of three processes; nobody had to wait for ever, and the books agree."""
    ledgers = [Ledger(engine) for engine in engines]
    for ledger in ledgers:  # all are connected: nobody comes late
        await ledger.balance("nobody")
    yield ledgers
    async with engines[0].connect() as connection:
        query = text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        assert (await connection.execute(query)).scalar_one() == 0
    report = await ledgers[0].check()
    assert report.ok, str(report.differs)


async def at_once(*work: Awaitable[Any]) -> list[Any]:
    return await asyncio.gather(*work)


async def give(ledger: Ledger, **coins: int) -> None:
    for player, amount in coins.items():
        await ledger.grant(player, amount, f"start:{player}", None)


async def test_no_coin_is_staked_at_two_tables_t4(ledgers: list[Ledger]) -> None:
    one, two, _ = ledgers
    await give(one, nino=100, gia=10_000, luka=10_000)
    for number in range(ROUNDS):
        a, b = f"a{number}", f"b{number}"
        answers = await at_once(
            one.stake(a, "t1", ["nino", "gia"], 60), two.stake(b, "t2", ["luka", "nino"], 60)
        )
        assert sorted(map(repr, answers)) == sorted(
            map(repr, [Staked(), Short(frozenset({"nino"}))])
        )
        assert await one.balance("nino") == 40
        await at_once(one.cancel(a, "t1"), two.cancel(b, "t2"))
        assert await two.balance("nino") == 100


async def test_the_same_stake_carried_by_three_processes_is_taken_once(
    ledgers: list[Ledger],
) -> None:
    await give(ledgers[0], nino=10_000, gia=10_000)
    for number in range(ROUNDS):
        work = [each.stake(f"m{number}", "t1", ["nino", "gia"], 50) for each in ledgers]
        assert await at_once(*work) == [Staked()] * 3
    assert await ledgers[0].balance("nino") == 10_000 - ROUNDS * 50


async def test_cancelling_races_staking_t15(ledgers: list[Ledger]) -> None:
    one, two, three = ledgers
    await give(one, nino=1_000, gia=1_000)
    for number in range(ROUNDS):
        match = f"m{number}"
        stakes = one.stake(match, "t1", ["nino", "gia"], 50)
        again = three.stake(match, "t1", ["nino", "gia"], 50)
        first, second, _ = await at_once(stakes, again, two.cancel(match, "t1"))
        assert {first, second} <= {Staked(), Cancelled()}
        held = await one.held(match)
        assert held is not None
        assert held.state in ("refunded", "cancelled")
        assert await one.stake(match, "t1", ["nino", "gia"], 50) == Cancelled()
        assert await one.balance("nino") == await two.balance("gia") == 1_000


async def test_paying_races_giving_back(ledgers: list[Ledger]) -> None:
    one, two, three = ledgers
    await give(one, nino=1_000, gia=1_000)
    for number in range(ROUNDS):
        match = f"m{number}"
        before = [await one.balance(player) or 0 for player in ("nino", "gia")]
        await one.stake(match, "t1", ["nino", "gia"], 20)
        paid, back, again = await at_once(
            one.pay(match, [0]), two.refund(match), three.pay(match, [0])
        )
        assert paid == back == again
        assert paid in ([20, -20], [0, 0])
        after = [await one.balance(player) or 0 for player in ("nino", "gia")]
        assert after == [x + moved for x, moved in zip(before, paid, strict=True)]


async def test_two_matches_ending_at_once_overwrite_no_balance(ledgers: list[Ledger]) -> None:
    one, two, three = ledgers
    await give(one, nino=1_000, gia=1_000, luka=1_000)
    for number in range(ROUNDS):
        matches = [f"{name}{number}" for name in "abc"]
        pairs = [["nino", "gia"], ["luka", "nino"], ["gia", "luka"]]
        for match, pair in zip(matches, pairs, strict=True):
            await one.stake(match, "t1", pair, 30)
        # Each wins one and loses one.
        await at_once(*(who.pay(m, [0]) for who, m in zip((one, two, three), matches, strict=True)))
        for player in ("nino", "gia", "luka"):
            assert await one.balance(player) == 1_000


async def test_crossed_players_never_wait_in_a_circle(ledgers: list[Ledger]) -> None:
    await give(ledgers[0], a=10_000, b=10_000, c=10_000)
    orders = [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]]

    async def busy(ledger: Ledger, who: int) -> None:
        for number in range(ROUNDS):
            match = f"{who}-{number}"
            assert await ledger.stake(match, "t", orders[(who + number) % 3], 10) == Staked()
            await ledger.grant(orders[who][0], 1, f"gift:{match}", "dato")
            await ledger.pay(match, [number % 3])

    await at_once(*(busy(ledger, who) for who, ledger in enumerate(ledgers)))
    total = sum([await ledgers[0].balance(player) or 0 for player in "abc"])
    assert total == 30_000 + 3 * ROUNDS


async def test_the_same_grant_at_once_is_one_grant(ledgers: list[Ledger]) -> None:
    for number in range(ROUNDS):
        player = f"new{number}"
        key = f"start:{player}"
        work = [each.grant(player, 1_000, key, None) for each in ledgers]
        assert await at_once(*work) == [1_000] * 3
        # Taken back whole: who comes second must not find too little there.
        work = [each.grant(player, -1_000, f"back:{player}", "dato") for each in ledgers]
        assert await at_once(*work) == [0] * 3


async def test_taking_back_races_staking(ledgers: list[Ledger]) -> None:
    one, two, _ = ledgers
    for number in range(ROUNDS):
        await give(one, **{f"p{number}": 100})
        staked, taken = await asyncio.gather(
            one.stake(f"m{number}", "t", [f"p{number}"], 80),
            two.grant(f"p{number}", -80, f"back:{number}", "dato"),
            return_exceptions=True,
        )
        assert (staked == Staked() and isinstance(taken, NotCoveredError)) or (
            staked == Short(frozenset({f"p{number}"})) and taken == 20
        )


async def test_other_winners_at_once_are_an_alarm_for_one(ledgers: list[Ledger]) -> None:
    one, two, _ = ledgers
    await give(one, nino=1_000, gia=1_000)
    await one.stake("m", "t", ["nino", "gia"], 50)
    answers = await asyncio.gather(one.pay("m", [0]), two.pay("m", [1]), return_exceptions=True)
    assert sum(isinstance(each, ContradictionError) for each in answers) == 1
    paid = next(each for each in answers if not isinstance(each, BaseException))
    assert [await one.balance("nino"), await one.balance("gia")] == [1_000 + x for x in paid]
