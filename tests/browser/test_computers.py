"""Against the computer through the screen: from the lobby, and after a while of seeking."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.app.server import Server
from tests.browser.axe import violations
from tests.browser.players import act, play, state
from tests.browser.test_quick_page import Scripted
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]


def against(page: Page, origin: str, game: str, level: str = "easy") -> None:
    """From the lobby to the board, at one press."""
    page.goto(origin)
    page.locator(f".game[data-game={game}] .computers button[value={level}]").click()
    page.locator(".board").wait_for()


def seeking(page: Page, site: Server) -> Scripted:
    """One press on the phone, and the other end of the line is the test's."""
    server = Scripted(page)
    page.goto(site.origin)
    page.locator(".game[data-game=nardi] .play").click()
    page.wait_for_url(re.compile("/quick"))
    page.locator("#seeking-now").wait_for()
    return server


def test_a_newcomer_plays_a_whole_match_against_the_computer(
    site: Server, open_window: OpenWindow
) -> None:
    page = open_window(PHONE)
    against(page, site.origin, "domino")
    rival = page.locator(".plate:not(.own)")
    expect(rival.locator(".name")).to_have_text("კომპიუტერი")
    expect(rival).to_contain_text("იოლი · ")
    play([page], random.Random(1))
    expect(page.locator(".panel .reason")).to_be_visible()
    page.locator(".panel .rematch").click()  # the computer is always game
    page.wait_for_function("() => document.querySelector('#play').dataset.status === 'running'")
    expect(page.locator(".panel .reason")).to_be_hidden()


def test_it_moves_by_itself_and_can_be_left(site: Server, open_window: OpenWindow) -> None:
    page = open_window(LAPTOP)
    page.context.add_cookies([{"name": "ezo_language", "value": "en", "url": site.origin}])
    against(page, site.origin, "nardi", "medium")
    rival = page.locator(".plate:not(.own)")
    expect(rival.locator(".name")).to_have_text("Computer")
    expect(rival).to_contain_text("Medium · ")
    chance = random.Random(2)
    turns = 0
    while turns < 3:
        page.wait_for_function("() => document.querySelector('.plate.own.on-turn')")
        while state(page) == "mine":
            act(page, chance)
        turns += 1
    assert violations(page) == []


def test_where_a_stake_is_chosen_the_computer_waits_and_says_so(
    site: Server, open_window: OpenWindow
) -> None:
    page = open_window(PHONE)
    page.goto(f"{site.origin}/register")
    page.locator("#field-name").fill("თამარი კომპთან")
    page.locator("main input[name=password]").first.fill("kalata kalata")
    page.locator("main form .primary").first.click()
    page.goto(site.origin)
    card = page.locator(".game[data-game=domino]")
    easy = card.locator(".computers button[value=easy]")
    expect(easy).to_be_enabled()
    card.locator("input[name=stake][value='100']").check()
    expect(easy).to_be_disabled()
    expect(card.locator(".for-coins")).to_have_text(re.compile("ქოინებზე არ თამაშობენ"))
    card.locator("input[name=stake][value='0']").check()
    expect(easy).to_be_enabled()
    expect(card.locator(".for-coins")).to_be_hidden()


def test_after_fifteen_seconds_of_seeking_the_computer_is_offered(
    site: Server, open_window: OpenWindow
) -> None:
    page = open_window(PHONE)
    server = seeking(page, site)
    server.waits(3_000)
    expect(page.locator("#computer")).to_be_hidden()
    server.waits(16_000)
    expect(page.locator("#computer")).to_be_visible()
    assert violations(page) == []
    page.locator("#computer button[value=medium]").click()
    page.locator(".board").wait_for()
    expect(page.locator(".plate:not(.own)")).to_contain_text("საშუალო · ")


def test_where_one_is_turned_away_no_other_way_is_offered(
    site: Server, open_window: OpenWindow
) -> None:
    page = open_window(PHONE)
    server = seeking(page, site)
    server.waits(16_000)
    expect(page.locator("#computer")).to_be_visible()
    server.say(type="refused", code="playing_elsewhere", rule="T16", values={})
    expect(page.locator("#computer")).to_be_hidden()
