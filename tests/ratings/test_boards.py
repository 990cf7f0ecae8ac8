"""Leaderboards: who stands where."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.history.history import History
from app.ratings.boards import MOST, Board, BoardKind, Boards, Row
from app.ratings.model import Skill
from app.ratings.ratings import Ratings
from app.ratings.schema import ratings
from tests.app.houses import eventually
from tests.history.kept import DOMINO, NARDI, finished
from tests.ratings.people import become, people, played, wiped
from tests.services.postgres import unsynced

MONDAY = round(datetime(2026, 11, 29, 20, tzinfo=UTC).timestamp() * 1000)
"""Monday, 30 November 2026, 0:00 in Tbilisi."""
WEEK = 7 * 86_400_000


async def rated(engine: AsyncEngine, *rows: tuple[str, int, int], week: int = MONDAY) -> None:
    """Ratings by player: as shown, and from how many matches."""
    new = Skill()
    values = [
        {
            "player": player,
            "game": "pebbles",
            "rules": "plain",
            "mu": new.mu,
            "sigma": new.sigma,
            "shown": shown,
            "matches": matches,
            "established": matches >= 10,
            "week": week,
            "gained": shown - 1500,
            "week_matches": matches,
            "updated_at": week,
        }
        for player, shown, matches in rows
    ]
    async with engine.begin() as connection:
        await connection.execute(insert(ratings), values)


async def board(
    engine: AsyncEngine, kind: BoardKind, of: str | None = None, limit: int = 50, now: int = MONDAY
) -> Board:
    boards = Boards(engine, lambda: now)
    return await boards.board(kind, "pebbles", "plain", limit=limit, of=of)


def places(board: Board) -> list[tuple[int, str, int]]:
    return [(row.place, row.player, row.value) for row in board.rows]


async def test_all_time_with_provisional_ratings_behind(lasting: AsyncEngine) -> None:
    await people(lasting, "nino", "gia", "luka", "eka", "dato", "tea")
    await rated(
        lasting,
        ("nino", 1700, 30),
        ("gia", 1900, 9),
        ("luka", 1700, 10),
        ("eka", 1400, 12),
        ("dato", 1900, 3),
    )
    found = await board(lasting, "all", of="tea")
    assert places(found) == [
        (1, "nino", 1700),
        (1, "luka", 1700),
        (3, "eka", 1400),
        (4, "gia", 1900),
        (4, "dato", 1900),
    ]
    assert [row.provisional for row in found.rows] == [False] * 3 + [True] * 2
    assert found.rows[1] == Row(1, "luka", "Luka", 1700, 10, provisional=False)
    assert found.own is None  # never rated
    assert (await board(lasting, "all")).own is None


async def test_the_own_place_is_there_wherever_it_is(lasting: AsyncEngine) -> None:
    names = [f"p{number:02}" for number in range(30)]
    await people(lasting, *names)
    await rated(lasting, *((name, 2000 - n // 2, 20) for n, name in enumerate(names)))
    found = await board(lasting, "all", of="p25", limit=5)
    assert len(found.rows) == 5
    assert found.own == Row(25, "p25", "P25", 1988, 20, provisional=False)
    inside = await board(lasting, "all", of="p03", limit=5)
    assert inside.own in inside.rows
    assert inside.own == (await board(lasting, "all", of="p03", limit=1)).own


async def test_a_board_is_bounded(lasting: AsyncEngine) -> None:
    names = [f"p{number:03}" for number in range(MOST + 5)]
    await people(lasting, *names)
    await rated(lasting, *((name, 1500, 20) for name in names))
    assert len((await board(lasting, "all", limit=10**9)).rows) == MOST
    assert len((await board(lasting, "all", limit=0)).rows) == 1


@pytest.mark.parametrize("kind", ["all", "week", "coins"])
async def test_deleted_players_are_on_no_board(lasting: AsyncEngine, kind: BoardKind) -> None:
    await people(lasting, "nino", "gia", "luka")
    ratings, history = Ratings(lasting), History(lasting)
    await ratings.rate(played("m1", ("nino", "gia"), at=MONDAY))
    await ratings.rate(played("m2", ("gia", "luka"), at=MONDAY + 1))
    for number, pair in enumerate((("nino", "gia"), ("gia", "luka"))):
        match = finished(f"m{number}", {**DOMINO, "end": {"winner": 0, "reason": "resigned"}}, pair)
        match = type(match)(**{
            **{name: getattr(match, name) for name in type(match).__slots__},
            "game": "pebbles", "rules": "plain", "stake": 50 + number,
            "coins": [50 + number, -50 - number],
        })  # fmt: skip
        await history.keep(match)
    assert len((await board(lasting, kind)).rows) == 3
    await become(lasting, "nino", "deleted")
    found = await board(lasting, kind, of="luka")
    assert [row.player for row in found.rows] == ["gia", "luka"]
    assert [row.place for row in found.rows] == [1, 2]
    assert found.own == found.rows[1] == (await board(lasting, kind, of="luka", limit=1)).own
    assert (await board(lasting, kind, of="nino")).own is None


async def test_the_name_is_the_present_one(lasting: AsyncEngine) -> None:
    await people(lasting, "nino", "gia")
    await Ratings(lasting).rate(played("m1"))
    async with lasting.begin() as connection:
        await connection.exec_driver_sql("UPDATE players SET name = 'ნინო' WHERE id = 'nino'")
    found = await board(lasting, "all")
    assert [row.name for row in found.rows] == ["ნინო", "Gia"]


async def test_the_week_begins_on_monday_in_tbilisi(lasting: AsyncEngine) -> None:
    await people(lasting, "nino", "gia", "luka")
    ratings = Ratings(lasting)
    await ratings.rate(played("m1", ("nino", "gia"), at=MONDAY - 1))
    assert places(await board(lasting, "week", now=MONDAY - 1)) == [
        (1, "nino", 105),
        (2, "gia", -105),
    ]
    assert places(await board(lasting, "week")) == []
    changes = await ratings.rate(played("m2", ("gia", "luka"), at=MONDAY))
    assert changes is not None
    gained = changes[0].after - changes[0].before
    # One of the week before is rated late: it changes that week no more, and not this one.
    await ratings.rate(played("m0", ("gia", "luka"), (1,), at=MONDAY - 5))
    found = await board(lasting, "week", of="nino")
    assert [(row.player, row.value, row.matches) for row in found.rows] == [
        ("gia", gained, 1),
        ("luka", changes[1].after - changes[1].before, 1),
    ]
    assert found.own is None
    assert places(await board(lasting, "week", now=MONDAY + WEEK)) == []


async def test_coins_of_the_game_alone(lasting: AsyncEngine) -> None:
    await people(lasting, "nino", "gia", "luka")
    history = History(lasting)
    first = finished("m1", DOMINO, ("nino", "gia"), stake=50)
    await history.keep(first)
    await history.keep(first)
    await history.keep(finished("m2", DOMINO, ("nino", "luka"), stake=20))
    await history.keep(finished("m3", NARDI, ("nino", "luka"), stake=1_000))
    await history.keep(finished("free", DOMINO, ("nino", "luka")))
    boards = Boards(lasting)
    found = await boards.board("coins", "domino", "georgian", of="nino")
    sign = 1 if DOMINO["end"]["winner"] == 0 else -1
    expected = {"nino": (sign * 70, 2), "gia": (-sign * 50, 1), "luka": (-sign * 20, 1)}
    assert {row.player: (row.value, row.matches) for row in found.rows} == expected
    assert [row.place for row in found.rows] == [1, 2, 3]
    assert found.own is not None
    assert found.own.value == sign * 70
    await agrees(lasting)


async def agrees(engine: AsyncEngine) -> None:
    """What is added up for the board is what the matches have moved."""
    sums = (
        "SELECT player, game, rules, sum(coins), count(*) FROM match_seats WHERE coins <> 0"
        " GROUP BY player, game, rules ORDER BY 1, 2, 3"
    )
    kept = "SELECT player, game, rules, coins, matches FROM winnings ORDER BY 1, 2, 3"
    async with engine.connect() as connection:
        added = (await connection.exec_driver_sql(sums)).all()
        assert [tuple(map(str, row)) for row in added] == [
            tuple(map(str, row)) for row in await connection.exec_driver_sql(kept)
        ]


async def test_coins_are_added_up_by_processes_at_once(database: str) -> None:
    engines = [db.deployed(database) for _ in range(2)]
    histories = [History(engine) for engine in engines]
    pairs = [("nino", "gia"), ("gia", "nino"), ("luka", "nino"), ("gia", "luka")]
    matches = [
        finished(f"m{number}", DOMINO, pairs[number % 4], stake=10 + number) for number in range(16)
    ]
    await asyncio.gather(*(each.keep(match) for match in matches for each in histories))
    await agrees(engines[0])
    async with engines[0].connect() as connection:
        deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        assert (await connection.exec_driver_sql(deadlocks)).scalar_one() == 0
    for engine in engines:
        await db.close(engine)


async def test_coins_are_locked_in_one_order(database: str) -> None:
    # Whoever waits for a player's row holds none of a player who comes later.
    engines = [db.deployed(database) for _ in range(2)]
    history = History(engines[0])
    await history.keep(finished("m0", DOMINO, ("eka", "tea"), stake=10))
    row = "SELECT coins FROM winnings WHERE player = '{}' FOR UPDATE NOWAIT"
    waits = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    async with engines[1].connect() as holder:
        await holder.exec_driver_sql(row.format("eka"))
        other = finished("m1", DOMINO, ("tea", "eka"), stake=10)
        keeping = asyncio.create_task(history.keep(other))

        async def waiting() -> bool | None:
            return bool((await holder.exec_driver_sql(waits)).scalar_one()) or None

        await eventually(waiting)
        await holder.exec_driver_sql(row.format("tea"))
        await holder.rollback()
    await keeping
    await agrees(engines[0])
    for engine in engines:
        await db.close(engine)


# ── the order, beside a plain one ─────────────────────────────────────────────────────────────

NAMES = [f"p{number}" for number in range(8)]
STANDING = st.dictionaries(
    st.sampled_from(NAMES), st.tuples(st.integers(1498, 1502), st.sampled_from([3, 9, 10, 11]))
)


@settings(max_examples=60)
@given(STANDING, st.sets(st.sampled_from(NAMES), max_size=3), st.integers(1, 8), st.booleans())
def test_the_order_is_that_of_a_plain_search(
    world: Any, standing: dict[str, tuple[int, int]], gone: set[str], limit: int, weekly: bool
) -> None:
    runner, engine = world
    kind: BoardKind = "week" if weekly else "all"

    def key(name: str) -> tuple[Any, ...]:
        shown, matches = standing[name]
        return (shown,) if weekly else (matches >= 10, shown)

    there = sorted(set(standing) - gone, key=lambda name: (*key(name), name), reverse=True)
    expected = {name: 1 + sum(key(other) > key(name) for other in there) for name in there}

    async def look() -> None:
        await wiped(engine, "ratings", "players")
        await people(engine, *NAMES)
        for name in gone:
            await become(engine, name, "deleted")
        if standing:
            await rated(engine, *((name, *what) for name, what in standing.items()))
        for name in NAMES:
            found = await board(engine, kind, of=name, limit=limit)
            assert [(row.player, row.place) for row in found.rows] == [
                (each, expected[each]) for each in there[:limit]
            ]
            own = found.own
            assert (own and (own.player, own.place)) == (
                (name, expected[name]) if name in expected else None
            )

    runner.run(look())


MATCHES = st.lists(
    st.tuples(
        st.permutations(NAMES[:3]),
        st.integers(0, 1),
        st.sampled_from([MONDAY - WEEK, MONDAY - 1, MONDAY, MONDAY + 5, MONDAY + WEEK]),
    ),
    max_size=8,
)


@settings(max_examples=40)
@given(MATCHES, st.sampled_from([MONDAY, MONDAY + WEEK]))
def test_a_weeks_gain_is_the_sum_of_its_changes(world: Any, drawn: list[Any], now: int) -> None:
    runner, engine = world

    async def look() -> None:
        await wiped(engine, "ratings", "rating_changes", "players")
        await people(engine, *NAMES)
        expected: dict[str, tuple[int, int]] = {}
        latest: dict[str, int] = {}
        for number, (who, winner, at) in enumerate(drawn):
            match = played(f"m{number}", who[:2], (winner,), at=at)
            changes = await Ratings(engine).rate(match)
            assert changes is not None
            for each in changes:
                # Once a later week has begun for a player, the one before is closed.
                latest[each.player] = max(latest.get(each.player, 0), at)
                if now <= at < now + WEEK:
                    gained, count = expected.get(each.player, (0, 0))
                    expected[each.player] = (gained + each.after - each.before, count + 1)
        closed = {name for name, at in latest.items() if at >= now + WEEK}
        found = await board(engine, "week", now=now)
        assert {row.player: (row.value, row.matches) for row in found.rows} == {
            name: what for name, what in expected.items() if name not in closed
        }

    runner.run(look())


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, AsyncEngine]]:
    engine = unsynced(tmp_path_factory.mktemp("boards") / "site.db")
    with asyncio.Runner() as runner:
        runner.run(db.upgrade(engine))
        yield runner, engine
        runner.run(db.close(engine))
