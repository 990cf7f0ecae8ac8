"""Quick match in one process and in two, whatever comes in between."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from pathlib import Path

import pytest

from app.live.pairing import ALL_MS
from app.live.pools import Pool, pool_of
from app.live.quick import PATIENCE_MS, Matched, Quick, Waits, Word
from app.live.seeking import LEASE_MS, Ticket
from app.live.service import LiveTables
from app.live.store import StoreError
from app.ops import metrics
from app.table.clock import PRESETS
from app.table.commands import Command, Create, Leave, Sit
from app.table.decision import Accepted, Answer, Refused
from app.table.table import Table
from engine.games import GAMES
from tests.app.houses import House, Wall, house
from tests.app.pebbles import PEBBLES
from tests.app.purses import NARDI, rich, sound
from tests.app.tables import least

TWO = Pool(NARDI, least(NARDI), 0)
COINS = Pool(NARDI, least(NARDI), 100)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        yield opened


@pytest.fixture
def quick(site: House) -> Quick:
    return Quick(site.store, site.tables)


class Person:
    """Somebody who seeks, and all that they were told."""

    def __init__(self, quick: Quick, player: str) -> None:
        self.player = player
        self.told: list[Word] = []
        self._quick = quick
        self.ticket = quick.ticket(player)

    async def seek(self, pool: Pool = TWO) -> Person:
        self.ticket = self._quick.ticket(self.player)
        await self._quick.seek(self.ticket, self.player.title(), pool, self.told.append)
        return self

    async def leave(self) -> None:
        await self._quick.leave(self.ticket)

    @property
    def last(self) -> Word:
        return self.told[-1]

    @property
    def since(self) -> int:
        assert isinstance(self.last, Waits)
        return self.last.since

    @property
    def code(self) -> str:
        assert isinstance(self.last, Refused), self.last
        return self.last.code

    @property
    def table(self) -> str:
        assert isinstance(self.last, Matched), self.last
        return self.last.table


async def people(quick: Quick, *players: str, pool: Pool = TWO) -> list[Person]:
    return [await Person(quick, player).seek(pool) for player in players]


async def look(*rooms: Quick) -> None:
    """All look, tables are made, and all look again."""
    for _ in range(2):
        for room in rooms:
            await room.work()
            await room.settle()


async def players_of(site: House, table: str) -> set[str]:
    return {sitter.player for sitter in (await site.table(table)).seats if sitter is not None}


def figure(name: str) -> float:
    return metrics.REGISTRY.get_sample_value(name) or 0


async def waits_nowhere(site: House, *players: str) -> None:
    for player in players:
        assert await site.tables.seats_of(player) == {}


def test_there_is_a_pool_for_what_can_be_played_and_for_nothing_else() -> None:
    asked = ("nardi", "short", {"points": "3", "clock": "fast"}, "100")
    pool = pool_of(GAMES, *asked)
    assert pool is not None
    assert (pool.game, pool.options, pool.stake, pool.seats) == (NARDI, {"points": 3}, 100, 2)
    same = pool_of(GAMES, "nardi", "short", {"points": 3}, 100)
    assert same == pool
    others = [
        pool_of(GAMES, "nardi", "short", {"points": 3}, 0),
        pool_of(GAMES, "nardi", "short", {"points": 1}, 100),
        pool_of(GAMES, "domino", "georgian", {"target": 75}, 100),
    ]
    names = {each.name for each in (pool, *others) if each is not None}
    assert len(names) == 4
    for wrong in (
        ("nardi", "long", {"points": 3}, 0),
        ("nardi", None, {"points": 3}, 0),
        ("nardi", "short", {}, 0),
        ("nardi", "short", {"points": 4}, 0),
        ("nardi", "short", {"points": "03"}, 0),
        ("nardi", "short", {"points": 3}, 60),
        ("nardi", "short", {"points": 3}, "x"),
    ):
        assert pool_of(GAMES, *wrong) is None


async def test_two_meet_at_a_table_that_is_ready_to_begin(site: House, quick: Quick) -> None:
    nino, gia = await people(quick, "nino", "gia")
    made = figure("ezo_quick_tables_total")
    assert figure("ezo_seekers") == 2
    await look(quick)
    assert (figure("ezo_seekers"), figure("ezo_quick_tables_total")) == (0, made + 1)
    assert nino.table == gia.table
    table = await site.table(nino.table)
    assert table.status == "handshake"
    assert (table.public, table.stake, table.clock) == (True, 0, PRESETS["standard"])
    assert table.options == TWO.options
    assert await players_of(site, nino.table) == {"nino", "gia"}
    # That was all: nobody waits, and nothing more is told.
    told = len(nino.told)
    await look(quick)
    assert len(nino.told) == told
    assert await site.store.seeking.seekers(TWO.name) == ()


async def test_of_three_one_waits_and_hears_how_many_others_do(quick: Quick) -> None:
    dato, gia, nino = await people(quick, "dato", "gia", "nino")
    zaza = await Person(quick, "zaza").seek(Pool(NARDI, {"points": 3}, 0))
    await look(quick)
    assert dato.table == gia.table
    assert nino.told == [Waits(nino.since, nino.since, each, 75) for each in (2, 0)]
    assert [type(each) for each in zaza.told] == [Waits]


async def test_a_game_for_three_begins_with_three(site: House, quick: Quick) -> None:
    pool = Pool(PEBBLES, least(PEBBLES), 0)
    nino, gia = await people(quick, "nino", "gia", pool=pool)
    await look(quick)
    assert isinstance(nino.last, Waits)
    (dato,) = await people(quick, "dato", pool=pool)
    await look(quick)
    assert nino.table == gia.table == dato.table
    assert await players_of(site, nino.table) == {"nino", "gia", "dato"}


async def test_two_processes_meet_whoever_pairs_first(site: House, tmp_path: Path) -> None:
    async with house(tmp_path / "data", site.wall, site.store) as other:
        here, there = Quick(site.store, site.tables), Quick(other.store, other.tables)
        nino = await Person(here, "nino").seek()
        gia = await Person(there, "gia").seek()
        await here.work()
        await there.work()  # it sees the same two, and is too late
        await here.settle()
        await look(there, here)
        assert nino.table == gia.table
        assert await players_of(site, nino.table) == {"nino", "gia"}


async def test_the_nearest_meet_and_blocked_players_never_do(site: House, quick: Quick) -> None:
    rated = {"nino": 1_500.0, "gia": 1_900.0, "dato": 1_520.0}
    apart = {"nino": {"dato"}, "dato": {"nino"}}

    async def rating(player: str, game: str, rules: str) -> float | None:
        assert (game, rules) == (NARDI.name, NARDI.rules)
        return rated.get(player)

    async def unwanted(player: str, stake: int) -> frozenset[str]:
        assert stake == 0
        return frozenset(apart.get(player, ()))

    quick.rating, quick.unwanted = rating, unwanted
    nino, gia, dato = await people(quick, "nino", "gia", "dato")
    await look(quick)
    for _ in range(12):
        await site.served(1_000)
        await look(quick)
    # 380 apart: it takes thirteen seconds until both will do.
    assert gia.told[-1] == Waits(nino.since, nino.since + 12_000, 2, 375)
    await site.served(1_000)
    await look(quick)
    assert gia.table == dato.table
    assert isinstance(nino.last, Waits)
    for _ in range(ALL_MS // 1_000):
        await site.served(1_000)
        await look(quick)
    assert (nino.last.others, nino.last.window) == (0, None)


async def test_who_left_too_often_is_told_for_how_long(quick: Quick) -> None:
    async def barred(player: str) -> int:
        return 90_000 if player == "nino" else 0

    quick.barred = barred
    nino, gia = await people(quick, "nino", "gia")
    assert nino.last == Refused("left_often", "T13", {"minutes": 2})
    await look(quick)
    assert isinstance(gia.last, Waits)


async def test_what_is_in_the_way_is_told_before_t4_t16(site: House, quick: Quick) -> None:
    await rich(site, 1_000, "nino")
    await rich(site, 99, "gia")
    nino, gia, dato = await people(quick, "nino", "gia", "dato", pool=COINS)
    assert nino.told == []
    assert gia.last == dato.last == Refused("cannot_cover", "T4", {"stake": 100})
    for n in range(3):
        assert isinstance(await site.make("zaza", f"w{n}"), Accepted)
    (zaza,) = await people(quick, "zaza")
    assert zaza.code == "too_many_tables"
    await site.start("a", "b", "c", table="r1")
    (playing,) = await people(quick, "a")
    assert playing.code == "playing_elsewhere"


async def test_coins_are_staked_by_those_who_meet_t3(site: House, quick: Quick) -> None:
    await rich(site, 1_000, "nino", "gia")
    nino, gia = await people(quick, "nino", "gia", pool=COINS)
    await look(quick)
    assert nino.table == gia.table
    assert (await site.table(nino.table)).status == "funding"
    await site.worker.work()
    assert (await site.table(nino.table)).status == "handshake"
    assert [await site.ledger.balance(each) for each in ("nino", "gia")] == [900, 900]
    await sound(site)


@pytest.mark.parametrize("poorer", ["nino", "gia"])
async def test_who_lost_their_coins_meanwhile_is_told_and_the_other_waits_on(
    site: House, quick: Quick, poorer: str
) -> None:
    await rich(site, 1_000, "nino", "gia")
    nino, gia = await people(quick, "nino", "gia", pool=COINS)
    since = site.tables.clock.now()
    ask = site.tables.funds

    async def funds(player: str, stake: int, others: Collection[str]) -> str:
        return "lacks" if player == poorer else await ask(player, stake, others)

    site.tables.funds = funds  # type: ignore[assignment]
    await site.served(1_000)
    await look(quick)
    lost, left = (nino, gia) if poorer == "nino" else (gia, nino)
    assert lost.last == Refused("cannot_cover", "T16", {"stake": 100, "most": 3})
    assert left.since == since
    await waits_nowhere(site, "nino", "gia")
    await rich(site, 1_000, "dato")
    (dato,) = await people(quick, "dato", pool=COINS)
    await look(quick)
    assert left.table == dato.table


async def test_a_stranger_who_sits_down_first_takes_the_place_of_the_second(
    site: House, quick: Quick, monkeypatch: pytest.MonkeyPatch
) -> None:
    gia, nino = await people(quick, "gia", "nino")
    since = site.tables.clock.now()
    handle = site.tables.handle

    async def crowded(table: str, command: Command, now: int | None = None) -> Answer:
        if isinstance(command, Sit):
            await handle(table, Sit("dato", "Dato", LiveTables.fresh()))
        return await handle(table, command, now)

    monkeypatch.setattr(site.tables, "handle", crowded)
    await look(quick)
    monkeypatch.setattr(site.tables, "handle", handle)
    assert await players_of(site, gia.table) == {"gia", "dato"}
    await waits_nowhere(site, "nino")
    await site.served(1_000)
    await look(quick)
    assert nino.since == since


async def paired(site: House, *who: Person, table: str = "gone") -> None:
    """As by a process that dies at once."""
    tickets = [each.ticket for each in who]
    assert await site.store.seeking.pair(tickets, table)


async def test_whom_a_dying_process_paired_find_back_with_their_wait(
    site: House, quick: Quick
) -> None:
    nino, gia = await people(quick, "nino", "gia")
    since = site.tables.clock.now()
    await paired(site, nino, gia)
    await look(quick)
    await site.served(4_000)
    await site.served(4_000)
    await look(quick)
    assert nino.told == gia.told == []
    await site.served(PATIENCE_MS - 8_000)
    await look(quick)
    assert nino.told[0] == Waits(since, since + PATIENCE_MS, 1, 325)
    assert nino.table == gia.table != "gone"


async def test_who_was_seated_alone_by_a_dying_process_leaves_that_table(
    site: House, quick: Quick
) -> None:
    nino, gia = await people(quick, "nino", "gia")
    await paired(site, nino, gia, table="half")
    create = Create("half", NARDI, TWO.options, PRESETS["standard"], True, "nino", "Nino")
    assert isinstance(await site.tables.handle("half", create), Accepted)
    await look(quick)
    for _ in range(3):
        await site.served(PATIENCE_MS // 3 + 1)
        await look(quick)
    assert nino.table == gia.table != "half"
    assert (await site.table("half")).status == "closed"


async def test_a_store_that_fails_while_a_table_is_made_costs_nobody_their_wait(
    site: House, quick: Quick
) -> None:
    nino, gia = await people(quick, "nino", "gia")
    since = site.tables.clock.now()
    site.store.failing = True
    await quick.work()
    await quick.settle()
    site.store.failing = False
    await look(quick)
    for _ in range(3):
        await site.served(PATIENCE_MS // 3 + 1)
        await look(quick)
    assert nino.table == gia.table
    assert [each.since for each in nino.told if isinstance(each, Waits)] == [since] * 2


async def test_who_leaves_is_met_by_nobody_and_who_blinks_has_their_place(
    site: House, quick: Quick
) -> None:
    (nino,) = await people(quick, "nino")
    await look(quick)
    since = nino.since
    await nino.leave()
    (gia,) = await people(quick, "gia")
    await look(quick)
    assert gia.told == [Waits(since, since, 0, 75)]
    await gia.leave()
    await site.served(LEASE_MS - 1_000)
    await nino.seek()
    await look(quick)
    assert nino.since == since
    await nino.leave()
    await site.served(2_500)
    await site.served(2_501)
    await nino.seek()
    await look(quick)
    assert nino.since == site.tables.clock.now()


async def test_who_blinked_in_the_moment_of_the_match_finds_the_table(
    site: House, quick: Quick
) -> None:
    nino, gia = await people(quick, "nino", "gia")
    await look(quick)
    table = gia.table
    await nino.leave()
    await nino.seek()
    await look(quick)
    assert nino.table == table
    # Not once it is over there.
    now: Table = await site.table(table)
    leave = Leave("nino", "leave-it-1", now.match_id())
    assert isinstance(await site.tables.handle(table, leave), Accepted)
    await nino.leave()
    await nino.seek()
    (dato,) = await people(quick, "dato")
    for _ in range(3):
        await site.served(PATIENCE_MS // 3 + 1)
        await look(quick)
    assert nino.table == dato.table != table


async def test_the_last_window_of_a_player_seeks_and_the_first_is_told(
    site: House, tmp_path: Path, quick: Quick
) -> None:
    async with house(tmp_path / "data", site.wall, site.store) as other:
        there = Quick(other.store, other.tables)
        (first,) = await people(quick, "nino")
        await look(quick)
        second = await Person(there, "nino").seek()
        await look(quick, there)
        assert first.code == "elsewhere"
        assert isinstance(second.last, Waits)
        await first.leave()
        gia = await Person(there, "gia").seek()
        await look(quick, there)
        assert second.table == gia.table


async def test_a_process_that_was_away_too_long_keeps_the_wait_of_its_seekers(
    site: House, quick: Quick
) -> None:
    (nino,) = await people(quick, "nino")
    await look(quick)
    since = nino.since
    await site.later(LEASE_MS + 3_000)
    assert await site.store.seeking.seekers(TWO.name) == ()
    await look(quick)
    assert nino.since == since
    assert len(await site.store.seeking.seekers(TWO.name)) == 1


async def test_who_leaves_while_they_are_put_back_is_not_left_behind(
    site: House, quick: Quick, monkeypatch: pytest.MonkeyPatch
) -> None:
    (nino,) = await people(quick, "nino")
    await site.later(LEASE_MS + 3_000)
    seek = site.store.seeking.seek

    async def slow(*args: object) -> object:
        await nino.leave()
        return await seek(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(site.store.seeking, "seek", slow)
    await look(quick)
    assert await site.store.seeking.seekers(TWO.name) == ()


async def test_a_store_that_is_away_is_said_and_leaving_does_no_harm(
    site: House, quick: Quick, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (nino,) = await people(quick, "nino")

    async def away(*_: object) -> None:
        raise StoreError("away")

    monkeypatch.setattr(site.store.seeking, "beat", away)
    monkeypatch.setattr(site.store.seeking, "unseek", away)
    with pytest.raises(StoreError):
        await quick.work()
    await nino.leave()
    assert "left to lapse" in caplog.text
    assert "nino" not in caplog.text
    await quick.work()


def test_a_ticket_hides_what_would_take_a_place() -> None:
    assert "secret" not in repr(Ticket("nino", "secret"))
