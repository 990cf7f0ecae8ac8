"""The operator's command line, on both grounds, beside a site that is at play (T5)."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app import db
from app.ledger.schema import accounts
from app.operator import tables
from app.operator.__main__ import _parser
from app.operator.office import Office, OperatorError, open_office, operator_name
from app.operator.said import record
from app.settings import Settings
from app.table.commands import Resign
from app.table.decision import Accepted
from tests.app import operators
from tests.app.houses import House, Wall, house
from tests.app.purses import NARDI, STAKE, purse, rich, sound
from tests.app.server import ROOT, Server
from tests.app.tables import create, match_of


@dataclass
class Site:
    """A house in a data folder, and the operator's office beside it."""

    house: House
    office: Office
    folder: Path
    calls: list[str] = field(default_factory=list)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    folder = tmp_path / "data"
    async with house(folder, Wall()) as opened:
        await rich(opened)
        for player, name in (("nino", "ნინო"), ("gia", "გია"), ("gia2", "გია")):
            await opened.players.meet(player, name, 5)
        async with open_office(Settings(data=folder), "keti") as office:
            yield Site(opened, office, folder)


async def typed(site: Site, *arguments: str) -> tuple[int, str, str]:
    environment = {"EZO_DATA": str(site.folder), "EZO_OPERATOR": "keti"}
    return await operators.typed(environment, *arguments)


async def test_tables_are_listed_private_ones_only_when_asked_for(site: Site) -> None:
    await site.house.make("nino", "open1", NARDI, STAKE)
    await site.house.start("gia", "dato", table="play1", game=NARDI)
    await site.house.tables.handle("hidden1", create(NARDI, "eka", "hidden1", public=False))
    status, said, _ = await typed(site, "tables")
    assert status == 0
    assert [line.split()[0] for line in said.splitlines()] == ["table=open1", "table=play1"]
    assert 'seats=["Nino",null]' in said
    assert f"stake={STAKE}" in said
    _, said, _ = await typed(site, "tables", "--all")
    assert {line.split()[0] for line in said.splitlines()} == {
        *("table=open1", "table=play1", "table=hidden1")
    }


async def test_a_table_is_shown_as_a_watcher_sees_it_t11(site: Site) -> None:
    await site.house.start("nino", "gia", game=NARDI, stake=STAKE)
    stored = await site.house.store.load("t1")
    assert stored is not None
    status, said, _ = await typed(site, "table", "t1")
    assert status == 0
    shown = json.loads(said)
    assert (shown["you"], shown["status"], shown["pot"]) == (None, "running", 2 * STAKE)
    match = match_of(await site.house.table())
    for hidden in (match.secret.hex(), match.chain.last.hex(), "marks", "answers"):
        assert hidden not in said
    assert (await typed(site, "table", "nowhere"))[::2] == (1, "ezo: there is no table nowhere\n")


async def test_a_void_match_gives_the_stakes_back_and_stands_in_the_audit_t5(site: Site) -> None:
    table = await site.house.start("nino", "gia", game=NARDI, stake=STAKE)
    status, said, _ = await typed(site, "void", "t1", "--reason", "the board froze")
    match = match_of(table).id
    assert (status, said) == (0, f"voided={match} table=t1 stake={STAKE}\n")
    await site.house.later(1_000)
    assert await purse(site.house) == [1_000, 1_000]
    ended = match_of(await site.house.table()).ended
    assert ended is not None
    assert (ended.reason, ended.coins) == ("void", (0, 0))
    changes = await site.office.audit.recent()
    assert [(each.who, each.action) for each in changes] == [
        ("keti", "void"),
        ("keti", "void_asked"),
    ]
    assert changes[0].what == {"table": "t1", "match": match, "reason": "the board froze"}
    _, said, _ = await typed(site, "audit", "--limit", "1")
    assert said.count("\n") == 1
    assert "who=keti action=void" in said
    await sound(site.house)


