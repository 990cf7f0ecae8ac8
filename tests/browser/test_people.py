"""Pages about players in a browser: by keyboard, with the longest names, without scripts."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from app.web.identity import COOKIE
from tests.app.people import Registered, evening, now_ms, played, put
from tests.app.server import Server
from tests.browser.keyboard import Keyboard
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]

NARROW = (320, 640)


@pytest.fixture(scope="module")
def people(site: Server) -> list[Registered]:
    """Two who have played each other, under names as wide as there are."""
    one, other = Registered(site, "WMWMWMWMWMWMWMWMWMWM"), Registered(site, "محمد عبد الله 🎲🎲")
    put(site.data, *evening(one, other, 24), *evening(one, other, 6, game="nardi", stake=100))
    put(site.data, played("old", "nardi", [(one.id, "W"), ("guest", "სტუმარი 1")], at=now_ms()))
    return [one, other]


def as_reader(page: Page, site: Server, reader: Registered) -> None:
    secret = reader.browser.cookie or ""
    page.context.add_cookies([{"name": COOKIE, "value": secret, "url": site.origin}])


def test_from_the_leaders_to_a_player_to_a_match_by_keyboard(
    site: Server, open_window: OpenWindow, people: list[Registered]
) -> None:
    page = open_window(PHONE)
    hands = Keyboard(page, random.Random(1))
    one = people[0]
    page.goto(site.origin)
    follow(hands, "main a[href='/leaders']")
    expect(page.get_by_role("heading", level=1)).to_have_text("ლიდერები")
    follow(hands, ".tabs a[href='/leaders/domino/georgian/all']")
    expect(page.locator(".tabs [aria-current]").last).to_have_text("ყველა დროის")
    follow(hands, f".board a[href='{one.page()}']")
    expect(page.get_by_role("heading", level=1)).to_have_text(one.name)
    press(hands, "details.folded summary")
    expect(page.locator("details.folded[open] table").first).to_be_visible()
    follow(hands, f"a[href='{one.page('/matches')}']")
    press(hands, ".filters summary")
    hands.reach("input[name=result]")
    hands.press("ArrowRight")
    hands.press("ArrowRight")
    follow(hands, ".filters form .primary")
    expect(page.locator("input[name=result][value=lost]")).to_be_checked()
    assert page.locator(".played li").count() == 11
    assert set(page.locator(".played .end span").all_inner_texts()) == {"წაგება ქულებით"}
    follow(hands, ".played .what")
    expect(page.locator("#check")).to_be_visible()


def press(hands: Keyboard, selector: str) -> None:
    hands.reach(selector)
    hands.press("Enter")


def follow(hands: Keyboard, selector: str) -> None:
    """To what leads to another page."""
    hands.reach(selector)
    with hands.page.expect_navigation():
        hands.press("Enter")


@pytest.mark.parametrize("size", [NARROW, PHONE, LAPTOP])
def test_nothing_is_wider_than_the_screen(
    site: Server, open_window: OpenWindow, people: list[Registered], size: tuple[int, int]
) -> None:
    page = open_window(size)
    pages = (
        *("/leaders", "/leaders/nardi/short/all", "/leaders/nardi/short/coins", "/me/matches"),
        *(each.page(rest) for each in people for rest in ("", "/matches", "/matches?coins=1")),
    )
    strangers = ("/leaders", "/me/matches")
    for number, path in enumerate((*strangers, *pages)):
        if number == len(strangers):
            as_reader(page, site, people[1])
        page.goto(site.origin + path)
        found = page.evaluate(
            """() => {
              for (const one of document.querySelectorAll("details")) one.open = true;
              const width = document.documentElement.clientWidth;
              const wide = (one) => one.getBoundingClientRect().right > width + 0.5;
              return [...document.querySelectorAll("main *")]
                .filter((one) => wide(one) && !one.closest(".wide"))
                .map((one) => `${one.tagName} ${one.getAttribute("class")}`);
            }"""
        )
        assert found == [], path
        small = page.evaluate(
            """() => [...document.querySelectorAll("main a, main summary, main button, main label")]
              .filter((one) => one.checkVisibility())
              .filter((one) => one.getBoundingClientRect().height < 43.5)
              .map((one) => one.outerHTML.slice(0, 80))"""
        )
        assert small == [], path


def test_the_lists_work_without_scripts(
    site: Server, chromium: Browser, people: list[Registered]
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.origin + people[0].page("/matches"))
    page.locator(".filters summary").click()
    page.locator("input[name=game][value='nardi.short']").check()
    page.locator("input[name=coins]").check()
    page.locator(".filters form .primary").click()
    expect(page.locator(".played li")).to_have_count(6)
    page.locator(".filters .links a").click()
    expect(page.locator(".played li")).to_have_count(25)
    page.locator("nav.links a").click()
    expect(page.locator(".played li")).to_have_count(6)
    context.close()
