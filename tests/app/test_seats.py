"""T16 across tables: three to wait at, one match at a time, whatever happens at once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.live.service import LiveTables
from app.table.commands import Leave, Rematch, Resign
from app.table.decision import Accepted, Refused
from engine import games
from tests.app.houses import House, Wall, house
from tests.app.tables import create, match_of

NARDI = games.game("nardi", "short")


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        yield opened


def code(answer: object) -> str:
    return answer.code if isinstance(answer, Refused) else "accepted"


async def test_of_two_joining_at_once_one_sits_and_the_other_is_told(site: House) -> None:
    await site.make("nino", game=NARDI)
    answers = await asyncio.gather(site.sit("gia"), site.sit("dato"))
    assert sorted(map(code, answers)) == ["accepted", "taken"]
    table = await site.table()
    assert table.status == "handshake"
    assert table.sitter(1).player == ("gia" if isinstance(answers[0], Accepted) else "dato")


async def test_a_player_waits_at_three_tables_however_many_are_pressed_at_once(
    site: House,
) -> None:
    for i in range(3):
        await site.make(f"host-{i}", f"h{i}", NARDI)
    answers = await asyncio.gather(
        *(site.make("nino", f"t{i}", NARDI) for i in range(4)),
        *(site.sit("nino", f"h{i}") for i in range(3)),
    )
    assert [code(answer) for answer in answers].count("accepted") == 3
    assert [code(answer) for answer in answers].count("too_many_tables") == 4
    assert sorted((await site.tables.seats_of("nino")).values()) == ["waiting"] * 3
    # Where they sit already, sitting down again asks for nothing new.
    sitting = next(iter(await site.tables.seats_of("nino")))
    assert code(await site.sit("nino", sitting)) == "accepted"
    await site.tables.handle(sitting, Leave("nino", "leave-it"))
    assert code(await site.make("nino", "another", NARDI)) == "accepted"


async def test_when_a_match_starts_the_other_seats_are_freed(site: House) -> None:
    await site.make("nino", "other", NARDI)
    await site.make("lasha", "third", NARDI)
    assert code(await site.sit("gia", "third")) == "accepted"  # it waits for hashes
    assert (await site.table("third")).status == "handshake"
    await site.start("nino", "gia", game=NARDI)
    assert dict(await site.tables.seats_of("gia")) == {"t1": "playing", "third": "waiting"}
    await site.worker.work()
    for player in ("nino", "gia"):
        assert dict(await site.tables.seats_of(player)) == {"t1": "playing"}
    assert (await site.table("other")).status == "closed"
    third = await site.table("third")
    assert third.status == "open"
    assert third.void is not None
    assert third.void.cause == "left"
    assert third.seat_of("lasha") == 0
    assert (await site.table()).outbox == ()
    # Nobody sits down or makes a table while they play.
    assert code(await site.sit("gia", "third")) == "playing_elsewhere"
    assert code(await site.make("nino", "new", NARDI)) == "playing_elsewhere"
    # The end frees them.
    match = match_of(await site.table()).id
    await site.tables.handle("t1", Resign("gia", "resign-1", match))
    assert not await site.tables.seats_of("gia")
    assert code(await site.sit("gia", "third")) == "accepted"


async def test_a_late_word_of_a_start_frees_no_seat_taken_after_the_match(site: House) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    await site.tables.handle("t1", Resign("gia", "resign-1", match_of(table).id))
    await site.make("gia", "next", NARDI)
    assert [entry.kind for entry in (await site.table()).outbox] == ["playing", "ended"]
    await site.worker.work()
    assert (await site.table("next")).status == "open"
    assert (await site.table()).outbox == ()


async def test_of_two_handshakes_that_end_at_once_one_becomes_a_match(site: House) -> None:
    for table, host in (("a", "nino"), ("b", "dato")):
        await site.make(host, table, NARDI)
        assert code(await site.sit("gia", table)) == "accepted"
        await site.hash(host, table)
        await site.hash("gia", table)
        await site.reveal("gia", table)
    answers = await asyncio.gather(site.reveal("nino", "a"), site.reveal("dato", "b"))
    assert [code(answer) for answer in answers] == ["accepted", "accepted"]
    tables = [await site.table("a"), await site.table("b")]
    assert sorted(table.status for table in tables) == ["open", "running"]
    void = next(table for table in tables if table.status == "open").void
    assert void is not None
    assert void.cause == "playing_elsewhere"
    assert list((await site.tables.seats_of("gia")).values()) == ["playing"]
    await site.worker.work()
    kept = await site.history.void(void.match)
    assert kept is not None
    assert (kept.cause, kept.seats) == ("playing_elsewhere", [1])


async def test_who_plays_elsewhere_gets_no_rematch(site: House) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    match = match_of(table).id
    await site.tables.handle("t1", Resign("gia", "resign-1", match))
    await site.start("gia", "dato", table="t2", game=NARDI)
    rematch = Rematch("gia", "rematch-1", match, True, LiveTables.fresh())
    assert code(await site.tables.handle("t1", rematch)) == "playing_elsewhere"
    other = Rematch("nino", "rematch-2", match, True, LiveTables.fresh())
    assert code(await site.tables.handle("t1", other)) == "accepted"


async def test_many_players_press_everything_at_once(site: House) -> None:
    """Whatever the order: nobody waits at more than three tables or plays twice."""
    rng = random.Random(1)
    players = [f"player-{i}" for i in range(6)]

    async def press(i: int) -> None:
        player, table = rng.choice(players), f"t{rng.randrange(8)}"
        what = rng.choice(("make", "sit", "sit", "hash", "reveal", "leave"))
        found = await site.tables.load(table)
        if what == "make" or found is None:
            await site.tables.handle(table, create(NARDI, player, table))
        elif what == "sit":
            await site.sit(player, table)
        elif what == "leave" and rng.random() < 0.3:
            await site.tables.handle(table, Leave(player, f"leave-{i}", found.match_id()))
        else:
            for seat in found.taken():
                shakes = site.reveal if what == "reveal" else site.hash
                await shakes(found.sitter(seat).player, table)

    plays = 0
    for wave in range(25):
        await asyncio.gather(*(press(100 * wave + i) for i in range(20)))
        for player in players:
            does = list((await site.tables.seats_of(player)).values())
            assert does.count("waiting") <= 3
            assert does.count("playing") <= 1
            plays += does.count("playing")
        if wave % 5 == 4:
            await site.worker.work()
    assert plays
