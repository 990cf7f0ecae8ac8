"""The address of a database, and what is never told of it."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db

SECRET = "geheim123"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
async def test_every_usual_form_of_an_address_is_taken(database: str, scheme: str) -> None:
    engine = db.deployed(database.replace("postgresql", scheme) + "?sslmode=disable")
    assert await db.answers(engine)
    assert await db.current(engine)
    await db.close(engine)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nothing",
        f"mysql://ezo:{SECRET}@host/ezo",
        f"postgresql://ezo:{SECRET}@host",
        f"postgresql://ezo:{SECRET}@host/",
        f"postgresql://ezo:{SECRET}@host:port/ezo",
        f"postgresql://ezo:{SECRET}@[host/ezo",
        f"postgresql://ezo:{SECRET}@host/ezo?sslmode=require&speed={SECRET}",
        f"//{SECRET}",
    ],
)
def test_an_address_that_is_none_is_refused_without_telling_it(url: str) -> None:
    with pytest.raises(db.DatabaseError) as caught:
        db.deployed(url)
    assert SECRET not in str(caught.value)
    assert "the database's address" in str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1:1", "nowhere.invalid"])
async def test_neither_password_nor_values_are_told(
    host: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    engine = db.deployed(f"postgresql://ezo:{SECRET}@{host}/ezo")
    assert not await db.answers(engine)
    with pytest.raises(db.DatabaseError) as caught:
        await db.upgrade(engine)
    assert SECRET not in f"{caught.value!r} {engine!r} {engine.url!r} {caplog.text}"
    await db.close(engine)


async def test_values_of_a_failing_command_are_not_told(
    lasting: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    command = text("INSERT INTO players (id, name) VALUES ('a', :name)")
    with pytest.raises(db.DatabaseError) as caught:
        async with db.writing(lasting, db.DatabaseError) as connection:
            await connection.execute(command, {"name": SECRET})
    assert str(caught.value) == "the database is away: IntegrityError"
    assert SECRET not in caplog.text


async def test_a_failed_transaction_leaves_nothing(lasting: AsyncEngine) -> None:
    command = text("INSERT INTO players VALUES ('a', 'A', 1, 'guest')")

    async def fail() -> None:
        async with db.writing(lasting, db.DatabaseError) as connection:
            await connection.execute(command)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    async with db.reading(lasting, db.DatabaseError) as connection:
        count = await connection.execute(text("SELECT count(*) FROM players"))
        assert count.scalar_one() == 0


async def test_a_file_is_written_for_good(tmp_path: Path) -> None:
    engine = db.embedded(tmp_path / "site.db")
    async with engine.connect() as connection:
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
            kept = await connection.execute(text(f"PRAGMA {pragma}"))
            assert kept.scalar_one() == value
    await db.close(engine)


async def test_a_lock_is_not_waited_for_for_ever(database: str) -> None:
    one, two = db.deployed(database), db.deployed(database)
    async with db.writing(one, db.DatabaseError, patience=30) as connection:
        await connection.execute(text("LOCK TABLE players"))
        with pytest.raises(LookupError, match="the database is away"):
            async with db.writing(two, LookupError) as waiting:
                await waiting.execute(text("SELECT * FROM players"))
    await db.close(one)
    await db.close(two)


async def test_a_process_that_is_cut_off_keeps_nobody_waiting_for_long(database: str) -> None:
    engine = db.deployed(database)
    async with db.reading(engine, db.DatabaseError) as connection:
        for name, value in (
            ("lock_timeout", "3s"),
            ("idle_in_transaction_session_timeout", "10s"),
            ("application_name", "ezo"),
        ):
            assert (await connection.execute(text(f"SHOW {name}"))).scalar_one() == value
    await db.close(engine)
