"""The board itself: piles, marks, room, keyboard, watchers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.nardi import State
from engine.nardi.actions import Confirm, Move
from engine.nardi.board import START, Board, build
from tests.browser.nardi_stage import LYING, Box, Stage, at, saved
from tests.browser.windows import LAPTOP, PHONE
from tests.nardi.build import on_turn, opened

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


@pytest.mark.parametrize("size", [PHONE, (360, 640), LAPTOP, LYING])
def test_piles_show_their_number_and_stay_on_their_point(
    nardi_table: Opened, size: tuple[int, int]
) -> None:
    """Fifteen on a point, five on the bar."""
    page = nardi_table(size)
    stage = Stage(page, on_turn(build({6: 15}, {19: 15}), (6, 1)))
    assert numbers(page) == ["15", "15"]
    assert outside(page) == []
    stage.show(on_turn(build({6: 6, 5: 4}, {19: 7, 24: 8}, bar=5), (6, 1)))
    assert sorted(numbers(page)) == ["6", "7", "8"]
    assert outside(page) == []
    expect(at(page, "bar")).to_have_attribute("aria-label", "ბარი, შენი 5 ქვა")


@pytest.mark.parametrize(("seat", "own"), [(0, "light"), (1, "dark"), (None, "light")])
def test_the_plates_show_whose_which_checkers_are(
    nardi_table: Opened, seat: int | None, own: str
) -> None:
    page = nardi_table()
    Stage(page, opened((3, 1)).state, seat=seat)
    expect(page.locator(f".plate.own .side-of .checker.{own}")).to_have_count(1)
    rival = {"light": "dark", "dark": "light"}[own]
    expect(page.locator(f".plate.rival .side-of .checker.{rival}")).to_have_count(1)
    told = {0: "შენ ღია ქვებით თამაშობ", 1: "შენ მუქი ქვებით თამაშობ", None: ""}[seat]
    expect(page.locator(".bar .told")).to_contain_text(told)


def test_the_last_turn_stays_marked_until_the_next_move(nardi_table: Opened) -> None:
    page = nardi_table()
    stage = Stage(page, on_turn(START, (3, 1), seat=1), [(6, 5)])
    for move in (Move(8, 3), Move(6, 1), Confirm()):
        stage.act(move)
    expect(page.locator(".left")).to_have_count(2)
    expect(page.locator(".came")).to_have_count(2)
    page.locator(".controls .primary:visible").click()
    saved(page, 4)
    expect(page.locator(".came")).to_have_count(2)
    at(page, 24).click()
    at(page, 24).click()
    saved(page, 5)
    expect(page.locator(".came")).to_have_count(1)
    mark = page.locator(".came .over").bounding_box()
    spot = at(page, 18).bounding_box()
    assert mark
    assert spot
    assert spot["x"] <= mark["x"] <= spot["x"] + spot["width"]
    assert spot["y"] <= mark["y"] <= spot["y"] + spot["height"]


@pytest.mark.parametrize("size", [(360, 640), PHONE, (768, 1024), LAPTOP, LYING])
def test_board_plates_and_controls_fit_the_screen(
    nardi_table: Opened, size: tuple[int, int]
) -> None:
    page = nardi_table(size)
    Stage(page, on_turn(START, (6, 6)))
    wide, tall = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert (wide <= size[0], tall <= size[1]) == (True, True)
    for name in (".plate.rival", ".plate.own", ".stage", ".controls", ".bar"):
        box = page.locator(name).bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]
        assert box["x"] + box["width"] <= size[0]
    for one in boxes(page.locator(".controls button:visible, .own .cup")):
        assert min(one["width"], one["height"]) >= 44
    for one in boxes(page.locator(".spot")):
        assert min(one["width"], one["height"]) >= 24


def test_a_whole_turn_by_keyboard_never_loses_the_focus(nardi_table: Opened) -> None:
    page = nardi_table()
    stage = Stage(page, on_turn(START, None), [(3, 1)])

    def focused() -> str:
        told: str = page.evaluate(
            "document.activeElement.dataset.point ?? document.activeElement.textContent"
        )
        return told

    page.locator(".controls .primary:visible").focus()
    page.keyboard.press("Enter")
    saved(page)
    assert focused() == "24"
    while focused() != "8":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert focused() == "8"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    while focused() != "5":
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    saved(page, 2)
    assert focused() == "5"
    page.keyboard.press("Shift+Tab")
    assert focused() == "6"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    saved(page, 3)
    assert focused() == "6"
    while focused() != "დაასრულე სვლა":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    saved(page, 4)
    assert page.evaluate("document.activeElement !== document.body")
    assert [action["action"] for action in stage.actions] == ["roll", "move", "move", "confirm"]


def test_the_arrows_go_from_point_to_point(nardi_table: Opened) -> None:
    page = nardi_table(LAPTOP)
    Stage(page, on_turn(START, (6, 5)))
    at(page, 24).focus()
    for arrow, point in [("Left", "13"), ("Down", "8"), ("Right", "6"), ("Left", "8")]:
        page.keyboard.press(f"Arrow{arrow}")
        expect(at(page, point)).to_be_focused()


def test_a_watcher_sees_the_board_from_the_first_seat(nardi_table: Opened) -> None:
    page = nardi_table()
    board: Board = build({24: 1, 6: 3}, {20: 2})
    state: State = on_turn(board, (4, 1))
    Stage(page, state, seat=None)
    expect(at(page, 6)).to_have_attribute("aria-label", "6, 3 ღია ქვა")
    expect(at(page, 20)).to_have_attribute("aria-label", "20, 2 მუქი ქვა")
    expect(page.locator("button.spot")).to_have_count(0)
    expect(page.locator(".own .cup")).to_contain_text("ჩარი-იაქი")


def numbers(page: Page) -> list[str]:
    return page.locator(".checker .number").all_text_contents()


def outside(page: Page) -> list[str]:
    """Checkers that lie over the board's edge, or on no point."""
    found: list[str] = page.evaluate(
        """() => {
          const board = document.querySelector(".wood").getBoundingClientRect();
          const spots = [...document.querySelectorAll(".spot")]
            .map((one) => one.getBoundingClientRect());
          return [...document.querySelectorAll(".picture .checker .disc")].flatMap((disc) => {
            const { left, right, top, bottom } = disc.getBoundingClientRect();
            const x = (left + right) / 2;
            const y = (top + bottom) / 2;
            const inside = left >= board.left - 2 && right <= board.right + 2 &&
              top >= board.top - 2 && bottom <= board.bottom + 2;
            const on = spots.some((box) =>
              x > box.left && x < box.right && y > box.top && y < box.bottom);
            return inside && on ? [] : [`${x} ${y}`];
          });
        }"""
    )
    return found


def boxes(found: Locator) -> list[Box]:
    told: list[Box] = found.evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    return told
