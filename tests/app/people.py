"""Registered players with matches that were put straight into a server's database."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from app import db
from app.history.history import Finished, History
from app.ratings.ratings import Played, Ratings
from tests.app.browsers import Browser
from tests.app.server import Server
from tests.history.kept import DOMINO, NARDI, finished

PASSWORD = "ლეღვის ხე 7"
DAY_MS = 24 * 3_600_000


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")


class Registered:
    """Somebody who has registered: their browser, id and handle."""

    def __init__(self, server: Server, name: str) -> None:
        self.browser = Browser(server)
        self.name = name
        answer = self.browser.post("/register", {"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        self.id, self.handle = who(server.data, name)

    def page(self, rest: str = "") -> str:
        return f"/p/{self.handle}{rest}"


def who(data: Path, name: str) -> tuple[str, str]:
    """The id and the handle of a registered player."""
    query = "SELECT id, handle FROM players JOIN logins ON player = id WHERE name = ?"
    with sqlite3.connect(data / "site.db") as database:
        row: tuple[str, str] = database.execute(query, (name,)).fetchone()
    return row


def played(
    match: str,
    game: str,
    players: Sequence[tuple[str, str]],
    *,
    at: int,
    won: int | None = None,
    stake: int = 0,
    reason: str | None = None,
) -> Finished:
    """A match of players, each an id and a name; ``won``: whatever its record says."""
    ids, names = [each for each, _ in players], [name for _, name in players]
    plain = finished(match, DOMINO if game == "domino" else NARDI, ids, at=at, stake=stake)
    winners = plain.winners if won is None else [won]
    moved = [stake if seat in winners else -stake for seat in range(len(ids))]
    score = plain.score if winners == plain.winners else plain.score[::-1]
    whole = replace(plain, names=names, winners=winners, score=score, coins=moved)
    if reason == "void":
        whole = replace(whole, winners=[], coins=[0] * len(ids))
    times = {"started": iso(at - 60_000), "ended": iso(at)}
    whole.record.update({"id": match, "players": names, **times})
    return replace(whole, reason=reason or plain.reason)


def put(data: Path, *matches: Finished, public: bool = True) -> None:
    """Keep matches, and rate them, as the outbox does."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _put(data / "site.db", matches, public)).result()


async def _put(path: Path, matches: Sequence[Finished], public: bool) -> None:
    engine = db.embedded(path)
    try:
        for each in matches:
            await History(engine).keep(each)
            await Ratings(engine).rate(
                Played(
                    match=each.id,
                    game=each.game,
                    rules=each.rules,
                    players=each.players,
                    winners=each.winners,
                    at=each.ended_at,
                    public=public,
                )
            )
    finally:
        await db.close(engine)


def forget(data: Path, player: str) -> None:
    """Take a player's name out of all that is kept, as is done when they are deleted."""

    async def work() -> None:
        engine = db.embedded(data / "site.db")
        try:
            await History(engine).forget(player)
        finally:
            await db.close(engine)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work()).result()


def evening(
    one: Registered, other: Registered, count: int, *, game: str = "domino", stake: int = 0
) -> list[Finished]:
    """So many matches of two, the last one now, a week between them; the first seat wins two of
    three."""
    two = [(one.id, one.name), (other.id, other.name)]
    return [
        played(
            f"{game}-{one.handle}-{other.handle}-{number}",
            game,
            two,
            at=now_ms() - (count - 1 - number) * 7 * DAY_MS,
            won=int(number % 3 == 0),
            stake=stake,
        )
        for number in range(count)
    ]
