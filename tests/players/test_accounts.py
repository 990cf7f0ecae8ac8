"""Registering, coming in, and what ends it (T2)."""

from __future__ import annotations

import asyncio
import re

import pytest
from argon2 import PasswordHasher
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.players.accounts import RENAME_MS, Accounts, SignedIn
from app.players.blocks import Blocks
from app.players.passwords import Passwords
from app.players.players import Player, Players
from app.players.reports import Reports
from app.players.sessions import LASTS_MS, MOST, SEEN_MS, Sessions, id_of

QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
PASSWORD = "ლეღვის ხე 7"


@pytest.fixture
def accounts(lasting: AsyncEngine) -> Accounts:
    return Accounts(lasting, Passwords(QUICK))


async def nino(accounts: Accounts, player: str = "p1", name: str = "ნინო") -> SignedIn:
    made = await accounts.register(player, name, PASSWORD, "Firefox", 1_000)
    assert isinstance(made, SignedIn)
    return made


async def test_a_guest_who_registers_stays_the_same_player(
    lasting: AsyncEngine, accounts: Accounts
) -> None:
    players = Players(lasting)
    await players.meet("p1", "სტუმარი 1234", 500)
    made = await nino(accounts)
    assert (made.player, made.name, len(made.codes)) == ("p1", "ნინო", 8)
    assert await players.find("p1") == Player("p1", "ნინო", 500, "registered")
    assert await Sessions(lasting).player(id_of(made.secret), 2_000) == await players.find("p1")


async def test_nothing_that_opens_is_kept_as_it_is(
    lasting: AsyncEngine, accounts: Accounts
) -> None:
    made = await nino(accounts)
    async with lasting.connect() as connection:
        rows = [
            str(tuple(row))
            for table in ("players", "logins", "recovery_codes", "sessions")
            for row in await connection.execute(text(f"SELECT * FROM {table}"))
        ]
    for secret in (PASSWORD, made.secret, *made.codes, *(c.replace("-", "") for c in made.codes)):
        assert not any(secret in row for row in rows)


async def test_a_name_is_one_players_however_it_is_written(accounts: Accounts) -> None:
    await nino(accounts, name="Nino")
    for name in ("nino", "N i n o", "Nіno", "NINO."):
        assert await accounts.register("p2", name, PASSWORD, "", 2_000) == "taken"
        assert await accounts.is_anybodys(name)
    assert not await accounts.is_anybodys("Nina")


async def test_of_many_at_once_one_gets_the_name(accounts: Accounts) -> None:
    made = await asyncio.gather(
        *(accounts.register(f"p{n}", "ნინო", PASSWORD, "", 1_000) for n in range(6))
    )
    assert sum(isinstance(each, SignedIn) for each in made) == 1
    assert [each for each in made if not isinstance(each, SignedIn)] == ["taken"] * 5


async def test_registering_twice_is_registering_once(accounts: Accounts) -> None:
    await nino(accounts)
    assert await accounts.register("p1", "ნინუცა", PASSWORD, "", 2_000) == "registered"
    assert await accounts.register("p1", "ნინო", PASSWORD, "", 2_000) == "registered"


@pytest.mark.parametrize(
    ("name", "password", "why"),
    [
        ("ნ", PASSWORD, "name"),
        ("ნინო\u202e", PASSWORD, "name"),
        ("ადმინი", PASSWORD, "reserved"),
        ("ნინოჩკა", "1234567", "too_short"),
        ("ნინოჩკა", "x" * 201, "too_long"),
        ("ნინოჩკა", "ნინოჩკა1", "like_name"),
    ],
)
async def test_what_is_wrong_is_said(
    accounts: Accounts, name: str, password: str, why: str
) -> None:
    assert await accounts.register("p1", name, password, "", 1_000) == why


async def test_only_name_and_password_together_open(
    lasting: AsyncEngine, accounts: Accounts
) -> None:
    made = await nino(accounts)
    for name, password in (("ნინო", "ლეღვის ხე 8"), ("ნინა", PASSWORD), ("", ""), ("ნინო", "")):
        assert await accounts.sign_in(name, password, "", 2_000) == "wrong"
    again = await accounts.sign_in(" ნინო", PASSWORD, "Safari", 3_000)
    assert isinstance(again, SignedIn)
    assert (again.player, again.codes) == ("p1", ())
    assert again.secret != made.secret
    assert [each.device for each in await Sessions(lasting).of("p1")] == ["Safari", "Firefox"]


