"""Double entry: coins leave accounts and arrive at others in one transfer, or nothing happens.

Locks are taken in one order everywhere, so that nobody waits in a circle: a match's escrow row,
the transfer's key, new accounts by id, then accounts that were there by id.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NoReturn

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app import db, receipts
from app.ledger.schema import accounts, entries, transfers
from app.ledger.values import MINT, ContradictionError, Kind, OtherGrantError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Transfer:
    """A movement of coins: ``lines`` gives each account what it gets (or loses), never zero, in
    all zero. ``key`` is used once; ``at``: milliseconds since 1970; ``by``: an operator."""

    key: str
    kind: Kind
    match: str | None
    at: int
    lines: Mapping[str, int]
    by: str | None = None


def alarm(said: str) -> NoReturn:
    """Somebody has to look at this. Raises :class:`ContradictionError`."""
    log.error("ALARM: %s", said)
    raise ContradictionError(said)


async def open_accounts(connection: AsyncConnection, ids: Collection[str]) -> None:
    """Accounts that are not there yet, empty."""
    rows = [{"id": each, "balance": 0} for each in sorted(ids)]
    await connection.execute(db.insert(connection, accounts).values(rows).on_conflict_do_nothing())


async def lock(connection: AsyncConnection, ids: Collection[str]) -> dict[str, int]:
    """The balances of those accounts that are there, which nobody else can change any more."""
    # Entries refer to accounts, which needs no more than that these do not go away.
    wanted = select(accounts.c.id, accounts.c.balance).where(accounts.c.id.in_(sorted(ids)))
    locked = wanted.order_by(accounts.c.id).with_for_update(key_share=True)
    return {row.id: row.balance for row in await connection.execute(locked)}


async def post(connection: AsyncConnection, transfer: Transfer) -> bool:
    """Carry out a transfer between accounts that are there. ``False``: that was done before.

    Raises :class:`ContradictionError` after an alarm: another transfer has this key, or an
    account would go below zero.
    """
    if not await claim(connection, transfer):
        return False
    await move(connection, transfer)
    return True


async def claim(connection: AsyncConnection, transfer: Transfer) -> bool:
    """Take the transfer's key; whoever does so has to :func:`move`. ``False``: it was carried out
    before. Somebody else at it is waited for.

    Raises :class:`ContradictionError` after an alarm if another transfer has this key, for a
    grant :class:`OtherGrantError` without one, and :class:`ValueError` unless the lines make zero.
    """
    if sum(transfer.lines.values()) or not all(transfer.lines.values()):
        raise ValueError("the lines of a transfer do not make zero")
    values = {
        "key": transfer.key,
        "kind": transfer.kind,
        "match": transfer.match,
        "at": transfer.at,
        "by": transfer.by,
    }
    try:
        if await receipts.once(connection, transfers, values, ("kind", "match")):
            return True
    except receipts.OtherContentError:
        _otherwise(transfer, "content")
    query = select(entries.c.account, entries.c.amount)
    made = await connection.execute(query.where(entries.c.transfer == transfer.key))
    if {row.account: row.amount for row in made} != dict(transfer.lines):
        _otherwise(transfer, "amounts")
    return False


def _otherwise(transfer: Transfer, what: str) -> NoReturn:
    # Matches make their keys themselves; that of a grant somebody has typed.
    if transfer.kind == "grant":
        raise OtherGrantError(f"key {transfer.key} was used before for another grant")
    alarm(f"transfer {transfer.key} was made with other {what}")


async def move(connection: AsyncConnection, transfer: Transfer) -> None:
    """Move the coins of a claimed transfer. Raises as :func:`post`."""
    balances = await lock(connection, transfer.lines.keys())
    for account, amount in transfer.lines.items():
        if account not in balances:
            alarm(f"transfer {transfer.key}: there is no account {account}")
        if balances[account] + amount < 0 and account != MINT:
            alarm(f"transfer {transfer.key}: account {account} would go below zero")
    lines = [
        {"transfer": transfer.key, "account": account, "amount": amount}
        for account, amount in sorted(transfer.lines.items())
    ]
    deltas = [{"of": line["account"], "delta": line["amount"]} for line in lines]
    added = accounts.c.balance + bindparam("delta")
    await connection.execute(
        update(accounts).where(accounts.c.id == bindparam("of")).values(balance=added), deltas
    )
    await connection.execute(insert(entries), lines)
