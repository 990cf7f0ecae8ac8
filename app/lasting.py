"""All that outlives a table, on one database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from app.history.fairness import Fairness
from app.history.history import History
from app.history.leavers import Leavers
from app.ledger.audit import Audit
from app.ledger.gifts import Gifts
from app.ledger.ledger import Ledger
from app.ledger.meetings import Meetings
from app.players.accounts import Accounts
from app.players.blocks import Blocks
from app.players.players import Players
from app.players.reports import Reports
from app.players.sessions import Sessions
from app.ratings.boards import Boards
from app.ratings.ratings import Ratings


@dataclass(frozen=True, slots=True)
class Lasting:
    """Players, coins, matches and ratings."""

    players: Players
    accounts: Accounts
    sessions: Sessions
    blocks: Blocks
    reports: Reports
    history: History
    leavers: Leavers
    fairness: Fairness
    ledger: Ledger
    gifts: Gifts
    meetings: Meetings
    audit: Audit
    ratings: Ratings
    boards: Boards


def lasting(database: AsyncEngine, calendar: Callable[[], int]) -> Lasting:
    """Everything that a database keeps, once it is prepared. ``calendar`` reads a clock in
    milliseconds since 1970."""
    return Lasting(
        players=Players(database),
        accounts=Accounts(database),
        sessions=Sessions(database),
        blocks=Blocks(database),
        reports=Reports(database),
        history=History(database),
        leavers=Leavers(database),
        fairness=Fairness(database, calendar),
        ledger=Ledger(database),
        gifts=Gifts(database, calendar),
        meetings=Meetings(database, calendar),
        audit=Audit(database),
        ratings=Ratings(database),
        boards=Boards(database, calendar),
    )
