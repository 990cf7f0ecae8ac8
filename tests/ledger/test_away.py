"""A server that hangs, stops or is killed: an error within seconds, and nothing lost after."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from app import db
from app.history.history import History, HistoryError
from app.ledger.ledger import Ledger
from app.ledger.values import ContradictionError, LedgerError, Staked
from app.players.players import Players, PlayersError
from tests.services.postgres import Postgres, run

T = TypeVar("T")
SEATS = ["nino", "gia"]
SOON = 8.0
"""Seconds: five are promised, the rest is for a busy machine."""


async def prepared(url: str) -> None:
    engine = db.deployed(url)
    await db.upgrade(engine)
    for player in SEATS:
        await Ledger(engine).grant(player, 10_000, f"start:{player}", None)
    await db.close(engine)


async def soon(failing: Callable[[], Awaitable[object]], error: type[Exception]) -> None:
    """It fails, in its own way and within seconds, and tells nothing."""
    began = time.monotonic()
    with pytest.raises(error) as caught:
        await failing()
    assert time.monotonic() - began < SOON
    said = str(caught.value)
    assert "the database is away" in said
    assert not {"SELECT", "INSERT", "nino", "127.0.0.1"} & set(said.replace(":", " ").split())


async def until_done(work: Callable[[], Awaitable[T]]) -> T:
    """Ask again until there is an answer, as an outbox does."""
    async with asyncio.timeout(90):
        while True:
            try:
                return await work()
            except ContradictionError:  # something was lost
                raise
            except LedgerError:
                await asyncio.sleep(0.05)


async def test_a_server_that_hangs(mortal: Postgres) -> None:
    url = mortal.create("hangs")
    run(prepared(url))
    engine = db.deployed(url, pool=2)
    ledger = Ledger(engine)
    assert await ledger.balance("nino") == 10_000  # one connection is there, others are to be made
    mortal.suspend()
    await soon(lambda: ledger.balance("nino"), LedgerError)
    for _ in range(2):
        await asyncio.gather(
            soon(lambda: ledger.stake("m1", "t1", SEATS, 50), LedgerError),
            soon(lambda: ledger.balance("nino"), LedgerError),
            soon(lambda: History(engine).match("m1"), HistoryError),
            soon(lambda: Players(engine).meet("nino", "Nino", 1), PlayersError),
        )
    assert not await db.answers(engine)
    mortal.resume()
    # Whether it was carried out then or is now: it is once.
    assert await until_done(lambda: ledger.stake("m1", "t1", SEATS, 50)) == Staked()
    assert await until_done(lambda: ledger.balance("nino")) == 9_950
    assert await db.answers(engine)
    report = await ledger.check()
    assert report.ok, str(report.differs)
    mortal.suspend()
    began = time.monotonic()
    await db.close(engine)
    assert time.monotonic() - began < SOON


async def test_a_server_that_stops(mortal: Postgres) -> None:
    url = mortal.create("stops")
    run(prepared(url))
    engine = db.deployed(url)
    ledger = Ledger(engine)
    assert await ledger.stake("m1", "t1", SEATS, 50) == Staked()
    mortal.stop()
    for _ in range(2):
        await soon(lambda: ledger.pay("m1", [0]), LedgerError)
    await soon(lambda: db.current(engine), db.DatabaseError)
    mortal.start()
    assert await ledger.pay("m1", [0]) == [50, -50]
    assert await ledger.balance("nino") == 10_050
    await asyncio.gather(*(ledger.balance("nino") for _ in range(4)))
    # It was restarted while nobody asked for anything: nobody notices.
    mortal.stop()
    mortal.start()
    assert await asyncio.gather(*(ledger.balance("nino") for _ in range(4))) == [10_050] * 4
    await db.close(engine)


async def test_a_server_that_is_killed_in_the_middle_of_everything(mortal: Postgres) -> None:
    url = mortal.create("killed")
    run(prepared(url))
    engine = db.deployed(url)
    ledger = Ledger(engine)
    acknowledged: dict[str, list[int]] = {}

    async def play(who: int) -> None:
        for number in range(25):
            match = f"{who}-{number}"
            staked = await until_done(lambda m=match: ledger.stake(m, "t", SEATS, 10))  # type: ignore[misc]
            assert staked == Staked()
            winner = [(who + number) % 2]
            moved = await until_done(lambda m=match, w=winner: ledger.pay(m, w))  # type: ignore[misc]
            acknowledged[match] = moved

    playing = asyncio.gather(*(play(who) for who in range(4)))
    for kills in (10, 40, 70):
        while len(acknowledged) < kills:  # noqa: ASYNC110 - there is nothing to be told by
            await asyncio.sleep(0.002)
        mortal.kill()
        await asyncio.to_thread(mortal.start)
    assert len(acknowledged) < 100, "everything was over before the last kill"
    await playing
    assert len(acknowledged) == 100
    nino = 10_000 + sum(moved[0] for moved in acknowledged.values())
    assert [await ledger.balance(player) for player in SEATS] == [nino, 20_000 - nino]
    report = await ledger.check()
    assert report.ok, str(report.differs)
    assert report.matches == 100
    assert await ledger.staked() == []
    await db.close(engine)
