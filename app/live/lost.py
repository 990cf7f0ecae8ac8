"""Stakes that are held for a match which no table will ever end: they go back (T5).

A table's own outbox sees to its stakes, whatever dies. Only where the store of live tables or the
database has lost what it had acknowledged can stakes be left over, and nobody but the escrow row
knows of them.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Literal, TypeAlias

from app.ledger.audit import Audit, Change
from app.ledger.ledger import Ledger
from app.ledger.values import Held, LedgerError
from app.live.service import LiveTables
from app.live.store import Store, StoreError
from app.table.table import Table
from engine.game import Unreadable

log = logging.getLogger(__name__)

EVERY_S: Final = 60.0
"""Seconds between two looks of a process."""
APART_MS: Final = 600_000
"""Two looks so far apart have to find the same before anything is done."""
SITE: Final = "site"
"""Who it is in the audit."""
PAGE: Final = 100
"""Matches that are asked for at once."""

Cause: TypeAlias = Literal["table_lost", "match_lost", "payout_lost"]
"""The store has no such table; it has the table as it was before the match; the table has told the
ledger how the match ended, and the ledger has lost that."""


class Lost:
    """Looks for stakes that nobody sees to. Any number of processes may do so at once."""

    def __init__(self, store: Store, tables: LiveTables, ledger: Ledger, audit: Audit) -> None:
        self._store = store
        self._tables = tables
        self._ledger = ledger
        self._audit = audit

    async def run(self) -> None:
        """Look every minute until cancelled."""
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                await self.look()
            except (StoreError, LedgerError) as error:
                log.warning("held stakes cannot be looked at: %s", type(error).__name__)

    async def look(self) -> None:
        """One look at every match whose stakes are held. Raises :class:`StoreError` and
        :class:`LedgerError`: then the rest was not looked at."""
        last = ""
        while page := await self._ledger.staked(PAGE, last):
            for held in page:
                await self._look_at(held)
            last = page[-1].match

    async def _look_at(self, held: Held) -> None:
        try:
            table = await self._tables.load(held.table_id)
        except Unreadable:
            return  # of a later release: it is there
        cause = cause_of(table, held.match)
        if cause is None:
            if held.missed_at is not None:
                await self._ledger.found(held.match)
            return
        now = self._tables.clock.now() + self._tables.clock.calendar()
        first = await self._ledger.missed(held.match, now)
        if first is not None and now - first >= APART_MS:
            await self._settle(held, table, cause, now)

    async def _settle(self, held: Held, table: Table | None, cause: Cause, now: int) -> None:
        # The ledger does it once however many try; this is for the audit's sake.
        async with self._store.hold([f"stakes:{held.match}"]):
            present = await self._ledger.held(held.match)
            if present is None or present.state != "staked":
                return
            ended = None if table is None or table.match is None else table.match.ended
            winners = list(ended.winners) if cause == "payout_lost" and ended is not None else []
            what = {
                "match": held.match,
                "table": held.table_id,
                "cause": cause,
                "stake": held.stake,
                "players": held.players,
                "winners": winners,
            }
            # First: nothing is changed without an entry.
            await self._audit.write(Change(now, SITE, "pay" if winners else "refund", what))
            if winners:
                await self._ledger.pay(held.match, winners)
            else:
                await self._ledger.refund(held.match)
        log.error("the stakes of match %s were left over (%s), and are settled", held.match, cause)


def cause_of(table: Table | None, match: str) -> Cause | None:
    """Why nobody will ever see to the stakes of a match that a table was for; ``None``: the table
    does."""
    if table is None:
        return "table_lost"
    if any(
        entry.kind in ("fund", "cancel", "ended") and entry.payload["match"] == match
        for entry in table.outbox
    ):
        return None
    if table.match_id() != match:
        return "match_lost"
    return None if table.status in ("funding", "handshake", "running") else "payout_lost"
