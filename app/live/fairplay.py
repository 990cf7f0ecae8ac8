"""Who does not meet whom, and whom quick match is closed to; asked of databases that may be away:
then everybody meets everybody."""

from __future__ import annotations

from collections.abc import Callable, Collection

from app.history.history import HistoryError
from app.history.leavers import Leavers
from app.ledger.meetings import Meetings
from app.ledger.values import LedgerError
from app.live.glance import Glance, NotSeenError
from app.live.sitetime import wall_ms
from app.players.blocks import Blocks
from app.players.players import PlayersError


class FairPlay:
    """What the site knows of a player's company. ``wall`` reads the calendar in milliseconds."""

    def __init__(
        self,
        blocks: Blocks,
        leavers: Leavers,
        meetings: Meetings,
        wall: Callable[[], int] = wall_ms,
    ) -> None:
        self._blocks = blocks
        self._leavers = leavers
        self._meetings = meetings
        self._wall = wall
        self._glance = Glance((PlayersError, HistoryError, LedgerError), "blocks do not count")

    async def apart(self, player: str, others: Collection[str]) -> bool:
        """Whether a player and some of these do not meet."""
        if not others:
            return False
        try:
            return await self._glance.at(lambda: self._blocks.are_apart(player, others))
        except NotSeenError:
            return False

    async def unwanted(self, player: str, stake: int) -> frozenset[str]:
        """Whom quick match does not lead a player to; with a stake nor to whom they have met for
        coins often enough today."""
        try:
            apart = await self._glance.at(lambda: self._blocks.apart(player))
            if stake:
                apart |= await self._glance.at(lambda: self._meetings.enough(player))
        except NotSeenError:
            return frozenset()
        return apart

    async def closed(self, player: str) -> int:
        """For how many milliseconds quick match is closed to a player who has left too often."""
        try:
            return await self._glance.at(lambda: self._leavers.closed(player, self._wall()))
        except NotSeenError:
            return 0

    async def close(self) -> None:
        """Wait for what was asked."""
        await self._glance.close()
