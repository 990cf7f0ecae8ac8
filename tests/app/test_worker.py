"""All that falls due by itself, and what goes out, with nobody there and no time spent waiting."""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from app.history.history import Finished
from app.live import worker
from app.live.store import LEASE_MS, LONGEST_MS
from app.table.clock import LATE
from app.table.commands import Resign
from app.table.decision import Accepted
from app.table.match import HASH_MS, REVEAL_MS
from app.table.table import (
    AWAY_MS,
    KEPT_MS,
    LINK_MS,
    UNLISTED_MS,
    AnyGame,
    Outgoing,
    Table,
)
from engine import games
from engine.record import read
from engine.replay import Replay
from engine.verify import verify
from tests.app.houses import START, House, Wall, eventually, house, received
from tests.app.tables import any_act, match_of, to_move

NARDI = games.game("nardi", "short")
DOMINO = games.game("domino", "georgian")
BOTH = pytest.mark.parametrize("game", [DOMINO, NARDI], ids=lambda game: game.name)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        yield opened


async def test_a_clock_at_zero_is_acted_on_with_no_client_there_t7(site: House) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    await site.worker.work()
    clock = match_of(table).clocks[table.game.to_act(match_of(table).state)[0]]
    until = clock.until(table.clock)
    assert until is not None
    await site.until(until + LATE - 1)
    assert match_of(await site.table()).ply == 0
    await site.later(1)
    log = await site.store.log("t1", table.number)
    assert log[0].event["event"] == "auto"
    assert match_of(await site.table()).ply > 0


async def test_a_match_that_nobody_plays_ends_by_itself(site: House) -> None:
    await site.start("nino", "gia", game=DOMINO)
    await site.later(3_600_000)
    ended = match_of(await site.table()).ended
    assert ended is not None
    assert ended.reason == "time"


async def test_both_players_left_and_the_table_does_not_live_for_ever(site: House) -> None:
    # Both players left and the table lived for ever: it is decided without them.
    table = await site.start("nino", "gia", game=NARDI)
    match = match_of(table).id
    for sitter in table.seats:
        assert sitter is not None
        await site.presence.lost("t1", sitter.marks[0])
    await site.later(600_000)
    ended = match_of(await site.table()).ended
    assert ended is not None
    assert ended.reason == "left"
    await site.later(2 * KEPT_MS + 10_000)
    assert await site.tables.load("t1") is None
    assert await site.store.log("t1", 0) == ()
    assert await site.store.record("t1", match) == ()
    kept = await site.history.match(match)
    assert kept is not None
    assert kept.reason == "left"


@BOTH
async def test_a_finished_match_is_kept_with_a_record_that_replays_and_verifies_t14(
    game: AnyGame, site: House
) -> None:
    table = await site.start("nino", "gia", game=game)
    match = match_of(table).id
    started = site.wall.ms
    await site.later(5_000)
    table = await site.play_out(random.Random(3))
    assert await site.history.match(match) is None  # not before the worker comes
    await site.worker.work()
    kept = await site.history.match(match)
    assert kept is not None
    assert (kept.players, kept.names) == (["nino", "gia"], ["Nino", "Gia"])
    assert (kept.table_id, kept.reason) == ("t1", "points")
    # Site time and the calendar are the same here: there was no outage.
    assert (kept.started_at, kept.ended_at) == (started, site.wall.ms)
    record = read(kept.record)
    replay = Replay(record)
    rows = list(replay)
    assert not replay.refused
    assert rows[-1]["score"] == kept.score == list(match_of(table).ended.score)  # type: ignore[union-attr]
    assert list(verify(record))[-1] == {"match": match, "verified": True}
    assert (await site.table()).outbox == ()


