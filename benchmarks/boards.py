"""What a leaderboard takes with many players: ``python -m benchmarks.boards [PLAYERS]``.

Fills a SQLite file and a Postgres of its own, and prints for each board the median of the first
fifty rows alone, and with the own place of somebody in the middle.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import days, db
from app.history.schema import winnings
from app.players.schema import players
from app.ratings.boards import BoardKind, Boards
from app.ratings.model import Skill
from app.ratings.schema import ratings
from engine import games
from tests.services.postgres import Postgres

NOW: Final = 1_790_000_000_000
KINDS: Final[tuple[BoardKind, ...]] = ("all", "week", "coins")
GAME: Final = games.GAMES[0]
ROUNDS: Final = 11
AT_ONCE: Final = 5_000


async def fill(engine: AsyncEngine, count: int) -> str:
    """So many players, one of a hundred deleted; returns one who is not."""
    rng, new = random.Random(1), Skill()
    of = {"game": GAME.name, "rules": GAME.rules}
    ids = [f"{rng.getrandbits(96):024x}" for _ in range(count)]
    for start in range(0, count, AT_ONCE):
        some = ids[start : start + AT_ONCE]
        known, rated, won = [], [], []
        for n, player in enumerate(some):
            kind = "registered" if n % 100 else "deleted"
            known.append({"id": player, "name": f"p{start + n}", "since": 1, "kind": kind})
            rated.append(
                {
                    **of,
                    "player": player,
                    "mu": new.mu,
                    "sigma": new.sigma,
                    "shown": round(rng.gauss(1500, 200)),
                    "matches": 9,
                    "established": rng.random() < 0.5,
                    "week": days.monday(NOW),
                    "gained": round(rng.gauss(0, 60)),
                    "week_matches": 3,
                    "updated_at": NOW,
                }
            )
            coins = round(rng.gauss(0, 5000))
            won.append({**of, "player": player, "coins": coins, "matches": 9})
        async with engine.begin() as connection:
            for table, rows in ((players, known), (ratings, rated), (winnings, won)):
                await connection.execute(insert(table), rows)
    return ids[-1]


async def measure(engine: AsyncEngine, count: int) -> None:
    await db.upgrade(engine)
    somebody = await fill(engine, count)
    if engine.dialect.name == "postgresql":
        async with engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await connection.execute(text("VACUUM ANALYZE"))
    boards = Boards(engine, lambda: NOW)
    for kind in KINDS:
        for of in (None, somebody):
            took = []
            for _ in range(ROUNDS):
                began = time.perf_counter()
                found = await boards.board(kind, GAME.name, GAME.rules, of=of)
                took.append((time.perf_counter() - began) * 1000)
            own = "no own place" if found.own is None else f"own place {found.own.place}"
            print(
                f"{engine.dialect.name} {count} {kind}: {own},"
                f" median {statistics.median(took):.1f} ms, most {max(took):.1f} ms"
            )
    await db.close(engine)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(db.embedded(Path(folder) / "site.db"), count))
    with Postgres() as server:
        asyncio.run(measure(db.deployed(server.create("boards")), count))


if __name__ == "__main__":
    main()
