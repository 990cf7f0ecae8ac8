"""What falls and travels, and the ends of hands and matches."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from engine.nardi.actions import Move, Roll
from engine.nardi.board import START, build
from tests.browser.nardi_stage import LAST_TWO, LYING, MOTIONS, Stage, at, saved
from tests.browser.windows import LAPTOP, PHONE
from tests.nardi.build import on_turn

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


def test_dice_fall_and_checkers_go_one_at_a_time_and_a_killed_one_to_the_bar(
    nardi_table: Opened,
) -> None:
    page = nardi_table(reduced_motion="no-preference")
    page.add_init_script(MOTIONS)
    board = build({13: 2, 6: 5, 1: 1}, {18: 2, 12: 1})
    stage = Stage(page, on_turn(board, None), [(5, 1), (3, 2)])
    page.locator(".controls .primary:visible").click()
    saved(page)
    assert [name for name, _ in page.evaluate("motions")] == ["die live", "die live"]
    at(page, 13).click()
    at(page, 12).click()
    saved(page, 2)
    assert [name for name, _ in page.evaluate("motions.slice(2)")] == [
        "checker light",
        "checker dark",
    ]
    assert page.evaluate("felt") == ["dice", "kill"]
    at(page, 6).click()
    at(page, 1).click()
    saved(page, 3)
    page.locator(".controls .primary:visible").click()
    saved(page, 4)
    for action in (Roll(), Move(25, 3), Move(7, 2)):
        stage.act(action)
    saved(page, 7)
    assert [name for name, _ in page.evaluate("motions.slice(4)")] == [
        "checker light",
        *["die live"] * 2,
        *["checker dark"] * 2,
    ]
    assert page.evaluate("felt.slice(2)") == ["checker", "dice", "checker", "checker"]
    assert all(150 <= duration <= 350 for _, duration in page.evaluate("motions"))
    expect(page.locator(".checker.held")).to_have_count(0)


ONE_BY_ONE = """
window.travels = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  const motion = animate.apply(this, given);
  if (this.matches(".checker")) {
    const which = this.getAttribute("class");
    window.travels.push(`${which} starts`);
    const done = () => window.travels.push(`${which} is there`);
    motion.finished.then(done, done);
  }
  return motion;
};
"""


def test_no_checker_starts_before_the_one_before_has_arrived(nardi_table: Opened) -> None:
    """Two dice in one press, a killed one, and all that the rival does, come how it may."""
    page = nardi_table(PHONE, ONE_BY_ONE, reduced_motion="no-preference")
    board = build({13: 2, 6: 5, 1: 1}, {20: 2, 12: 1})
    stage = Stage(page, on_turn(board, (5, 1)), [(3, 2)])
    at(page, 13).click()
    at(page, 7).click()
    saved(page, 2)
    assert page.evaluate("travels") == went("light", "dark", "light")
    page.locator(".controls .primary:visible").click()
    saved(page, 3)
    for action in (Roll(), Move(25, 3), Move(5, 2)):
        stage.act(action)
    saved(page, 6)
    assert page.evaluate("travels.slice(6)") == went("dark", "dark")


def went(*shades: str) -> list[str]:
    """One after the other."""
    steps = ("starts", "is there")
    return [f"checker {shade} {step}" for shade in shades for step in steps]


def test_nothing_moves_for_who_wants_no_motion(nardi_table: Opened) -> None:
    page = nardi_table()
    page.add_init_script(MOTIONS)
    Stage(page, on_turn(START, None), [(6, 5)])
    page.locator(".controls .primary:visible").click()
    saved(page)
    at(page, 24).click()
    at(page, 24).click()
    saved(page, 2)
    assert page.evaluate("motions") == []
    assert page.evaluate("felt") == ["dice", "checker"]


@pytest.mark.parametrize("size", [PHONE, (360, 640), LAPTOP, LYING])
def test_the_end_of_a_hand_leaves_the_board_and_what_one_presses_next_in_sight(
    nardi_table: Opened, size: tuple[int, int]
) -> None:
    page = nardi_table(size)
    stage = Stage(page, on_turn(LAST_TWO, (6, 5), points=7), [(6, 5)])
    bear_off_the_last(page)
    panel = page.locator(".panel:visible")
    expect(panel).to_contain_text("კოქსი")
    # The next hand's view is here already; the board shows how this one ended.
    expect(at(page, 0)).to_have_attribute("aria-label", re.compile("შენი 15 ქვა"))
    box, board = panel.bounding_box(), page.locator(".stage").bounding_box()
    go_on = page.locator(".go-on").bounding_box()
    assert box
    assert board
    assert go_on
    assert box["y"] + box["height"] <= go_on["y"]
    if size[0] > size[1]:
        assert box["x"] >= board["x"] + board["width"]
    else:
        assert box["y"] > board["y"] + board["height"] / 3
    panel.locator(".close").click()
    page.locator(".controls .quiet").click()
    expect(panel).to_be_visible()
    stage.deal()
    expect(panel).to_have_count(0)
    expect(page.locator(".controls .quiet")).to_be_hidden()
    expect(at(page, 24)).to_have_attribute("aria-label", re.compile("შენი 2 ქვა"))


def test_who_comes_back_between_two_hands_sees_how_the_last_one_ended(
    nardi_table: Opened,
) -> None:
    page = nardi_table()
    stage = Stage(page, on_turn(LAST_TWO, (6, 5), seat=0, points=7), [(6, 5)])
    bear_off_the_last(page)
    before = page.locator(".spot").evaluate_all("all => all.map((one) => one.ariaLabel)")
    page.reload()
    expect(page.locator(".panel:visible")).to_contain_text("კოქსი")
    expect(page.locator(".board:not([aria-busy])")).to_be_visible()
    again = page.locator(".spot").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert again == before
    stage.deal()
    expect(at(page, 24)).to_have_attribute("aria-label", re.compile("შენი 2 ქვა"))


def test_the_opening_dice_fall_on_the_board_of_the_new_hand(nardi_table: Opened) -> None:
    """N3: each player's own die lies with them first, ties too, then both with who begins."""
    page = nardi_table(reduced_motion="no-preference")
    stage = Stage(page, on_turn(LAST_TWO, (6, 5), points=7), [(3, 3), (2, 6)])
    bear_off_the_last(page)
    expect(page.locator(".panel")).to_be_visible()
    page.evaluate(
        """() => {
          window.seen = [];
          new MutationObserver(() => {
            const told = [...document.querySelectorAll(".roll-name")].map((one) => one.textContent);
            const hidden = document.querySelector(".panel").hidden;
            const now = `${told.join("|")} ${hidden}`;
            if (window.seen.at(-1) !== now) window.seen.push(now);
          }).observe(document.querySelector(".board"),
            { subtree: true, childList: true, attributes: true, characterData: true });
        }"""
    )
    stage.deal()
    expect(page.locator(".board:not([aria-busy]) .rival .cup")).to_contain_text("შაში-დუ")
    assert page.evaluate("seen.slice(-3)") == ["სე|სე true", "შაში|დუ true", "შაში-დუ| true"]
    expect(page.locator(".bar .told")).to_have_text(
        "გათამაშება: 3-3, თავიდან · გათამაშება: შენ – 2, გიორგი – 6 · პირველი სვლა: გიორგი"
    )


def test_the_end_of_a_match_is_felt_and_does_not_cover_the_board_on_a_laptop(
    nardi_table: Opened,
) -> None:
    page = nardi_table(LAPTOP)
    page.add_init_script(MOTIONS)
    Stage(page, on_turn(LAST_TWO, (6, 5), points=1))
    bear_off_the_last(page)
    expect(page.locator(".panel:visible .reason")).to_be_visible()
    assert page.evaluate("felt.at(-1)") == "end"
    panel, board = page.locator(".panel").bounding_box(), page.locator(".stage").bounding_box()
    assert panel
    assert board
    assert panel["x"] >= board["x"] + board["width"]


def bear_off_the_last(page: Page) -> None:
    for _ in range(2):
        done = int(page.locator("#play").get_attribute("data-ply") or 0)
        at(page, 1).click()
        at(page, 0).click()
        saved(page, done - 6)
