"""What players have in their purses, asked of a ledger that may be away. Free play never waits for
it, and coin tables are refused at once while it is known to be away (T4)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final

from app.ledger.ledger import Ledger
from app.ledger.meetings import Meetings
from app.ledger.values import LedgerError
from app.live.sitetime import steady_ms
from app.table.coins import Funds

log = logging.getLogger(__name__)

AGAIN_MS: Final = 2_000
"""So long after it failed the ledger is not asked again."""
GLANCE_S: Final = 0.5
"""So long a page waits for a balance that it only shows."""


class LedgerAwayError(Exception):
    """What a player has is not known now."""


class Purses:
    """The purses of the players, as this process sees them. ``ms`` reads a clock in milliseconds,
    from anywhere."""

    def __init__(
        self, ledger: Ledger, meetings: Meetings, ms: Callable[[], int] = steady_ms
    ) -> None:
        self._ledger = ledger
        self._meetings = meetings
        self._ms = ms
        self._failed_at: int | None = None
        self._asked: set[asyncio.Task[int | None]] = set()

    async def funds(self, player: str, stake: int, others: Collection[str] = ()) -> Funds:
        """Whether a player covers a stake, and may play ``others`` for it, within the time that
        the ledger needs."""
        try:
            balance = await asyncio.shield(self._ask(player))
            if balance is None or balance < stake:
                return "lacks"
            return "met" if others and await self._meetings.enough(player, others) else "covers"
        except (LedgerAwayError, LedgerError):
            return "away"

    async def glance(self, player: str) -> int | None:
        """The coins of a player, ``None`` for one without an account, if it is soon known.

        Raises :class:`LedgerAwayError` after :data:`GLANCE_S` at most.
        """
        asked = self._ask(player)
        # It is not called off: letting go of a server that hangs would take long, too.
        await asyncio.wait({asked}, timeout=GLANCE_S)
        if asked.done():
            return asked.result()
        self._failed_at = self._ms()
        raise LedgerAwayError

    async def close(self) -> None:
        """Wait for what was asked."""
        await asyncio.gather(*self._asked, return_exceptions=True)

    def _ask(self, player: str) -> asyncio.Task[int | None]:
        task = asyncio.create_task(self._balance(player))
        self._asked.add(task)
        task.add_done_callback(self._answered)
        return task

    def _answered(self, task: asyncio.Task[int | None]) -> None:
        self._asked.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked may have gone: nobody need look at it

    async def _balance(self, player: str) -> int | None:
        if self._failed_at is not None and self._ms() - self._failed_at < AGAIN_MS:
            raise LedgerAwayError
        try:
            balance = await self._ledger.balance(player)
        except LedgerError as error:
            if self._failed_at is None:
                log.warning("coin tables are refused: %s", error)
            self._failed_at = self._ms()
            raise LedgerAwayError from None
        self._failed_at = None
        return balance
