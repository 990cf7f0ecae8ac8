"""Every match is rated once, whoever asks how often (T14)."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.ratings.model import ESTABLISHED, Skill, after
from app.ratings.ratings import Played, Ratings, RatingsError
from tests.ratings.people import AT, become, kept, people, played, wiped
from tests.services.postgres import unsynced


async def test_two_newcomers_t14(lasting: AsyncEngine) -> None:
    await people(lasting, "nino", "gia")
    ratings = Ratings(lasting)
    assert await ratings.rating("nino", "pebbles", "plain") is None
    changes = await ratings.rate(played("m1", winners=(1,)))
    assert changes is not None
    assert [(each.seat, each.player, each.won) for each in changes] == [
        (0, "nino", False),
        (1, "gia", True),
    ]
    assert [(each.before, each.after, each.provisional) for each in changes] == [
        (1500, 1395, True),
        (1500, 1605, True),
    ]
    assert await ratings.changes("m1") == changes
    assert await ratings.changes("m2") is None
    one = await ratings.rating("gia", "pebbles", "plain")
    assert one is not None
    assert (one.shown, one.matches, one.provisional, one.updated_at) == (1605, 1, True, AT)
    assert await ratings.of("gia") == [one]
    assert await ratings.of("nobody") == []


async def test_each_rule_set_has_a_rating_of_its_own(lasting: AsyncEngine) -> None:
    await people(lasting, "nino", "gia")
    ratings = Ratings(lasting)
    await ratings.rate(played("m1"))
    await ratings.rate(played("m2", rules="other"))
    assert [(each.rules, each.shown) for each in await ratings.of("nino")] == [
        ("other", 1605),
        ("plain", 1605),
    ]


async def test_a_rating_is_provisional_until_ten_matches(lasting: AsyncEngine) -> None:
    await people(lasting, "nino", "gia")
    ratings = Ratings(lasting)
    said = []
    for number in range(ESTABLISHED + 1):
        changes = await ratings.rate(played(f"m{number}", winners=(number % 2,), at=AT + number))
        assert changes is not None
        said.append(changes[0].provisional)
        now = await ratings.rating("nino", "pebbles", "plain")
        assert now is not None
        assert (now.provisional, now.matches) == (said[-1], number + 1)
    assert said == [True] * 9 + [False] * 2
    course = await ratings.course("nino", "pebbles", "plain", limit=3)
    assert [each.match for each in course] == ["m10", "m9", "m8"]
    assert course[0].before == course[1].after


async def test_a_match_changes_what_the_one_before_has_left(lasting: AsyncEngine) -> None:
    await people(lasting, "nino", "gia", "luka")
    ratings = Ratings(lasting)
    await ratings.rate(played("m1", ("nino", "gia")))
    await ratings.rate(played("m2", ("luka", "nino", "gia"), (0,)))
    nino, gia = after([Skill(), Skill()], [0])
    expected = after([Skill(), nino, gia], [0])
    assert await kept(lasting) == {
        name: (skill.mu, skill.sigma, skill.shown, matches)
        for name, skill, matches in zip(["luka", "nino", "gia"], expected, [1, 2, 2], strict=True)
    }


@pytest.mark.parametrize(
    "other",
    [
        {"public": False},
        {"winners": ()},  # void
        {"winners": (0, 1)},
        {"winners": (2,)},
        {"players": ("nino", "nino")},
        {"players": ("nino", "guest")},
        {"players": ("gone", "gia")},
        {"players": ("nino", "nobody")},
        {"players": ("nino",)},
    ],
)
async def test_what_is_not_rated_leaves_nothing(
    lasting: AsyncEngine, other: dict[str, Any]
) -> None:
    await people(lasting, "nino", "gia")
    await people(lasting, "guest", kind="guest")
    await people(lasting, "gone", kind="deleted")
    ratings = Ratings(lasting)
    assert await ratings.rate(replace(played("m1"), **other)) is None
    assert await ratings.changes("m1") is None
    assert await kept(lasting) == {}


async def test_asked_again_it_gives_the_same_answer(
    lasting: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    await people(lasting, "nino", "gia")
    ratings = Ratings(lasting)
    first = await ratings.rate(played("m1"))
    await ratings.rate(played("m2", winners=(1,)))
    before = await kept(lasting)
    # The calendar may say otherwise the second time, and one of them has gone meanwhile.
    await become(lasting, "gia", "deleted")
    assert await ratings.rate(played("m1", at=AT + 5)) == first
    assert await kept(lasting) == before
    assert "ALARM" not in caplog.text


@pytest.mark.parametrize(
    "other",
    [
        {"winners": (1,)},
        {"players": ("gia", "nino")},
        {"players": ("nino", "luka")},
        {"players": ("nino", "gia", "luka")},
        {"rules": "other"},
        {"game": "other"},
    ],
)
async def test_other_content_is_an_alarm_and_changes_nothing(
    lasting: AsyncEngine, other: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    await people(lasting, "nino", "gia", "luka")
    ratings = Ratings(lasting)
    first = await ratings.rate(played("m1"))
    before = await kept(lasting)
    assert await ratings.rate(replace(played("m1"), **other)) is None
    assert caplog.text.count("ALARM: match m1") == 1
    assert await ratings.changes("m1") == first
    assert await kept(lasting) == before


async def test_many_at_once_are_rated_once_each(
    lasting: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    names = ["eka", "gia", "luka", "nino"]
    await people(lasting, *names)
    ratings = Ratings(lasting)
    pairs = list(itertools.permutations(names, 2))
    matches = [played(f"m{n}", pair, at=AT + n) for n, pair in enumerate(pairs)]
    answers = await asyncio.gather(*(ratings.rate(each) for each in matches for _ in range(2)))
    for number in range(len(matches)):
        assert answers[2 * number] == answers[2 * number + 1] is not None
    assert {name: row[3] for name, row in (await kept(lasting)).items()} == dict.fromkeys(names, 6)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_two_processes_rate_the_same_matches_at_once(database: str) -> None:
    engines = [db.deployed(database) for _ in range(3)]
    names = ["eka", "gia", "luka", "nino"]
    await people(engines[0], *names)
    every = [Ratings(engine) for engine in engines]
    for each in every:  # all are connected: nobody comes late
        await each.of("nobody")
    orders = [names, names[::-1], ["luka", "eka", "nino", "gia"]]
    for number in range(12):
        # The same match thrice, and beside it the same people in other orders at other tables.
        same = played(f"m{number}", names[:2], at=AT + number)
        others = [
            played(f"{who}-{number}", order, (number % 4,)) for who, order in enumerate(orders)
        ]
        answers = await asyncio.gather(
            *(each.rate(same) for each in every),
            *(each.rate(match) for each, match in zip(every, others, strict=True)),
        )
        assert answers[0] == answers[1] == answers[2] is not None
    rows = await kept(engines[0])
    assert [rows[name][3] for name in names] == [48, 48, 36, 36]
    for name in names:
        course = await every[0].course(name, "pebbles", "plain", 99)
        # Each has begun where another has ended: none was lost.
        begun, ended = {each.before for each in course}, {each.after for each in course}
        assert begun - ended == {1500} or begun <= ended
    async with engines[0].connect() as connection:
        deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        assert (await connection.exec_driver_sql(deadlocks)).scalar_one() == 0
    for engine in engines:
        await db.close(engine)


async def test_ratings_that_are_away_say_so() -> None:
    nowhere = db.deployed("postgresql://ezo@127.0.0.1:1/ezo")
    with pytest.raises(RatingsError, match="away"):
        await Ratings(nowhere).rate(played("m1"))
    with pytest.raises(RatingsError):
        await Ratings(nowhere).of("nino")
    await db.close(nowhere)


NAMES = ["eka", "gia", "luka", "nino"]
MATCHES = st.lists(
    st.tuples(st.permutations(NAMES), st.integers(2, 4)).flatmap(
        lambda drawn: st.tuples(
            st.just(tuple(drawn[0][: drawn[1]])),
            st.sets(st.integers(0, drawn[1] - 1), min_size=1, max_size=drawn[1] - 1),
        )
    ),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def engine(
    runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AsyncEngine]:
    engine = unsynced(tmp_path_factory.mktemp("ratings") / "site.db")
    runner.run(db.upgrade(engine))
    runner.run(people(engine, *NAMES))
    yield engine
    runner.run(db.close(engine))


@given(MATCHES, st.data())
def test_rated_once_under_any_order_of_repeats(
    runner: asyncio.Runner, engine: AsyncEngine, drawn: list[Any], data: st.DataObject
) -> None:
    matches = [
        Played(f"m{n}", "pebbles", "plain", who, winners, AT + n, public=True)
        for n, (who, winners) in enumerate(drawn)
    ]
    asked = data.draw(st.lists(st.sampled_from(matches), max_size=12)) + matches
    first = list(dict.fromkeys(each.match for each in asked))

    async def ask() -> None:
        await wiped(engine, "ratings", "rating_changes")
        answers: dict[str, Any] = {}
        for each in asked:
            answer = await Ratings(engine).rate(each)
            assert answer is not None
            assert answers.setdefault(each.match, answer) == answer
        # As if each had been asked for once, in the order in which it first was.
        skills = {name: Skill() for name in NAMES}
        by_id = {each.match: each for each in matches}
        for match in first:
            it = by_id[match]
            now = after([skills[name] for name in it.players], it.winners)
            skills.update(zip(it.players, now, strict=True))
        rows = await kept(engine)
        for name, (mu, sigma, shown, _) in rows.items():
            assert (mu, sigma, shown) == (skills[name].mu, skills[name].sigma, skills[name].shown)

    runner.run(ask())
