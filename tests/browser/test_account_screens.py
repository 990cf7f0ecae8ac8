"""The pages of an account on the screen: they fit, whatever the name, and axe finds nothing."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import games
from tests.app.server import Server
from tests.browser.test_axe import in_both_themes, in_english
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]
PASSWORD = "ლეღვის ხე 7"
WIDEST = "ჭჭჭჭჭ ჭჭჭჭჭჭჭჭ ჭჭჭჭჭ"
SMALL = (320, 568)


def fits(page: Page) -> None:
    """Nothing goes over the side, and what is pressed is large enough."""
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"
    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(button, summary, a.button, input)")]
          .filter((each) => !["hidden", "radio"].includes(each.type))
          .filter((each) => each.checkVisibility())
          .map((each) => [each.textContent.trim() || each.id, each.getBoundingClientRect()])
          .filter(([, box]) => Math.min(box.width, box.height) < 43.5)
          .map(([name, box]) => `${name} ${box.width}×${box.height}`)"""
    )
    assert small == []


@pytest.mark.parametrize("language", ["ka", "en"])
def test_from_the_first_field_to_the_last_fold(
    own_site: Server, chromium: Browser, language: str
) -> None:
    # A browser complains itself of a form that is refused, so this is no window that may not.
    page = chromium.new_page(viewport={"width": SMALL[0], "height": SMALL[1]})
    page.goto(own_site.origin)
    if language == "en":
        in_english(page)
    found = []
    for path in ("/register", "/sign-in", "/recover", "/privacy", "/fairness"):
        page.goto(own_site.origin + path)
        fits(page)
        found += in_both_themes(page, path)
    page.goto(own_site.origin + "/register")
    page.locator("#field-name").fill("ab")
    page.locator("#field-password").fill("x")
    page.keyboard.press("Enter")
    expect(page.locator(".field .why")).to_have_count(1)
    expect(page.locator("#field-name")).to_have_value("ab")
    expect(page.locator("#field-password")).to_have_value("")
    fits(page)
    found += in_both_themes(page, "register, wrong")
    page.locator("#field-name").fill(WIDEST)
    page.locator("#field-password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".codes li")).to_have_count(8)
    fits(page)
    found += in_both_themes(page, "codes")
    with sqlite3.connect(own_site.data / "site.db") as db:
        db.execute("UPDATE accounts SET balance = 100 WHERE id LIKE 'player:%'")
    page.goto(own_site.origin + "/me")
    for fold in page.locator("details.folded summary").all():
        fold.click()
    fits(page)
    found += in_both_themes(page, "me")
    page.locator("form[action='/me/bonus'] button").click()
    expect(page.locator("#purse")).to_have_text("300")
    page.goto(own_site.origin)
    fits(page)
    page.close()
    assert not found, "\n".join(found)


def test_signing_out_and_in_again_by_keyboard(own_site: Server, chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]})
    page.goto(own_site.origin + "/register")
    page.locator("#field-name").fill("ნინო")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".codes li")).to_have_count(8)
    page.goto(own_site.origin + "/me")
    page.locator("form[action='/sign-out'] button").press("Enter")
    page.wait_for_url(own_site.origin + "/")
    expect(page.locator("header a.name")).to_have_count(0)
    page.locator(".name summary").press("Enter")
    page.locator(".name a[href='/sign-in']").press("Enter")
    page.locator("#field-name").fill("ნინო")
    page.locator("#field-password").fill("არასწორი პაროლი")
    page.keyboard.press("Enter")
    expect(page.locator(".problem")).to_have_text("სახელი ან პაროლი არასწორია")
    page.locator("#field-password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(own_site.origin + "/")
    expect(page.locator("header a.name")).to_contain_text("ნინო")
    page.close()


def test_the_page_on_chance_with_figures(own_site: Server, open_window: OpenWindow) -> None:
    chances = [
        {
            "game": game.name,
            "rules": game.rules,
            "matches": 12_345,
            "tables": {
                table: {key: [round(40_000 * p), float(p)] for key, p in keys.items()}
                for table, keys in game.chances.items()
            },
        }
        for game in games.GAMES
    ]
    content = {"chances": chances, "voids": {"no_hash": 1_234, "unfunded": 3}, "days": []}
    with sqlite3.connect(own_site.data / "site.db") as db:
        db.execute(
            "INSERT INTO fairness_reports (day, at, matches, content, claimed_at)"
            " VALUES ('2999-01-01', ?, 24690, ?, 0)",
            (time.time_ns() // 1_000_000, json.dumps(content)),
        )
    found = []
    for size in (PHONE, SMALL, LAPTOP):
        page = open_window(size)
        for english in (False, True):
            page.goto(own_site.origin + "/fairness")
            if english:
                in_english(page)
            fits(page)
        found += in_both_themes(page, f"fairness {size}")
    assert not found, "\n".join(found)
