"""Computer players in the whole house: asked by what their seat sees, and no persons afterwards."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import computers
from app.bots.asked import Asked, NoAnswerError, answer
from app.history.leavers import Leavers
from app.history.lists import Wanted
from app.history.schema import given
from app.history.stats import Whose
from app.live.service import LiveTables
from app.live.thinking import Thinking, asked
from app.table.clock import PRESETS
from app.table.commands import Bot, Create, Leave
from app.table.decision import Accepted
from app.table.match import PACE_MS, THINK_MS
from app.table.playing import bots_to_act
from app.table.table import AnyGame, Table
from engine import games
from engine.domino.tiles import BIT, members
from engine.game import Json
from tests.app.houses import House, Wall, eventually, house
from tests.app.server import PATIENCE
from tests.app.tables import least, match_of, onward
from tests.ratings.people import people

DOMINO = games.game("domino", "georgian")
NARDI = games.game("nardi", "short")
BOTH = pytest.mark.parametrize("game", [DOMINO, NARDI], ids=lambda game: game.name)


class Minds:
    """Computer players who think in this process; a test may ask what they were told, or have
    them say nothing."""

    def __init__(self) -> None:
        self.told: list[Asked] = []
        self.silent = False
        self.gate: asyncio.Event | None = None

    async def choose(self, told: Asked, within: float) -> Json:
        assert 0 < within <= THINK_MS / 1000
        self.told.append(told)
        if self.gate is not None:
            await self.gate.wait()
        if self.silent:
            raise NoAnswerError("silent")
        return answer(told)


@pytest.fixture
def minds() -> Minds:
    return Minds()


@pytest.fixture
async def site(tmp_path: Path, minds: Minds) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        opened.worker.think = Thinking(opened.tables, minds.choose).see_to
        yield opened


async def against(site: House, game: AnyGame, level: str = "medium", table: str = "t1") -> Table:
    """A running match of Nino's against the computer."""
    bots = tuple(
        Bot(computers.player_of(level, seat), computers.name_of(level), level)
        for seat in range(1, game.seats(least(game)))
    )
    create = Create(
        *(table, game, least(game), PRESETS["standard"], False, "nino", "Nino"),
        bots=bots,
        fresh=LiveTables.fresh(),
    )
    assert isinstance(await site.tables.handle(table, create), Accepted)
    await site.presence.connected(table, "nino", site.presence.mark())
    assert isinstance(await site.hash("nino", table), Accepted)
    assert isinstance(await site.reveal("nino", table), Accepted)
    return await site.table(table)


async def play_out(site: House, rng: random.Random) -> Table:
    """Nino plays anything; the computer moves when its move is due."""
    table = await site.table()
    while table.status == "running":
        match = match_of(table)
        if bots_to_act(table):
            assert match.bot_at is not None
            await site.until(match.bot_at)
            after = await site.table()
            assert match_of(after).ply > match.ply, "it has moved in time"
        else:
            assert isinstance(await site.tables.handle("t1", onward(table, rng)), Accepted)
        table = await site.table()
    return table


@BOTH
async def test_a_whole_match_against_the_computer(site: House, minds: Minds, game: AnyGame) -> None:
    await people(site.ratings._engine, "nino")
    await against(site, game)
    table = await play_out(site, random.Random(1))
    await site.worker.work()
    match = match_of(table).id
    assert table.outbox == () or (await site.table()).outbox == ()
    log = await site.store.log("t1", 0)
    assert not [entry for entry in log if entry.event["event"] == "auto"], "no late move"
    kept = await site.history.match(match)
    assert kept is not None
    assert kept.players == ["nino", "computer:medium:1"]
    assert kept.names == ["Nino", "Computer (medium)"]
    # Never rated, and it says nothing of a player among players.
    ended = match_of(await site.table()).ended
    assert ended is not None
    assert (ended.kept, ended.ratings) == (True, None)
    assert await site.ratings.of("nino") == []
    stats = await site.history.stats(Whose("nino", game.name, game.rules))
    assert (stats.matches, stats.counted, stats.sums) == (0, 0, {})
    assert await site.history.course(Whose("nino", game.name, game.rules)) == []
    # It stands in the player's own list, and what chance gave counts like any other.
    assert [each.id for each in await site.history.of("nino", Wanted())] == [match]
    assert await site.players.find("computer:medium:1") is None
    assert minds.told
    offered = [action["action"] for told in minds.told for action in told.legal]
    assert "take_back" not in offered, "whoever wants to get on leaves that out"


async def test_nobody_is_asked_before_it_is_wanted(site: House, minds: Minds) -> None:
    table = await against(site, NARDI)
    while not bots_to_act(table):
        table = await site.onward(random.Random(9))
    await site.worker.think(table)
    assert minds.told == []
    await site.later(PACE_MS)
    assert len(minds.told) == 1


async def test_its_thoughts_are_given_the_view_and_nothing_else(site: House, minds: Minds) -> None:
    await against(site, DOMINO)
    await play_out(site, random.Random(2))
    for told in minds.told:
        assert told.view["seat"] == 1
        assert plain(told.view)
        assert plain(list(told.legal))
        assert json.loads(json.dumps(told.view)) == told.view
    assert set(Asked.__slots__) == {*("game", "rules", "level", "view", "legal", "seed")}


