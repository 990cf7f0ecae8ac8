"""A deleted player's name is nowhere any more, and what they played stays (T14)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.history.forgetting import AT_ONCE
from app.history.history import Finished, History
from tests.history.kept import DOMINO, finished
from tests.history.test_history import MATCH
from tests.ratings.people import become, people


async def dump(engine: AsyncEngine) -> str:
    """All that is kept of matches."""
    async with engine.connect() as connection:
        rows = [tuple(row) for row in await connection.execute(text("SELECT * FROM matches"))]
    return repr(rows).casefold()


async def test_the_name_is_gone_everywhere(
    lasting: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    history = History(lasting)
    await people(lasting, "nino", "gia")
    many = AT_ONCE * 2 + 1
    for number in range(many):
        pair = ("nino", "gia") if number % 2 else ("gia", "nino")
        # Some of one moment: none is passed over.
        at = 1_000_000 + number // 3
        await history.keep(replace(finished(f"m{number}", players=pair), ended_at=at))
    other = finished("other", players=("gia", "luka"))
    await history.keep(other)
    await become(lasting, "nino", "deleted")
    await history.forget("nino")
    await history.forget("nino")
    for number in range(many):
        kept = await history.match(f"m{number}")
        assert kept is not None
        expected = ["", "Gia"] if number % 2 else ["Gia", ""]
        assert kept.names == kept.record["players"] == expected
        assert list(kept.record) == ["format", "players", *list(DOMINO)[1:]]
        assert kept.record["hands"] == DOMINO["hands"]
        assert "nino" in kept.players  # the id stays with the match
    assert await history.match("other") == other
    (summary, *_) = await history.of("gia")
    assert "Nino" not in summary.names
    # Carried again by an outbox that did not hear that it was kept.
    await history.keep(replace(finished("m1"), ended_at=1_000_000))
    kept = await history.match("m1")
    assert kept is not None
    assert kept.names == ["", "Gia"]
    assert "ALARM" not in caplog.text
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


async def test_a_match_that_is_kept_after_that_has_no_name(lasting: AsyncEngine) -> None:
    history = History(lasting)
    await people(lasting, "gia")
    await people(lasting, "nino", kind="deleted")
    await history.keep(finished("m1"))
    kept = await history.match("m1")
    assert kept is not None
    assert kept.names == kept.record["players"] == ["", "Gia"]


async def test_a_record_without_names_stays_as_it_is(lasting: AsyncEngine) -> None:
    history = History(lasting)
    await people(lasting, "nino", kind="deleted")
    await history.keep(MATCH)
    await history.forget("nino")
    kept = await history.match("m1")
    assert kept is not None
    assert kept.names == ["", "გია"]
    assert kept.record == MATCH.record


async def test_both_are_forgotten_at_once(lasting: AsyncEngine) -> None:
    history = History(lasting)
    await people(lasting, "nino", "gia", kind="deleted")
    names: dict[str, Any] = {"names": ["Nino", "Gia"]}
    async with lasting.begin() as connection:
        await connection.execute(text("UPDATE players SET kind = 'registered'"))
    for number in range(AT_ONCE + 2):
        await history.keep(finished(f"m{number}", at=number))
    assert "nino" in await dump(lasting)
    await asyncio.gather(history.forget("nino"), history.forget("gia"), history.forget("gia"))
    for number in range(AT_ONCE + 2):
        kept = await history.match(f"m{number}")
        assert kept is not None
        assert kept.names == kept.record["players"] == ["", ""], names
    assert "Nino" not in await dump(lasting)


async def test_deleting_races_keeping(database: str) -> None:
    engines = [db.deployed(database) for _ in range(2)]
    one, two = (History(engine) for engine in engines)

    async def delete(who: str) -> None:
        await become(engines[1], who, "deleted")
        await two.forget(who)

    for number in range(12):
        who = f"nino{number}"
        await people(engines[0], who, f"gia{number}")
        match: Finished = finished(f"m{number}", players=(who, f"gia{number}"))
        await asyncio.gather(one.keep(match), delete(who))
        kept = await one.match(match.id)
        assert kept is not None
        assert kept.names[0] == kept.record["players"][0] == ""
    for engine in engines:
        await db.close(engine)
