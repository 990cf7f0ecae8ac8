"""The end of a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.domino import GAME
from tests.browser.domino_stage import Stage, dealt, overlap
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_hands_end_reads_like_a_receipt_and_covers_nothing(
    domino_table: Opened, size: tuple[int, int]
) -> None:
    """G19: their tiles face up, their sum, its rounding, the running score to the target."""
    page = domino_table(size)
    start = dealt("6-6 0-0 0-5 5-5 1-5 1-1 1-2", "0-6 2-6 2-3 3-4 4-6 5-6 4-4")
    state, last = _one_before_the_end(start.state)
    stage = Stage(page, state, seat=last)
    page.locator(".own.playable").click()
    page.locator(".place.open").first.click()
    panel = page.locator(".panel")
    expect(panel).to_be_visible()
    ended = stage.table()["view"]["last_hand"]
    loser = 1 - last
    left, points = ended["pips"][loser], ended["points"]
    expect(panel.locator("h2")).to_have_text(f"დომინო! შენ: +{points}")
    expect(panel.locator(".open-hand li")).to_have_count(len(ended["hands"][loser]))
    expect(panel.locator(".receipt .amount")).to_have_text([f"{left} → {points}", f"+{points}"])
    score = ended["score"]
    own = f"{score[last] - points} + {points} = {score[last]} / 75"
    expect(panel.locator(".running .amount").nth(last)).to_have_text(own)
    expect(panel.locator(".running .amount").nth(loser)).to_have_text(f"{score[loser]} / 75")
    for one in (".field", ".controls .go-on", ".stone.last"):
        assert not overlap(page, ".panel", one), one
    assert page.locator(".field").evaluate("one => one.clientHeight") > 150


DEAL = tuple(range(28))


def test_the_focus_stays_on_what_can_be_done_through_the_ends_of_hands(
    domino_table: Opened,
) -> None:
    """On a phone the panel takes the hand's place between two hands; while one is played it hides
    no tile of it."""
    page = domino_table(PHONE)
    start = dealt("6-6 0-0 0-5 5-5 1-5 1-1 1-2", "0-6 2-6 2-3 3-4 4-6 5-6 4-4")
    state, last = _one_before_the_end(start.state)
    stage = Stage(page, state, [DEAL], seat=1 - last)
    page.locator(".hand .own").first.focus()
    stage.act(GAME.legal(state, last)[0])
    expect(page.locator(".panel")).to_be_visible()
    expect(page.locator(".go-on")).to_be_focused()
    page.locator(".panel .close").focus()
    page.keyboard.press("Enter")
    again = page.locator(".controls .quiet")
    expect(again).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".panel h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()
    expect(again).to_be_focused()
    stage.deal()
    expect(page.locator(".hand .own")).to_have_count(7)
    assert page.evaluate("document.activeElement !== document.body")
    again.click()
    for one in (".hand", ".count", ".controls", ".plate.own"):
        assert not overlap(page, ".panel", one), one
    expect(page.locator(".hand .own").first).to_be_visible()
    again.click()
    expect(page.locator(".panel")).to_be_hidden()


def test_the_end_of_a_hand_that_nobody_saw_is_not_told_into_the_next(domino_table: Opened) -> None:
    page = domino_table(PHONE)
    start = dealt("6-6 0-0 0-5 5-5 1-5 1-1 1-2", "0-6 2-6 2-3 3-4 4-6 5-6 4-4")
    state, last = _one_before_the_end(start.state)
    stage = Stage(page, state, seat=1 - last)
    stage.show(GAME.give(GAME.apply(state, last, GAME.legal(state, last)[0]).state, DEAL).state)
    expect(page.locator(".hand .own")).to_have_count(7)
    expect(page.locator(".panel")).to_be_hidden()
    expect(page.locator(".controls .quiet")).to_have_text("წინა ხელი")


def test_the_lobby_in_another_tab_leaves_no_table(domino_table: Opened) -> None:
    page = domino_table(PHONE)
    start = dealt("6-6 0-0 0-5 5-5 1-5 1-1 1-2", "0-6 2-6 2-3 3-4 4-6 5-6 4-4")
    stage = Stage(page, GAME.concede(start.state, 1, "resigned").state)
    with page.context.expect_page() as opened:
        page.locator(".panel .ways a[href='/']").click(modifiers=["ControlOrMeta"])
    opened.value.wait_for_load_state()
    assert "leave" not in stage.said
    assert "/t/" in page.url


def _one_before_the_end(state: Any) -> tuple[Any, int]:
    """Plays on until somebody's last tile can be laid; whose that is."""
    while True:
        (seat,) = GAME.to_act(state)
        view = GAME.view(state, seat)
        if view["counts"][seat] == 1 and view["legal"][0]["action"] == "lay":
            return state, seat
        state = GAME.apply(state, seat, GAME.legal(state, seat)[0]).state
        assert GAME.asks(state) is None
