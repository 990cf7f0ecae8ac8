"""Drawing, and the tiles that nobody has seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.domino_stage import (
    BAZAAR,
    BOX,
    DRAW,
    EXAMPLE,
    MOVES,
    OURS,
    RICH,
    STUCK,
    THEIRS,
    Stage,
    dealt,
    hand,
    inside,
    keep,
    overlap,
    played,
    played_on,
)
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


def test_who_cannot_lay_is_told_to_draw_and_each_press_draws_one(domino_table: Opened) -> None:
    """How many can still be drawn is shown; what is drawn comes from there."""
    page = domino_table(PHONE, MOVES, reduced_motion="no-preference")
    stage = Stage(page, played(dealt(STUCK, RICH, BAZAAR), ["6-6"]))
    expect(page.locator(".bar .told")).to_have_text("დასადები არაფერი გაქვს, აიღე ქვა ბაზრიდან")
    expect(page.locator(".bazaar")).to_contain_text("ბაზარი 12")
    page.locator("[data-tile='1-1']").click(force=True)
    expect(page.locator(".bar.refused .told")).to_have_text("1-1 არსად ჯდება, აიღე ქვა ბაზრიდან")
    page.locator(DRAW).click()
    expect(page.locator(".hand .own")).to_have_count(8)
    expect(page.locator(".bazaar")).to_contain_text("ბაზარი 11")
    assert [one["tile"] for one in page.evaluate("moves") if one["tile"] == "0-2"] == ["0-2"]
    assert stage.actions == [{"action": "draw"}]


def test_as_a_setting_one_press_draws_until_something_can_be_laid(domino_table: Opened) -> None:
    """Each draw is asked for once the one before is saved."""
    page = domino_table()
    keep(page, draw_until=True)
    stage = Stage(page, played(dealt(STUCK, RICH, BAZAAR), ["6-6"]))
    page.locator(DRAW).click()
    expect(page.locator(".own.playable")).to_have_count(1)
    expect(page.locator(".hand .own")).to_have_count(10)
    assert stage.actions == [{"action": "draw"}] * 3
    assert [act["ply"] for act in stage.acts] == [7, 8, 9]
    expect(page.locator(DRAW)).to_be_disabled()


def test_drawing_in_a_row_stops_when_a_draw_is_refused(domino_table: Opened) -> None:
    page = domino_table()
    keep(page, draw_until=True)
    stage = Stage(page, played(dealt(STUCK, RICH, BAZAAR), ["6-6"]))
    stage.held = True
    page.locator(DRAW).click()
    expect(page.locator("#play")).to_have_attribute("data-pending", "1")
    stage.refuse("hand_paused")
    expect(page.locator(".bar.refused")).to_be_visible()
    expect(page.locator("#play")).to_have_attribute("data-pending", "0")
    assert len(stage.acts) == 1


def test_the_tiles_not_seen_yet_are_shown_at_free_tables_alone(domino_table: Opened) -> None:
    """Off by default; it lies over the hand and moves nothing."""
    page = domino_table()
    state = played(dealt(OURS, THEIRS), EXAMPLE)
    Stage(page, state)
    expect(page.get_by_role("button", name="უნახავი ქვები")).to_have_count(0)
    keep(page, unseen=True)
    Stage(page, state, stake=100)
    expect(page.get_by_role("button", name="უნახავი ქვები")).to_have_count(0)
    Stage(page, state)
    before = page.locator(".field, .hand .own, .controls").evaluate_all(BOX)
    page.get_by_role("button", name="უნახავი ქვები").click()
    helper = page.locator(".unseen")
    expect(helper.locator("p")).to_have_text("ჯერ უნახავია 19 ქვა")
    unseen = helper.locator("li:not(.seen)").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert len(unseen) == 19
    seen = hand(page) + page.locator(".stone").evaluate_all(
        "all => all.map((one) => one.dataset.laid)"
    )
    assert len(seen) == 9
    assert not set(unseen) & set(seen)
    assert page.locator(".field, .hand .own, .controls").evaluate_all(BOX) == before
    assert not overlap(page, ".unseen", ".stage")
    helper.get_by_role("button").click()
    expect(helper).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_bazaar_and_the_tally_leave_the_chain_alone(
    domino_table: Opened, size: tuple[int, int]
) -> None:
    page = domino_table(size)
    Stage(page, played_on(dealt(OURS, THEIRS).state, 14, seed=2))
    expect(page.locator(".stone")).to_have_count(14)
    assert not overlap(page, ".bazaar", ".field")
    inside(page)
