"""Coins through the whole house (T3–T5, T15): nothing acknowledged is lost and no coin moves twice,
whatever dies when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.history.history import HistoryError
from app.ledger.meetings import MOST
from app.ledger.values import LedgerError
from app.live.service import LiveTables
from app.live.store import StoreError
from app.table.commands import Leave, Rematch, Tick, Void
from app.table.match import FUND_MS
from app.table.table import Outgoing, Table
from tests.app.houses import House, Wall, house
from tests.app.purses import NARDI, STAKE, code, purse, resign, rich, sound
from tests.app.tables import match_of
from tests.services.postgres import Postgres

GROUNDS = pytest.mark.parametrize("ground", ["sqlite", "postgres"])


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    """A house whose players have coins."""
    async with house(tmp_path / "data", Wall()) as opened:
        await rich(opened)
        yield opened


# ── the way of the coins ──────────────────────────────────────────────────────────────────────


async def test_a_coin_match_moves_the_stake_once_t4(site: House) -> None:
    await site.start("nino", "gia", game=NARDI, stake=STAKE)
    assert await purse(site) == [900, 900]
    match = await resign(site)
    await site.worker.work()
    assert await purse(site) == [1_100, 900]
    kept = await site.history.match(match)
    assert kept is not None
    assert (kept.stake, kept.coins) == (STAKE, [STAKE, -STAKE])
    ended = match_of(await site.table()).ended
    assert ended is not None
    assert ended.coins == (STAKE, -STAKE)
    assert (await site.table()).outbox == ()
    await sound(site)


async def test_a_free_match_moves_no_coins(site: House) -> None:
    await site.start("nino", "gia", game=NARDI)
    match = await resign(site)
    await site.worker.work()
    kept = await site.history.match(match)
    assert kept is not None
    assert (kept.stake, kept.coins) == (0, [0, 0])
    assert await site.ledger.held(match) is None
    assert await purse(site) == [1_000, 1_000]


async def test_nothing_is_asked_of_the_ledger_twice_where_nothing_fails(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    for name in ("stake", "pay"):
        done = getattr(site.ledger, name)

        async def counted(*arguments: Any, name: str = name, done: Any = done) -> Any:
            asked.append(name)
            return await done(*arguments)

        monkeypatch.setattr(site.ledger, name, counted)
    await site.start("nino", "gia", game=NARDI, stake=STAKE)
    await resign(site)
    await site.worker.work()
    assert asked == ["stake", "pay"]


async def test_a_void_match_gives_both_stakes_back_t5(site: House) -> None:
    table = await site.start("nino", "gia", game=NARDI, stake=STAKE)
    await site.tables.handle("t1", Void("keti", match_of(table).id))
    await site.worker.work()
    assert await purse(site) == [1_000, 1_000]
    kept = await site.history.match(match_of(table).id)
    assert kept is not None
    assert (kept.reason, kept.winners, kept.coins) == ("void", [], [0, 0])
    await sound(site)


async def test_guests_and_the_poor_are_refused_t2_t4(site: House) -> None:
    await site.ledger.grant("poor", 99, "start:poor", None)
    for player in ("guest", "poor"):
        assert code(await site.make(player, "t0", NARDI, STAKE)) == "cannot_cover"
    await site.make("nino", game=NARDI, stake=STAKE)
    for player in ("guest", "poor"):
        assert code(await site.sit(player)) == "cannot_cover"
        assert code(await site.make(player, f"free-{player}", NARDI)) == "accepted"
    assert (await site.table()).taken() == (0,)


async def test_a_handshake_that_comes_to_nothing_gives_the_stakes_back_t15(site: House) -> None:
    await site.make("nino", game=NARDI, stake=STAKE)
    await site.sit("gia")
    await site.worker.work()
    table = await site.table()
    assert (table.status, await purse(site)) == ("handshake", [900, 900])
    await site.tables.handle("t1", Leave("gia", "leave-it", table.match_id()))
    await site.worker.work()
    assert await purse(site) == [1_000, 1_000]
    await sound(site)


async def test_a_rematch_that_one_cannot_cover_any_more_t13(site: House) -> None:
    await site.ledger.grant("tea", 150, "start:tea", None)
    await site.start("nino", "tea", game=NARDI, stake=STAKE)
    match = await resign(site, "tea")
    await site.worker.work()
    assert await purse(site, "nino", "tea") == [1_100, 50]

    async def again(player: str) -> object:
        wish = Rematch(player, f"again-{player}", match, True, LiveTables.fresh())
        return await site.tables.handle("t1", wish)

    assert code(await again("nino")) == "accepted"
    assert code(await again("tea")) == "cannot_cover"
    assert (await site.table()).status == "ended"
    await site.ledger.grant("tea", 50, "gift", None)
    assert code(await again("tea")) == "accepted"
    await site.worker.work()
    table = await site.table()
    assert table.status == "handshake"
    assert table.match_id() != match
    assert await purse(site, "nino", "tea") == [1_000, 0]


async def test_a_rematch_that_cannot_be_funded_frees_the_seat_with_the_reason_t15(
    site: House,
) -> None:
    await site.start("nino", "gia", game=NARDI, stake=STAKE)
    match = await resign(site)
    await site.worker.work()
    for player in ("nino", "gia"):
        wish = Rematch(player, f"again-{player}", match, True, LiveTables.fresh())
        assert code(await site.tables.handle("t1", wish)) == "accepted"
    await site.ledger.grant("gia", -900, "spent", None)  # between the yes and the taking
    await site.worker.work()
    table = await site.table()
    assert (table.status, table.taken()) == ("open", (0,))
    assert table.void is not None
    assert (table.void.cause, table.void.seats) == ("unfunded", (1,))
    assert await purse(site) == [1_100, 0]
    await sound(site)


@GROUNDS
async def test_one_balance_at_two_tables_at_once_in_two_processes_t4(
    ground: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("database") if ground == "postgres" else None
    async with (
        house(tmp_path / "data", Wall(), database=database) as one,
        house(tmp_path / "data", one.wall, one.store, database=database) as two,
    ):
        await rich(one, 1_000, "nino", "dato")
        await rich(one, 150, "gia")
        await one.make("nino", "t1", NARDI, STAKE)
        await two.make("dato", "t2", NARDI, STAKE)
        # Each table finds that gia has the coins.
        answers = await asyncio.gather(one.sit("gia", "t1"), two.sit("gia", "t2"))
        assert [code(answer) for answer in answers] == ["accepted", "accepted"]
        await asyncio.gather(one.worker.work(), two.worker.work())
        await one.worker.work()
        tables = [await one.table(name) for name in ("t1", "t2")]
        assert sorted(table.status for table in tables) == ["handshake", "open"]
        (freed,) = [table for table in tables if table.status == "open"]
        assert freed.void is not None
        assert (freed.void.cause, freed.void.seats) == ("unfunded", (1,))
        assert freed.taken() == (0,)
        assert await purse(one, "gia") == [50]
        assert sorted(str(each) for each in await purse(one, "nino", "dato")) == ["1000", "900"]
        await sound(one)


# ── whatever is carried out first ─────────────────────────────────────────────────────────────


async def too_late(site: House) -> tuple[Table, Outgoing, Table, Outgoing]:
    """A table whose stakes were asked for, and what it sends when 30 s have gone by."""
    await site.make("nino", game=NARDI, stake=STAKE)
    await site.sit("gia")
    before = await site.table()
    (fund,) = before.outbox
    await site.served(FUND_MS)
    await site.tables.handle("t1", Tick())
    after = await site.table()
    (cancel,) = [entry for entry in after.outbox if entry.kind == "cancel"]
    assert after.status == "open"
    assert after.void is not None
    assert after.void.cause == "ledger_away"
    return before, fund, after, cancel


async def test_the_stakes_are_taken_and_then_cancelled_t15(site: House) -> None:
    before, fund, after, cancel = await too_late(site)
    await site.outbox.carry(before, fund)  # by a worker that began before the time was up
    assert await purse(site) == [900, 900]
    assert (await site.table()).status == "open"
    await site.outbox.carry(after, cancel)
    assert await purse(site) == [1_000, 1_000]
    await site.worker.work()
    assert await purse(site) == [1_000, 1_000]
    assert (await site.table()).outbox == ()
    await sound(site)


async def test_the_stakes_are_cancelled_and_then_asked_for_t15(site: House) -> None:
    before, fund, after, cancel = await too_late(site)
    await site.outbox.carry(after, cancel)
    await site.outbox.carry(before, fund)
    assert await purse(site) == [1_000, 1_000]
    assert (await site.table()).status == "open"
    await site.worker.work()
    assert (await site.table()).outbox == ()
    await sound(site)


async def test_what_the_table_no_more_waits_for_is_not_asked_for(site: House) -> None:
    _, fund, after, _ = await too_late(site)
    await site.outbox.carry(after, fund)
    assert await site.ledger.held(fund.payload["match"]) is None


# ── killed between any two steps ──────────────────────────────────────────────────────────────


class KilledError(Exception):
    """The process is no more."""


@dataclass
class Fate:
    """Lets a process live for so many steps; every step has a moment before and one after its
    effect."""

    left: int
    dead: bool = False

    def moment(self) -> None:
        if self.dead or self.left == 0:
            self.dead = True
            raise KilledError
        self.left -= 1


STEPS = (
    ("store", "save"),
    ("ledger", "stake"),
    ("ledger", "cancel"),
    ("ledger", "pay"),
    ("ledger", "refund"),
    ("players", "meet"),
    ("history", "keep"),
    ("history", "keep_void"),
)


def doom(site: House, fate: Fate) -> None:
    """Every step that changes anything asks fate before and after."""
    for part, name in STEPS:
        done = getattr(getattr(site, part), name)

        def fated(*arguments: Any, done: Any = done) -> Any:
            async def step() -> Any:
                fate.moment()
                answer = await done(*arguments)
                fate.moment()
                return answer

            return step()

        setattr(getattr(site, part), name, fated)


async def onward(site: House, end: str) -> bool:
    """Whatever gets the evening on: a match with coins, ended in one of three ways, and all that
    goes out for it. ``True``: there is nothing more to do."""
    table = await site.tables.load("t1")
    if table is None:
        await site.make("nino", game=NARDI, stake=STAKE)
        return False
    match table.status:
        case "open" if table.void is None:
            await site.sit("gia")
        case "handshake" if end == "left":
            await site.tables.handle("t1", Leave("gia", "leave-it", table.match_id()))
        case "handshake":
            shake = table.handshake
            assert shake is not None
            seat = shake.done().index(False)
            player = ("nino", "gia")[seat]
            await (site.hash(player) if shake.step == "hash" else site.reveal(player))
        case "running" if end == "void":
            await site.tables.handle("t1", Void("keti", match_of(table).id))
        case "running":
            await resign(site)
        case _ if table.outbox or table.status == "funding":
            await site.later(2_000)
        case _:
            return True
    return False


AFTER = {"resigned": [1_100, 900], "void": [1_000, 1_000], "left": [1_000, 1_000]}


@GROUNDS
@pytest.mark.parametrize("end", sorted(AFTER))
async def test_killed_after_any_step_no_coin_is_lost_or_moved_twice_t15(
    ground: str,
    end: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    caplog: pytest.LogCaptureFixture,
) -> None:
    if ground == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        template: str = request.getfixturevalue("_template")
    moments = 0
    while True:
        caplog.clear()
        folder, name = tmp_path / f"{moments}", f"killed_{end}_{moments}"
        database = server.create(name, template) if ground == "postgres" else None
        fate = Fate(moments)
        await evening(folder, database, fate, end)
        assert "ALARM" not in caplog.text
        if ground == "postgres":
            server.drop(name)
        if not fate.dead:
            break
        moments += 1
    assert moments >= 16  # each of them was the last moment of a process


async def evening(folder: Path, database: str | None, fate: Fate, end: str) -> None:
    """The evening of :func:`onward`, whose first process dies as fate says."""
    wall = Wall()
    async with house(folder, wall, database=database) as first:
        await rich(first, 1_000, "nino", "gia")
        doom(first, fate)
        with suppress(KilledError, StoreError, LedgerError, HistoryError):
            while not fate.dead and not await onward(first, end):
                pass
    async with house(folder, wall, database=database) as second:
        await second.later(12_000)  # the clocks stand still at first (T9)
        while not await onward(second, end):
            pass
        assert await purse(second) == AFTER[end]
        await sound(second)
        assert await second.ledger.staked() == []
        table = await second.table()
        if end == "left":
            assert table.void is not None
            assert (await second.history.void(table.void.match)) is not None
        else:
            kept = await second.history.match(match_of(table).id)
            assert kept is not None
            assert kept.coins == ([STAKE, -STAKE] if end == "resigned" else [0, 0])
            for player in ("nino", "gia"):
                assert await second.players.find(player) is not None


async def test_two_players_meet_for_coins_ten_times_a_day_t3(site: House) -> None:
    """Whoever would carry coins from one account to another comes no further; for free they go
    on, and others are not concerned."""
    for n in range(MOST):
        if n == 0:
            await site.start("nino", "gia", game=NARDI, stake=STAKE)
        else:
            await again(site, ("nino", "gia"))
        await resign(site, ("nino", "gia")[n % 2])
        await site.worker.work()
    assert await purse(site) == [1_000, 1_000]
    match = (await site.table()).match_id()
    assert match is not None
    wish = Rematch("gia", "once-more", match, True, LiveTables.fresh())
    assert code(await site.tables.handle("t1", wish)) == "met_enough"
    await site.make("nino", "t2", NARDI, STAKE)
    assert code(await site.sit("gia", "t2")) == "met_enough"
    await site.ledger.grant("tea", STAKE, "start:tea", None)
    assert code(await site.sit("tea", "t2")) == "accepted"
    assert code(await site.make("gia", "t3", NARDI)) == "accepted"
    await sound(site)


async def again(site: House, players: tuple[str, ...]) -> None:
    """Another match at the same table, begun."""
    match = (await site.table()).match_id()
    assert match is not None
    for player in players:
        wish = Rematch(player, f"again-{player}-{match}", match, True, LiveTables.fresh())
        assert code(await site.tables.handle("t1", wish)) == "accepted"
    await site.worker.work()
    for player in players:
        assert code(await site.hash(player)) == "accepted"
    for player in players:
        assert code(await site.reveal(player)) == "accepted"
