"""A database comes to the newest schema from wherever it stands, losing nothing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.ext.asyncio import AsyncEngine

import app.history.schema
import app.ledger.schema
import app.players.schema
import app.ratings.schema  # noqa: F401 - the tables are described there
from app import db
from app.history.history import CameToNothing, History
from app.ledger.ledger import Ledger
from tests.services.postgres import unsynced

ROOT = Path(__file__).parents[2]

# What a server made before there were migrations, and never anything else.
before = sa.MetaData()
matches = sa.Table(
    "matches",
    before,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(64), nullable=False),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("rules", sa.String(32), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("players", sa.JSON, nullable=False),
    sa.Column("names", sa.JSON, nullable=False),
    sa.Column("started_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("ended_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("reason", sa.String(16), nullable=False),
    sa.Column("winners", sa.JSON, nullable=False),
    sa.Column("score", sa.JSON, nullable=False),
    sa.Column("record", sa.JSON, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
)
voids = sa.Table(
    "voids",
    before,
    sa.Column("match", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(64), nullable=False),
    sa.Column("cause", sa.String(32), nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False, index=True),
)


def old_match(number: int) -> dict[str, Any]:
    return {
        "id": f"m{number:04}",
        "table_id": "t1",
        "game": "pebbles",
        "rules": "plain",
        "options": {"target": 3},
        "players": ["nino", "gia"],
        "names": ["Nino", "Gia"],
        "started_at": number,
        "ended_at": number + 1,
        "reason": "points",
        "winners": [number % 2],
        "score": [3, 1],
        "record": {"format": "match-record/1"},
        "digest": f"{number:064}",
    }


@pytest.fixture(params=["sqlite", "postgres"])
async def empty(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """A database with nothing in it, of either kind."""
    if request.param == "postgres":
        engine = db.deployed(request.getfixturevalue("empty_database"))
    else:
        engine = unsynced(tmp_path / "site.db")
    yield engine
    await db.close(engine)


async def differences(engine: AsyncEngine) -> list[Any]:
    """How the database differs from the tables that the code describes."""

    def other_default(*given: Any) -> bool:
        kept, wanted = given[3], given[5]
        return bool((kept and str(kept).partition("::")[0]) != wanted)  # '[]'::json

    options = {"compare_type": True, "compare_server_default": other_default}

    def compare(connection: sa.Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, db.metadata))

    async with engine.connect() as connection:
        return await connection.run_sync(compare)


async def test_the_steps_lead_to_the_tables_that_the_code_describes(empty: AsyncEngine) -> None:
    assert not await db.current(empty)
    await db.upgrade(empty)
    assert await db.current(empty)
    assert await differences(empty) == []


async def test_a_difference_would_be_seen(empty: AsyncEngine) -> None:
    await db.upgrade(empty)
    async with empty.begin() as connection:
        await connection.execute(sa.text("DROP INDEX ix_match_seats_player"))
        await connection.execute(sa.text("ALTER TABLE players ADD COLUMN more INTEGER"))
        await connection.execute(sa.text("DROP TABLE audit"))
        await connection.execute(sa.text("ALTER TABLE matches DROP COLUMN stake"))
        add = "ALTER TABLE matches ADD COLUMN stake BIGINT NOT NULL DEFAULT 1"
        await connection.execute(sa.text(add))
    assert len(await differences(empty)) == 4


async def test_a_database_from_before_the_steps_loses_nothing(
    empty: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    async with empty.begin() as connection:
        await connection.run_sync(before.create_all)
        await connection.execute(matches.insert(), [old_match(number) for number in range(1_203)])
        void = {"match": "v1", "table_id": "t1", "cause": "left", "seats": [1], "at": 5}
        await connection.execute(voids.insert(), void)
    assert not await db.current(empty)
    await db.upgrade(empty)
    assert await db.current(empty)
    assert await differences(empty) == []
    history = History(empty)
    for number in (0, 499, 500, 1_202):
        old = old_match(number)
        kept = await history.match(old["id"])
        assert kept is not None
        assert {name: getattr(kept, name) for name in old} == old
        assert (kept.stake, kept.coins) == (0, [0, 0])
    assert await history.void("v1") == CameToNothing("v1", "t1", "left", [1], 5)
    assert len(await history.played("nino", 9_999)) == 1_203
    assert (await history.played("gia", 2)) == ["m1202", "m1201"]
    async with empty.connect() as connection:
        won = sa.text("SELECT sum(CASE WHEN won THEN 1 ELSE 0 END) FROM match_seats")
        assert (await connection.execute(won)).scalar_one() == 1_203
    # Carried again by an outbox that did not hear that it was kept.
    assert kept is not None
    await history.keep(kept)
    assert "ALARM" not in caplog.text
    assert len(await history.played("nino", 9_999)) == 1_203


async def test_seats_and_coins_of_matches_from_before_are_filled_in(empty: AsyncEngine) -> None:
    def upgrade(connection: sa.Connection) -> None:
        config = db._config()
        config.attributes["connection"] = connection
        command.upgrade(config, "0003")

    played = [
        (["nino", "gia"], 50, [50, -50]),
        (["luka", "nino"], 70, [70, -70]),
        (["gia", "nino"], 0, [0, 0]),
    ]
    rows = [
        {**old_match(number), "players": who, "winners": [0], "stake": stake, "coins": coins}
        for number, (who, stake, coins) in enumerate(played)
    ]
    async with empty.begin() as connection:
        await connection.run_sync(upgrade)
        for row in rows:
            more = (sa.column("stake", sa.BigInteger), sa.column("coins", sa.JSON))
            then = sa.table("matches", *(sa.column(c.name, c.type) for c in matches.columns), *more)
            await connection.execute(then.insert().values(row))
    await db.upgrade(empty)
    assert await differences(empty) == []
    async with empty.connect() as connection:
        columns = "player, game, rules, reason, points, stake, coins"
        seats = f"SELECT {columns} FROM match_seats ORDER BY match_id, seat"
        found = [tuple(row) for row in await connection.execute(sa.text(seats))]
        assert found[:3] == [
            ("nino", "pebbles", "plain", "points", 3, 50, 50),
            ("gia", "pebbles", "plain", "points", 1, 50, -50),
            ("luka", "pebbles", "plain", "points", 3, 70, 70),
        ]
        assert len(found) == 6
        won = "SELECT player, game, rules, coins, matches FROM winnings ORDER BY player"
        assert [tuple(row) for row in await connection.execute(sa.text(won))] == [
            ("gia", "pebbles", "plain", -50, 1),
            ("luka", "pebbles", "plain", 70, 1),
            ("nino", "pebbles", "plain", -20, 2),
        ]


async def test_upgrading_twice_or_at_once_is_upgrading_once(empty: AsyncEngine) -> None:
    await asyncio.gather(*(db.upgrade(empty) for _ in range(3)))
    await Ledger(empty).grant("nino", 1_000, "start", None)
    await db.upgrade(empty)
    await db.prepare(empty)
    assert await Ledger(empty).balance("nino") == 1_000
    assert await differences(empty) == []


PROCESS = """
import asyncio, sys
from pathlib import Path
from app import db