async def test_keeping_twice_is_keeping_once_and_other_content_is_an_alarm_t14(
    site: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    await site.tables.handle("t1", Resign("gia", "resign-1", match_of(table).id))
    table = await site.table()
    ended = next(entry for entry in table.outbox if entry.kind == "ended")
    outbox = site.worker._outbox
    await outbox.carry(table, ended)
    first = await site.history.match(match_of(table).id)
    site.wall.ms += 60_000  # later, after an outage, under another offset
    await site.pulse.beat()
    await outbox.carry(table, ended)
    assert await site.history.match(match_of(table).id) == first
    assert not caplog.records
    assert first is not None
    other = Finished(
        **{field: getattr(first, field) for field in Finished.__slots__ if field != "digest"},
        digest="0" * 64,
    )
    await site.history.keep(other)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "ALARM" in caplog.text
    assert await site.history.match(first.id) == first


@pytest.mark.parametrize("step", ["hash", "reveal"])
async def test_a_handshake_that_comes_to_nothing_is_kept_with_its_cause_t12(
    step: str, site: House
) -> None:
    await site.make("nino", game=NARDI)
    await site.sit("gia")
    await site.hash("nino")
    if step == "reveal":
        await site.hash("gia")
        await site.reveal("nino")
    shake = (await site.table()).handshake
    assert shake is not None
    limit = HASH_MS if step == "hash" else REVEAL_MS
    await site.later(limit - 1)
    assert (await site.table()).status == "handshake"
    await site.later(1)
    table = await site.table()
    assert table.status == "open"
    assert [x and x.player for x in table.seats] == ["nino", None]
    kept = await site.history.void(shake.match)
    assert kept is not None
    cause = "no_hash" if step == "hash" else "no_number"
    assert (kept.table_id, kept.cause, kept.seats) == ("t1", cause, [1])
    assert kept.at == site.wall.ms
    assert await site.history.match(shake.match) is None


async def test_a_host_who_is_away_is_unlisted_then_closed_t16(site: House) -> None:
    await site.make("nino", game=NARDI)
    mark = site.presence.mark()
    await site.presence.connected("t1", "nino", mark)
    await site.later(UNLISTED_MS + 5_000)
    assert [each["id"] for each in await site.lobby.tables()] == ["t1"]
    await site.presence.lost("t1", mark)
    await site.later(UNLISTED_MS - 1)
    assert await site.lobby.tables()
    await site.later(1)
    assert not await site.lobby.tables()
    await site.later(AWAY_MS - UNLISTED_MS)
    assert (await site.table()).closed == "host_away"
    assert not await site.tables.seats_of("nino")
    await site.later(KEPT_MS)
    assert await site.tables.load("t1") is None


async def test_an_invite_is_good_for_a_day_t1(site: House) -> None:
    await site.make("nino", game=NARDI)
    await site.presence.connected("t1", "nino", site.presence.mark())
    for at in (LINK_MS - 1, LINK_MS):
        assert (await site.table()).closed is None
        await site.served(START + at - site.wall.ms)
        await site.worker.work()
    assert (await site.table()).closed == "expired"


async def test_what_cannot_be_carried_out_now_is_tried_again_later(
    site: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    match = match_of(table).id
    await site.worker.work()
    await site.tables.handle("t1", Resign("gia", "resign-1", match))
    path = Path(site.history._engine.url.database or "")
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE matches RENAME TO away")
    await site.later(4_000, 1_000)
    assert "ended was not carried out: HistoryError" in caplog.text
    entry = (await site.table()).outbox[0]
    assert (entry.kind, entry.tries) == ("ended", 3)
    await site.worker._see_to("t1")  # due for another reason: it is not its time yet
    assert (await site.table()).outbox[0] == entry
    assert not await site.store.stuck()
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE away RENAME TO matches")
    await site.later(10_000)
    assert (await site.table()).outbox == ()
    assert await site.history.match(match) is not None


async def test_what_is_on_its_way_is_not_set_out_twice(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    await site.worker.work()
    await site.tables.handle("t1", Resign("gia", "resign-1", match_of(table).id))
    carried: list[str] = []
    going, gone = asyncio.Event(), asyncio.Event()
    carry = site.outbox.carry

    async def slowly(table: Table, entry: Outgoing) -> None:
        carried.append(entry.kind)
        going.set()
        await gone.wait()
        await carry(table, entry)

    monkeypatch.setattr(site.outbox, "carry", slowly)
    first = asyncio.create_task(site.worker.work())
    await going.wait()
    # A save makes the table due again, and another look finds the same entry.
    await site.presence.lost("t1", table.sitter(0).marks[0])
    await site.worker._see_to("t1")
    gone.set()
    await first
    assert carried == ["ended"]
    assert (await site.table()).outbox == ()


async def test_errors_of_one_table_never_stop_the_others(
    site: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("a", "b"):
        await site.make(f"host-{name}", name, NARDI)
    with sqlite3.connect(tmp_path / "data" / "tables.db") as db:
        db.execute("UPDATE tables SET state = '{\"schema\": 2}' WHERE id = 'a'")
    site.tables._cache.clear()
    await site.later(AWAY_MS)
    assert (await site.table("b")).closed == "host_away"
    stuck = await site.store.stuck()
    assert list(stuck) == ["a"]
    assert stuck["a"] >= 5
    assert "a due table could not be seen to" in caplog.text
    assert "Unreadable" in caplog.text


async def test_a_store_that_goes_away_under_a_worker_is_no_fault_of_ours(
    site: House, caplog: pytest.LogCaptureFixture
) -> None:
    # Every outage filled the log with errors and their traces, one for each table that was due.
    await site.make("nino", game=NARDI)
    site.store.contested = True
    await site.later(AWAY_MS)
    site.store.contested = False
    assert "a due table waits: ContestedError" in caplog.text
    assert max(record.levelno for record in caplog.records) == logging.WARNING
    await site.later(LONGEST_MS)
    assert (await site.table()).closed == "host_away"


async def test_a_worker_that_dies_leaves_its_tables_to_the_next(
    site: House, tmp_path: Path
) -> None:
    await site.make("nino", game=NARDI)
    await site.sit("gia")
    shake = (await site.table()).handshake
    assert shake is not None
    now = site.tables.clock.now()
    # Somebody leases it and is never heard of again.
    assert await site.store.lease_due(now + HASH_MS, 10) == ("t1",)
    assert await site.store.next_due() == now + HASH_MS + LEASE_MS
    async with house(tmp_path / "data", site.wall, site.store) as second:
        await second.until(now + HASH_MS + LEASE_MS)
        assert (await second.table()).status == "closed"


async def test_connections_of_a_process_that_is_gone_lapse(site: House, tmp_path: Path) -> None:
    async with house(tmp_path / "data", site.wall, site.store) as second:
        await second.start("nino", "gia", game=NARDI)
        assert (await site.table()).sitter(0).present
    viewer = await site.watch("gia")
    for _ in range(LEASE_MS // 1_000):
        assert (await site.table()).sitter(0).present
        await site.later(1_000)
    table = await site.table()
    assert [table.sitter(seat).present for seat in (0, 1)] == [False, False]
    assert await site.store.lapsed() == {}
    told = [
        event.get("event") for frame in (await received(viewer))[1:] for event in frame["events"]
    ]
    assert told == ["absent", "absent"]


async def test_a_lost_connection_is_told_though_the_store_was_away(site: House) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    site.store.failing = True
    await site.presence.lost("t1", table.sitter(0).marks[0])
    assert (await site.table()).sitter(0).present
    site.store.failing = False
    await site.later(1_000)
    assert not (await site.table()).sitter(0).present


async def test_the_running_worker_wakes_for_what_is_armed_meanwhile(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "LOOK_MS", 3_600_000)
    await site.make("lasha", "other", NARDI)  # something to wait for
    running = asyncio.create_task(site.worker.run())
    try:
        table = await site.start("nino", "gia", game=NARDI)
        await site.tables.handle("t1", Resign("gia", "resign-1", match_of(table).id))
        kept = await eventually(lambda: site.history.match(match_of(table).id))
        assert kept.reason == "resigned"
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def test_whoever_moves_in_time_is_never_overtaken_by_the_worker(site: House) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    await site.worker.work()
    mover = to_move(table)
    clock = match_of(table).clocks[table.seat_of(mover) or 0]
    until = clock.until(table.clock)
    assert until is not None
    await site.until(until + LATE - 1)
    assert isinstance(await site.tables.handle("t1", any_act(table, random.Random(1))), Accepted)
    await site.later(2)
    log = await site.store.log("t1", table.number)
    assert log[0].event["event"] != "auto"
