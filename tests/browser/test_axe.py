"""axe-core finds nothing on any page, in any state of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from app.web.identity import COOKIE
from tests.app.people import Registered, evening, put
from tests.app.server import Server
from tests.browser.axe import violations
from tests.browser.gallery import LANGUAGES, Scene, Show, scenes, shaking
from tests.browser.players import make_table, sit_down
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]


def in_both_themes(page: Page, state: str) -> list[str]:
    """By all rules; in the dark, where only the colours are others, for what they decide."""
    page.emulate_media(color_scheme="light")
    found = [f"{state}: {each}" for each in violations(page)]
    page.emulate_media(color_scheme="dark")
    return found + [f"{state}, dark: {each}" for each in violations(page, ["color-contrast"])]


def in_english(page: Page) -> None:
    """Where the page has its header; the language stays."""
    page.goto(page.url)
    with page.expect_navigation():
        page.locator(".language button").click()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_around_the_tables(site: Server, open_window: OpenWindow, language: str) -> None:
    """Home with its open tables, its dialogs; errors; what a table shows while it waits."""
    host, guest = open_window(PHONE), open_window(LAPTOP)
    for page in (host, guest):
        page.goto(site.origin)
        if language == "en":
            in_english(page)
    found = in_both_themes(host, "home")
    host.locator("details.name summary").click()
    found += in_both_themes(host, "home, name")
    host.locator("#settings").click()
    host.locator("dialog.settings[open]").wait_for()
    found += in_both_themes(host, "settings")
    host.goto(site.origin)
    host.locator(".opening summary").first.click()
    found += in_both_themes(host, "home, opening a table")
    host.locator(".play").first.click()
    host.locator("#others:not(:empty)").wait_for()
    found += in_both_themes(host, "seeking")
    host.locator("#ways:not([hidden])").wait_for()
    found += in_both_themes(host, "seeking, other ways")
    again = host.context.new_page()
    again.goto(host.url)
    host.locator("#again:not([hidden])").wait_for()
    found += in_both_themes(host, "seeking elsewhere")
    again.close()
    invite = make_table(host, site.origin, "domino", 75)
    found += in_both_themes(host, "waiting")
    guest.goto(invite)
    guest.locator("#waiting form button").wait_for()
    found += in_both_themes(guest, "invited")
    assert not found, "\n".join(found)


def test_pages_of_errors(site: Server, chromium: Browser) -> None:
    """A browser complains of them itself, so this is none of the windows that may not."""
    page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]})
    found = []
    for path in ("/t/nowhere", "/m/nowhere", "/p/nowhere", "/nowhere", "/offline"):
        page.goto(site.origin + path)
        found += in_both_themes(page, path)
    page.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_about_players(site: Server, open_window: OpenWindow, language: str) -> None:
    """A player's page with its plots, lists and their filters, leaderboards with and without the
    reader."""
    # A name is somebody's once; both runs have one server.
    one, other = Registered(site, f"Axe {language} 1st"), Registered(site, f"Axe {language} 2nd")
    put(site.data, *evening(one, other, 21), *evening(one, other, 5, game="nardi", stake=50))
    page = open_window(PHONE)
    page.goto(site.origin)
    if language == "en":
        in_english(page)
    found = []
    strangers = (one.page(), one.page("/matches?result=won&coins=1"), "/leaders/nardi/short/all")
    readers = (one.page(), "/leaders", "/leaders/nardi/short/coins", "/me", "/me/matches")
    for paths, reader in ((strangers, None), (readers, other)):
        if reader is not None:
            secret = reader.browser.cookie or ""
            page.context.add_cookies([{"name": COOKIE, "value": secret, "url": site.origin}])
        for path in paths:
            page.goto(site.origin + path)
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            found += in_both_themes(page, f"{path} of {reader and 'a reader'}")
    assert not found, "\n".join(found)


def test_a_handshake(site: Server, open_window: OpenWindow) -> None:
    page = open_window(PHONE)
    make_table(page, site.origin, "domino", 75)
    show = Show(page)
    page.reload()
    show.show(shaking())
    assert in_both_themes(page, "handshake") == []


def test_a_match_and_its_check(site: Server, open_window: OpenWindow) -> None:
    """From the resigned match to its page, with what its check says."""
    host, guest = open_window(PHONE), open_window(LAPTOP)
    sit_down(guest, make_table(host, site.origin, "nardi", 1))
    host.locator(".board").wait_for()
    host.locator(".menu summary").click()
    host.locator(".menu-list button:visible").nth(1).click()
    host.locator("dialog.sure[open]").wait_for()
    found = in_both_themes(host, "sure")
    host.locator("dialog.sure .primary").click()
    host.locator(".panel .reason").wait_for()
    found += in_both_themes(host, "resigned")
    host.locator(".panel .ways a").first.click()
    host.locator("#check").wait_for()
    found += in_both_themes(host, "match")
    host.locator("#check").click()
    host.locator("#verdict.sound, #verdict.short").first.wait_for()
    found += in_both_themes(host, "checked")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", ["domino", "nardi"])
def test_a_game_in_play(site: Server, open_window: OpenWindow, game: str) -> None:
    """Every picture of the gallery, and the settings over it; some in English, on a laptop."""
    page = open_window(PHONE)
    make_table(page, site.origin, game, {"domino": 75, "nardi": 1}[game])
    show = Show(page)
    page.reload()
    settings = Scene(
        "settings",
        scenes()[game][1].table,
        steps=(".menu summary", ".menu-list button"),
        sees="dialog.settings[open]",
    )
    found = []
    for scene in [*scenes()[game], settings]:
        show.ping()
        show.show(scene)
        found += in_both_themes(page, scene.name)
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    in_english(page)
    for scene in scenes()[game][::3]:
        show.ping()
        show.show(scene)
        found += in_both_themes(page, f"{scene.name} in English")
    assert not found, "\n".join(found)


def test_all_components(site: Server, open_window: OpenWindow) -> None:
    page = open_window(LAPTOP)
    page.goto(f"{site.origin}/styleguide")
    page.locator("main h1").first.wait_for()
    assert in_both_themes(page, "styleguide") == []


def test_what_is_planted_is_found(site: Server, open_window: OpenWindow) -> None:
    """Words too pale, a control without a name, a heading left out, a target too small."""
    page = open_window(PHONE)
    page.goto(site.origin)
    page.evaluate(
        """() => {
          const main = document.querySelector("main");
          const pale = document.createElement("p");
          pale.textContent = "pale";
          Object.assign(pale.style, { color: "#bbb", background: "#fff" });
          const nameless = document.createElement("button");
          const deep = document.createElement("h5");
          deep.textContent = "deep";
          const tiny = [1, 2].map((n) => {
            const one = document.createElement("button");
            one.textContent = String(n);
            const size = { width: "9px", height: "9px", minWidth: 0, minHeight: 0, padding: 0 };
            Object.assign(one.style, size);
            return one;
          });
          main.append(pale, nameless, deep, ...tiny);
        }"""
    )
    found = {each.partition(":")[0] for each in violations(page)}
    assert {"color-contrast", "button-name", "heading-order", "target-size"} <= found
