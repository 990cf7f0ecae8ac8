"""The own hand: drag, order, rows, keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.domino_stage import (
    BAZAAR,
    BOX,
    DRAW,
    EXAMPLE,
    OURS,
    RICH,
    STUCK,
    THEIRS,
    Stage,
    dealt,
    hand,
    keep,
    middle,
    played,
)
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


def test_a_drag_to_an_end_plays_and_a_drop_elsewhere_puts_back(domino_table: Opened) -> None:
    """Near the end is enough; nothing else comes of a drag."""
    page = domino_table(LAPTOP)
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    tile = middle(page, "[data-tile='5-5']")
    page.mouse.move(*tile)
    page.mouse.down()
    page.mouse.move(tile[0] + 3, tile[1])
    assert page.locator(".ghost").count() == 0
    page.mouse.move(tile[0], tile[1] - 30, steps=3)
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator(".place.open")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator(".place.open")).to_have_count(0)

    page.mouse.move(*tile)
    page.mouse.down()
    page.mouse.move(tile[0], tile[1] - 30, steps=3)
    page.keyboard.press("Escape")
    expect(page.locator(".ghost")).to_have_count(0)
    page.mouse.up()
    expect(page.locator(".own[aria-pressed='true']")).to_have_count(0)
    assert stage.actions == []

    page.mouse.move(*tile)
    page.mouse.down()
    page.mouse.move(tile[0], tile[1] - 30, steps=3)
    end = page.locator(".place.open").bounding_box()
    assert end is not None
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] + 20, steps=5)
    expect(page.locator(".place.open.near")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".stone")).to_have_count(5)
    expect(page.locator(".ghost")).to_have_count(0)
    assert stage.actions == [{"action": "lay", "tile": "5-5", "end": "R"}]


def test_a_tile_that_is_in_the_air_when_ones_turn_comes_can_be_dropped(
    domino_table: Opened,
) -> None:
    page = domino_table(LAPTOP)
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE[:3]))
    tile = middle(page, "[data-tile='0-1']")
    page.mouse.move(*tile)
    page.mouse.down()
    page.mouse.move(tile[0], tile[1] - 30, steps=3)
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator(".place.open")).to_have_count(0)
    stage.move("1-6 U")
    expect(page.locator(".place.open")).to_have_count(1)
    page.mouse.move(*middle(page, ".place.open"), steps=4)
    page.mouse.up()
    expect(page.locator(".stone")).to_have_count(5)
    assert stage.actions == [{"action": "lay", "tile": "0-1", "end": "U"}]


def test_a_finger_drags_and_a_second_finger_cancels(domino_table: Opened) -> None:
    page = domino_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    x, y = middle(page, "[data-tile='5-5']")
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        given = [{"x": px, "y": py, "id": n} for n, (px, py) in enumerate(points)]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": given})

    touch("touchStart", (x, y))
    touch("touchMove", (x, y - 40))
    expect(page.locator(".ghost")).to_have_count(1)
    touch("touchStart", (x, y - 40), (x - 200, y - 300))
    expect(page.locator(".ghost")).to_have_count(0)
    touch("touchEnd")
    assert stage.actions == []

    touch("touchStart", (x, y))
    touch("touchMove", (x, y - 40))
    expect(page.locator(".place.open")).to_have_count(1)
    touch("touchMove", middle(page, ".place.open"))
    touch("touchEnd")
    expect(page.locator(".stone")).to_have_count(5)
    assert stage.actions == [{"action": "lay", "tile": "5-5", "end": "R"}]


def test_a_tile_dragged_along_the_hand_changes_the_order_and_sorting_puts_it_right(
    domino_table: Opened,
) -> None:
    page = domino_table()
    Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    first, last = middle(page, ".hand .own:first-child"), middle(page, ".hand .own:last-child")
    before = hand(page)
    page.mouse.move(*first)
    page.mouse.down()
    page.mouse.move(*last, steps=4)
    page.mouse.up()
    expect(page.locator(".ghost")).to_have_count(0)
    assert hand(page) == [*before[1:], before[0]]
    page.get_by_role("button", name="დაალაგე ქვები").click()
    assert hand(page) == ["5-5", "2-2", "1-2", "0-2", "0-1"]


def test_a_drawn_tile_comes_last_unless_the_hand_is_kept_sorted(domino_table: Opened) -> None:
    page = domino_table()
    start = played(dealt(STUCK, RICH, BAZAAR), ["6-6"])
    Stage(page, start)
    page.locator(DRAW).click()
    expect(page.locator(".hand .own")).to_have_count(8)
    assert hand(page)[-1] == "0-2"
    keep(page, sort=True)
    Stage(page, start)
    page.locator(DRAW).click()
    expect(page.locator(".hand .own")).to_have_count(8)
    assert hand(page) == ["3-3", "2-3", "1-3", "2-2", "1-2", "0-2", "1-1", "0-1"]
    expect(page.locator(".tool:visible")).to_have_count(0)


@pytest.mark.parametrize("size", [(360, 640), PHONE, LAPTOP])
def test_the_largest_hand_fits_and_the_eighth_tile_begins_a_row(
    domino_table: Opened, size: tuple[int, int]
) -> None:
    """Twenty tiles, each at least 24 pixels in its narrow direction."""
    page = domino_table(size)
    stage = Stage(page, played(dealt(STUCK, RICH, BAZAAR), ["6-6"]))
    stage.give("0-2")
    expect(page.locator(".hand .own")).to_have_count(8)
    assert _rows(page) == (1 if size == LAPTOP else 2)
    stage.give("0-3 0-4 0-5 1-4 1-5 2-4 2-5 3-4 3-5 0-0 0-6 1-6")
    expect(page.locator(".hand .own")).to_have_count(20)
    assert _rows(page) == (1 if size == LAPTOP else 2)
    for box in page.locator(f".hand .own, {DRAW}").evaluate_all(BOX):
        assert box["width"] >= 24
        assert box["left"] >= 0
        assert box["right"] <= size[0]
        assert box["bottom"] <= size[1]
    assert page.locator(".field").evaluate("one => one.clientHeight") > 150
    wide, tall = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert wide <= size[0]
    assert tall <= size[1]


def test_the_focus_goes_on_with_the_hand(domino_table: Opened) -> None:
    """A choice takes it to the ends, and a tile laid leaves it with the tiles."""
    page = domino_table()
    stage = Stage(
        page, played(dealt("6-6 4-5 4-6 0-1 0-2 1-2 5-6", "0-4 1-6 0-6 3-3 3-4 2-4 2-3"), [])
    )
    page.locator("[data-tile='6-6']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".stone")).to_have_count(1)
    stage.move("1-6 L")
    expect(page.locator(".own.playable").first).to_be_visible()
    inside = "document.querySelector('.hand').contains(document.activeElement)"
    assert page.evaluate(inside)
    stage.page.locator("[data-tile='4-6']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".stone")).to_have_count(3)
    stage.move("0-6 U")
    expect(page.locator("#play")).to_have_attribute("data-ply", "11")
    page.locator("[data-tile='0-1']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".place.open")).to_have_count(2)
    assert page.evaluate("document.activeElement.matches('.place.open')")
    page.keyboard.press("Enter")
    expect(page.locator(".stone")).to_have_count(5)
    assert page.evaluate(inside)
    assert len(stage.actions) == 3


def _rows(page: Page) -> int:
    return len({round(box["y"]) for box in page.locator(".hand .own").evaluate_all(BOX)})