def plain(value: object) -> bool:
    """Nothing but JSON: no state, nor anything that leads to one."""
    if isinstance(value, dict):
        return all(type(key) is str and plain(each) for key, each in value.items())
    if isinstance(value, list):
        return all(map(plain, value))
    return value is None or type(value) in (str, int, bool, float)


async def test_whatever_is_hidden_it_is_told_the_same_t11(site: House) -> None:
    table = await against(site, DOMINO)
    rng = random.Random(3)
    compared = 0
    while table.status == "running":
        match = match_of(table)
        if bots_to_act(table):
            told = asked(table, 1)
            other = permuted(table, rng)
            if other is not None:
                compared += 1
                assert match_of(other).state != match.state
                again = asked(other, 1)
                assert (again.view, again.legal) == (told.view, told.legal)
            assert match.bot_at is not None
            await site.until(match.bot_at)
        else:
            assert isinstance(await site.tables.handle("t1", onward(table, rng)), Accepted)
        table = await site.table()
    assert compared > 5


def permuted(table: Table, rng: random.Random) -> Table | None:
    """The same table with the tiles that the computer does not see dealt otherwise."""
    match = match_of(table)
    state = match.state
    unseen = [*members(state.hands[0]), *state.bazaar]
    rng.shuffle(unseen)
    size = state.hands[0].bit_count()
    hand = sum(BIT[tile] for tile in unseen[:size])
    bazaar = tuple(unseen[size:])
    stock = sum(BIT[tile] for tile in bazaar[: state.open.left])
    other = state._replace(hands=(hand, state.hands[1]), bazaar=bazaar, stock=stock)
    if other == state:
        return None
    return replace(table, match=replace(match, state=other))


@BOTH
async def test_a_silent_computer_player_is_played_for(
    site: House, minds: Minds, game: AnyGame
) -> None:
    minds.silent = True
    table = await against(site, game)
    while not bots_to_act(table):
        table = await site.onward(random.Random(4))
    ply = match_of(table).ply
    await site.later(PACE_MS)
    assert match_of(await site.table()).ply == ply
    await site.later(THINK_MS)
    await site.worker.work()
    assert match_of(await site.table()).ply > ply
    log = await site.store.log("t1", table.number)
    assert "auto" in [entry.event["event"] for entry in log]


async def test_one_who_thinks_is_not_asked_again_and_the_table_goes_on(
    site: House, minds: Minds
) -> None:
    table = await against(site, NARDI)
    while not bots_to_act(table):
        table = await site.onward(random.Random(5))
    minds.gate = asyncio.Event()
    ply = match_of(table).ply
    await site.served(PACE_MS)
    working = asyncio.create_task(site.worker.work())
    await eventually(lambda: found(lambda: minds.told))
    # A blink of the opponent's makes the table due again.
    mark = site.presence.mark()
    await site.presence.connected("t1", "nino", mark)
    await site.presence.lost("t1", mark)
    async with asyncio.timeout(PATIENCE):
        await site.worker.think(await site.table())  # nobody is asked, and nothing waited for
    assert len(minds.told) == 1
    minds.gate.set()
    await working
    assert match_of(await site.table()).ply == ply + 1


async def found(look: Callable[[], Any]) -> Any:
    return look() or None


async def test_a_killed_house_leaves_its_thoughts_to_the_next(tmp_path: Path, minds: Minds) -> None:
    wall, folder = Wall(), tmp_path / "data"
    async with house(folder, wall) as first:
        table = await against(first, DOMINO)
        while not bots_to_act(table):
            table = await first.onward(random.Random(6))
        ply = match_of(table).ply
    async with house(folder, wall) as second:
        second.worker.think = Thinking(second.tables, minds.choose).see_to
        await second.presence.connected("t1", "nino", second.presence.mark())
        await second.later(20_000)
        assert match_of(await second.table()).ply > ply
        log = await second.store.log("t1", table.number)
        assert "auto" not in [entry.event["event"] for entry in log]


async def test_two_processes_may_both_ask_and_it_counts_once(tmp_path: Path, minds: Minds) -> None:
    wall, folder = Wall(), tmp_path / "data"
    async with house(folder, wall) as one, house(folder, wall, one.store) as other:
        table = await against(one, NARDI)
        while not bots_to_act(table):
            table = await one.onward(random.Random(7))
        ply = match_of(table).ply
        await one.served(PACE_MS)
        thinking = [Thinking(each.tables, minds.choose) for each in (one, other)]
        table = await one.table()
        await asyncio.gather(*(each.see_to(table) for each in thinking))
        assert len(minds.told) == 2
        assert match_of(await other.table()).ply == ply + 1


async def test_leaving_the_computer_keeps_nobody_waiting_t13(site: House) -> None:
    leavers = Leavers(site.ratings._engine)
    for name in ("t1", "t2", "t3", "t4"):
        table = await against(site, DOMINO, table=name)
        left = Leave("nino", f"leave-{name}", match_of(table).id)
        assert isinstance(await site.tables.handle(name, left), Accepted)
        await site.worker.work()
    assert len(await site.history.of("nino")) == 4
    assert await leavers.closed("nino", site.wall.ms) == 0


async def test_what_chance_gave_them_counts_for_the_report_on_chance(site: House) -> None:
    await against(site, NARDI)
    table = await play_out(site, random.Random(8))
    await site.worker.work()
    async with site.ratings._engine.connect() as connection:
        rows = (await connection.execute(given.select())).all()
    assert [row.match_id for row in rows] == [match_of(table).id]
    assert rows[0].counts
