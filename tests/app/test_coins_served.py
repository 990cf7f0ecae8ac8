"""Coins as real servers serve them: pages, an operator beside them, and a deployed site of two
processes whose Redis goes away (T2–T5)."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.app.browsers import Browser, Seat, level, move, shake
from tests.app.houses import eventually
from tests.app.operators import typed
from tests.app.server import Server
from tests.app.test_health import deployed
from tests.services.redis import Redis

STAKE = 100


async def operated(site: Server, *arguments: str) -> str:
    """What an operator's command says, on the ground that the site stands on."""
    given = {"EZO_DATA": str(site.data), "EZO_OPERATOR": "keti"} | site._environment
    status, said, complained = await typed(given, *arguments)
    assert (status, complained) in {(0, ""), (0, "ezo: nothing waits\n")}
    return said


async def is_known(site: Server, name: str) -> bool:
    """Whether an operator finds a player of that name: who has just come is met a moment later."""
    given = {"EZO_DATA": str(site.data), "EZO_OPERATOR": "keti"} | site._environment
    status, said, _ = await typed(given, "players", name)
    assert status == 0
    return bool(said)


async def newcomer(site: Server, name: str, coins: int = 0) -> Browser:
    """A player of that name, whom an operator gives coins."""
    browser = Browser(site)
    assert browser.post("/name", {"name": name, "back": "/"}).status_code == 303

    async def met() -> bool | None:
        return await is_known(site, name) or None

    await eventually(met)
    if coins:
        await operated(site, "grant", name, str(coins), "--reason", "to play with")
    return browser


async def coins_of(browser: Browser) -> Any:
    answer = await asyncio.to_thread(browser.get, "/coins")
    assert answer.status_code == 200
    return answer.json()["coins"]


async def become(browsers: Sequence[Browser], *wanted: int) -> None:
    """Wait until they have so many coins."""

    async def look() -> bool | None:
        return [await coins_of(browser) for browser in browsers] == list(wanted) or None

    await eventually(look)


async def begun(browsers: Sequence[Browser], target: str = "75") -> list[Seat]:
    """The seats of a coin match that has just begun."""
    table = browsers[0].make_table("domino", "georgian", target=target, stake=str(STAKE))
    browsers[1].sit(table)
    seats = [await browser.open(table) for browser in browsers]
    for seat in seats:
        await seat.table_is(lambda told: told["status"] == "handshake")
    await level(seats)
    await shake(seats)
    return seats


async def test_guests_are_told_why_and_refused_t2(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as site:
        guest = Browser(site)
        page = guest.get("/").text
        assert "ქოინებზე თამაშს ანგარიში სჭირდება" in page
        assert 'name="stake"' not in page
        refused = guest.post(
            "/tables", {"game": "domino", "rules": "georgian", "target": "75", "stake": "50"}
        )
        assert refused.status_code == 409
        assert "ამ ფსონს ვერ დაფარავ" in refused.text
        for stake in ("49", "60", "-50", "x", "100000"):
            form = {"game": "domino", "rules": "georgian", "target": "75", "stake": stake}
            assert guest.post("/tables", form).status_code == 422
        # A free table takes no coins and no account.
        guest.make_table("domino", "georgian", target="75", stake="0")
        assert await coins_of(guest) is None
        assert site.log() == ""


async def test_who_has_coins_sees_them_and_what_they_can_stake_t4(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as site:
        rich = await newcomer(site, "ნინო", 1_200)
        poor = await newcomer(site, "გია", 70)
        page = rich.get("/").text
        assert '<span id="purse">1\u00a0200</span>' in page
        chips = re.findall(r'name="stake" value="(\d+)"[^>]*?( disabled)? required', page)
        assert chips[:8] == [
            *(("0", ""), ("50", ""), ("100", ""), ("500", ""), ("1000", "")),
            *(("5000", " disabled"), ("10000", " disabled"), ("50000", " disabled")),
        ]
        assert "შენ 1\u00a0200 ქოინი გაქვს" in page
        form = {"public": "1", "target": "75", "stake": "100"}
        table = rich.make_table("domino", "georgian", **form)
        row = poor.get("/").text.partition('<li class="row"')[2].partition("</li>")[0]
        assert "ფსონი 100 · ბანკი 200" in row
        assert "ამდენი ქოინი არ გაქვს" in row
        assert "disabled" in row
        page = poor.get(f"/t/{table}").text
        assert "ფსონი 100 ქოინია, შენ კი 70 გაქვს." in page
        refused = poor.post(f"/t/{table}/sit", {})
        assert refused.status_code == 409
        assert "ამ ფსონს ვერ დაფარავ" in refused.text
        assert site.log() == ""


@pytest.fixture
def mortal_redis() -> Any:
    server = Redis().start()
    yield server
    server.close()


async def test_a_deployed_site_of_two_processes_whose_redis_goes_away_t4(
    tmp_path: Path, mortal_redis: Redis, database: str
) -> None:
    rng = random.Random(5)
    with (
        deployed(tmp_path / "a", mortal_redis, database) as one,
        deployed(tmp_path / "b", mortal_redis, database) as two,
    ):
        players = [await newcomer(one, "ნინო", 1_000), await newcomer(two, "გია", 1_000)]
        seats = await begun(players)
        await become(players, 900, 900)
        for _ in range(4):
            await move(seats, rng)
        await level(seats)
        # Redis goes away and comes back: whoever was cut off comes back, and the match is there.
        await asyncio.to_thread(mortal_redis.kill)
        await asyncio.to_thread(mortal_redis.start)
        for seat in seats:
            await seat.close()

        async def back(browser: Browser) -> Seat:
            async def look() -> Seat | None:
                try:
                    return await browser.open(seats[0].id)
                except Exception:  # noqa: BLE001 - it is not there yet
                    return None

            return await eventually(look)

        again = [await back(browser) for browser in players]
        assert [seat.table["status"] for seat in again] == ["running", "running"]

        async def resigned() -> bool | None:
            answer = await again[1].ask("resign")
            return answer["type"] == "accepted" or None

        await eventually(resigned)
        await again[0].table_is(lambda told: told["ended"] and told["ended"]["coins"])
        assert again[0].table["ended"]["coins"] == [STAKE, -STAKE]
        await become(players, 1_100, 900)
        assert "ok=true" in await operated(one, "ledger", "check")


async def test_an_operator_voids_a_match_of_a_deployed_site_t5(
    tmp_path: Path, empty_redis: Redis, database: str
) -> None:
    with (
        deployed(tmp_path / "a", empty_redis, database) as one,
        deployed(tmp_path / "b", empty_redis, database) as two,
    ):
        players = [await newcomer(one, "ნინო", 1_000), await newcomer(two, "გია", 1_000)]
        seats = await begun(players)
        table = seats[0].id
        assert f"table={table} status=running" in await operated(one, "tables", "--all")
        assert '"status": "running"' in await operated(two, "table", table)
        said = await operated(one, "void", table, "--reason", "a fault of ours")
        assert said.startswith("voided=")
        for seat in seats:
            await seat.table_is(lambda told: told["ended"] and told["ended"]["coins"])
            assert seat.table["ended"]["reason"] == "void"
            assert seat.table["ended"]["coins"] == [0, 0]
        await become(players, 1_000, 1_000)
        assert "ok=true" in await operated(two, "ledger", "check")
        assert "action=void_asked" in await operated(two, "audit")
        assert await operated(one, "outbox") == ""
