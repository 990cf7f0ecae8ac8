"""Lists of a player's matches, and what two have made of each other (T14)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db
from app.history.history import Finished, History
from app.history.lists import MOST, Cursor, Summary, Wanted
from app.ratings.boards import Boards
from tests.history.test_history import MATCH
from tests.services.postgres import unsynced


def match(
    number: int,
    players: list[str],
    winners: list[int] | None = None,
    *,
    game: str = "pebbles",
    rules: str = "plain",
    reason: str = "points",
    stake: int = 0,
    at: int | None = None,
) -> Finished:
    return replace(
        MATCH,
        id=f"m{number}",
        players=players,
        names=[each.title() for each in players],
        winners=[0] if winners is None else winners,
        score=[number + seat for seat in range(len(players))],
        game=game,
        rules=rules,
        reason=reason,
        stake=stake,
        coins=[stake if seat == 0 else -stake for seat in range(len(players))],
        ended_at=1_000 + number if at is None else at,
    )


MATCHES = [
    match(0, ["nino", "gia"]),
    match(1, ["gia", "nino"], stake=50),
    match(2, ["nino", "luka"], game="other"),
    match(3, ["nino", "gia", "luka"], [1, 2]),
    match(4, ["nino", "gia"], [], reason="void", stake=50),
    match(5, ["luka", "gia"]),
    match(6, ["nino", "gia"], rules="other", reason="resigned"),
]


async def ids(history: History, wanted: Wanted, player: str = "nino") -> list[str]:
    return [each.id for each in await history.of(player, wanted)]


@pytest.fixture
async def history(lasting: AsyncEngine) -> History:
    history = History(lasting)
    for each in MATCHES:
        await history.keep(each)
    return history


async def test_a_summary_says_all_but_the_record(history: History) -> None:
    (first, *_) = await history.of("nino")
    kept = await history.match(first.id)
    assert kept is not None
    assert first == Summary(*(getattr(kept, name) for name in Summary.__slots__))
    assert (first.id, first.reason, first.names) == ("m6", "resigned", ["Nino", "Gia"])
    assert await history.of("nobody") == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(), ["m6", "m4", "m3", "m2", "m1", "m0"]),
        (Wanted(game="other"), ["m2"]),
        (Wanted(game="pebbles", rules="plain"), ["m4", "m3", "m1", "m0"]),
        (Wanted(won=True), ["m6", "m2", "m0"]),
        (Wanted(won=False), ["m3", "m1"]),
        (Wanted(coins=True), ["m4", "m1"]),
        (Wanted(against="luka"), ["m3", "m2"]),
        (Wanted(against="gia", won=False, coins=True), ["m1"]),
        (Wanted(against="nobody"), []),
    ],
)
async def test_filters(history: History, wanted: Wanted, found: list[str]) -> None:
    assert await ids(history, wanted) == found


async def test_a_list_goes_on_where_it_ended(history: History) -> None:
    first = await history.of("nino", limit=4)
    rest = await history.of("nino", before=first[-1].cursor, limit=4)
    assert [each.id for each in [*first, *rest]] == await ids(history, Wanted())
    assert await history.of("nino", before=rest[-1].cursor) == []


async def test_a_list_is_bounded(lasting: AsyncEngine) -> None:
    history = History(lasting)
    for number in range(MOST + 1):
        await history.keep(match(number, ["nino", "gia"]))
    assert len(await history.of("nino", limit=10**9)) == MOST
    assert len(await history.of("nino", limit=-1)) == 1


@pytest.mark.parametrize("odd", ["\x00", "\ud800", "'; DROP TABLE matches"])
async def test_what_no_game_and_no_match_is_called_finds_nothing(
    history: History, odd: str
) -> None:
    for wanted in (Wanted(game=odd), Wanted(rules=odd), Wanted(against=odd)):
        assert await history.of("nino", wanted) == []
    assert await history.of("nino", before=(0, odd)) == []
    assert await history.of("nino", before=(10**30, "m1")) == []
    assert len(await history.of("nino")) == 6


async def test_head_to_head(history: History) -> None:
    both = await history.between("nino", "gia")
    assert (both.matches, both.wins, both.points) == (4, (2, 2), (0 + 2 + 3 + 6, 1 + 1 + 4 + 7))
    assert both.last is not None
    assert both.last.id == "m6"
    turned = await history.between("gia", "nino")
    assert (turned.wins, turned.points) == (both.wins[::-1], both.points[::-1])
    one = await history.between("nino", "gia", "pebbles", "plain")
    assert (one.matches, one.wins) == (3, (1, 2))
    assert one.last is not None
    assert one.last.id == "m3"  # the void one decided nothing
    none = await history.between("nino", "nobody")
    assert (none.matches, none.wins, none.points, none.last) == (0, (0, 0), (0, 0), None)


PLAYED = st.lists(
    st.tuples(
        st.permutations(["nino", "gia", "luka", "eka"]),
        st.integers(2, 4),
        st.integers(0, 3),  # many of one moment
        st.sampled_from(["points", "void"]),
        st.sampled_from(["pebbles", "other"]),
        st.sampled_from([0, 50]),
    ),
    max_size=8,
)


@settings(max_examples=40)
@given(PLAYED, st.integers(1, 3), st.data())
def test_lists_are_what_a_plain_search_finds(
    runner: asyncio.Runner,
    engine: AsyncEngine,
    drawn: list[tuple[list[str], int, int, str, str, int]],
    page: int,
    data: st.DataObject,
) -> None:
    matches = [
        match(
            number,
            who[:seats],
            [] if reason == "void" else [number % seats],
            game=game,
            reason=reason,
            stake=stake,
            at=at,
        )
        for number, (who, seats, at, reason, game, stake) in enumerate(drawn)
    ]
    game = data.draw(st.sampled_from([None, "pebbles"]))
    against = data.draw(st.sampled_from([None, "gia", "eka"]))
    won = data.draw(st.sampled_from([None, True, False]))
    coins = data.draw(st.booleans())
    wanted = Wanted(game=game, won=won, coins=coins, against=against)

    def is_wanted(each: Finished) -> bool:
        if "nino" not in each.players or (against and against not in each.players):
            return False
        mine = each.players.index("nino") in each.winners
        decided = each.reason != "void"
        return (
            (game is None or each.game == game)
            and (won is None or (decided and mine == won))
            and (not coins or each.stake > 0)
        )

    expected = sorted(
        ((each.ended_at, each.id) for each in matches if is_wanted(each)), reverse=True
    )

    async def look() -> None:
        async with engine.begin() as connection:
            for table in ("given", "figures", "winnings", "match_seats", "matches"):
                await connection.exec_driver_sql(f"DELETE FROM {table}")
        history = History(engine)
        for each in matches:
            await history.keep(each)
        found: list[Cursor] = []
        before: Cursor | None = None
        while some := await history.of("nino", wanted, before, page):
            before = some[-1].cursor
            found += [each.cursor for each in some]
        assert found == expected

    runner.run(look())


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def engine(
    runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AsyncEngine]:
    engine = unsynced(tmp_path_factory.mktemp("lists") / "site.db")
    runner.run(db.upgrade(engine))
    yield engine
    runner.run(db.close(engine))


async def test_matches_of_private_tables_are_listed_to_their_players_alone(
    lasting: AsyncEngine,
) -> None:
    """Whoever has the link sees such a match; a list would hand the link to everybody."""
    history = History(lasting)
    await history.keep(match(0, ["nino", "gia"], stake=50))
    await history.keep(replace(match(1, ["nino", "gia"], stake=500), public=False))
    assert await ids(history, Wanted()) == ["m1", "m0"]
    assert await ids(history, Wanted(public=True)) == ["m0"]
    assert (await history.between("nino", "gia")).matches == 2
    kept = await history.match("m1")
    assert kept is not None
    assert not kept.public
    # Nor do coins that are handed on there win anybody a place.
    board = await Boards(lasting).board("coins", "pebbles", "plain", of="nino")
    assert [(row.player, row.value) for row in board.rows] in ([("nino", 50)], [])
    async with lasting.connect() as connection:
        rows = (await connection.execute(text("SELECT player, coins FROM winnings"))).all()
    assert sorted(map(tuple, rows)) == [("gia", -50), ("nino", 50)]


async def test_the_tables_of_a_players_last_matches(lasting: AsyncEngine) -> None:
    history = History(lasting)
    for number, table in enumerate(("t1", "t2", "t2", "t3")):
        await history.keep(replace(match(number, ["nino", "gia"]), table_id=table))
    assert await history.tables("nino") == ["t3", "t2", "t1"]
    assert await history.tables("nino", 2) == ["t3", "t2"]
    assert await history.tables("nobody") == []
