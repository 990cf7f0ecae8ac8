"""What makes people come back, whole: two new people on two phones, from registering to what is
left of them when one has gone (T2–T5, T13, T14)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.app.operators import word
from tests.app.server import Server
from tests.app.test_health import KEY, deployed
from tests.browser.axe import violations
from tests.browser.players import play
from tests.browser.windows import PHONE
from tests.services.redis import Redis

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]
PASSWORD = "ლეღვის ხე 7"
STAKE = 100


@pytest.fixture(params=["embedded", "deployed"])
def evening(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Server, dict[str, str]]]:
    """A site of its own, and what an operator's command beside it is given."""
    if request.param == "embedded":
        with Server(tmp_path / "data") as server:
            yield server, {"EZO_DATA": str(server.data), "EZO_OPERATOR": "keti"}
            assert server.log() == ""
        return
    redis: Redis = request.getfixturevalue("empty_redis")
    database: str = request.getfixturevalue("database")
    with deployed(tmp_path / "data", redis, database) as server:
        yield (
            server,
            {
                "EZO_REDIS_URL": redis.url,
                "EZO_DATABASE_URL": database,
                "EZO_SECRET_KEY": KEY,
                "EZO_OPERATOR": "keti",
            },
        )
        assert server.log() == ""


def register(page: Page, site: Server, name: str) -> None:
    """From the home page, as a newcomer finds it."""
    page.goto(site.origin)
    page.locator(".hint a[href='/register']").click()
    page.locator("#field-name").fill(name)
    page.locator("#field-password").fill(PASSWORD)
    page.locator("form.entry button").click()
    expect(page.locator(".codes li")).to_have_count(8)
    assert violations(page) == []
    page.locator("main .button.primary").click()
    expect(page.locator("header a.name")).to_contain_text(name)
    expect(page.locator("#purse")).to_have_text("1\u00a0000")


def quick(page: Page, site: Server) -> None:
    """Quick match of domino to 75 for a stake."""
    page.goto(site.origin)
    form = page.locator(".game[data-game=domino] form")
    form.locator(f"input[name=stake][value='{STAKE}']").check()
    form.locator(".play").click()


def number(text: str | None) -> int:
    found = re.search(r"[+\u2212]?\d[\d\u00a0]*", text or "")
    assert found is not None, text
    return int(found[0].replace("\u2212", "-").replace("\u00a0", ""))


def card(page: Page) -> tuple[int, int, int]:
    """Of the result's card: coins moved, the rating after the match, and by how much it moved."""
    rating = page.locator(".panel .rating")
    rating.wait_for()  # they come together
    coins = number(page.locator(".panel .coins").inner_text())
    after, moved = re.findall(r"[+\u2212]?\d+", rating.inner_text())[:2]
    return coins, int(after), int(moved.replace("\u2212", "-"))


def operate(given: dict[str, str], *arguments: str) -> str:
    with ThreadPoolExecutor(1) as pool:
        status, said, complained = pool.submit(word, given, *arguments).result()
    assert (status, complained) == (0, "")
    return said


def test_two_new_people_and_what_is_left_of_one(
    evening: tuple[Server, dict[str, str]], open_window: OpenWindow, tmp_path: Path
) -> None:
    site, given = evening
    nino, gia = open_window(PHONE), open_window(PHONE)
    register(nino, site, "ნინო")
    register(gia, site, "გია")

    # They meet at one press, at a coin table.
    for page in (nino, gia):
        quick(page, site)
    for page in (nino, gia):
        page.wait_for_url("**/t/*")
        page.locator(".board").wait_for()
    expect(nino.locator(".bar .staked")).to_contain_text("200")
    table = nino.url
    assert gia.url == table
    play([nino, gia], random.Random(75))

    # Coins and rating move by the same on both sides.
    cards = [card(page) for page in (nino, gia)]
    (coins, after, moved), (others, theirs, back) = cards
    assert (coins, others) in ((STAKE, -STAKE), (-STAKE, STAKE))
    assert moved == -back != 0
    assert (after - moved, theirs - back) == (1500, 1500)
    assert (coins > 0) == (moved > 0)
    for page, (won, *_) in zip((nino, gia), cards, strict=True):
        expect(page.locator("#purse")).to_have_text(f"{1_000 + won:,}".replace(",", "\u00a0"))
    first = nino.locator("#play").get_attribute("data-match")

    # Again, with the running series.
    for page in (nino, gia):
        page.locator(".panel .rematch").click()
    for page in (nino, gia):
        expect(page.locator("#play")).not_to_have_attribute("data-match", first or "")
        expect(page.locator("#play")).to_have_attribute("data-status", "running")
    gia.locator(".menu summary").click()
    gia.locator(".menu-list button", has_text="დანებება").click()
    gia.locator(".sure .primary").click()
    for page in (nino, gia):
        page.locator(".panel .reason").wait_for()
        wins = page.locator(".panel .series").inner_text()
        assert sorted(map(int, re.findall(r"\d+", wins))) == ([0, 2] if coins > 0 else [1, 1])
    second = card(nino)
    assert second[0] == STAKE
    for page in (nino, gia):
        page.locator(".panel .ending .button[href='/'], .panel a.button[href='/']").last.click()
        page.wait_for_url(site.origin + "/")

    # The first match from the history: replayed, and downloaded.
    nino.goto(f"{site.origin}/me/matches")
    nino.locator(f"a[href='/m/{first}']").first.click()
    nino.wait_for_url(f"**/m/{first}")
    replayed(nino)
    with nino.expect_download() as download:
        nino.locator("a[download][href$='record.json']").first.click()
    record = tmp_path / "record.json"
    download.value.save_as(record)
    told = json.loads(record.read_text())
    assert told["match"] == first
    assert sorted(told["players"]) == ["გია", "ნინო"]

    # The board of the week knows both; one of them goes.
    nino.goto(f"{site.origin}/leaders")
    for name in ("ნინო", "გია"):
        expect(nino.locator("main")).to_contain_text(name)
    gia.goto(f"{site.origin}/me")
    gia.locator("details.folded", has_text="ანგარიშის წაშლა").locator("summary").click()
    gia.locator("#delete-password").fill(PASSWORD)
    gia.locator("form[action='/me/delete'] button").click()
    gia.wait_for_url(site.origin + "/")
    expect(gia.locator("header a.name")).to_have_count(0)

    nino.goto(f"{site.origin}/m/{first}")
    expect(nino.locator("main")).to_contain_text("წაშლილი მოთამაშე")
    expect(nino.locator("main")).not_to_contain_text("გია")
    assert violations(nino) == []
    nino.goto(f"{site.origin}/leaders")
    expect(nino.locator("main")).to_contain_text("ნინო")
    expect(nino.locator("main")).not_to_contain_text("გია")
    nino.goto(f"{site.origin}/me")
    expect(nino.locator("main")).to_contain_text("მოგებული ბანკი")
    assert violations(nino) == []
    assert "ok=true" in operate(given, "ledger", "check")


def replayed(page: Page) -> None:
    """From the first step of the last hand to its end, with every tile in sight."""
    page.locator("#watch").click()
    replay = page.locator(".replay")
    replay.locator(".scene").wait_for()
    hands = page.locator("a.jump")
    hands.last.click()
    slider = replay.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    opening = replay.locator(".caption").inner_text()
    page.keyboard.press("End")
    expect(replay.locator(".caption")).not_to_have_text(opening)
    assert slider.input_value() == slider.get_attribute("max")
    assert violations(page) == []
