"""Players with coins, and what has become of them."""

from __future__ import annotations

from app.table.commands import Resign
from app.table.decision import Accepted, Refused
from engine import games
from tests.app.houses import House
from tests.app.tables import match_of

NARDI = games.game("nardi", "short")
STAKE = 100


def code(answer: object) -> str:
    return answer.code if isinstance(answer, Refused) else "accepted"


async def rich(site: House, amount: int = 1_000, *players: str) -> None:
    for player in players or ("nino", "gia", "dato"):
        await site.ledger.grant(player, amount, f"start:{player}", None)


async def purse(site: House, *players: str) -> list[int | None]:
    return [await site.ledger.balance(player) for player in players or ("nino", "gia")]


async def sound(site: House) -> None:
    """The books are right, and nothing is held that nobody sees to."""
    report = await site.ledger.check()
    assert report.ok, str(report.differs)


async def resign(site: House, player: str = "gia", table: str = "t1") -> str:
    match = match_of(await site.table(table)).id
    answer = await site.tables.handle(table, Resign(player, f"resign-{match}", match))
    assert isinstance(answer, Accepted)
    return match
