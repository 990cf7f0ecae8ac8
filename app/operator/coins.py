"""Looking at the books, and giving coins."""

from __future__ import annotations

import secrets

from app.ledger.values import NotCoveredError, OtherGrantError
from app.operator.office import Office, OperatorError
from app.operator.said import record, time

LINES = 50
"""Movements that are shown."""


async def check(office: Office) -> list[str]:
    """Go over all the books. Raises :class:`OperatorError` naming the first that differs."""
    report = await office.ledger.check()
    if report.differs is not None:
        raise OperatorError(f"the books differ: {report.differs}")
    return [
        record(
            accounts=report.accounts, transfers=report.transfers, matches=report.matches, ok=True
        )
    ]


async def account(office: Office, asked: str) -> list[str]:
    """What a player has, and what has moved it last."""
    player = await office.player(asked)
    balance = await office.ledger.balance(player.id)
    if balance is None:
        raise OperatorError(f"{player.id} has no account")
    lines = [record(player=player.id, name=player.name, coins=balance)]
    lines += [
        record(
            at=time(each.at),
            kind=each.kind,
            amount=each.amount,
            match=each.match,
            by=each.by,
            key=each.key,
        )
        for each in await office.ledger.movements(player.id, LINES)
    ]
    return lines


async def grant(office: Office, asked: str, amount: int, reason: str, key: str | None) -> list[str]:
    """Give a player coins of the mint, or take some back, once for every key."""
    player = await office.player(asked)
    key = key or f"grant:{secrets.token_hex(8)}"
    what = {"player": player.id, "amount": amount, "key": key, "reason": reason}
    await office.note("grant_asked", what)
    try:
        balance = await office.ledger.grant(player.id, amount, key, office.who)
    except NotCoveredError:
        raise OperatorError(f"{player.id} has fewer coins than that: nothing moved") from None
    except OtherGrantError as error:
        raise OperatorError(str(error)) from None
    except ValueError:
        raise OperatorError("that is no grant: an amount of 0, or a key of a match") from None
    return [record(player=player.id, name=player.name, coins=balance, key=key)]


async def players(office: Office, asked: str) -> list[str]:
    """The players of exactly this name or id."""
    return [
        record(
            player=each.id,
            name=each.name,
            kind=each.kind,
            since=time(each.since),
            coins=await office.ledger.balance(each.id),
        )
        for each in await office.players.search(asked)
    ]


async def audit(office: Office, limit: int) -> list[str]:
    """What operators have changed, the latest first."""
    return [
        record(at=time(each.at), who=each.who, action=each.action, what=each.what)
        for each in await office.audit.recent(limit)
    ]
