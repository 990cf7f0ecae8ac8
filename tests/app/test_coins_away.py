"""Coins while something is away, or lost for good (T4, T5): free play waits for none of it."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from app import db
from app.ledger.ledger import Ledger
from app.ledger.meetings import Meetings
from app.live.lost import APART_MS
from app.live.newcomers import Newcomers
from app.live.purses import AGAIN_MS, LedgerAwayError, Purses
from app.live.service import LiveTables
from app.live.store import StoreError
from app.players.players import Players
from app.table import codec
from app.table.commands import Rematch
from tests.app.houses import House, Wall, house
from tests.app.purses import NARDI, STAKE, code, purse, resign, rich, sound
from tests.app.tables import match_of
from tests.services.postgres import Postgres

HOUR = 3_600_000


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        await rich(opened)
        yield opened


async def prepared(mortal: Postgres) -> str:
    """The address of a database with all tables, on a server that may be stopped."""
    url = await asyncio.to_thread(mortal.create, "coins")
    engine = db.deployed(url)
    await db.upgrade(engine)
    await db.close(engine)
    return url


# ── the database is away ──────────────────────────────────────────────────────────────────────


async def test_postgres_is_away_for_an_hour(mortal: Postgres, tmp_path: Path) -> None:
    url = await prepared(mortal)
    async with house(tmp_path / "data", Wall(), database=url) as site:
        await rich(site)
        await site.start("nino", "gia", game=NARDI, stake=STAKE)
        await site.make("dato", "coins", NARDI, STAKE)
        await asyncio.to_thread(mortal.stop)
        # A free match is made, played to its end, and another one after it.
        await site.start("tea", "eka", "lasha", table="free")
        free = await site.play_out(random.Random(1), "free")
        assert free.status == "ended"
        for player in ("tea", "eka", "lasha"):
            wish = Rematch(player, f"again-{player}", match_of(free).id, True, LiveTables.fresh())
            assert code(await site.tables.handle("free", wish)) == "accepted"
        # Coin tables are refused in words.
        assert code(await site.make("tea", "t2", NARDI, STAKE)) == "ledger_away"
        assert code(await site.sit("eka", "coins")) == "ledger_away"
        # A coin match is played to its end, and its payout waits.
        match = await resign(site)
        await site.later(HOUR, every=15_000)
        ended = match_of(await site.table()).ended
        assert ended is not None
        assert (ended.winners, ended.coins) == ((0,), None)
        assert [entry.kind for entry in (await site.table()).outbox] == ["ended"]
        await asyncio.to_thread(mortal.start)
        await site.later(61_000)
        for _ in range(2):
            assert await purse(site) == [1_100, 900]
            await site.later(61_000)
        kept = await site.history.match(match)
        assert kept is not None
        assert kept.coins == [STAKE, -STAKE]
        assert await site.history.match(match_of(free).id) is not None
        assert code(await site.make("gia", "t2", NARDI, STAKE)) == "accepted"
        await sound(site)


async def test_the_stakes_are_asked_for_while_postgres_goes_away_t15(
    mortal: Postgres, tmp_path: Path
) -> None:
    url = await prepared(mortal)
    async with house(tmp_path / "data", Wall(), database=url) as site:
        await rich(site)
        await site.make("nino", game=NARDI, stake=STAKE)
        await site.sit("gia")
        await asyncio.to_thread(mortal.stop)
        await site.later(29_000)
        assert (await site.table()).status == "funding"
        await site.later(1_000)
        table = await site.table()
        assert (table.status, table.taken()) == ("open", (0,))
        assert table.void is not None
        assert table.void.cause == "ledger_away"
        await asyncio.to_thread(mortal.start)
        await site.later(61_000)
        assert (await site.table()).outbox == ()
        assert await purse(site) == [1_000, 1_000]
        await sound(site)


async def test_a_database_that_hangs_holds_up_no_free_table_and_no_page(
    mortal: Postgres, tmp_path: Path
) -> None:
    url = await prepared(mortal)
    engine = db.deployed(url, pool=2)
    wall = Wall()
    purses = Purses(Ledger(engine), Meetings(engine, wall), wall)
    newcomers = Newcomers(Players(engine))
    async with house(tmp_path / "data", wall, database=url) as site:
        site.tables.funds = purses.funds
        assert await purses.glance("nino") is None
        await asyncio.to_thread(mortal.suspend)
        try:
            loop = asyncio.get_running_loop()
            began = loop.time()
            newcomers.meet("nino", "ნინო")
            assert code(await site.make("nino", game=NARDI)) == "accepted"
            with pytest.raises(LedgerAwayError):
                await purses.glance("nino")
            # From now on it is known.
            for _ in range(50):
                with pytest.raises(LedgerAwayError):
                    await purses.glance("nino")
                assert await purses.funds("gia", 50) == "away"
            # Not the five seconds that the database itself takes, let alone fifty times.
            assert loop.time() - began < 4
        finally:
            await asyncio.to_thread(mortal.resume)
        await newcomers.settle()
        await purses.close()
        wall.ms += AGAIN_MS
        assert await purses.funds("gia", 50) == "lacks"
        newcomers.meet("nino", "ნინო")  # met with the next action
        await newcomers.settle()
        assert await Players(engine).find("nino") is not None
    await db.close(engine)


# ── who plays here ────────────────────────────────────────────────────────────────────────────


async def test_a_player_is_met_at_the_latest_when_their_match_is_kept_t2(site: House) -> None:
    await site.start("nino", "gia", game=NARDI)
    await site.players.meet("gia", "გიორგი", 5)  # a newer name than the table's
    await resign(site)
    await site.worker.work()
    for player, name in (("nino", "Nino"), ("gia", "გიორგი")):
        met = await site.players.find(player)
        assert met is not None
        assert met.name == name


async def test_of_many_names_the_last_is_kept(site: House) -> None:
    newcomers = Newcomers(site.players)
    for n in range(20):
        newcomers.meet("nino", f"ნინო {n}")
        newcomers.meet(f"guest-{n}", "სტუმარი")
    await newcomers.settle()
    met = await site.players.find("nino")
    assert met is not None
    assert met.name == "ნინო 19"
    assert await site.players.find("guest-19") is not None


# ── lost for good ─────────────────────────────────────────────────────────────────────────────


async def forget_table(site: House, table: str = "t1") -> None:
    """The store has lost a table that it had acknowledged."""
    await site.store._job(lambda db: db.execute("DELETE FROM tables WHERE id = ?", (table,)))


async def test_a_table_lost_for_good_gives_its_stakes_back_t5(
    site: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = await site.start("nino", "gia", game=NARDI, stake=STAKE)
    await site.lost.look()
    await forget_table(site)
    await site.lost.look()
    await site.served(APART_MS - 1)
    await site.lost.look()
    assert await purse(site) == [900, 900]  # not yet
    await site.served(1)
    await site.lost.look()
    assert await purse(site) == [1_000, 1_000]
    (change,) = await site.audit.recent()
    assert (change.who, change.action) == ("site", "refund")
    assert (change.what["match"], change.what["cause"]) == (match_of(table).id, "table_lost")
    assert "left over (table_lost)" in caplog.text
    await site.served(APART_MS)
    await site.lost.look()
    assert len(await site.audit.recent()) == 1
    await sound(site)


async def test_a_table_that_is_found_again_between_two_looks_is_forgotten(site: House) -> None:
    await site.start("nino", "gia", game=NARDI, stake=STAKE)
    rows = await site.store._rows("SELECT * FROM tables WHERE id = 't1'")
    await forget_table(site)
    await site.lost.look()
    values = ", ".join("?" * len(rows[0]))
    await site.store._job(lambda db: db.execute(f"INSERT INTO tables VALUES ({values})", rows[0]))
    await site.served(APART_MS)
    await site.lost.look()
    await forget_table(site)
    await site.lost.look()
    await site.served(APART_MS - 1)
    await site.lost.look()
    assert await purse(site) == [900, 900]
    assert await site.audit.recent() == []


async def test_all_processes_look_at_once_and_it_is_done_once(site: House, tmp_path: Path) -> None:
    await site.start("nino", "gia", game=NARDI, stake=STAKE)
    await forget_table(site)
    async with house(tmp_path / "data", site.wall, site.store) as second:
        for _ in range(2):
            await asyncio.gather(*(each.lost.look() for each in (site, second, site)))
            await site.served(APART_MS)
            await second.pulse.beat()
    assert await purse(site) == [1_000, 1_000]
    assert len(await site.audit.recent()) == 1
    await sound(site)


async def test_a_store_that_does_not_answer_has_lost_nothing(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.start("nino", "gia", game=NARDI, stake=STAKE)

    async def away(_: str) -> None:
        raise StoreError("away")

    for _ in range(2):
        with monkeypatch.context() as patched:
            patched.setattr(site.store, "load", away)
            with pytest.raises(StoreError):
                await site.lost.look()
        await site.served(APART_MS)
    assert (await site.ledger.staked())[0].missed_at is None


async def test_a_match_that_the_store_has_lost_gives_its_stakes_back_t5(site: House) -> None:
    # The store was put back to how it was before the match: the table waits, and knows nothing.
    await site.make("nino", game=NARDI, stake=STAKE)
    before = await site.table()
    await site.sit("gia")
    await site.worker.work()
    assert await purse(site) == [900, 900]
    state = codec.to_json(before)
    await site.store._job(
        lambda db: db.execute(
            "UPDATE tables SET state = ?, version = ? WHERE id = 't1'",
            (msgspec.json.encode(state), before.version),
        )
    )
    for _ in range(2):
        await site.lost.look()
        await site.served(APART_MS)
    assert await purse(site) == [1_000, 1_000]
    (change,) = await site.audit.recent()
    assert change.what["cause"] == "match_lost"


async def test_a_payout_that_the_database_has_lost_is_made_again_t4(tmp_path: Path) -> None:
    folder, wall = tmp_path / "data", Wall()
    async with house(folder, wall) as site:
        await rich(site)
        await site.start("nino", "gia", game=NARDI, stake=STAKE)
        copied(folder / "site.db", tmp_path / "copy.db")
        await resign(site)
        await site.worker.work()
        assert await purse(site) == [1_100, 900]
    copied(tmp_path / "copy.db", folder / "site.db")  # as it was while the match was played
    async with house(folder, wall) as site:
        assert await purse(site) == [900, 900]
        for _ in range(2):
            await site.lost.look()
            await site.served(APART_MS)
        assert await purse(site) == [1_100, 900]
        (change,) = await site.audit.recent()
        assert (change.action, change.what["cause"]) == ("pay", "payout_lost")
        await sound(site)


def copied(source: Path, target: Path) -> None:
    """The whole of a database in the place of another."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


async def test_what_a_table_still_sends_is_left_to_it(site: House) -> None:
    await site.start("nino", "gia", game=NARDI, stake=STAKE)
    await resign(site)  # nothing goes out yet
    for _ in range(3):
        await site.lost.look()
        await site.served(APART_MS)
    assert await purse(site) == [900, 900]
    await site.worker.work()
    assert await purse(site) == [1_100, 900]
    await sound(site)
