"""Whole matches of both games, one side by touch on a phone, the other by the keyboard alone on a
laptop. Both play by the mouse in ``test_matches.py``, where everything goes wrong besides."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.app.server import Server
from tests.browser.keyboard import Keyboard
from tests.browser.players import Offer, act, go_on, state
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

USED = """
  window.used = [];
  for (const what of ["pointerdown", "keydown"])
    addEventListener(what, ({ pointerType, key }) => used.push(pointerType ?? key), true);
"""
KEYS = {
    *("Tab", "Shift", "Enter", " ", "Escape"),
    *("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"),
}


@pytest.mark.parametrize(("game", "target"), [("domino", 75), ("nardi", 1)])
def test_a_whole_match_by_touch_and_by_keyboard_alone(
    site: Server, open_window: Callable[..., Page], game: str, target: int
) -> None:
    """From the lobby to the check of the match."""
    touching, typing = open_window(PHONE), open_window(LAPTOP)
    for page in (touching, typing):
        page.add_init_script(USED)
    chance = random.Random(7)
    keyboard = Keyboard(typing, chance)
    invite = keyboard.make_table(site.origin, game, target)
    keyboard.reach("#copy")
    touching.goto(invite)
    touching.locator("#waiting form button").wait_for()
    Offer(touching, "#waiting form button").press(0)
    for page in (touching, typing):
        page.locator(".board").wait_for()
    assert keyboard.has_focus()
    keyboard.do(".menu summary")
    keyboard.press("Escape")
    assert keyboard.at(".menu summary")

    play_on(touching, keyboard, chance)

    assert [state(page) for page in (touching, typing)] == ["over", "over"]
    assert set(typing.evaluate("used")) <= KEYS
    assert set(touching.evaluate("used")) == {"touch"}
    check = ".panel .ways a[href^='/m/']"
    typing.locator(check).wait_for()  # it is no link before the match is kept
    keyboard.reach(check)
    keyboard.press("Enter")
    typing.wait_for_url("**/m/*")
    keyboard.do("#check")
    typing.locator("#verdict.sound").wait_for()


def play_on(touching: Page, keyboard: Keyboard, chance: random.Random) -> None:
    """Until both see the end; whatever happens, the focus of the keyboard stays on the table."""
    typing = keyboard.page
    while True:
        states = [state(page) for page in (touching, typing)]
        if states == ["over", "over"]:
            return
        if states[1] == "paused":
            keyboard.do(".go-on:not([hidden]):enabled")
            typing.wait_for_function("!document.querySelector('.go-on:not([hidden]):enabled')")
        elif states[0] == "paused":
            go_on(touching)
        elif states[1] == "mine":
            keyboard.act()
        elif states[0] == "mine":
            act(touching, chance)
        else:
            # One page lags behind the other.
            touching.wait_for_timeout(10)
        assert keyboard.has_focus(), (states, keyboard.last)
