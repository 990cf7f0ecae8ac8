"""A killed server loses nothing that it acknowledged, and play goes on to the end."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from app.live.sqlite import SqliteStore
from tests.app.browsers import Browser, Seat
from tests.app.server import Server

GAMES = pytest.mark.parametrize(
    ("game", "rules", "options"),
    [("domino", "georgian", {"target": "75"}), ("nardi", "short", {"points": "1"})],
)


async def mover_of(seats: list[Seat]) -> Seat:
    """Whoever is to move, once both know of all that happened."""
    newest = max(seat.number for seat in seats)
    for seat in seats:
        while seat.number < newest:
            await seat.hear()
    return next(seat for seat in seats if seat.legal)


@GAMES
async def test_kill_and_restart_in_the_middle_of_a_match(
    game: str, rules: str, options: dict[str, str], tmp_path: Path
) -> None:
    rng = random.Random(7)
    server = Server(tmp_path / "data")
    with server:
        browsers = [Browser(server), Browser(server)]
        table = browsers[0].make_table(game, rules, **options)
        browsers[1].sit(table)
        seats = [await browser.open(table) for browser in browsers]
        acknowledged = []
        for kill in range(2):
            for _ in range(6):
                mover = await mover_of(seats)
                acknowledged.append((mover, await mover.play(rng)))
            # One more goes out, and the answer is never read.
            mover = await mover_of(seats)
            before = mover.table["ply"]
            unanswered = mover.pick(rng)
            place = seats.index(mover)
            await mover.say(unanswered)
            server.kill()
            server.start()
            for seat in seats:
                assert await seat.closed() == (None, "")
            seats = [await browser.open(table, seen=3) for browser in browsers]
            for seat in seats:
                assert seat.table["ply"] in {before, before + 1}
            # It goes again under its id, after the snapshot, and counts once.
            await seats[place].say(unanswered)
            assert (await seats[place].until("accepted"))["id"] == unanswered["id"]
            await seats[place].hello()
            assert seats[place].table["ply"] == before + 1
            await seats[1 - place].hello()
            # So does the last acknowledged one, with its first answer.
            seat, command = acknowledged[-1]
            first = next(f for f in seat.frames if f.get("id") == command["id"])
            again = next(s for s in seats if s.table["you"] == seat.table["you"])
            await again.say(command)
            assert await again.until("accepted") == first, kill
            await again.hello()
        while seats[0].table["status"] == "running":
            await (await mover_of(seats)).play(rng)
            for seat in seats:
                while seat.number < max(s.number for s in seats):
                    await seat.hear()
        assert [seat.table["status"] for seat in seats] == ["ended", "ended"]
        assert seats[0].table["view"]["outcome"] == seats[1].table["view"]["outcome"]
        assert seats[0].table["view"]["outcome"]["reason"] == "points"
        match = seats[0].table["match"]
        last = seats[0].number
        assert server.stop() == -signal.SIGTERM
        assert server.log() == ""
    store = SqliteStore(tmp_path / "data" / "tables.db")
    try:
        log = await store.log(table, 0)
        assert [entry.number for entry in log] == list(range(1, last + 1))
        assert await store.record(match)
    finally:
        await store.close()


async def test_a_server_that_stops_says_come_back(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        browser = Browser(server)
        seat = await browser.open(browser.make_table("domino", "georgian", target="75"))
        assert server.stop() == -signal.SIGTERM
        assert (await seat.closed())[0] == 1012
