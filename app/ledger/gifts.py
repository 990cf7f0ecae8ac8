"""What the site gives by itself: coins to begin with, and some a day for who has few (T3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import days, db
from app.ledger.posting import Transfer, claim, lock, move, open_accounts
from app.ledger.schema import entries, escrow, transfers
from app.ledger.values import MINT, Kind, LedgerError, of_player

WELCOME: Final = 1_000
BONUS: Final = 200
BELOW: Final = 500
"""Who has less than so many gets the bonus."""

Bonus: TypeAlias = Literal["given", "had", "enough"]
"""``had``: it was given today already; ``enough``: they have coins."""


class _EnoughError(Exception):
    """They have coins: nothing of it was done."""


class Gifts:
    """The gifts, in a database that is prepared. ``now`` reads a clock in milliseconds since 1970.
    Every method raises :class:`LedgerError`."""

    def __init__(self, engine: AsyncEngine, now: Callable[[], int]) -> None:
        self._engine = engine
        self._now = now

    async def welcome(self, connection: AsyncConnection, player: str) -> bool:
        """The coins that a registered player starts with, once, in the transaction that registers
        them. Whether they were given now."""
        key = f"welcome:{player}"
        return await self._give(connection, "welcome", key, player=player, amount=WELCOME)

    async def bonus(self, player: str) -> Bonus:
        """The bonus of the day of Tbilisi, once, for who has fewer than :data:`BELOW`."""
        key = self._key(player)
        try:
            async with db.writing(self._engine, LedgerError) as connection:
                given = await self._give(
                    connection, "bonus", key, player=player, amount=BONUS, below=BELOW
                )
                return "given" if given else "had"
        except _EnoughError:
            return "enough"

    def _key(self, player: str) -> str:
        return f"bonus:{player}:{days.day(self._now())}"

    async def _give(
        self,
        connection: AsyncConnection,
        kind: Kind,
        key: str,
        *,
        player: str,
        amount: int,
        below: int | None = None,
    ) -> bool:
        account = of_player(player)
        lines = {account: amount, MINT: -amount}
        transfer = Transfer(key, kind, None, self._now(), lines)
        if not await claim(connection, transfer):
            return False
        await open_accounts(connection, [account, MINT])
        if below is not None:
            has = (await lock(connection, [account, MINT]))[account]
            if has + await _staked(connection, account) >= below:
                raise _EnoughError  # and with it goes the claim
        await move(connection, transfer)
        return True


async def _staked(connection: AsyncConnection, account: str) -> int:
    """What a player has in matches that are not settled: it is theirs, or nearly."""
    held = (
        select(func.coalesce(-func.sum(entries.c.amount), 0))
        .join(transfers, transfers.c.key == entries.c.transfer)
        .join(escrow, escrow.c.match == transfers.c.match)
        .where(
            entries.c.account == account, transfers.c.kind == "stake", escrow.c.state == "staked"
        )
    )
    return int((await connection.execute(held)).scalar_one())
