"""Live tables: load, decide, save if unchanged, tell; with two processes on one store."""

from __future__ import annotations

import asyncio
import gc
import random
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.live import service, viewers
from app.live.service import ContestedError, LiveTables
from app.live.store import StoreError
from app.table.decision import Accepted, Refused
from app.table.table import Table
from tests.app.houses import House, Wall, house, received
from tests.app.pebbles import PEBBLES
from tests.app.tables import act, any_act, create, match_of, sit


@pytest.fixture
async def one(tmp_path: Path) -> AsyncIterator[House]:
    """A process with a table at which one player waits."""
    async with house(tmp_path / "data", Wall()) as first:
        assert await first.make("nino") == Accepted(1)
        yield first


@pytest.fixture
async def two(one: House, tmp_path: Path) -> AsyncIterator[House]:
    """Another process on the same store."""
    async with house(tmp_path / "data", one.wall, one.store) as second:
        yield second


async def start(one: House) -> Table:
    """The table's match runs."""
    players = ("nino", "gia", "dato")
    for player in players[1:]:
        assert isinstance(await one.sit(player), Accepted)
    for player in players:
        assert isinstance(await one.hash(player), Accepted)
    for player in players:
        assert isinstance(await one.reveal(player), Accepted)
    return await one.table()


async def test_every_viewer_is_told_every_change_once_and_in_order(one: House) -> None:
    viewers = [await one.watch(player) for player in ("nino", "gia", "dato", None)]
    await start(one)
    table = await one.play_out(random.Random(1))
    for viewer in viewers:
        frames = await received(viewer)
        assert frames[0]["type"] == "snapshot"
        numbers = [e["number"] for frame in frames[1:] for e in frame["events"]]
        assert numbers == list(range(frames[0]["number"] + 1, table.number + 1))
        assert frames[-1]["table"]["status"] == "ended"
        assert {frame["table"]["now"] for frame in frames} == {one.tables.clock.now()}


async def test_nothing_is_told_or_answered_that_was_not_saved(one: House) -> None:
    table = await start(one)
    viewer = await one.watch("gia")
    one.store.failing = True
    command = any_act(table, random.Random(2))
    with pytest.raises(StoreError):
        await one.tables.handle("t1", command)
    one.store.failing = False
    assert (await one.table()) == table
    # The client sends it again under the same id, and it counts once.
    assert await one.tables.handle("t1", command) == Accepted(table.number + 1)
    assert await one.tables.handle("t1", command) == Accepted(table.number + 1)
    assert [f["type"] for f in await received(viewer)] == ["snapshot", "change"]


async def test_what_changes_nothing_for_anybody_is_saved_and_not_told(one: House) -> None:
    viewer = await one.watch("nino")
    first, second = one.presence.mark(), one.presence.mark()
    await one.presence.connected("t1", "nino", first)
    version = (await one.table()).version
    await one.presence.connected("t1", "nino", second)  # a second tab
    await one.presence.lost("t1", first)
    table = await one.table()
    assert table.version == version + 2
    assert table.sitter(0).marks == (second,)
    assert [f["type"] for f in await received(viewer)] == ["snapshot", "change"]


async def test_a_command_counts_from_when_it_was_read_t6(one: House) -> None:
    # It may have waited for its turn: that is not the player's time.
    table = await start(one)
    began = one.tables.clock.now()
    for _ in range(10):
        await one.served(4_000)
    read = began + table.clock.move_ms + 1_500
    command = replace(any_act(table, random.Random(6)), lag=500)
    assert isinstance(await one.tables.handle("t1", command, read), Accepted)
    mover = match_of(await one.table()).clocks[0]
    assert mover.reserve_ms == table.clock.reserve_ms - 1_000


async def test_a_lost_race_is_decided_again_on_what_was_saved(one: House, two: House) -> None:
    table = await start(one)
    stone = match_of(table).state.hands
    # The second process has a copy of the table before the first moves on.
    assert await two.tables.handle("t1", act(table, "dato", {"stone": 1}, id="too-early")) == (
        Refused("not_your_turn", "X1")
    )
    assert isinstance(
        await one.tables.handle("t1", act(table, "nino", {"stone": stone[0][0]})), Accepted
    )
    table = await one.table()
    assert isinstance(
        await two.tables.handle("t1", act(table, "gia", {"stone": stone[1][0]})), Accepted
    )
    table = await two.table()
    assert match_of(table).ply == 2
    assert isinstance(
        await one.tables.handle("t1", act(table, "dato", {"stone": stone[2][0]})), Accepted
    )
    assert match_of(await two.table()).ply == 3


async def test_a_copy_that_others_have_overtaken_is_loaded_again(one: House, two: House) -> None:
    # The second process keeps a copy with two free seats, then the first gives one away.
    assert await two.tables.handle("t1", sit("nino")) == Accepted(1)
    assert await one.tables.handle("t1", sit("gia")) == Accepted(2)
    assert isinstance(await two.tables.handle("t1", sit("dato")), Accepted)
    table = await two.table()
    assert [x and x.player for x in table.seats] == ["nino", "gia", "dato"]


