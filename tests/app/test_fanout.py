"""Subscriptions: subscribe, load, drop what the snapshot holds; bounded, once, in order."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from app.live.fanout import Change, Fanout, Subscription
from app.live.outgoing import Frames, TooSlowError
from app.table import views
from app.table.decision import Decision
from app.table.events import Entry
from app.table.table import Table
from tests.app.pebbles import PEBBLES
from tests.app.tables import playing, running

TABLE = running(PEBBLES)
NOW = 1_000
DECISIONS = list(playing(TABLE, random.Random(1)))


def table_of(decision: Decision) -> Table:
    assert decision.table is not None
    return decision.table


def change(decision: Decision) -> Change:
    return Change(table_of(decision), decision.entries, NOW)


async def frames(subscription: Subscription) -> list[Any]:
    subscription.finish()
    found = []
    while (text := await subscription.next()) is not None:
        found.append(json.loads(text))
    return found


async def test_what_the_snapshot_holds_is_dropped_and_the_rest_follows() -> None:
    fanout = Fanout()
    subscription = fanout.subscribe("t1", "nino")
    for decision in DECISIONS[:4]:
        fanout.tell(change(decision), "t1")
    subscription.begin(table_of(DECISIONS[1]), NOW)  # loaded while the changes came in
    fanout.tell(change(DECISIONS[4]), "t1")
    got = await frames(subscription)
    assert [f["type"] for f in got] == ["snapshot"] + ["change"] * 3
    assert [f["number"] for f in got] == [table_of(d).number for d in DECISIONS[1:5]]


async def test_a_change_handed_on_twice_arrives_once() -> None:
    fanout = Fanout()
    subscription = fanout.subscribe("t1", "nino")
    subscription.begin(TABLE, NOW)
    for decision in (DECISIONS[0], DECISIONS[0], DECISIONS[1], DECISIONS[0]):
        fanout.tell(change(decision), "t1")
    assert [f["number"] for f in await frames(subscription)] == [
        TABLE.number,
        TABLE.number + 1,
        TABLE.number + 2,
    ]


async def test_starting_afresh_holds_back_until_the_new_snapshot() -> None:
    fanout = Fanout()
    subscription = fanout.subscribe("t1", "nino")
    subscription.begin(TABLE, NOW)
    subscription.hold()
    fanout.tell(change(DECISIONS[0]), "t1")
    subscription.begin(table_of(DECISIONS[0]), NOW)
    got = await frames(subscription)
    assert [f["type"] for f in got] == ["snapshot", "snapshot"]


async def test_only_viewers_of_the_table_are_told() -> None:
    fanout = Fanout()
    here, there = fanout.subscribe("t1", "nino"), fanout.subscribe("t2", "nino")
    here.begin(TABLE, NOW)
    there.begin(TABLE, NOW)
    fanout.leave(there)
    fanout.leave(there)
    fanout.tell(change(DECISIONS[0]), "t1")
    fanout.tell(change(DECISIONS[0]), "t2")
    assert len(await frames(here)) == 2
    assert len(await frames(there)) == 1


@pytest.mark.parametrize("begun", [True, False])
async def test_a_viewer_who_does_not_read_is_let_go(begun: bool) -> None:
    subscription = Subscription("t1", "nino", limit=3)
    if begun:
        subscription.begin(TABLE, NOW)
    for decision in DECISIONS[:5]:
        subscription.offer(change(decision))
    with pytest.raises(TooSlowError):
        await subscription.next()


async def test_a_frame_is_encoded_once_for_all_who_see_the_same() -> None:
    one = change(DECISIONS[0])
    watching = {id(one.frame_for(one.seat_of(player))) for player in ("x", "y", None)}
    assert len(watching) == 1
    players = ("nino", "gia", "dato", None)
    assert len({one.frame_for(one.seat_of(player)) for player in players}) == 4


async def test_who_comes_back_early_is_told_what_they_missed_one_by_one() -> None:
    subscription = Subscription("t1", "nino")
    subscription.hold()
    missed = [*DECISIONS[0].entries, *DECISIONS[1].entries]
    subscription.begin(table_of(DECISIONS[1]), NOW, None, missed)
    subscription.offer(change(DECISIONS[1]))
    subscription.offer(change(DECISIONS[2]))
    got = await frames(subscription)
    assert [f["type"] for f in got] == ["change", "change"]
    assert [e["number"] for e in got[0]["events"]] == [e.number for e in missed]
    assert got[0]["table"]["seats"] == got[1]["table"]["seats"]


async def test_a_notice_comes_with_the_snapshot() -> None:
    subscription = Subscription("t1", "nino")
    subscription.begin(TABLE, NOW, {"outage_ms": 5})
    subscription.begin(TABLE, NOW)
    assert [f["notice"] for f in await frames(subscription)] == [{"outage_ms": 5}, None]


async def test_who_comes_to_a_seat_is_noticed_each_time() -> None:
    seats: list[int] = []
    subscription = Subscription("t1", "gia", seats.append)
    empty = replace(TABLE, seats=(TABLE.seats[0], None, TABLE.seats[2]), number=TABLE.number - 1)
    left = replace(empty, number=TABLE.number + 1)
    back = replace(TABLE, number=TABLE.number + 2)
    subscription.begin(empty, NOW)
    assert seats == []
    for table in (TABLE, left, back):
        subscription.offer(Change(table, [Entry(table.number, {"event": "x"})], NOW))
    assert seats == [1, 1]


async def test_a_game_event_with_a_number_of_its_own_has_the_tables() -> None:
    entry = Entry(7, {"event": "opening_rolled", "number": 0})
    assert views.told(entry, None)["number"] == 7


async def test_frames_end_after_what_is_on_its_way() -> None:
    line = Frames(2)
    line.send("a")
    line.finish()
    assert await line.next() == "a"
    assert await line.next() is None
    for _ in range(3):
        line.send("b")
    with pytest.raises(TooSlowError):
        await line.next()
