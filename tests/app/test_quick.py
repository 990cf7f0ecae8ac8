"""Quick match as a real server serves it: forms, pages and sockets, and two processes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.app.browsers import Browser, Line, level, shake
from tests.app.server import Server
from tests.app.test_coins_served import coins_of, newcomer
from tests.app.test_health import deployed
from tests.services.redis import Redis

FORM = {"game": "nardi", "rules": "short", "points": "1", "stake": "0"}
SEEK = {"type": "seek", "game": "nardi", "rules": "short", "options": {"points": 1}, "stake": 0}


def pressed(browser: Browser, **changed: str) -> str:
    """The address of the page that waits."""
    answer = browser.post("/quick", FORM | changed)
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    assert browser.get(location).status_code == 200
    return location


async def seeks(browser: Browser, seek: dict[str, Any] | None = None) -> Line:
    line = Line(await browser.socket("/ws/quick"))
    await line.say(SEEK if seek is None else seek)
    return line


async def meet(*lines: Line) -> str:
    """The table at which they find each other."""
    told = [await line.until("matched") for line in lines]
    # Where to go, and nothing of who is there.
    assert all(each == {"type": "matched", "table": told[0]["table"]} for each in told)
    return str(told[0]["table"])


@pytest.fixture
def another(server: Server) -> Browser:
    return Browser(server)


def test_the_form_makes_a_player_and_leads_to_where_it_is_waited(
    server: Server, browser: Browser
) -> None:
    location = pressed(browser, clock="fast", public="1")
    assert location == "/quick?game=nardi&rules=short&points=1&stake=0"
    assert browser.cookie is not None
    page = browser.get(location).text
    assert "ვეძებთ მოწინააღმდეგეს" in page
    assert f'value="{location.replace("&", "&amp;")}"' in page  # where another language leads to
    # Whoever only has the address has not pressed anything.
    stranger = Browser(server)
    answer = stranger.get(location)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert stranger.cookie is None


@pytest.mark.parametrize(
    "changed",
    [{"game": "chess"}, {"rules": ""}, {"points": "2"}, {"stake": "60"}, {"stake": "-50"}],
)
def test_what_cannot_be_played_is_not_sought(browser: Browser, changed: dict[str, str]) -> None:
    assert browser.post("/quick", FORM | changed).status_code == 422
    query = "&".join(f"{key}={value}" for key, value in (FORM | changed).items())
    assert browser.get(f"/quick?{query}").status_code == 422
    assert browser.get("/quick").status_code == 422
    assert browser.post("/quick", FORM, origin="https://elsewhere.example").status_code == 403
    assert browser.cookie is None


async def test_who_cannot_is_told_before(server: Server, browser: Browser) -> None:
    refused = browser.post("/quick", FORM | {"stake": "50"})
    assert refused.status_code == 409
    assert "ამ ფსონს ვერ დაფარავ" in refused.text
    for _ in range(3):
        browser.make_table("nardi", "short", points="1")
    refused = browser.post("/quick", FORM)
    assert refused.status_code == 409
    assert "უკვე სამ მაგიდასთან ელოდები" in refused.text
    line = await seeks(browser)
    assert (await line.hear())["code"] == "too_many_tables"
    await line.close()


async def test_two_who_press_the_button_play(
    server: Server, browser: Browser, another: Browser
) -> None:
    for each in (browser, another):
        pressed(each)
    lines = [await seeks(each) for each in (browser, another)]
    table = await meet(*lines)
    for line in lines:
        await line.close()
    seats = [await each.open(table) for each in (browser, another)]
    await level(seats)
    await shake(seats)
    assert sorted(seat.table["you"] for seat in seats) == [0, 1]
    refused = browser.post("/quick", FORM)
    assert refused.status_code == 409
    assert "მატჩს თამაშობ" in refused.text
    for seat in seats:
        await seat.close()


async def test_a_third_waits_and_a_closed_page_leaves_at_once(server: Server) -> None:
    browsers = [Browser(server) for _ in range(4)]
    for each in browsers:
        pressed(each)
    told = {
        asyncio.create_task(meet(line)): line for line in [await seeks(b) for b in browsers[:3]]
    }
    while len(told) > 1:
        for task in (await asyncio.wait(told, return_when=asyncio.FIRST_COMPLETED))[0]:
            await told.pop(task).close()
    ((task, left),) = told.items()
    task.cancel()
    while not left.frames or left.frames[-1]["others"]:
        await left.until("waiting")
    await left.close()
    # Nobody is met who has gone, and who comes next is alone.
    last = await seeks(browsers[3])
    assert (await last.hear())["others"] == 0
    await last.close()


async def test_another_window_of_the_same_player_seeks_in_its_place(
    browser: Browser, another: Browser
) -> None:
    pressed(browser)
    pressed(another)
    first = await seeks(browser)
    since = (await first.until("waiting"))["since"]
    second = await seeks(browser)
    assert (await first.until("refused"))["code"] == "elsewhere"
    assert (await second.until("waiting"))["since"] == since
    await first.close()
    other = await seeks(another)
    await meet(second, other)
    for line in (second, other):
        await line.close()


async def test_who_has_no_cookie_and_who_asks_for_nothing_real_is_refused(
    server: Server, browser: Browser
) -> None:
    stranger = await seeks(Browser(server))
    assert (await stranger.hear())["code"] == "no_player"
    await stranger.close()
    pressed(browser)
    line = await seeks(browser, SEEK | {"game": "chess"})
    assert (await line.hear())["code"] == "bad_options"
    for wrong in (
        {"type": "hello", "protocol": 2, "seen": None},
        SEEK | {"options": {"points": "1"}},
        SEEK | {"player": "somebody"},
        SEEK | {"stake": -50},
        SEEK | {"options": {str(n): n for n in range(9)}},
    ):
        await line.say(wrong)
    assert await line.closed() == (1008, "malformed")
    with pytest.raises(ConnectionClosed):
        await line.hear()


async def test_who_meets_at_a_coin_table_stakes_t3(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as site:
        players = [await newcomer(site, "ნინო", 500), await newcomer(site, "გია", 500)]
        poor = await newcomer(site, "დათო", 99)
        assert poor.post("/quick", FORM | {"stake": "100"}).status_code == 409
        line = await seeks(poor, SEEK | {"stake": 100})
        assert (await line.hear())["code"] == "cannot_cover"
        await line.close()
        for each in players:
            assert "ფსონი 100 · ბანკი 200" in each.get(pressed(each, stake="100")).text
        lines = [await seeks(each, SEEK | {"stake": 100}) for each in players]
        table = await meet(*lines)
        seats = [await each.open(table) for each in players]
        for seat in seats:
            await seat.table_is(lambda told: told["status"] == "handshake")
        assert [await coins_of(each) for each in players] == [400, 400]
        for socket in (*lines, *seats):
            await socket.close()
        assert site.log() == ""


async def test_two_processes_on_one_redis_meet(
    tmp_path: Path, empty_redis: Redis, database: str
) -> None:
    with (
        deployed(tmp_path / "a", empty_redis, database) as one,
        deployed(tmp_path / "b", empty_redis, database) as two,
    ):
        browsers = [Browser(one), Browser(two)]
        for each in browsers:
            pressed(each)
        lines = [await seeks(each) for each in browsers]
        table = await meet(*lines)
        for line in lines:
            await line.close()
        seats = [await each.open(table) for each in browsers]
        await level(seats)
        await shake(seats)
        for seat in seats:
            await seat.close()
        # One who waits goes on to wait at the other process when theirs ends.
        third = Browser(one)
        pressed(third)
        line = await seeks(third)
        since = (await line.until("waiting"))["since"]
        await asyncio.to_thread(one.stop)
        assert (await line.closed())[0] == 1012
        third.server = two
        line = await seeks(third)
        assert (await line.until("waiting"))["since"] == since
        await line.close()
        assert one.log() == two.log() == ""