async def test_two_processes_at_once_lose_nothing(one: House, two: House) -> None:
    answers = await asyncio.gather(
        *(
            process.tables.handle("t1", sit(player))
            for process, player in (
                (one, "gia"),
                (two, "dato"),
                (one, "lasha"),
                (two, "gia"),
                (one, "dato"),
            )
        )
    )
    table = await one.table()
    seated = {x.player for x in table.seats if x is not None}
    assert len(seated) == 3
    assert "nino" in seated
    for player, answer in zip(("gia", "dato", "lasha"), answers[:3], strict=True):
        assert (player in seated) == isinstance(answer, Accepted)
    assert answers.count(Refused("taken", "T16")) >= 1
    assert table.status == "handshake"
    assert table.version == 3


async def test_a_table_that_others_always_change_is_a_fault_and_no_endless_loop(
    one: House,
) -> None:
    table = await start(one)
    one.store.contested = True
    with pytest.raises(ContestedError):
        await one.tables.handle("t1", any_act(table, random.Random(3)))
    one.store.contested = False
    assert await one.table() == table


async def test_who_goes_away_in_the_middle_does_not_keep_others_from_being_told(
    one: House,
) -> None:
    table = await start(one)
    viewer = await one.watch("gia")
    saved = one.store.saved
    caller = asyncio.ensure_future(one.tables.handle("t1", any_act(table, random.Random(4))))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await one.tables.close()
    assert one.store.saved == saved + 1
    assert [f["type"] for f in await received(viewer)] == ["snapshot", "change"]


async def test_a_failure_that_nobody_waits_for_is_one_line_and_no_fault(
    one: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = await start(one)
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: faults.append(told))
    one.store.failing = True
    caller = asyncio.ensure_future(one.tables.handle("t1", any_act(table, random.Random(4))))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await one.tables.close()
    one.store.failing = False
    gc.collect()  # what nobody has looked at is told when it goes
    await asyncio.sleep(0)
    assert faults == []
    assert [(each.levelname, each.name) for each in caplog.records] == [
        ("WARNING", "app.live.service")
    ]


async def test_commands_to_a_table_that_is_not_there_are_refused(one: House) -> None:
    assert await one.sit("nino", "nowhere") == Refused("unknown_table", "")
    assert await one.tables.load("nowhere") is None
    assert not await one.tables.viewers.begin(one.fanout.subscribe("nowhere", None), None)


async def test_who_comes_back_gets_what_they_missed_or_all(one: House) -> None:
    await start(one)
    table = await one.play_out(random.Random(5))
    last = table.number
    for seen, kind in (
        (None, "snapshot"),
        (0, "snapshot"),
        (last, "snapshot"),
        (last + 1, "snapshot"),
        (last - 1, "change"),
        (last - 3, "change"),
        (1, "change"),
    ):
        subscription = one.fanout.subscribe("t1", "gia")
        assert await one.tables.viewers.begin(subscription, seen)
        (frame,) = await received(subscription)
        assert frame["type"] == kind, seen
        assert frame["number"] == last
        assert frame["table"]["status"] == "ended"
        if kind == "change":
            assert [e["number"] for e in frame["events"]] == list(range((seen or 0) + 1, last + 1))
            # Only what this seat may know is told in full.
            dealt = [e for e in frame["events"] if e.get("event") == "stones"]
            assert [e["seat"] for e in dealt] == ([1] if seen == 1 else [])


async def test_who_missed_too_much_starts_afresh(
    one: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start(one)
    monkeypatch.setattr(viewers, "MISSED", 4)
    for seen, kind in ((4, "change"), (5, "snapshot")):
        subscription = one.fanout.subscribe("t1", None)
        number = (await one.table()).number
        assert await one.tables.viewers.begin(subscription, number - seen)
        assert (await received(subscription))[0]["type"] == kind


async def test_who_comes_back_to_a_log_with_a_hole_starts_afresh(
    one: House, tmp_path: Path
) -> None:
    number = (await start(one)).number
    with sqlite3.connect(tmp_path / "data" / "tables.db") as db:
        db.execute("DELETE FROM log WHERE number = ?", (number - 1,))
    for seen, kind in ((number - 3, "snapshot"), (number - 1, "change")):
        subscription = one.fanout.subscribe("t1", None)
        assert await one.tables.viewers.begin(subscription, seen)
        assert (await received(subscription))[0]["type"] == kind


async def test_copies_are_kept_within_bounds(one: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "CACHED", 3)
    for i in range(6):
        await one.make(f"player-{i}", f"t{i}")
    assert list(one.tables._cache) == ["t3", "t4", "t5"]
    assert isinstance(await one.sit("gia", "t0"), Accepted)


async def test_the_lobby_is_told_of_what_changes_its_list_and_of_nothing_else(one: House) -> None:
    told: list[str] = []
    one.tables.relisted = lambda: told.append("relisted")
    await one.tables.handle("t2", create(PEBBLES, "lasha", "t2", public=False))
    await one.presence.connected("t1", "nino", one.presence.mark())
    assert told == []
    await one.sit("gia")
    assert told == ["relisted"]


async def test_new_ids_are_not_guessed() -> None:
    assert len({LiveTables.new_table_id() for _ in range(50)}) == 50
    assert len(LiveTables.new_table_id()) >= 16
    first, second = LiveTables.fresh(), LiveTables.fresh()
    assert first.match != second.match
    assert first.last != second.last
    assert len(first.last) == 32
