"""The tile that travels, the chain that glides, a field looked at from nearer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app import i18n
from tests.browser.domino_stage import (
    EXAMPLE,
    MOVES,
    OURS,
    THEIRS,
    Stage,
    dealt,
    inside,
    middle,
    played,
    played_on,
)
from tests.browser.modules import empty_page, run
from tests.browser.windows import PHONE

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


def test_the_tile_travels_from_the_hand_and_the_others_glide(domino_table: Opened) -> None:
    """150 to 350 ms; theirs comes from their plate. They end up where they would without."""
    page = domino_table(PHONE, MOVES, reduced_motion="no-preference")
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    page.locator("[data-tile='5-5']").click()
    hand = page.locator("[data-tile='5-5']").bounding_box()
    field = page.locator(".field").bounding_box()
    assert hand is not None
    assert field is not None
    page.locator(".place.open").click()
    expect(page.locator(".stone.flying")).to_have_count(0)
    expect(page.locator(".stone")).to_have_count(5)
    stage.move("3-4 L")
    expect(page.locator(".stone")).to_have_count(6)
    expect(page.locator(".stone.flying")).to_have_count(0)
    moves: list[dict[str, Any]] = page.evaluate("moves")
    pending = next(one for one in moves if "pending" in one["what"])
    assert _y(pending) > field["height"]
    theirs = next(one for one in moves if one["tile"] == "3-4")
    assert _y(theirs) < 0
    assert all(150 <= one["for"] <= 350 for one in moves)
    page.wait_for_function("() => document.getAnimations().length === 0")
    page.evaluate("moves.length = 0")
    page.set_viewport_size({"width": 390, "height": 700})
    page.wait_for_function("() => moves.length > 0")
    glides: list[dict[str, Any]] = page.evaluate("moves")
    assert all("stone" in one["what"] and 150 <= one["for"] <= 350 for one in glides)
    page.wait_for_function("() => document.getAnimations().length === 0")
    inside(page)


def test_nothing_moves_where_motion_is_not_wanted(domino_table: Opened) -> None:
    page = domino_table(PHONE, MOVES)
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    page.locator("[data-tile='5-5']").click()
    page.locator(".place.open").click()
    expect(page.locator(".stone")).to_have_count(5)
    stage.move("3-4 L")
    expect(page.locator(".stone")).to_have_count(6)
    assert page.evaluate("moves") == []


ZOOM = """
  const { Zoom } = await load("domino/zoom");
  document.body.style.margin = "0";
  const field = document.createElement("div");
  const inner = document.createElement("div");
  Object.assign(field.style, { position: "relative", width: "300px", height: "400px" });
  Object.assign(inner.style, { position: "absolute", inset: 0, transformOrigin: "0 0" });
  field.append(inner);
  document.body.append(field);
  const zoom = new Zoom((key) => key, field, inner);
  field.append(zoom.back);
  const send = (type, x, y, id = 1) => field.dispatchEvent(new PointerEvent(type,
    { clientX: x, clientY: y, pointerId: id, bubbles: true, button: 0 }));
  const tap = (x, y) => { send("pointerdown", x, y); send("pointerup", x, y); };
  const look = () => { const { x, y, width } = inner.getBoundingClientRect();
    return [x, y, width].map(Math.round); };
"""


def test_small_tiles_can_be_looked_at_from_nearer(open_window: Opened) -> None:
    """Pinch and double tap below 18 pixels, within bounds, and a button back."""
    told = run(
        empty_page(open_window()),
        ZOOM
        + """
        const told = {};
        zoom.allow(18); tap(100, 100); tap(100, 100); told.large = look();
        zoom.allow(17); tap(100, 100); tap(100, 100); told.doubled = look();
        send("pointerdown", 150, 150); send("pointermove", 950, 150); send("pointerup", 950, 150);
        told.edge = look();
        told.back = zoom.back.hidden; zoom.back.click(); told.whole = look();
        told.gone = zoom.back.hidden;
        send("pointerdown", 100, 200, 1); send("pointerdown", 200, 200, 2);
        send("pointermove", 50, 200, 1); send("pointermove", 250, 200, 2);
        told.pinched = look();
        zoom.allow(30); told.fits = look();
        return told;
        """,
    )
    assert told["large"] == [0, 0, 300]
    assert told["doubled"] == [-100, -100, 600]
    assert told["edge"] == [0, -100, 600]
    assert told["back"] is False
    assert told["whole"] == [0, 0, 300]
    assert told["gone"] is True
    assert told["pinched"][2] == 600
    assert told["fits"] == [0, 0, 300]


SMALL = (320, 480)
"""A window where a long chain is of small tiles."""


@pytest.mark.parametrize("way", ["double", "wheel"])
def test_a_table_of_small_tiles_is_looked_at_from_nearer_and_played_so(
    domino_table: Opened, way: str
) -> None:
    """Two ends to choose from, pressed where they are large; a button shows all again."""
    page = domino_table(SMALL)
    stage = Stage(page, played_on(dealt(OURS, THEIRS).state, 20, seed=17))
    tile, end = page.locator("[data-tile='1-1']"), page.locator(".place.open[data-end='U']")
    back = page.get_by_role("button", name=i18n.text("ka", "domino.zoom_back"))
    expect(page.locator(".field.zoomed")).to_have_count(0)
    expect(page.locator(".zoom-back")).to_be_hidden()
    tile.click()
    before, at = end.bounding_box(), middle(page, ".place.open[data-end='U']")
    tile.click()
    expect(page.locator(".place.open")).to_have_count(0)

    nearer(page, way, at)
    expect(page.locator(".field.zoomed")).to_be_visible()
    expect(back).to_be_visible()
    back.click()
    expect(page.locator(".field.zoomed")).to_have_count(0)
    expect(page.locator(".zoom-back")).to_be_hidden()
    inside(page)

    nearer(page, way, at)
    expect(page.locator(".field.zoomed")).to_be_visible()
    tile.click()
    expect(end).to_be_visible()
    large = end.bounding_box()
    assert before
    assert large
    assert large["width"] > 1.5 * before["width"]
    page.mouse.click(*at)
    expect(page.locator(".stone")).to_have_count(21)
    assert stage.actions == [{"action": "lay", "tile": "1-1", "end": "U"}]


def test_a_table_of_large_tiles_is_never_enlarged(domino_table: Opened) -> None:
    """And one that has got room again is shown whole."""
    page = domino_table(SMALL)
    Stage(page, played_on(dealt(OURS, THEIRS).state, 20, seed=17))
    nearer(page, "double", middle(page, ".field"))
    expect(page.locator(".field.zoomed")).to_be_visible()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(page.locator(".field.zoomed")).to_have_count(0)
    expect(page.locator(".field.small")).to_have_count(0)
    nearer(page, "double", middle(page, ".field"))
    nearer(page, "wheel", middle(page, ".field"))
    expect(page.locator(".zoom-back")).to_be_hidden()
    inside(page)


def nearer(page: Page, way: str, at: tuple[float, float]) -> None:
    if way == "double":
        page.mouse.dblclick(*at)
    else:
        page.mouse.move(*at)
        page.mouse.wheel(0, -240)


def _y(move: dict[str, Any]) -> float:
    found = re.match(r"translate\(\S+px, (\S+)px\)", move["from"])
    assert found is not None
    return float(found[1])
