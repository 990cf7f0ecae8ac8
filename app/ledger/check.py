"""The books gone over: every number that is kept beside the one that its parts make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from sqlalchemy import and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import db
from app.ledger.schema import accounts, entries, escrow, transfers
from app.ledger.values import (
    GIFTS,
    MINT,
    Held,
    Kind,
    LedgerError,
    coins,
    end_lines,
    own_key,
    stake_lines,
)

PATIENCE: Final = 120.0
"""Seconds that going over all the books may take."""
AT_ONCE: Final = 500
"""Matches that are looked at together."""

Lines: TypeAlias = dict[str, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that does not agree: what kind of thing, its name, and both sides."""

    what: Literal["account", "transfer", "total", "match"]
    name: str
    said: str

    def __str__(self) -> str:
        return f"{self.what} {self.name}: {self.said}"


@dataclass(frozen=True, slots=True)
class Report:
    """How many of each were gone over, and the first difference, if any."""

    accounts: int
    transfers: int
    matches: int
    differs: Difference | None

    @property
    def ok(self) -> bool:
        """Whether all agrees."""
        return self.differs is None


async def check(engine: AsyncEngine, patience: float = PATIENCE) -> Report:
    """Go over all the books as they are at one moment, while others write: accounts by id against
    their entries, transfers by key against zero, the sum of all balances, matches by id against
    their transfers. Names the first that differs. Raises :class:`LedgerError`."""
    async with db.reading(engine, LedgerError, patience, snapshot=True) as connection:
        numbers = [
            (await connection.execute(select(func.count()).select_from(table))).scalar_one()
            for table in (accounts, transfers, escrow)
        ]
        differs = (
            await _account(connection)
            or await _transfer(connection)
            or await _total(connection)
            or await _match(connection)
        )
        return Report(numbers[0], numbers[1], numbers[2], differs)


async def _account(connection: AsyncConnection) -> Difference | None:
    made = func.coalesce(func.sum(entries.c.amount), 0)
    query = (
        select(accounts.c.id, accounts.c.balance, made)
        .join(entries, entries.c.account == accounts.c.id, isouter=True)
        .group_by(accounts.c.id, accounts.c.balance)
        .having(
            or_(accounts.c.balance != made, and_(accounts.c.balance < 0, accounts.c.id != MINT))
        )
        .order_by(accounts.c.id)
        .limit(1)
    )
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    return Difference("account", row[0], f"balance {row[1]}, its entries make {int(row[2])}")


async def _transfer(connection: AsyncConnection) -> Difference | None:
    made = func.coalesce(func.sum(entries.c.amount), 0)
    lines = func.count(entries.c.account)
    query = (
        select(transfers.c.key, made, lines)
        .join(entries, entries.c.transfer == transfers.c.key, isouter=True)
        .group_by(transfers.c.key)
        .having(or_(made != 0, lines == 0))
        .order_by(transfers.c.key)
        .limit(1)
    )
    row = (await connection.execute(query)).first()
    if row is not None:
        said = f"its entries make {int(row[1])}" if row[2] else "it has no entries"
        return Difference("transfer", row[0], said)
    # The database itself should have refused these.
    lone = (
        select(entries.c.transfer)
        .join(transfers, transfers.c.key == entries.c.transfer, isouter=True)
        .where(transfers.c.key.is_(None))
    )
    key = (await connection.execute(select(func.min(lone.subquery().c.transfer)))).scalar_one()
    return None if key is None else Difference("transfer", key, "there are only entries of it")


async def _total(connection: AsyncConnection) -> Difference | None:
    total = (await connection.execute(select(func.sum(accounts.c.balance)))).scalar_one() or 0
    return Difference("total", "of all balances", f"{int(total)}, not 0") if total else None


async def _match(connection: AsyncConnection) -> Difference | None:
    last = ""
    while True:
        query = select(*(escrow.c[name] for name in Held.__slots__))
        some = query.where(escrow.c.match > last).order_by(escrow.c.match).limit(AT_ONCE)
        page = [Held(*row) for row in await connection.execute(some)]
        if not page:
            return await _of_no_match(connection)
        booked = await _booked(connection, [held.match for held in page])
        for held in page:
            differs = _differs(held, booked.get(held.match, {}))
            if differs is not None:
                return Difference("match", held.match, f"it is {held.state}, and {differs}")
        last = page[-1].match


async def _booked(connection: AsyncConnection, matches: list[str]) -> dict[str, dict[str, Lines]]:
    """The transfers of matches, by match and key."""
    query = (
        select(transfers.c.match, transfers.c.key, entries.c.account, entries.c.amount)
        .join(entries, entries.c.transfer == transfers.c.key)
        .where(transfers.c.match.in_(matches))
    )
    booked: dict[str, dict[str, Lines]] = {}
    for match, key, account, amount in await connection.execute(query):
        booked.setdefault(match, {}).setdefault(key, {})[account] = amount
    return booked


def _differs(held: Held, booked: dict[str, Lines]) -> str | None:
    """How the transfers of a match differ from what its row says."""
    seats = len(held.players)
    owed: dict[str, Lines] = {}
    if held.state != "cancelled":
        owed[own_key("stake", held.match)] = stake_lines(held.match, held.players, held.stake)
    try:
        won = coins(held.stake, seats, held.winners) if held.state == "paid" else [0] * seats
    except ValueError as error:
        return str(error)
    if held.state in ("paid", "refunded"):
        kind: Kind = "pay" if held.state == "paid" else "refund"
        owed[own_key(kind, held.match)] = end_lines(held.match, held.players, held.stake, won)
    for key in sorted(owed.keys() | booked.keys()):
        if key not in booked:
            return f"there is no transfer {key}"
        if key not in owed:
            return f"there is a transfer {key}"
        if owed[key] != booked[key]:
            return f"transfer {key} has other amounts or accounts"
    return None


async def _of_no_match(connection: AsyncConnection) -> Difference | None:
    """A transfer that says it is of a match, and there is none; or that should say so."""
    query = (
        select(transfers.c.key)
        .join(escrow, escrow.c.match == transfers.c.match, isouter=True)
        .where(
            or_(
                and_(transfers.c.match.is_not(None), escrow.c.match.is_(None)),
                and_(transfers.c.match.is_(None), transfers.c.kind.not_in(GIFTS)),
            )
        )
        .order_by(transfers.c.key)
        .limit(1)
    )
    key = (await connection.execute(query)).scalar_one_or_none()
    return (
        None if key is None else Difference("transfer", key, "it is of a match that is not there")
    )
