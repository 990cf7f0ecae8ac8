"""The coins of the site (T3–T5). Each step is one transaction, and safe to ask for again."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import db
from app.ledger.audit import Change, note
from app.ledger.check import PATIENCE, Report, check
from app.ledger.meetings import met
from app.ledger.posting import Transfer, alarm, claim, lock, move, open_accounts, post
from app.ledger.schema import accounts, entries, escrow, transfers
from app.ledger.values import (
    MINT,
    Cancelled,
    Held,
    Kind,
    LedgerError,
    Movement,
    NotCoveredError,
    Short,
    Staked,
    State,
    coins,
    end_lines,
    of_match,
    of_player,
    own_key,
    stake_lines,
)

_OWN: Final = tuple(own_key(kind, "") for kind in ("stake", "pay", "refund", "welcome", "bonus"))
"""How the keys of the transfers begin that matches and the site make."""
_HELD: Final = tuple(escrow.c[name] for name in Held.__slots__)


def _now() -> int:
    return time.time_ns() // 1_000_000


class Ledger:
    """The coins, in a database that is prepared. ``now`` reads a clock in milliseconds since 1970.

    Every method raises :class:`LedgerError` when the database cannot be used or does not answer
    in time; whether the step was done is then unknown, and it is to be asked for again. Every step
    of a match finds itself done already and gives the same answer; a step with other content than
    what was done raises :class:`ContradictionError` after an alarm, and moves nothing.
    """

    def __init__(self, engine: AsyncEngine, now: Callable[[], int] = _now) -> None:
        self._engine = engine
        self._now = now

    async def balance(self, player: str) -> int | None:
        """The coins of a player; ``None``: one without an account, a guest (T2)."""
        query = select(accounts.c.balance).where(accounts.c.id == of_player(player))
        async with db.reading(self._engine, LedgerError) as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    async def covers(self, player: str, stake: int) -> bool:
        """Whether a player has the coins for a stake now (T4). They may be gone a moment later:
        only :meth:`stake` takes them."""
        balance = await self.balance(player)
        return balance is not None and balance >= stake

    async def stake(
        self, match: str, table: str, players: Sequence[str], stake: int
    ) -> Staked | Short | Cancelled:
        """Take the stakes of a match, of all ``players`` (by seat) or of none (T4).

        The first answer is the one for good: after :class:`Short` the match is cancelled, and
        another try to fund needs another match id. Only while the stakes are held is it
        :class:`Staked`; once they are paid or have gone back it is :class:`Cancelled`.
        """
        if stake < 1 or len(set(players)) != len(players) or not players:
            raise ValueError("a stake is taken from different players")
        by_seat = list(players)
        async with db.writing(self._engine, LedgerError) as connection:
            if not await self._first(connection, match, table, players=by_seat, stake=stake):
                return await self._staked_before(connection, match, table, by_seat, stake)
            balances = await lock(connection, list(map(of_player, by_seat)))
            short = [each for each in by_seat if balances.get(of_player(each), -1) < stake]
            if short:
                await connection.execute(
                    update(escrow)
                    .where(escrow.c.match == match)
                    .values(state="cancelled", lacking=short)
                )
                return Short(frozenset(short))
            lines = stake_lines(match, by_seat, stake)
            await open_accounts(connection, [of_match(match)])  # nobody else asks for it now
            await self._post_own(connection, "stake", match, lines)
            await met(connection, match, by_seat, self._now())
            return Staked()

    async def _staked_before(
        self, connection: AsyncConnection, match: str, table: str, players: list[str], stake: int
    ) -> Staked | Short | Cancelled:
        kept = await self._locked(connection, match)
        never = kept.state == "cancelled" and not kept.players  # cancelled before it was asked for
        same = (kept.table_id, kept.players, kept.stake) == (table, players, stake)
        if not (kept.table_id == table if never else same):
            alarm(f"match {match} was staked with other content")
        if kept.lacking:
            return Short(frozenset(kept.lacking))
        # What is settled is not played again: a table of an older copy would do so with secrets
        # that are known by now.
        return Staked() if kept.state == "staked" else Cancelled()

    async def cancel(self, match: str, table: str) -> None:
        """See to it that nothing is held for a match that will not be played: what was staked goes
        back, and what was not yet never will be (T15). One that is settled is left as it is."""
        async with db.writing(self._engine, LedgerError) as connection:
            if await self._first(connection, match, table, players=[], stake=0):
                return
            if (await self._locked(connection, match)).table_id != table:
                alarm(f"match {match} is of another table than the one that cancels it")
            await self._give_back(connection, match)

    async def pay(self, match: str, winners: Sequence[int]) -> list[int]:
        """Pay the pot of a match to its winning seats (T4).

        Returns the coins that the match has moved, by seat: all zero if the stakes went back
        before (T5): who comes second learns what the first did.
        """
        async with db.writing(self._engine, LedgerError) as connection:
            won = sorted(winners)
            row = await self._settle(connection, match, "paid", won)
            if row is not None:
                moved = coins(row.stake, len(row.players), won)
                await self._hand_out(connection, "pay", match, row, moved)
                return moved
            kept = await self._found(connection, match)
            if kept is None or kept.state == "cancelled":
                alarm(f"match {match} is to be paid and was never staked")
            if kept.state == "paid" and kept.winners != won:
                alarm(f"match {match} was paid to other winners")
            return _moved(kept)

    async def refund(self, match: str) -> list[int]:
        """Give the stakes of a match back in full (T5).

        Returns the coins that the match has moved, by seat: zeros, or what it paid before this
        was asked for; empty if nothing was ever staked.
        """
        async with db.writing(self._engine, LedgerError) as connection:
            await self._give_back(connection, match)
            kept = await self._found(connection, match)
            return [] if kept is None or kept.state == "cancelled" else _moved(kept)

    async def grant(self, player: str, amount: int, key: str, by: str | None) -> int:
        """Give a player coins of the mint, or take some back (``amount`` below zero), once for
        every ``key``. The first grant opens the account. With ``by``, an operator, it goes into
        the audit, and the same grant may come again from another one. Returns the new balance.

        Raises :class:`NotCoveredError` if the account has fewer than would be taken, and
        :class:`OtherGrantError` if the key was used for another player or amount.
        """
        if not amount or key.startswith(_OWN):
            raise ValueError("no such grant")
        account = of_player(player)
        lines = {account: amount, MINT: -amount}
        async with db.writing(self._engine, LedgerError) as connection:
            now = self._now()
            transfer = Transfer(key, "grant", None, now, lines, by)
            # The key first: who finds it taken must not ask what the account covers now.
            if await claim(connection, transfer):
                await open_accounts(connection, [account, MINT])
                if (await lock(connection, [account, MINT]))[account] + amount < 0:
                    raise NotCoveredError("there are fewer coins than would be taken")
                await move(connection, transfer)
                if by is not None:
                    what = {"player": player, "amount": amount, "key": key}
                    await note(connection, Change(now, by, "grant", what))
            return (await lock(connection, [account]))[account]

    async def movements(self, player: str, limit: int = 50) -> list[Movement]:
        """What has moved the coins of a player, the latest first."""
        wanted = (
            select(
                transfers.c.key,
                transfers.c.kind,
                transfers.c.match,
                transfers.c.at,
                transfers.c.by,
                entries.c.amount,
            )
            .join(entries, entries.c.transfer == transfers.c.key)
            .where(entries.c.account == of_player(player))
            .order_by(transfers.c.at.desc(), transfers.c.key.desc())
        )
        async with db.reading(self._engine, LedgerError) as connection:
            return [Movement(*row) for row in await connection.execute(wanted.limit(limit))]

    async def check(self, patience: float = PATIENCE) -> Report:
        """Go over all the books, within ``patience`` seconds, while others write:
        :func:`app.ledger.check.check`."""
        return await check(self._engine, patience)

    async def held(self, match: str) -> Held | None:
        """The stakes of a match, whatever became of them; ``None``: nothing is known of it."""
        async with db.reading(self._engine, LedgerError) as connection:
            return await self._found(connection, match)

    async def staked(self, limit: int = 100, after: str = "") -> list[Held]:
        """Matches whose stakes are held now, by id, from the first after ``after`` on."""
        return await self._holding(escrow.c.match > after, escrow.c.match, limit)

    async def unsettled(self, older_than: int, limit: int = 100) -> list[Held]:
        """Matches whose stakes have been held since before ``older_than``, the oldest first."""
        return await self._holding(escrow.c.made_at < older_than, escrow.c.made_at, limit)

    async def missed(self, match: str, at: int) -> int | None:
        """The table of a match was found absent at ``at``: remember it, if it is the first time.
        Returns when that was; ``None``: nothing is held for the match."""
        mine = (escrow.c.match == match, escrow.c.state == "staked")
        async with db.writing(self._engine, LedgerError) as connection:
            first = update(escrow).where(*mine, escrow.c.missed_at.is_(None))
            await connection.execute(first.values(missed_at=at))
            seen = await connection.execute(select(escrow.c.missed_at).where(*mine))
            return seen.scalar_one_or_none()

    async def found(self, match: str) -> None:
        """The table of a match is there (again)."""
        async with db.writing(self._engine, LedgerError) as connection:
            missing = (escrow.c.match == match, escrow.c.missed_at.is_not(None))
            await connection.execute(update(escrow).where(*missing).values(missed_at=None))

    async def _holding(self, which: ColumnElement[bool], order: Any, limit: int) -> list[Held]:
        query = select(*_HELD).where(escrow.c.state == "staked", which).order_by(order)
        async with db.reading(self._engine, LedgerError) as connection:
            return [Held(*row) for row in await connection.execute(query.limit(limit))]

    @staticmethod
    async def _found(connection: AsyncConnection, match: str) -> Held | None:
        row = (await connection.execute(select(*_HELD).where(escrow.c.match == match))).first()
        return None if row is None else Held(*row)

    async def _first(
        self,
        connection: AsyncConnection,
        match: str,
        table: str,
        *,
        players: list[str],
        stake: int,
    ) -> bool:
        """Whether this is the first that is heard of a match; then it is staked, or without a
        stake cancelled. Somebody else at it is waited for."""
        now = self._now()
        row = {
            "match": match,
            "table_id": table,
            "state": "staked" if stake else "cancelled",
            "stake": stake,
            "players": players,
            "winners": [],
            "lacking": [],
            "made_at": now,
            "changed_at": now,
        }
        made = db.insert(connection, escrow).values(row).on_conflict_do_nothing()
        return bool((await connection.execute(made)).rowcount)

    @staticmethod
    async def _locked(connection: AsyncConnection, match: str) -> Row[Any]:
        """The escrow row of a match that has one, which nobody else can change any more."""
        query = select(escrow).where(escrow.c.match == match).with_for_update()
        return (await connection.execute(query)).one()

    async def _settle(
        self, connection: AsyncConnection, match: str, state: State, winners: list[int]
    ) -> Row[Any] | None:
        """The one step out of ``staked``: for whoever comes first, its row; for others ``None``."""
        settled = (
            update(escrow)
            .where(escrow.c.match == match, escrow.c.state == "staked")
            .values(state=state, winners=winners, changed_at=self._now(), missed_at=None)
            .returning(escrow.c.stake, escrow.c.players)
        )
        return (await connection.execute(settled)).first()

    async def _give_back(self, connection: AsyncConnection, match: str) -> None:
        row = await self._settle(connection, match, "refunded", [])
        if row is not None:
            await self._hand_out(connection, "refund", match, row, [0] * len(row.players))

    async def _hand_out(
        self,
        connection: AsyncConnection,
        kind: Literal["pay", "refund"],
        match: str,
        row: Row[Any],
        moved: list[int],
    ) -> None:
        """Empty a match's account: to each seat its stake and what it won or lost."""
        lines = end_lines(match, row.players, row.stake, moved)
        await self._post_own(connection, kind, match, lines)

    async def _post_own(
        self, connection: AsyncConnection, kind: Kind, match: str, lines: dict[str, int]
    ) -> None:
        transfer = Transfer(own_key(kind, match), kind, match, self._now(), lines)
        if not await post(connection, transfer):
            # The escrow row said that it was not done yet.
            alarm(f"transfer {transfer.key} was made before its time")


def _moved(kept: Held) -> list[int]:
    """The coins that a match has moved, by seat."""
    seats = len(kept.players)
    return coins(kept.stake, seats, kept.winners) if kept.state == "paid" else [0] * seats
