"""Live tables: load, decide, save if unchanged, tell; with two processes on one store."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.live import service
from app.live.fanout import Fanout, Subscription
from app.live.service import ContestedError, LiveTables
from app.live.sqlite import SqliteStore
from app.live.store import Save, StoreError
from app.table.decide import Accepted, Refused
from app.table.table import Table
from tests.app.pebbles import PEBBLES
from tests.app.tables import act, any_act, create, game_of, match_of, sit


class Faulty(SqliteStore):
    """A store whose next saves fail, or are kept waiting, as a test says."""

    failing = False
    contested = False
    saved = 0

    async def save(self, save: Save) -> bool:
        if self.failing:
            raise StoreError("away")
        if self.contested:
            return False
        done = await super().save(save)
        self.saved += 1
        return done


@dataclass
class Process:
    tables: LiveTables
    fanout: Fanout

    async def load(self) -> Table:
        table = await self.tables.load("t1")
        assert table is not None
        return table

    async def watch(self, player: str | None) -> Subscription:
        subscription = self.fanout.subscribe("t1", player)
        subscription.begin(await self.load())
        return subscription


async def received(subscription: Subscription) -> list[Any]:
    """All frames on their way."""
    subscription.finish()
    frames = []
    while (text := await subscription.next()) is not None:
        frames.append(json.loads(text))
    return frames


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Faulty]:
    opened = Faulty(tmp_path / "tables.db")
    yield opened
    await opened.close()


def process(store: Faulty) -> Process:
    fanout = Fanout()
    return Process(LiveTables(store, fanout, game_of, lambda: 0.0), fanout)


@pytest.fixture
async def one(store: Faulty) -> Process:
    first = process(store)
    assert await first.tables.handle("t1", create(PEBBLES)) == Accepted(1)
    return first


async def start(house: Process) -> Table:
    for player in ("gia", "dato"):
        assert isinstance(await house.tables.handle("t1", sit(player)), Accepted)
    return await house.load()


async def test_every_viewer_is_told_every_change_once_and_in_order(one: Process) -> None:
    viewers = [await one.watch(player) for player in ("nino", "gia", "dato", None)]
    table = await start(one)
    rng = random.Random(1)
    while table.status == "running":
        assert isinstance(await one.tables.handle("t1", any_act(table, rng)), Accepted)
        table = await one.load()
    for viewer in viewers:
        frames = await received(viewer)
        assert frames[0]["type"] == "snapshot"
        numbers = [e["number"] for frame in frames[1:] for e in frame["events"]]
        assert numbers == list(range(frames[0]["number"] + 1, table.number + 1))
        assert frames[-1]["table"]["status"] == "ended"


async def test_nothing_is_told_or_answered_that_was_not_saved(one: Process, store: Faulty) -> None:
    table = await start(one)
    viewer = await one.watch("gia")
    store.failing = True
    command = any_act(table, random.Random(2))
    with pytest.raises(StoreError):
        await one.tables.handle("t1", command)
    store.failing = False
    assert (await one.load()) == table
    # The client sends it again under the same id, and it counts once.
    assert await one.tables.handle("t1", command) == Accepted(table.number + 1)
    assert await one.tables.handle("t1", command) == Accepted(table.number + 1)
    assert [f["type"] for f in await received(viewer)] == ["snapshot", "change"]


async def test_a_lost_race_is_decided_again_on_what_was_saved(one: Process, store: Faulty) -> None:
    two = process(store)
    table = await start(one)
    stone = match_of(table).state.hands
    # The second process has a copy of the table before the first moves on.
    assert await two.tables.handle("t1", act(table, "dato", {"stone": 1}, id="too-early")) == (
        Refused("not_your_turn", "X1")
    )
    assert isinstance(
        await one.tables.handle("t1", act(table, "nino", {"stone": stone[0][0]})), Accepted
    )
    table = await one.load()
    assert isinstance(
        await two.tables.handle("t1", act(table, "gia", {"stone": stone[1][0]})), Accepted
    )
    table = await two.load()
    assert match_of(table).ply == 2
    assert isinstance(
        await one.tables.handle("t1", act(table, "dato", {"stone": stone[2][0]})), Accepted
    )
    assert match_of(await two.load()).ply == 3


async def test_a_copy_that_others_have_overtaken_is_loaded_again(
    one: Process, store: Faulty
) -> None:
    two = process(store)
    # The second process keeps a copy with two free seats, then the first gives one away.
    assert await two.tables.handle("t1", sit("nino")) == Accepted(1)
    assert await one.tables.handle("t1", sit("gia")) == Accepted(2)
    assert isinstance(await two.tables.handle("t1", sit("dato")), Accepted)
    table = await two.load()
    assert [x and x.player for x in table.seats] == ["nino", "gia", "dato"]


async def test_two_processes_at_once_lose_nothing(one: Process, store: Faulty) -> None:
    two = process(store)
    answers = await asyncio.gather(
        *(
            house.tables.handle("t1", sit(player))
            for house, player in (
                (one, "gia"),
                (two, "dato"),
                (one, "lasha"),
                (two, "gia"),
                (one, "dato"),
            )
        )
    )
    table = await one.load()
    seated = {x.player for x in table.seats if x is not None}
    assert len(seated) == 3
    assert "nino" in seated
    for player, answer in zip(("gia", "dato", "lasha"), answers[:3], strict=True):
        assert (player in seated) == isinstance(answer, Accepted)
    assert answers.count(Refused("taken", "T16")) >= 1
    assert table.status == "running"
    assert table.version == 3


async def test_a_table_that_others_always_change_is_a_fault_and_no_endless_loop(
    one: Process, store: Faulty
) -> None:
    table = await start(one)
    store.contested = True
    with pytest.raises(ContestedError):
        await one.tables.handle("t1", any_act(table, random.Random(3)))
    store.contested = False
    assert await one.load() == table


async def test_who_goes_away_in_the_middle_does_not_keep_others_from_being_told(
    one: Process, store: Faulty
) -> None:
    table = await start(one)
    viewer = await one.watch("gia")
    saved = store.saved
    caller = asyncio.ensure_future(one.tables.handle("t1", any_act(table, random.Random(4))))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await one.tables.close()
    assert store.saved == saved + 1
    assert [f["type"] for f in await received(viewer)] == ["snapshot", "change"]


async def test_commands_to_a_table_that_is_not_there_are_refused(store: Faulty) -> None:
    house = process(store)
    assert await house.tables.handle("nowhere", sit("nino")) == Refused("unknown_table", "")
    assert await house.tables.load("nowhere") is None


async def test_copies_are_kept_within_bounds(
    store: Faulty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "CACHED", 3)
    house = process(store)
    for i in range(6):
        await house.tables.handle(f"t{i}", create(PEBBLES, table=f"t{i}"))
    assert list(house.tables._cache) == ["t3", "t4", "t5"]
    assert isinstance(await house.tables.handle("t0", sit("gia")), Accepted)


async def test_new_ids_are_not_guessed() -> None:
    assert len({LiveTables.new_table_id() for _ in range(50)}) == 50
    assert len(LiveTables.new_table_id()) >= 16
    first, second = LiveTables.fresh(), LiveTables.fresh()
    assert first.match != second.match
    assert first.seed != second.seed
    assert len(first.seed) == 32
