"""Subscriptions: subscribe, load, drop what the snapshot holds; bounded, once, in order."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from app.live.fanout import Change, Fanout, Subscription, TooSlowError
from app.table.decide import Decision
from app.table.table import Table
from tests.app.pebbles import PEBBLES
from tests.app.tables import playing, running

TABLE = running(PEBBLES)
DECISIONS = list(playing(TABLE, random.Random(1)))


def table_of(decision: Decision) -> Table:
    assert decision.table is not None
    return decision.table


def change(decision: Decision) -> Change:
    return Change(table_of(decision), decision.entries)


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
    subscription.begin(table_of(DECISIONS[1]))  # loaded while the changes came in
    fanout.tell(change(DECISIONS[4]), "t1")
    got = await frames(subscription)
    assert [f["type"] for f in got] == ["snapshot"] + ["change"] * 3
    assert [f["number"] for f in got] == [table_of(d).number for d in DECISIONS[1:5]]


async def test_a_change_handed_on_twice_arrives_once() -> None:
    fanout = Fanout()
    subscription = fanout.subscribe("t1", "nino")
    subscription.begin(TABLE)
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
    subscription.begin(TABLE)
    subscription.hold()
    fanout.tell(change(DECISIONS[0]), "t1")
    subscription.begin(table_of(DECISIONS[0]))
    got = await frames(subscription)
    assert [f["type"] for f in got] == ["snapshot", "snapshot"]


async def test_only_viewers_of_the_table_are_told() -> None:
    fanout = Fanout()
    here, there = fanout.subscribe("t1", "nino"), fanout.subscribe("t2", "nino")
    here.begin(TABLE)
    there.begin(TABLE)
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
        subscription.begin(TABLE)
    for decision in DECISIONS[:5]:
        subscription.offer(change(decision))
    with pytest.raises(TooSlowError):
        await subscription.next()


async def test_a_frame_is_encoded_once_for_all_who_see_the_same() -> None:
    one = change(DECISIONS[0])
    watching = {id(one.frame_for(player)) for player in ("x", "y", None)}
    assert len(watching) == 1
    assert len({one.frame_for(player) for player in ("nino", "gia", "dato", None)}) == 4
