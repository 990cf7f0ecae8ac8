"""Reports and blocks through the pages, what blocks do, and leaving too often."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.history.leavers import CLOSED_MS, DAY_MS, MOST, Leavers
from app.live.fairplay import FairPlay
from app.operator.__main__ import main
from app.players.blocks import Blocks
from app.players.players import PlayersError
from app.table.commands import Leave, Resign
from tests.app.browsers import Browser, Seat, started
from tests.app.houses import House, Wall, house
from tests.app.purses import NARDI, code
from tests.app.server import Server
from tests.app.tables import match_of

PASSWORD = "ლეღვის ხე 7"


async def finished(browsers: list[Browser]) -> str:
    """A match that one has resigned, kept."""
    seats: list[Seat] = await started(browsers, "nardi", "short", points="1")
    match: str = seats[0].table["match"]
    await seats[1].accepted("resign", match=match)
    await seats[0].table_is(lambda told: told["ended"] is not None and told["ended"]["kept"])
    return match


def register(browser: Browser, name: str) -> None:
    form = {"name": name, "password": PASSWORD}
    assert browser.post("/register", form).status_code == 200


async def test_an_opponent_is_reported_and_blocked_from_the_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(tmp_path / "data") as server:
        nino, gia, other = Browser(server), Browser(server), Browser(server)
        await asyncio.to_thread(register, nino, "ნინო")
        match = await finished([nino, gia])
        page = f"/m/{match}"
        seat = "1"
        said = {"seat": seat, "cause": "stalls", "words": "დრო გაწელა"}
        assert other.post(f"{page}/report", said).status_code == 403
        assert 'id="fair-play"' not in other.get(page).text
        for wrong in (
            {**said, "cause": "nothing"},
            {**said, "seat": "0"},
            {**said, "seat": "7"},
            {**said, "words": "ა" * 501},
            {**said, "words": "ნინო\x00"},
            {},
        ):
            assert nino.post(f"{page}/report", wrong).status_code == 422
        for _ in range(2):
            assert nino.post(f"{page}/report", said).status_code == 303
        assert "საჩივარი გაგზავნილია" in nino.get(page).text
        assert "საჩივარი გაგზავნილია" not in gia.get(page).text
        # A guest reports, but has no list of whom not to meet.
        assert gia.post(f"{page}/block", {"seat": "0", "blocked": "1"}).status_code == 403
        assert nino.post(f"{page}/block", {"seat": seat, "blocked": "1"}).status_code == 303
        table = nino.make_table("domino", "georgian", target="75")
        refused = gia.post(f"/t/{table}/sit", {})
        assert (refused.status_code, "ვერ დაჯდები" in refused.text) == (409, True)
        own = nino.get("/me").text
        mark = own.partition('name="mark" value="')[2].partition('"')[0]
        assert nino.post("/me/unblock", {"mark": mark}).status_code == 303
        assert "დაბლოკილები" not in nino.get("/me").text
        assert gia.post(f"/t/{table}/sit", {}).status_code == 303
    data = ["--data", str(tmp_path / "data")]
    await asyncio.to_thread(main, [*data, "reports"])
    (line,) = capsys.readouterr().out.splitlines()
    assert f"cause=stalls match={match}" in line
    assert "about_name=" in line
    assert json.dumps("დრო გაწელა", ensure_ascii=False) in line
    report = line.partition("report=")[2].split()[0]
    assert await asyncio.to_thread(main, [*data, "reports", "close", report]) == 0
    assert await asyncio.to_thread(main, [*data, "reports", "close", report]) == 1
    capsys.readouterr()
    assert await asyncio.to_thread(main, [*data, "reports"]) == 0
    assert capsys.readouterr().out == ""
    await asyncio.to_thread(main, [*data, "reports", "--all"])
    assert "closed=20" in capsys.readouterr().out


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path / "data", Wall()) as opened:
        yield opened


async def end_by(site: House, table: str, command: type[Leave | Resign]) -> None:
    """A match of nino and gia that gia ends, kept."""
    match = match_of(await site.start("nino", "gia", table=table, game=NARDI)).id
    assert (
        code(await site.tables.handle(table, command("gia", f"end-{table}", match))) == "accepted"
    )
    await site.worker.work()


async def test_who_leaves_three_matches_a_day_finds_quick_match_closed(site: House) -> None:
    leavers = Leavers(site.history._engine)
    calendar = site.tables.clock.calendar()

    async def closed(player: str) -> int:
        return await leavers.closed(player, site.tables.clock.now() + calendar)

    await end_by(site, "r1", Resign)  # which is no leaving
    for n in range(MOST):
        assert await closed("gia") == 0
        await end_by(site, f"t{n}", Leave)
    assert await closed("gia") == CLOSED_MS
    assert await closed("nino") == 0
    await site.later(CLOSED_MS // 2, every=60_000)
    assert await closed("gia") == CLOSED_MS // 2
    await site.later(CLOSED_MS // 2, every=60_000)
    assert await closed("gia") == 0
    # One more, and it is closed again; a day later all is forgotten.
    await end_by(site, "t9", Leave)
    assert await closed("gia") == CLOSED_MS
    assert await leavers.closed("gia", site.tables.clock.now() + calendar + DAY_MS) == 0


async def test_nothing_of_it_stops_play_while_the_database_is_away(
    site: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = Blocks(site.history._engine)
    await site.players.meet("nino", "Nino", 1)
    await site.players.meet("gia", "Gia", 1)
    await blocks.block("nino", "gia", 1)
    fair = FairPlay(blocks, Leavers(site.history._engine), site.meetings)
    site.tables.apart = fair.apart
    await site.make("nino", game=NARDI)
    assert code(await site.sit("gia")) == "apart"
    assert await fair.unwanted("gia", 50) == {"nino"}

    async def lost(*_: object) -> bool:
        raise PlayersError

    monkeypatch.setattr(blocks, "are_apart", lost)
    assert code(await site.sit("gia")) == "accepted"
    await fair.close()
