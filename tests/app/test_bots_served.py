"""Computer players of real processes on a real Redis and Postgres, one of which is killed."""

from __future__ import annotations

import random
from pathlib import Path

from tests.app.browsers import Browser, Seat
from tests.app.houses import eventually
from tests.app.test_health import deployed
from tests.services.redis import Redis

NARDI = {"game": "nardi", "rules": "short", "points": "1", "computer": "medium"}


async def test_another_process_moves_when_one_is_killed(
    tmp_path: Path, empty_redis: Redis, database: str
) -> None:
    one, other = (deployed(tmp_path / n, empty_redis, database) for n in "ab")
    rng = random.Random(1)
    with one, other:
        browser = Browser(one)
        answer = browser.post("/tables", NARDI)
        table = answer.headers["location"].removeprefix("/t/")
        beside = Browser(other)
        beside.http = browser.http
        seat = await beside.open(table)
        while (step := seat.step()) is not None:
            await seat.answer_to(step)
        await seat.table_is(lambda told: told["status"] == "running")
        await moves(seat, rng, 2)
        one.kill()
        await moves(seat, rng, 3)
        events = [e.get("event") for f in seat.frames for e in f.get("events", ())]
        # What the killed one was thinking about when it died, the table has played.
        assert events.count("auto") <= 1
        if seat.table["status"] == "running":
            await seat.accepted("resign")
        match = seat.table["match"]

        async def kept() -> bool | None:
            return True if beside.get(f"/m/{match}").status_code == 200 else None

        assert await eventually(kept)
        await seat.close()


async def moves(seat: Seat, rng: random.Random, turns: int) -> None:
    """Play until the computer has ended so many turns."""
    done = 0
    while seat.table["status"] == "running" and done < turns:
        before = len(seat.frames)
        if seat.legal:
            await seat.play(rng)
        else:
            await seat.hear()
        events = [e for f in seat.frames[before:] for e in f.get("events", ())]
        done += len([e for e in events if e.get("event") == "turn_ended" and e["seat"] == 1])
