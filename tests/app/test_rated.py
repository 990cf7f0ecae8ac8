"""Ratings through the whole house: once for each match, whatever dies when (T14)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.players.accounts import Accounts
from app.players.passwords import Passwords
from app.ratings.ratings import Change, RatingsError
from app.table.commands import Settled, Void
from app.table.decision import Accepted
from app.table.match import Rated
from tests.app.houses import START, House, Wall, house
from tests.app.purses import NARDI, STAKE, resign, rich, sound
from tests.app.tables import create, match_of
from tests.ratings.people import become, people

DATABASES = pytest.mark.parametrize("ground", ["sqlite", "postgres"])


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    """A house whose players are registered."""
    async with house(tmp_path / "data", Wall()) as opened:
        await people(opened.ratings._engine, "nino", "gia", "dato")
        yield opened


async def told(site: House, table: str = "t1") -> tuple[Rated, ...] | None:
    ended = match_of(await site.table(table)).ended
    assert ended is not None
    return ended.ratings


async def matches(site: House, *who: str) -> list[int]:
    found = [await site.ratings.of(player) for player in who or ("nino", "gia")]
    return [sum(each.matches for each in ratings) for ratings in found]


async def test_the_table_is_told_by_seat(site: House) -> None:
    await site.start("nino", "gia", game=NARDI)
    match = await resign(site, "nino")
    assert await told(site) is None
    await site.worker.work()
    assert await told(site) == (Rated(1500, 1395, True), Rated(1500, 1605, True))
    changes = await site.ratings.changes(match)
    assert changes is not None
    assert [each.player for each in changes] == ["nino", "gia"]
    assert (changes[0].game, changes[0].rules, changes[0].at) == ("nardi", "short", START)
    assert (await site.table()).outbox == ()


async def test_several_seats_and_several_winners(site: House) -> None:
    await site.start("nino", "gia", "dato")
    await resign(site, "gia")
    await site.worker.work()
    ratings = await told(site)
    assert ratings is not None
    assert [each.after > each.before for each in ratings] == [True, False, True]


async def test_a_guests_match_is_not_rated(site: House) -> None:
    await become(site.ratings._engine, "gia", "guest")
    await site.start("nino", "gia", game=NARDI)
    match = await resign(site)
    await site.worker.work()
    ended = match_of(await site.table()).ended
    assert ended is not None
    assert (ended.kept, ended.ratings) == (True, None)
    assert await site.ratings.changes(match) is None


async def test_who_has_registered_while_playing_is_rated(site: House) -> None:
    await site.start("nino", "eka", game=NARDI)
    accounts = Accounts(site.ratings._engine, Passwords())
    await accounts.register("eka", "ეკატერინე", "long enough 123", "phone", START)
    await resign(site, "eka")
    await site.worker.work()
    assert await told(site) is not None


async def test_a_private_table_is_not_rated(site: House) -> None:
    made = await site.tables.handle("t1", create(NARDI, "nino", public=False))
    assert isinstance(made, Accepted)
    await site.sit("gia")
    for player in ("nino", "gia"):
        await site.presence.connected("t1", player, site.presence.mark())
        await site.hash(player)
    for player in ("nino", "gia"):
        await site.reveal(player)
    await resign(site)
    await site.worker.work()
    assert await told(site) is None
    assert await matches(site) == [0, 0]


async def test_a_void_match_is_not_rated_t5(site: House) -> None:
    table = await site.start("nino", "gia", game=NARDI)
    await site.tables.handle("t1", Void("dato", match_of(table).id))
    await site.worker.work()
    assert await told(site) is None
    assert await matches(site) == [0, 0]


async def test_a_database_that_is_away_leaves_the_entry_to_be_tried_again(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await rich(site)
    await site.start("nino", "gia", game=NARDI, stake=STAKE)
    match = await resign(site)

    async def away(_: object) -> None:
        raise RatingsError("away")

    with monkeypatch.context() as patched:
        patched.setattr(site.ratings, "rate", away)
        await site.worker.work()
        assert [entry.kind for entry in (await site.table()).outbox] == ["ended"]
        assert await site.history.match(match) is not None  # what came before has been done
    await site.later(61_000)
    assert await told(site) == (Rated(1500, 1605, True), Rated(1500, 1395, True))
    assert (await site.table()).outbox == ()
    assert await site.history.match(match) is not None
    await sound(site)


async def test_a_failure_between_the_rating_and_the_table(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.start("nino", "gia", game=NARDI)
    match = await resign(site)
    handle = site.tables.handle

    async def dies(table: str, command: Any) -> Any:
        if isinstance(command, Settled):
            raise ConnectionError
        return await handle(table, command)

    with monkeypatch.context() as patched:
        patched.setattr(site.tables, "handle", dies)
        await site.worker.work()
    first = await site.ratings.changes(match)
    assert first is not None
    assert await told(site) is None
    # Meanwhile another match of theirs is rated: the first one's answer stays what it was.
    await site.start("nino", "gia", game=NARDI, table="t2")
    await resign(site, "nino", "t2")
    await site.worker.work()
    await site.later(61_000)
    assert await site.ratings.changes(match) == first
    assert await told(site) == tuple(
        Rated(each.before, each.after, each.provisional) for each in first
    )
    assert await matches(site) == [2, 2]


@DATABASES
async def test_carried_twice_by_two_processes_at_once_it_is_rated_once(
    tmp_path: Path, ground: str, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("database") if ground == "postgres" else None
    wall, folder = Wall(), tmp_path / "data"
    async with (
        house(folder, wall, database=database) as one,
        house(folder, wall, one.store, database=database) as two,
    ):
        await people(one.ratings._engine, "nino", "gia")
        kept: list[tuple[Change, ...] | None] = []
        for number in range(4):
            table = f"t{number}"
            await one.start("nino", "gia", game=NARDI, table=table)
            match = await resign(one, table=table)
            ended = await one.table(table)
            (entry,) = [each for each in ended.outbox if each.kind == "ended"]
            carried = [each.outbox.carry(ended, entry) for each in (one, two, one)]
            await asyncio.gather(*carried)
            await two.outbox.carry(ended, entry)
            kept.append(await one.ratings.changes(match))
            assert await matches(one) == [number + 1] * 2
            changes = kept[-1]
            assert changes is not None
            assert await told(one, table) == tuple(
                Rated(each.before, each.after, each.provisional) for each in changes
            )
        afters = [each[0].after for each in kept if each is not None]
        befores = [each[0].before for each in kept if each is not None]
        assert befores == [1500, *afters[:-1]]
