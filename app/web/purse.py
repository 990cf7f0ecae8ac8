"""What the reader has in their purse, as pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from starlette.requests import Request

from app.live.purses import LedgerAwayError
from app.web.site import site_of

Why: TypeAlias = Literal["guest", "few", "away"]
"""Why somebody cannot take part in a coin table: they have no account (T2), too few coins (T4), or
the ledger does not say."""


@dataclass(frozen=True, slots=True)
class Purse:
    """``coins``: what the reader has; ``None``: they have no account, or it is not known
    (``away``)."""

    coins: int | None = None
    away: bool = False

    def why_not(self, stake: int) -> Why | None:
        """Why the reader cannot take part in a table with a stake; ``None``: they can."""
        if not stake:
            return None
        if self.coins is None:
            return "away" if self.away else "guest"
        return "few" if self.coins < stake else None


async def purse_of(request: Request) -> Purse:
    """The reader's purse, soon, whatever the ledger does."""
    site = site_of(request)
    player = site.player(request)
    if player is None:
        return Purse()
    try:
        return Purse(await site.purses.glance(player.id))
    except LedgerAwayError:
        return Purse(away=True)
