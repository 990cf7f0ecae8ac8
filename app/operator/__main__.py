"""``python -m app.operator COMMAND``: looking after a site, by the server's own settings."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from app.db import DatabaseError
from app.ledger.values import LedgerError
from app.live.service import ContestedError
from app.live.store import StoreError
from app.operator import coins, outbox, reports, tables
from app.operator.office import Office, OperatorError, open_office, operator_name
from app.players.players import PlayersError
from app.settings import Settings, SettingsError, read_settings
from engine.game import Unreadable

Work: TypeAlias = Callable[[Office], Awaitable[list[str]]]

WRONG, FAILED = 2, 1
FAULTS = (
    OperatorError,
    StoreError,
    ContestedError,
    DatabaseError,
    LedgerError,
    PlayersError,
    Unreadable,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command. Returns the exit status: 1 if it was not carried out or the books
    differ, 2 for a wrong argument or setting."""
    given = _parser().parse_args(arguments)
    os.umask(0o077)  # what is kept is for nobody else
    try:
        settings = read_settings(data=given.data)
    except SettingsError as error:
        return _failed(str(error), WRONG)
    try:
        lines = asyncio.run(_carry_out(settings, given.work(given)))
    except FAULTS as error:
        return _failed(str(error) or type(error).__name__)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    if not lines:
        sys.stderr.write(f"ezo: {given.nothing(given)}\n")
    return 0


async def _carry_out(settings: Settings, work: Work) -> list[str]:
    async with open_office(settings, operator_name(os.environ)) as office:
        return await work(office)


def _failed(line: str, status: int = FAILED) -> int:
    sys.stderr.write(f"ezo: {line}\n")
    return status


def _text(given: str) -> str:
    text = given.strip()
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    return text


def _amount(given: str) -> int:
    amount = _number(given)
    if not amount:
        raise argparse.ArgumentTypeError("0 coins are no grant")
    return amount


def _limit(given: str) -> int:
    limit = _number(given)
    if limit < 1:
        raise argparse.ArgumentTypeError("it is 1 at least")
    return limit


def _number(given: str) -> int:
    try:
        return int(given)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{given!r} is no whole number") from None


TABLE, PLAYER = "id of the table", "id, or a name that only one has"
REASON = "why, for the audit"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ezo-operator",
        description="Look after a site. EZO_OPERATOR says who you are in the audit.",
    )
    parser.add_argument("--data", type=Path, help="folder that keeps the tables (./data)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    listing = commands.add_parser("tables", help="the tables of the lobby")
    listing.add_argument("--all", action="store_true", help="private, ended and closed ones, too")
    listing.set_defaults(
        work=lambda a: lambda office: tables.tables(office, every=a.all),
        nothing=lambda a: "there is no table" if a.all else "the lobby has no table",
    )

    one = commands.add_parser("table", help="a table as a watcher sees it")
    one.add_argument("table", help=TABLE)
    one.set_defaults(work=lambda a: lambda office: tables.table(office, a.table))

    void = commands.add_parser("void", help="void the match of a table; its stakes go back")
    void.add_argument("table", help=TABLE)
    void.add_argument("--reason", type=_text, required=True, help=REASON)
    void.set_defaults(work=lambda a: lambda office: tables.void(office, a.table, a.reason))

    ledger = commands.add_parser("ledger", help="the books").add_subparsers(
        required=True, metavar="check|account"
    )
    check = ledger.add_parser("check", help="go over all of them; 1 if any differs")
    check.set_defaults(work=lambda _: coins.check)
    account = ledger.add_parser("account", help="what a player has, and what has moved it")
    account.add_argument("player", help=PLAYER)
    account.set_defaults(work=lambda a: lambda office: coins.account(office, a.player))

    grant = commands.add_parser("grant", help="give a player coins, or take some back")
    grant.add_argument("player", help=PLAYER)
    grant.add_argument("amount", type=_amount, help="coins; below zero to take some back")
    grant.add_argument("--reason", type=_text, required=True, help=REASON)
    grant.add_argument(
        "--key", type=_text, help="any text of yours; with one given twice it is done once"
    )
    grant.set_defaults(
        work=lambda a: lambda office: coins.grant(office, a.player, a.amount, a.reason, a.key)
    )

    players = commands.add_parser("players", help="the players of a name or id")
    players.add_argument("name", help="a whole name, or an id")
    players.set_defaults(
        work=lambda a: lambda office: coins.players(office, a.name),
        nothing=lambda a: f"there is nobody of the name or id {a.name}",
    )

    waiting = commands.add_parser("outbox", help="what waits to go out, and stuck tables")
    waiting.set_defaults(work=lambda _: outbox.outbox, nothing=lambda _: "nothing waits")
    retry = waiting.add_subparsers(metavar="retry").add_parser("retry", help="try a table's now")
    retry.add_argument("table", help=TABLE)
    retry.set_defaults(work=lambda a: lambda office: outbox.retry(office, a.table))

    reported = commands.add_parser("reports", help="what players report, the latest first")
    reported.add_argument("--all", action="store_true", help="closed ones, too")
    reported.add_argument("--limit", type=_limit, default=50, help="how many at most (50)")
    reported.set_defaults(
        work=lambda a: lambda office: reports.reports(office, a.limit, every=a.all),
        nothing=lambda _: "nothing is reported",
    )
    closing = reported.add_subparsers(metavar="close").add_parser("close", help="it is seen to")
    closing.add_argument("report", help="id of the report")
    closing.set_defaults(work=lambda a: lambda office: reports.close(office, a.report))

    audit = commands.add_parser("audit", help="what operators have changed, the latest first")
    audit.add_argument("--limit", type=_limit, default=50, help="how many at most (50)")
    audit.set_defaults(
        work=lambda a: lambda office: coins.audit(office, a.limit),
        nothing=lambda _: "no operator has changed anything",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