async def test_a_password_kept_in_an_older_way_is_kept_anew(lasting: AsyncEngine) -> None:
    older = Accounts(lasting, Passwords(QUICK))
    await nino(older)
    newer = Passwords(PasswordHasher(time_cost=2, memory_cost=64, parallelism=1))
    assert isinstance(await Accounts(lasting, newer).sign_in("ნინო", PASSWORD, "", 2_000), SignedIn)
    async with lasting.connect() as connection:
        (kept,) = (await connection.execute(text("SELECT password FROM logins"))).one()
    assert re.search("t=2", kept)
    assert isinstance(await older.sign_in("ნინო", PASSWORD, "", 3_000), SignedIn)


async def test_signing_out_here_and_everywhere(lasting: AsyncEngine, accounts: Accounts) -> None:
    made = await nino(accounts)
    sessions = Sessions(lasting)
    others = [await accounts.sign_in("ნინო", PASSWORD, f"{n}", 2_000 + n) for n in range(3)]
    ids = [id_of(each.secret) for each in (made, *others) if isinstance(each, SignedIn)]
    await sessions.end(ids[1])
    assert [await sessions.player(each, 3_000) is not None for each in ids] == [
        True, False, True, True,
    ]  # fmt: skip
    await sessions.end_all("p1", but=ids[0])
    assert [each.id for each in await sessions.of("p1")] == [ids[0]]
    await sessions.end_all("p1")
    assert await sessions.of("p1") == []


async def test_sessions_are_bounded_and_end_by_themselves(
    lasting: AsyncEngine, accounts: Accounts
) -> None:
    made = await nino(accounts)
    sessions = Sessions(lasting)
    for n in range(MOST):
        await accounts.sign_in("ნინო", PASSWORD, "", 2_000 + n)
    assert len(await sessions.of("p1")) == MOST
    assert await sessions.player(id_of(made.secret), 3_000) is None
    newest = (await sessions.of("p1"))[0].id
    later = SEEN_MS + 5_000
    assert await sessions.player(newest, later) is not None
    assert (await sessions.of("p1"))[0].seen == later
    assert await sessions.player(newest, later + LASTS_MS + 1) is None


async def test_a_code_opens_once_and_ends_all_else(
    lasting: AsyncEngine, accounts: Accounts
) -> None:
    made = await nino(accounts)
    other = await nino(accounts, "p2", "გია ბიძია")
    code, new = made.codes[3], "სხვა პაროლი"
    for wrong in (other.codes[0], "0000-0000-0000-0000", "", code[:-1]):
        assert await accounts.recover("ნინო", wrong, new, "", 2_000) == "wrong"
    assert await accounts.recover("ნინა", code, new, "", 2_000) == "wrong"
    assert await accounts.recover("ნინო", code, "1234567", "", 2_000) == "too_short"
    back = await accounts.recover("ნინო", code.upper(), new, "", 3_000)
    assert isinstance(back, SignedIn)
    assert len(back.codes) == 8
    assert not set(back.codes) & set(made.codes)
    assert [each.id for each in await Sessions(lasting).of("p1")] == [id_of(back.secret)]
    for used in made.codes:
        assert await accounts.recover("ნინო", used, new, "", 4_000) == "wrong"
    assert await accounts.sign_in("ნინო", PASSWORD, "", 4_000) == "wrong"
    assert isinstance(await accounts.sign_in("ნინო", new, "", 4_000), SignedIn)


async def test_another_password_ends_all_sessions_but_the_new_one(
    lasting: AsyncEngine, accounts: Accounts
) -> None:
    await nino(accounts)
    for old, new, why in ((PASSWORD + "!", "ახალი პაროლი", "wrong"), (PASSWORD, "1", "too_short")):
        assert await accounts.change_password("p1", old, new, "", 2_000) == why
    done = await accounts.change_password("p1", PASSWORD, "ახალი პაროლი", "", 2_000)
    assert isinstance(done, SignedIn)
    assert [each.id for each in await Sessions(lasting).of("p1")] == [id_of(done.secret)]
    assert await accounts.sign_in("ნინო", PASSWORD, "", 3_000) == "wrong"