async def test_a_finish_that_comes_first_wins_over_a_void_t5(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await site.house.start("nino", "gia", game=NARDI, stake=STAKE)
    loaded = site.office.clock

    async def meanwhile() -> None:
        # After the operator has looked at the table, and before the match is voided.
        resign = Resign("gia", "resign-1", match_of(table).id)
        assert isinstance(await site.house.tables.handle("t1", resign), Accepted)
        await loaded()

    monkeypatch.setattr(Office, "clock", lambda _: meanwhile())
    with pytest.raises(OperatorError, match="nothing is voided"):
        await tables.void(site.office, "t1", "too late")
    await site.house.worker.work()
    assert await purse(site.house) == [1_100, 900]
    actions = [change.action for change in await site.office.audit.recent()]
    assert actions == ["void_refused", "void_asked"]
    await sound(site.house)


async def test_of_a_void_and_a_finish_at_once_one_stands_t5(site: Site) -> None:
    voided = 0
    for n in range(6):
        name = f"race{n}"
        table = await site.house.start("nino", "gia", table=name, game=NARDI, stake=STAKE)
        before = await purse(site.house)
        resign = Resign("gia", f"resign-{n}", match_of(table).id)
        results = await asyncio.gather(
            tables.void(site.office, name, "race"),
            site.house.tables.handle(name, resign),
            return_exceptions=True,
        )
        await site.house.worker.work()
        ended = match_of(await site.house.table(name)).ended
        assert ended is not None
        if ended.reason == "void":
            voided += 1
            assert not isinstance(results[0], BaseException)
            assert not isinstance(results[1], Accepted)
        else:
            assert isinstance(results[0], OperatorError)
            assert isinstance(results[1], Accepted)
        moved = 0 if ended.reason == "void" else STAKE
        assert ended.coins == (moved, -moved)
        assert await purse(site.house) == [
            (before[0] or 0) + STAKE + moved,
            (before[1] or 0) + STAKE - moved,
        ]
    await sound(site.house)


async def test_nothing_to_void(site: Site) -> None:
    await site.house.make("nino", game=NARDI)
    status, _, complained = await typed(site, "void", "t1", "--reason", "x")
    assert (status, complained.count("\n")) == (1, 1)
    assert await site.office.audit.recent() == []
    assert (await typed(site, "void", "t1"))[0] == 2  # a reason is needed


async def test_the_books_are_checked_and_the_first_that_differs_is_named(site: Site) -> None:
    await site.house.start("nino", "gia", game=NARDI, stake=STAKE)
    status, said, _ = await typed(site, "ledger", "check")
    assert status == 0
    assert said.endswith("ok=true\n")
    async with db.writing(site.house.ledger._engine, db.DatabaseError) as connection:
        await connection.execute(
            accounts.update().where(accounts.c.id == "player:nino").values(balance=901)
        )
    status, said, complained = await typed(site, "ledger", "check")
    assert (status, said) == (1, "")
    assert complained == (
        "ezo: the books differ: account player:nino: balance 901, its entries make 900\n"
    )


async def test_a_grant_is_given_once_a_key_and_stands_in_the_audit(site: Site) -> None:
    grant = ("grant", "ნინო", "500", "--reason", "a prize", "--key", "prize-1")
    for _ in range(2):
        status, said, _ = await typed(site, *grant)
        assert (status, said) == (0, "player=nino name=ნინო coins=1500 key=prize-1\n")
    # A key typed twice is an operator's slip, whoever types it.
    environment = {"EZO_DATA": str(site.folder), "EZO_OPERATOR": "dato"}
    assert (await operators.typed(environment, *grant))[0] == 0
    for who, amount in (("nino", "501"), ("gia", "500")):
        slip = ("grant", who, amount, "--reason", "x", "--key", "prize-1")
        assert await typed(site, *slip) == (
            1, "", "ezo: key prize-1 was used before for another grant\n"
        )  # fmt: skip
    assert (await typed(site, "grant", "nino", "-2000", "--reason", "x"))[0] == 1
    assert (await typed(site, "grant", "nino", "5", "--reason", "x", "--key", "pay:m"))[0] == 1
    status, said, _ = await typed(site, "grant", "nino", "-1500", "--reason", "taken back")
    assert (status, "coins=0" in said) == (0, True)
    _, said, _ = await typed(site, "ledger", "account", "nino")
    first, *lines = said.splitlines()
    assert first == "player=nino name=ნინო coins=0"
    assert sorted(int(line.split("amount=")[1].split()[0]) for line in lines) == [-1500, 500, 1000]
    changes = await site.office.audit.recent()
    assert {change.who for change in changes if change.action == "grant"} == {"keti"}
    reasons = [change.what.get("reason") for change in changes if change.action == "grant_asked"]
    assert {"a prize", "taken back"} <= set(reasons)
    assert [change.action for change in changes].count("grant") == 2  # the prize, and taken back
    await sound(site.house)


async def test_players_are_named_by_id_or_by_a_name_that_only_one_has(site: Site) -> None:
    status, _, complained = await typed(site, "grant", "გია", "5", "--reason", "x")
    assert (status, complained) == (1, "ezo: 2 players are called გია: name one by id\n")
    assert (await typed(site, "ledger", "account", "ელა"))[2] == "ezo: there is no player ელა\n"
    assert (await typed(site, "ledger", "account", "gia2"))[2] == "ezo: gia2 has no account\n"
    _, said, _ = await typed(site, "players", "გია")
    assert [line.split()[0] for line in said.splitlines()] == ["player=gia", "player=gia2"]
    assert "coins=1000" in said
    assert "coins=-" in said


async def test_what_waits_is_shown_and_tried_at_once_when_told(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await site.house.start("nino", "gia", game=NARDI, stake=STAKE)
    await site.house.worker.work()
    assert (await typed(site, "outbox"))[1] == ""
    pay = site.house.ledger.pay

    async def away(*_: object) -> list[int]:
        raise ConnectionError

    monkeypatch.setattr(site.house.ledger, "pay", away)
    await site.house.tables.handle("t1", Resign("gia", "resign-1", match_of(table).id))
    await site.house.later(600_000)
    _, said, _ = await typed(site, "outbox")
    assert said.startswith("table=t1 entry=")
    assert f"kind=ended match={match_of(table).id} tries=" in said
    monkeypatch.setattr(site.house.ledger, "pay", pay)
    assert (await typed(site, "outbox", "retry", "t1"))[:2] == (0, "table=t1 retried=1\n")
    await site.house.later(1_000)  # not a minute
    assert await purse(site.house) == [1_100, 900]
    assert (await typed(site, "outbox", "retry", "t1"))[2] == "ezo: nothing waits there\n"


async def test_stuck_tables_are_shown(site: Site) -> None:
    await site.house.make("nino", game=NARDI)
    await site.house.store._job(lambda db: db.execute("UPDATE tables SET leases = 9"))
    assert (await typed(site, "outbox"))[1] == "stuck=t1 leases=8\n"


async def test_what_makes_no_sense_is_refused_before_anything_is_opened(site: Site) -> None:
    site.folder /= "nowhere"
    for wrong, said in (
        (("void", "t1", "--reason", " "), "--reason: it is empty"),
        (("grant", "nino", "5", "--reason", ""), "--reason: it is empty"),
        (("grant", "nino", "5", "--reason", "x", "--key", ""), "--key: it is empty"),
        (("grant", "nino", "0", "--reason", "x"), "amount: 0 coins are no grant"),
        (("grant", "nino", "1.5", "--reason", "x"), "amount: '1.5' is no whole number"),
        (("audit", "--limit", "0"), "--limit: it is 1 at least"),
        (("audit", "--limit", "-3"), "--limit: it is 1 at least"),
    ):
        status, _, complained = await typed(site, *wrong)
        assert (status, complained.splitlines()[-1].endswith(said)) == (2, True), complained


async def test_where_there_is_nothing_to_show_that_is_said(site: Site) -> None:
    for asked, said in (
        (("tables",), "the lobby has no table"),
        (("tables", "--all"), "there is no table"),
        (("players", "ელა"), "there is nobody of the name or id ელა"),
        (("outbox",), "nothing waits"),
        (("audit",), "no operator has changed anything"),
    ):
        assert await typed(site, *asked) == (0, "", f"ezo: {said}\n")


def test_every_argument_is_explained() -> None:
    def explained(parser: argparse.ArgumentParser) -> int:
        seen = 0
        for each in parser._actions:
            if isinstance(each, argparse._SubParsersAction):
                seen += sum(explained(inner) for inner in each.choices.values())
            else:
                assert each.help, (parser.prog, each.dest)
                seen += 1
        return seen

    assert explained(_parser()) > 15


async def test_the_data_folder_can_be_named_as_for_the_server(site: Site) -> None:
    await site.house.make("nino", game=NARDI)
    named = await operators.typed({}, "--data", str(site.folder), "tables", "--all")
    assert named == await typed(site, "tables", "--all")
    assert named[0] == 0
    assert named[1].startswith("table=t1 ")


async def test_what_cannot_be_opened_is_said_in_one_line(site: Site, tmp_path: Path) -> None:
    site.folder = tmp_path / "nowhere"
    status, _, complained = await typed(site, "tables")
    assert (status, complained.count("\n")) == (1, 1)
    assert "is no data folder" in complained
    assert not site.folder.exists()
    assert (await typed(site))[0] == 2
    assert (await typed(site, "dance"))[0] == 2


def test_who_it_is() -> None:
    assert operator_name({"EZO_OPERATOR": " keti "}) == "keti"
    assert operator_name({"EZO_OPERATOR": "x" * 80}) == "x" * 64
    assert operator_name({}) != ""


def test_a_line_is_a_line() -> None:
    assert record(a=1, b=None, c="ნინო", d="a b", e='x="y"', f="", g="-", h="a\nb", i=True) == (
        r'a=1 b=- c=ნინო d="a b" e="x=\"y\"" f="" g="-" h="a\nb" i=true'
    )


def migrated(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app.migrate", *arguments],
        cwd=ROOT, env=os.environ | {"EZO_DATA": str(folder)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_migrating_twice_is_migrating_once_and_asking_for_help_is_not(tmp_path: Path) -> None:
    folder, other = tmp_path / "data", tmp_path / "other"
    helped = migrated(folder, "--help")
    assert (helped.returncode, helped.stderr) == (0, "")
    assert "--data" in helped.stdout
    assert migrated(folder, "everything").returncode == 2
    assert not folder.exists()
    for _ in range(2):
        done = migrated(folder)
        assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "site.db").exists()
    assert migrated(folder, "--data", str(other)).returncode == 0
    assert (other / "site.db").exists()


def test_what_is_kept_in_a_folder_that_all_may_read_is_for_its_owner_alone(tmp_path: Path) -> None:
    def modes(folder: Path) -> set[tuple[str, str]]:
        return {(each.name, oct(each.stat().st_mode & 0o777)) for each in folder.iterdir()}

    for name in ("migrated", "served"):
        (tmp_path / name).mkdir(mode=0o755)
        (tmp_path / name).chmod(0o755)
    before = os.umask(0o022)
    try:
        assert migrated(tmp_path / "migrated").returncode == 0
        with Server(tmp_path / "served") as server:
            served = modes(server.data)  # with what is there only while it runs
    finally:
        os.umask(before)
    for found in (modes(tmp_path / "migrated"), served):
        assert {"tables.db", "site.db"} <= {name for name, _ in found}
        assert {mode for _, mode in found} == {"0o600"}
