"""Going over the books finds what does not agree, and names it."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.ledger.check import Report
from app.ledger.ledger import Ledger

SEATS = ["gia", "nino"]


async def books(engine: AsyncEngine) -> Ledger:
    """One match in every state, in books that agree."""
    ledger = Ledger(engine)
    for player in SEATS:
        await ledger.grant(player, 1_000, f"start:{player}", None)
    for match in ("m1-paid", "m2-back", "m3-staked"):
        await ledger.stake(match, "t1", SEATS, 100)
    await ledger.pay("m1-paid", [0])
    await ledger.refund("m2-back")
    await ledger.cancel("m4-never", "t1")
    await ledger.stake("m5-short", "t1", SEATS, 5_000)
    return ledger


async def test_books_that_agree(lasting: AsyncEngine) -> None:
    assert await Ledger(lasting).check() == Report(0, 0, 0, None)
    ledger = await books(lasting)
    assert await ledger.check() == Report(6, 7, 5, None)


OTHER_AMOUNT = (
    "UPDATE entries SET amount = -99 WHERE transfer = 'stake:m1-paid' AND account = 'player:nino'"
)
OTHER_WINNER = (
    "UPDATE entries SET account = 'player:nino'"
    " WHERE transfer = 'pay:m1-paid' AND account = 'player:gia'"
)
OTHER_PLAYERS = (
    "match m3-staked: it is staked, and transfer stake:m3-staked has other amounts or accounts"
)
CORRUPTIONS = {
    "a balance": (
        ["UPDATE accounts SET balance = balance + 1 WHERE id = 'player:nino'"],
        "account player:nino: balance 801, its entries make 800",
    ),
    "two balances that make up for each other": (
        [
            "UPDATE accounts SET balance = balance + 1 WHERE id = 'player:nino'",
            "UPDATE accounts SET balance = balance - 1 WHERE id = 'player:gia'",
        ],
        "account player:gia: balance 999, its entries make 1000",
    ),
    "an entry": (
        [OTHER_AMOUNT],
        "account player:nino: balance 800, its entries make 801",
    ),
    "an entry that is gone": (
        ["DELETE FROM entries WHERE transfer = 'start:nino' AND account = 'mint'"],
        "account mint: balance -2000, its entries make -1000",
    ),
    "an entry and its balance": (
        [
            "UPDATE entries SET amount = 1100 WHERE transfer = 'start:nino' AND amount > 0",
            "UPDATE accounts SET balance = balance + 100 WHERE id = 'player:nino'",
        ],
        "transfer start:nino: its entries make 100",
    ),
    "a transfer without entries": (
        ["INSERT INTO transfers (key, kind, at) VALUES ('gift', 'grant', 1)"],
        "transfer gift: it has no entries",
    ),
    "a transfer of a match that is not there": (
        ["INSERT INTO transfers (key, kind, match, at) VALUES ('pay:m9', 'pay', 'm9', 1)",
         "INSERT INTO entries VALUES ('pay:m9', 'player:nino', -1), ('pay:m9', 'player:gia', 1)",
         "UPDATE accounts SET balance = balance + 1 WHERE id = 'player:gia'",
         "UPDATE accounts SET balance = balance - 1 WHERE id = 'player:nino'"],
        "transfer pay:m9: it is of a match that is not there",
    ),
    "a stake that says of no match": (
        ["UPDATE transfers SET match = NULL, kind = 'grant' WHERE key = 'stake:m3-staked'"],
        "match m3-staked: it is staked, and there is no transfer stake:m3-staked",
    ),
    "a payment of no match": (
        ["INSERT INTO transfers (key, kind, at) VALUES ('odd', 'pay', 1)",
         "INSERT INTO entries VALUES ('odd', 'player:nino', -1), ('odd', 'player:gia', 1)",
         "UPDATE accounts SET balance = balance + 1 WHERE id = 'player:gia'",
         "UPDATE accounts SET balance = balance - 1 WHERE id = 'player:nino'"],
        "transfer odd: it is of a match that is not there",
    ),
    "a payment twice": (
        ["INSERT INTO transfers (key, kind, match, at) VALUES ('again', 'pay', 'm1-paid', 1)",
         "INSERT INTO entries VALUES ('again', 'player:nino', -1), ('again', 'player:gia', 1)",
         "UPDATE accounts SET balance = balance + 1 WHERE id = 'player:gia'",
         "UPDATE accounts SET balance = balance - 1 WHERE id = 'player:nino'"],
        "match m1-paid: it is paid, and there is a transfer again",
    ),
    "a payment to another winner": (
        [OTHER_WINNER,
         "UPDATE accounts SET balance = balance - 200 WHERE id = 'player:gia'",
         "UPDATE accounts SET balance = balance + 200 WHERE id = 'player:nino'"],
        "match m1-paid: it is paid, and transfer pay:m1-paid has other amounts or accounts",
    ),
    "a match's winners": (
        ["UPDATE escrow SET winners = '[1]' WHERE match = 'm1-paid'"],
        "match m1-paid: it is paid, and transfer pay:m1-paid has other amounts or accounts",
    ),
    "a match without winners": (
        ["UPDATE escrow SET winners = '[]' WHERE match = 'm1-paid'"],
        "match m1-paid: it is paid, and the winners are not seats of the match",
    ),
    "a match's stake": (
        ["UPDATE escrow SET stake = 101 WHERE match = 'm2-back'"],
        "match m2-back: it is refunded, and transfer refund:m2-back has other amounts or accounts",
    ),
    "a match's players": (
        ["UPDATE escrow SET players = '[\"gia\", \"luka\"]' WHERE match = 'm3-staked'"],
        OTHER_PLAYERS,
    ),
    "a match's state": (
        ["UPDATE escrow SET state = 'refunded' WHERE match = 'm3-staked'"],
        "match m3-staked: it is refunded, and there is no transfer refund:m3-staked",
    ),
    "a settled match that is open again": (
        ["UPDATE escrow SET state = 'staked' WHERE match = 'm1-paid'"],
        "match m1-paid: it is staked, and there is a transfer pay:m1-paid",
    ),
    "a staked match that was cancelled": (
        ["UPDATE escrow SET state = 'cancelled' WHERE match = 'm3-staked'"],
        "match m3-staked: it is cancelled, and there is a transfer stake:m3-staked",
    ),
    "a match that is gone": (
        ["DELETE FROM escrow WHERE match = 'm3-staked'"],
        "transfer stake:m3-staked: it is of a match that is not there",
    ),
    "the first of several": (
        ["UPDATE escrow SET stake = 101 WHERE match = 'm2-back'",
         "UPDATE escrow SET state = 'staked' WHERE match = 'm1-paid'"],
        "match m1-paid: it is staked, and there is a transfer pay:m1-paid",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CORRUPTIONS)
async def test_every_kind_of_corruption_is_named(lasting: AsyncEngine, name: str) -> None:
    changes, said = CORRUPTIONS[name]
    ledger = await books(lasting)
    assert (await ledger.check()).ok
    async with lasting.begin() as connection:
        for change in changes:
            assert (await connection.execute(text(change))).rowcount
    report = await ledger.check()
    assert not report.ok
    assert str(report.differs) == said
    assert await ledger.check() == report


async def test_what_the_database_should_have_refused_is_named(tmp_path: Path) -> None:
    # A file whose rules were switched off while somebody wrote in it.
    engine = db.embedded(tmp_path / "site.db")
    await db.upgrade(engine)
    ledger = await books(engine)
    changes = {
        "INSERT INTO entries VALUES ('lone', 'player:gia', 1), ('lone', 'player:nino', -1)": (
            "account player:gia: balance 1000, its entries make 1001"
        ),
        "UPDATE accounts SET balance = balance + CASE id WHEN 'player:gia' THEN 1 ELSE -1 END"
        " WHERE id IN ('player:gia', 'player:nino')": "transfer lone: there are only entries of it",
        "DELETE FROM entries WHERE transfer = 'lone'": (
            "account player:gia: balance 1001, its entries make 1000"
        ),
        "UPDATE accounts SET balance = balance + CASE id WHEN 'player:gia' THEN -1 ELSE 1 END"
        " WHERE id IN ('player:gia', 'player:nino')": "None",
        "INSERT INTO accounts VALUES ('player:luka', -5)": (
            "account player:luka: balance -5, its entries make 0"
        ),
    }
    for change, said in changes.items():
        async with engine.connect() as connection:
            driver = await connection.get_raw_connection()
            for pragma in ("foreign_keys = OFF", "ignore_check_constraints = ON"):
                await driver.driver_connection.execute(f"PRAGMA {pragma}")  # type: ignore[union-attr]
            await connection.execute(text(change))
            await connection.commit()
        assert str((await ledger.check()).differs) == said
    await db.close(engine)


async def test_no_account_but_the_mint_goes_below_zero(lasting: AsyncEngine) -> None:
    await books(lasting)
    for account, allowed in (("player:nino", False), ("escrow:m1-paid", False), ("mint", True)):
        change = text(f"UPDATE accounts SET balance = -1 WHERE id = '{account}'")
        with nullcontext() if allowed else pytest.raises(LookupError, match="IntegrityError"):
            async with db.writing(lasting, LookupError) as connection:
                await connection.execute(change)


async def test_writing_meanwhile_is_no_false_alarm(lasting: AsyncEngine) -> None:
    ledger = await books(lasting)

    async def play() -> None:
        for number in range(40):
            match = f"n{number}"
            await ledger.stake(match, "t1", SEATS, 5)
            await (ledger.pay(match, [number % 2]) if number % 3 else ledger.refund(match))

    playing = asyncio.create_task(play())
    checks = 0
    while not playing.done():
        report = await ledger.check()
        assert report.ok, str(report.differs)
        checks += 1
    await playing
    assert checks > 3
