"""Nobody pays for the site's own downtime (T9): clocks stand still, and a note says why."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest

from app.live.sitetime import (
    GRACE_MS,
    HICCUP_MS,
    STALL_MS,
    Beat,
    Outage,
    Reckoning,
    SiteClock,
    advance,
    beat_of,
)
from app.live.viewers import NOTICE_MS
from app.table.clock import LATE
from app.table.commands import Resign
from app.table.table import Table
from engine import games
from tests.app.houses import START, House, Wall, house, received
from tests.app.tables import any_act, match_of

NARDI = games.game("nardi", "short")


class Kept:
    """What a store keeps of the time, on a clock that the test moves."""

    def __init__(self, wall: Wall) -> None:
        self.wall = wall
        self.reckoning: Reckoning | None = None

    def beat(self, *, alone: bool = False) -> Beat:
        self.reckoning = advance(self.reckoning, self.wall(), alone=alone)
        return beat_of(self.reckoning)


def test_an_outage_takes_no_site_time_and_ten_seconds_are_added() -> None:
    wall = Wall()
    kept = Kept(wall)
    assert kept.beat() == Beat(START, START)
    wall.ms += 1_000
    beat = kept.beat()
    assert beat == Beat(START + 1_000, START + 1_000)
    wall.ms += 180_000
    clock = SiteClock(wall)
    clock.take(kept.beat(), wall())
    assert clock.now() == beat.site
    assert clock.outage == Outage(180_000, beat.site)
    assert clock.frozen_ms() == GRACE_MS
    assert clock.wait_ms(beat.site + 5) == GRACE_MS + 5
    for ms in (*[1_000] * 9, GRACE_MS - 9_001):
        wall.ms += ms
        clock.take(kept.beat(), wall())
        assert clock.now() == beat.site
    wall.ms += 2
    assert clock.now() == beat.site + 1
    clock.take(kept.beat(), wall())
    assert clock.now() == beat.site + 1
    assert clock.calendar() == wall() - clock.now()


def test_only_what_is_longer_than_a_stall_was_an_outage() -> None:
    wall = Wall()
    kept = Kept(wall)
    kept.beat()
    wall.ms += HICCUP_MS
    assert kept.beat() == Beat(START + HICCUP_MS, START + HICCUP_MS)
    # A moment that nobody beat in is not charged, and not told of either.
    wall.ms += STALL_MS
    assert kept.beat() == Beat(wall(), START + 2 * HICCUP_MS)
    wall.ms += STALL_MS + 1  # a laptop slept
    beat = kept.beat()
    assert beat.site == START + 2 * HICCUP_MS
    assert beat.outage == Outage(STALL_MS + 1, beat.site)
    wall.ms += GRACE_MS // 2 + 1
    assert kept.beat().frozen_ms == GRACE_MS  # that was a stall again
    for _ in range(12):
        wall.ms += 1_000
        beat = kept.beat()
    assert beat.site == START + 2 * HICCUP_MS + 2_000


def test_whoever_starts_alone_knows_that_nobody_served() -> None:
    wall = Wall()
    kept = Kept(wall)
    assert kept.beat(alone=True).outage is None
    wall.ms += 300
    assert kept.beat(alone=True) == Beat(START + 300, START, GRACE_MS, Outage(300, START))


def test_without_an_answer_a_process_goes_no_further_than_a_stall() -> None:
    # Whatever it reads then may lie in an outage: it decides nothing by it.
    wall = Wall()
    kept = Kept(wall)
    clock = SiteClock(wall)
    clock.take(kept.beat(), wall())
    wall.ms += HICCUP_MS
    assert clock.sure()
    assert clock.now() == START + HICCUP_MS
    wall.ms += 600_000
    assert not clock.sure()
    assert clock.now() == START + HICCUP_MS
    clock.take(kept.beat(), wall())
    assert clock.sure()
    assert clock.now() == START


def test_a_slow_answer_is_reckoned_from_its_middle_and_nothing_runs_backwards() -> None:
    wall = Wall()
    kept = Kept(wall)
    clock = SiteClock(wall)
    clock.take(kept.beat(), wall())
    asked = wall()
    wall.ms += 400
    beat = kept.beat()
    wall.ms += 400
    clock.take(beat, asked)
    assert clock.now() == START + 800
    asked = wall()
    beat = kept.beat()
    wall.ms += 500
    clock.take(beat, asked)
    assert clock.now() == START + 1_050
    clock.take(kept.beat(), wall())
    assert clock.now() == START + 1_300
    clock.take(beat, wall())  # an older one that comes late
    assert clock.now() == START + 1_300


def test_a_wall_clock_set_back_takes_no_site_time_back() -> None:
    wall = Wall()
    kept = Kept(wall)
    kept.beat()
    wall.ms += 1_000
    seen = kept.beat()
    wall.ms -= 3_600_000
    assert kept.beat().site == seen.site
    wall.ms += 1_000
    assert kept.beat().site == seen.site + 1_000


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        yield opened


def on_turn(table: Table) -> int:
    return table.game.to_act(match_of(table).state)[0]


@pytest.mark.parametrize("down_ms", [1_500, 182_000, 3_600_000])
async def test_killed_and_started_minutes_later_the_clocks_are_where_they_were(
    down_ms: int, tmp_path: Path
) -> None:
    # A restart cost somebody the game on time: downtime is never charged.
    wall = Wall()
    async with house(tmp_path / "data", wall) as first:
        table = await first.start("nino", "gia", game=NARDI)
        await first.later(20_000)
        before = (await received(await first.watch("nino")))[0]["table"]
        at = first.tables.clock.now()
    wall.ms += down_ms
    async with house(tmp_path / "data", wall) as second:
        snapshot = (await received(await second.watch("nino")))[0]
        assert snapshot["notice"] == {"outage_ms": down_ms, "ended_at": at, "frozen_ms": GRACE_MS}
        now = snapshot["table"]
        assert now["now"] == at
        clocks = ("reserve_ms", "since", "move_until", "until")
        for was, clock in zip(before["clocks"], now["clocks"], strict=True):
            assert {k: clock[k] for k in clocks} == {k: was[k] for k in clocks}
        # Everybody's connection is gone, and the countdown of who is on turn begins now.
        assert [seat["present"] for seat in now["seats"]] == [False, False]
        mover = on_turn(table)
        assert now["clocks"][mover]["absence_until"] == at + table.clock.absence_ms
        # The ten seconds to come back, then the rest of the absence.
        await second.later(GRACE_MS)
        assert second.tables.clock.now() == at
        await second.presence.connected("t1", "nino", second.presence.mark())
        await second.presence.connected("t1", "gia", second.presence.mark())
        until = now["clocks"][mover]["until"]
        await second.later(until + LATE - at - 1)
        log = await second.store.log("t1", snapshot["number"])
        assert [e.event["event"] for e in log] == ["present", "present"]
        await second.later(1)
        log = await second.store.log("t1", snapshot["number"])
        assert log[2].event["event"] == "auto"


async def test_the_note_is_news_for_two_minutes(tmp_path: Path) -> None:
    wall = Wall()
    async with house(tmp_path / "data", wall) as first:
        assert first.tables.viewers.notice() is None
        await first.start("nino", "gia", game=NARDI)
        number = (await first.table()).number
    wall.ms += 60_000
    async with house(tmp_path / "data", wall) as second:
        # Who comes back with all but the last events is told, too.
        subscription = second.fanout.subscribe("t1", "nino")
        assert await second.tables.viewers.begin(subscription, number - 1)
        (frame,) = await received(subscription)
        assert frame["type"] == "snapshot"
        assert frame["notice"]["outage_ms"] == 60_000
        await second.later(GRACE_MS + NOTICE_MS)
        assert second.tables.viewers.notice() is not None
        await second.later(1)
        assert second.tables.viewers.notice() is None


async def test_while_the_store_is_away_no_time_passes_t9(site: House) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    await site.later(10_000)
    last = await site.store.beat()
    site.store.failing = True
    await site.later(300_000)
    served = [site.pulse.serving]
    site.store.failing = False
    await site.pulse.beat()
    served.append(site.pulse.serving)
    assert served == [False, True]
    assert site.tables.clock.now() == last.site
    notice = site.tables.viewers.notice()
    assert notice is not None
    assert notice["outage_ms"] == 300_000
    assert notice["frozen_ms"] == GRACE_MS
    await site.worker.work()
    assert (await site.table()).number == table.number
    await site.tables.handle("t1", any_act(table, random.Random(1)))
    clock = match_of(await site.table()).clocks[on_turn(table)]
    assert clock.reserve_ms == table.clock.reserve_ms


async def test_a_beat_that_took_long_was_an_outage_too_t9(site: House) -> None:
    # The store took it in the end, but meanwhile nobody could be served.
    before = site.tables.clock.now()
    site.store.slow_ms = 9_000
    await site.pulse.beat()
    assert site.tables.clock.now() == before
    notice = site.tables.viewers.notice()
    assert notice is not None
    assert notice["outage_ms"] == 9_000
    assert notice["frozen_ms"] == GRACE_MS


async def test_who_stays_connected_through_an_outage_is_told_of_it_t9(site: House) -> None:
    await site.start("nino", "gia", game=NARDI)
    subscription = await site.watch("nino")
    site.wall.ms += 60_000  # the process was stopped, the lines were not
    await site.pulse.beat()
    await site.pulse.beat()
    first, again = await received(subscription)
    assert first["notice"] is None
    assert again["type"] == "snapshot"
    assert again["notice"]["outage_ms"] == 60_000
    assert again["table"]["now"] == first["table"]["now"]


async def test_who_comes_back_before_the_first_beat_sees_the_clocks_where_they_stood_t9(
    site: House,
) -> None:
    # The first pages after an outage showed clocks five seconds further than they were.
    await site.start("nino", "gia", game=NARDI)
    at = site.tables.clock.now()
    site.wall.ms += 60_000
    (snapshot,) = await received(await site.watch("nino"))
    assert snapshot["table"]["now"] == at
    assert snapshot["notice"]["outage_ms"] == 60_000


async def test_a_table_made_after_an_outage_is_told_nothing_of_it(site: House) -> None:
    site.wall.ms += 60_000
    await site.pulse.beat()
    await site.later(GRACE_MS + 2_000)
    assert site.tables.viewers.notice() is not None
    await site.make("nino", game=NARDI)
    (snapshot,) = await received(await site.watch("nino"))
    assert snapshot["notice"] is None


async def test_a_store_that_was_away_for_a_moment_is_charged_to_nobody_t9(site: House) -> None:
    await site.start("nino", "gia", game=NARDI)
    before = site.tables.clock.now()
    site.store.failing = True
    await site.later(3_000, 1_000)
    site.store.failing = False
    site.wall.ms += 1_000
    await site.pulse.beat()
    # A beat was due after a second; what came later than a deadline waits is not counted.
    assert site.tables.clock.now() == before + HICCUP_MS
    assert site.tables.viewers.notice() is None


async def test_what_is_kept_has_times_of_the_calendar(tmp_path: Path) -> None:
    wall = Wall()
    async with house(tmp_path / "data", wall) as first:
        table = await first.start("nino", "gia", game=NARDI)
    wall.ms += 3_600_000
    async with house(tmp_path / "data", wall) as second:
        await second.later(GRACE_MS + 2_000)
        await second.tables.handle("t1", Resign("gia", "resign-1", match_of(table).id))
        await second.worker.work()
        kept = await second.history.match(match_of(table).id)
        assert kept is not None
        assert kept.ended_at == wall.ms
        ended = datetime.fromisoformat(kept.record["ended"])
        assert round(ended.timestamp() * 1000) == wall.ms