async def main(where):
    engine = db.deployed(where) if "://" in where else db.embedded(Path(where))
    await db.upgrade(engine)
    assert await db.current(engine)
    await db.close(engine)

sys.stdin.readline()
asyncio.run(main(sys.argv[1]))
"""


async def test_two_processes_upgrade_at_once(
    empty: AsyncEngine, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    on_a_server = empty.dialect.name == "postgresql"
    where = request.getfixturevalue("empty_database") if on_a_server else str(tmp_path / "site.db")
    async with empty.begin() as connection:
        await connection.run_sync(before.create_all)
        await connection.execute(matches.insert(), [old_match(number) for number in range(300)])
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            PROCESS,
            where,
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        for _ in range(2)
    ]
    said = await asyncio.gather(*(process.communicate(b"\n") for process in processes))
    assert [process.returncode for process in processes] == [0, 0], said
    assert await differences(empty) == []
    assert len(await History(empty).played("nino", 999)) == 300


async def test_a_step_that_fails_leaves_everything_as_it_was(empty: AsyncEngine) -> None:
    async with empty.begin() as connection:
        await connection.run_sync(before.create_all)
        await connection.execute(matches.insert(), [old_match(number) for number in range(3)])
        # In the way of the last thing that the step makes.
        await connection.execute(sa.text("CREATE TABLE match_seats (odd INTEGER)"))
    with pytest.raises(db.DatabaseError):
        await db.upgrade(empty)
    assert not await db.current(empty)
    async with empty.begin() as connection:
        tables = await connection.run_sync(lambda sync: sa.inspect(sync).get_table_names())
        assert sorted(tables) == ["match_seats", "matches", "voids"]
        await connection.execute(sa.text("DROP TABLE match_seats"))
    await db.upgrade(empty)
    assert len(await History(empty).played("nino")) == 3


async def test_a_schema_of_a_later_release_is_left_alone(empty: AsyncEngine) -> None:
    await db.upgrade(empty)
    async with empty.begin() as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    assert await db.current(empty)
    await db.upgrade(empty)
    async with empty.connect() as connection:
        at = await connection.execute(sa.text("SELECT version_num FROM alembic_version"))
        assert at.scalar_one() == "9999"


@pytest.mark.parametrize("back_to", ["0001", "base"])
async def test_there_is_no_way_back(empty: AsyncEngine, back_to: str) -> None:
    await db.upgrade(empty)
    await Ledger(empty).grant("nino", 1_000, "start", None)

    def downgrade(connection: sa.Connection) -> None:
        config = db._config()
        config.attributes["connection"] = connection
        command.downgrade(config, back_to)

    with pytest.raises(NotImplementedError, match="no way back"):
        async with empty.begin() as connection:
            await connection.run_sync(downgrade)
    assert await Ledger(empty).balance("nino") == 1_000
    assert await db.current(empty)