async def test_new_codes_need_the_password(accounts: Accounts) -> None:
    made = await nino(accounts)
    assert await accounts.new_codes("p1", "არა ეს") == "wrong"
    fresh = await accounts.new_codes("p1", PASSWORD)
    assert not set(fresh) & set(made.codes)
    assert await accounts.recover("ნინო", made.codes[0], "სხვა პაროლი", "", 2_000) == "wrong"


async def test_a_name_is_changed_once_a_month(lasting: AsyncEngine, accounts: Accounts) -> None:
    await nino(accounts)
    await nino(accounts, "p2", "გია ბიძია")
    for name, why in (("გ", "name"), ("ეზო", "reserved"), ("გია  ბიძია", "taken"), ("ნინო", None)):
        assert await accounts.rename("p1", name, 2_000) == why
    assert await accounts.rename("nobody", "ნინუცა", 2_000) == "wrong"
    assert await accounts.rename("p1", "ნინუცა", 3_000) is None
    found = await Players(lasting).find("p1")
    assert found is not None
    assert found.name == "ნინუცა"
    assert await accounts.rename("p1", "ნინიკო", 3_000 + RENAME_MS - 1) == "soon"
    # The name that was given up is free.
    assert isinstance(await accounts.register("p3", "ნინო", PASSWORD, "", 4_000), SignedIn)
    assert await accounts.rename("p1", "ნინიკო", 3_000 + RENAME_MS) is None


async def test_what_is_deleted_leaves_no_name(lasting: AsyncEngine, accounts: Accounts) -> None:
    made = await nino(accounts)
    assert await accounts.delete("p1", "არა ეს") == "wrong"
    assert await accounts.delete("p1", PASSWORD) is None
    assert await accounts.delete("p1", PASSWORD) == "wrong"
    assert await Players(lasting).find("p1") == Player("p1", "", 1_000, "deleted")
    assert await Sessions(lasting).player(id_of(made.secret), 2_000) is None
    assert await accounts.sign_in("ნინო", PASSWORD, "", 2_000) == "wrong"
    assert await accounts.recover("ნინო", made.codes[0], PASSWORD, "", 2_000) == "wrong"
    # A page that is still open says who it was: nothing of that comes back.
    await Players(lasting).meet("p1", "ნინო", 3_000)
    assert await accounts.register("p1", "ნინო", PASSWORD, "", 3_500) == "wrong"
    assert await Players(lasting).find("p1") == Player("p1", "", 1_000, "deleted")
    assert isinstance(await accounts.register("p2", "ნინო", PASSWORD, "", 4_000), SignedIn)


async def test_only_what_can_be_a_name_is_looked_up(accounts: Accounts) -> None:
    """Else signs before a name would count as tries at another."""
    await nino(accounts, name="Nino")
    for given in (f"{'-. _!' * 40}Nino", "Nino\x00", "N" + "\u0301" * 70 + "ino"):
        assert await accounts.sign_in(given, PASSWORD, "Firefox", 2_000) == "wrong"
        assert not await accounts.is_anybodys(given)
    assert isinstance(await accounts.sign_in("N-i-n-o", PASSWORD, "Firefox", 2_000), SignedIn)


async def test_recovering_does_not_tell_how_a_name_is_written(accounts: Accounts) -> None:
    await nino(accounts, name="Giorgi")
    for name, password in (("Gi0rgi", "Giorgi1234"), ("Dav1d", "David1234")):
        assert await accounts.recover(name, "none", password, "Firefox", 2_000) == "wrong"


async def test_blocks_and_words_go_with_their_author(
    lasting: AsyncEngine, accounts: Accounts
) -> None:
    await nino(accounts)
    await Players(lasting).meet("p2", "Gia", 1)
    blocks, reports = Blocks(lasting), Reports(lasting)
    await blocks.block("p1", "p2", 5)
    await blocks.block("p2", "p1", 5)
    await reports.make("p1", "p2", "m1", "other", words="my phone is 599", at=5)
    assert await accounts.delete("p1", PASSWORD) is None
    assert await blocks.of("p1") == {}
    assert await blocks.of("p2") == {"p1": ""}
    (report,) = await reports.recent(5)
    assert (report.words, report.about, report.match) == ("", "p2", "m1")
