"""Moving checkers: presses, drags, dice, taking back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from engine.nardi.actions import Move, Roll
from engine.nardi.board import START, build
from tests.browser.nardi_stage import BLOCKED, DEAD_SIX, Stage, at, drag, middle, moves, saved
from tests.browser.windows import LAPTOP, PHONE
from tests.nardi.build import on_turn

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


def test_a_pressed_checker_lights_all_it_can_reach_and_one_press_more_plays_it(
    nardi_table: Opened,
) -> None:
    """N21: one die and both, the one that kills among them."""
    page = nardi_table()
    stage = Stage(page, on_turn(build({13: 2, 6: 3}, {20: 2, 12: 1, 8: 2}), (5, 1)))
    at(page, 13).click()
    lit = page.locator(".spot.to")
    assert [spot.get_attribute("data-point") for spot in lit.all()] == ["12", "7"]
    expect(at(page, 12)).to_have_attribute("aria-label", re.compile("კლავს$"))
    expect(at(page, 7)).to_have_attribute("aria-label", re.compile(re.escape("1 + 5")))
    expect(page.locator(".target")).to_have_count(2)
    expect(page.locator(".bar .told")).to_have_text(
        "აირჩიე ადგილი ან ამავე ქვას დააჭირე, 1-ით წავა"
    )
    expect(page.locator(".target.kill .number")).to_have_text(["1", "6"])
    at(page, 7).click()
    saved(page, 2)
    assert moves(stage) == [(13, 1), (12, 5)]
    expect(at(page, "bar")).to_have_attribute("aria-label", re.compile("მოწინააღმდეგის 1 ქვა"))


def test_what_can_be_picked_up_and_where_it_goes_differ_in_shape(
    nardi_table: Opened,
) -> None:
    page = nardi_table()
    Stage(page, on_turn(START, (6, 2)))
    rings = page.locator(".checker.movable > circle.halo:not(.under)")
    expect(rings).to_have_count(4)
    expect(page.locator(".target")).to_have_count(0)
    at(page, 13).click()
    expect(rings).to_have_count(0)
    expect(page.locator(".target > rect.slot")).to_have_count(3)
    numbers = page.locator(".target .number").all_text_contents()
    assert sorted(numbers) == ["2", "6", "8"]
    page.keyboard.press("Escape")
    expect(page.locator(".target")).to_have_count(0)
    expect(rings).to_have_count(4)


def test_a_second_press_plays_the_larger_die_and_the_next_checker_the_other(
    nardi_table: Opened,
) -> None:
    """N22."""
    page = nardi_table()
    stage = Stage(page, on_turn(START, (6, 2)))
    at(page, 24).click()
    at(page, 24).click()
    saved(page)
    at(page, 13).click()
    at(page, 13).click()
    saved(page, 2)
    assert moves(stage) == [(24, 6), (13, 2)]


def test_a_press_that_does_nothing_says_why(nardi_table: Opened) -> None:
    """And what was said of a chosen checker is taken back with the choice."""
    page = nardi_table()
    stage = Stage(page, on_turn(START, (6, 2)))
    told = page.locator(".bar .told")
    at(page, 19).click()
    expect(page.locator(".bar.refused .told")).to_have_text("ეს მოწინააღმდეგის ქვაა")
    at(page, 13).click()
    at(page, 12).click()
    expect(page.locator(".bar.refused .told")).to_have_text("აქ ამ კამათლით ვერ მიხვალ")
    at(page, 13).click()
    expect(told).to_contain_text("აირჩიე ადგილი")
    page.keyboard.press("Escape")
    expect(told).to_have_text("")
    assert stage.actions == []


def test_who_is_hit_is_told_so(nardi_table: Opened) -> None:
    page = nardi_table()
    stage = Stage(page, on_turn(build({13: 2, 6: 3}, {20: 2, 12: 1, 8: 2}), (5, 1), seat=1))
    stage.act(Move(13, 1))
    expect(page.locator(".bar .told")).to_have_text(
        "გიორგი: 13/12* · შენი ქვა მოკლეს, შემდეგ სვლაზე გააცოცხლე"
    )


def test_a_checker_that_cannot_move_says_why(nardi_table: Opened) -> None:
    page = nardi_table()
    stage = Stage(page, on_turn(START, (5, 5)))
    expect(at(page, 24)).to_have_attribute("aria-disabled", "true")
    at(page, 24).click(force=True)
    expect(page.locator(".bar.refused .told")).to_have_text("ამ ქვით ახლა ვერ ივლი")
    assert stage.actions == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_checker_is_dragged_onto_a_point_with_both_dice_in_one_gesture(
    nardi_table: Opened, size: tuple[int, int]
) -> None:
    page = nardi_table(size)
    stage = Stage(page, on_turn(START, (6, 2)))
    stage.held = True
    drag(page, 24, middle(at(page, 16)))
    expect(page.locator(".checker.held")).to_have_count(1)
    expect(page.locator(".spot.to")).to_have_count(3)
    page.mouse.up()
    # It lies where it was put, and looks as if it were not saved, which is so.
    expect(page.locator(".awaited .checker")).to_be_visible()
    expect(page.locator(".checker.held")).to_have_count(0)
    assert moves(stage) == [(24, 6)]
    stage.held = False
    stage.answer()
    saved(page, 2)
    assert moves(stage) == [(24, 6), (18, 2)]
    expect(at(page, 16)).to_have_attribute("aria-label", re.compile("შენი 1 ქვა"))


def test_a_checker_that_is_not_saved_looks_so_where_it_came_from(nardi_table: Opened) -> None:
    """Until the answer: the uppermost of its pile alone, beside the place that awaits it."""
    page = nardi_table()
    stage = Stage(page, on_turn(START, (6, 2)))
    pending = page.locator(".checker.pending")
    expect(pending).to_have_count(0)
    stage.held = True
    at(page, 13).click()
    at(page, 13).click()
    expect(page.locator("#play")).to_have_attribute("data-pending", "1")
    expect(pending).to_have_count(1)
    expect(page.locator(".awaited")).to_have_count(1)
    disc = pending.locator(".disc").bounding_box()
    spot = at(page, 13).bounding_box()
    assert disc
    assert spot
    assert spot["x"] <= disc["x"] + disc["width"] / 2 <= spot["x"] + spot["width"]
    assert spot["y"] <= disc["y"] + disc["height"] / 2 <= spot["y"] + spot["height"]
    shade = "one => getComputedStyle(one).opacity"
    saved_one = page.locator(".checker.light:not(.pending)").first
    assert float(pending.evaluate(shade)) < float(saved_one.evaluate(shade))
    stage.answer()
    saved(page)
    expect(pending).to_have_count(0)
    expect(page.locator(".awaited")).to_have_count(0)


def test_a_checker_let_go_near_a_lit_point_lands_there_and_elsewhere_goes_back(
    nardi_table: Opened,
) -> None:
    page = nardi_table(LAPTOP)
    stage = Stage(page, on_turn(START, (6, 2)))
    drag(page, 24, middle(at(page, 3)))
    page.mouse.up()
    expect(page.locator(".checker.held, .target")).to_have_count(0)
    drag(page, 24, middle(at(page, 22)))
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator(".checker.held, .target")).to_have_count(0)
    assert stage.actions == []
    x, y = middle(at(page, 22))
    height = at(page, 22).bounding_box()
    assert height is not None
    drag(page, 24, (x, y + height["height"] / 2 + 15))
    page.mouse.up()
    saved(page)
    assert moves(stage) == [(24, 2)]


def test_a_finger_drags_too(nardi_table: Opened) -> None:
    page = nardi_table()
    stage = Stage(page, on_turn(START, (6, 2)))
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in places]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    start, end = middle(at(page, 24)), middle(at(page, 18))
    touch("touchStart", start)
    touch("touchMove", (start[0] + 12, start[1] - 12))
    touch("touchMove", end)
    touch("touchEnd")
    saved(page)
    assert moves(stage) == [(24, 6)]


def test_moves_are_taken_back_until_a_press_on_the_dice_confirms(
    nardi_table: Opened,
) -> None:
    """N23."""
    page = nardi_table()
    stage = Stage(page, on_turn(START, (3, 1)))
    cup = page.locator(".own .cup")
    expect(cup).to_be_disabled()
    at(page, 8).click()
    at(page, 5).click()
    saved(page)
    page.locator(".controls button", has_text="დააბრუნე").click()
    saved(page, 2)
    for n, start in enumerate((8, 6)):
        at(page, start).click()
        at(page, 5).click()
        saved(page, 3 + n)
    expect(page.locator(".controls .primary:visible")).to_have_text("დაასრულე სვლა")
    expect(cup).to_have_attribute("aria-label", re.compile("დაასრულე სვლა$"))
    cup.click()
    saved(page, 5)
    assert stage.actions[-1] == {"action": "confirm"}
    expect(page.locator(".plate.rival.on-turn")).to_be_visible()


def test_a_press_on_the_dice_rolls(nardi_table: Opened) -> None:
    """N9."""
    page = nardi_table()
    stage = Stage(page, on_turn(START, None), [(6, 6)])
    page.locator(".own .cup").click()
    saved(page)
    assert stage.actions == [{"action": "roll"}]
    expect(page.locator(".own .cup")).to_contain_text("დუ-შაში")
    expect(page.locator(".own .die")).to_have_count(2)
    expect(page.locator(".own .mark.live")).to_have_count(4)
    at(page, 24).click()
    at(page, 24).click()
    saved(page, 2)
    expect(page.locator(".own .mark.live")).to_have_count(3)
    expect(page.locator(".rival .cup")).to_be_hidden()


def test_a_dead_die_is_grey_and_its_reason_is_said(nardi_table: Opened) -> None:
    page = nardi_table()
    Stage(page, on_turn(DEAD_SIX, None), [(6, 4)])
    page.locator(".controls .primary:visible").click()
    saved(page)
    expect(page.locator(".own .die.dead")).to_have_count(1)
    expect(page.locator(".own .die.live")).to_have_count(1)
    reason = re.compile("6-ით ვერსად ივლი, დაკეტილია")
    expect(page.locator(".bar [role=status] .told")).to_have_text(reason)
    at(page, 8).click()
    expect(page.locator(".bar .told")).to_have_text(reason)


def test_a_turn_without_a_move_shows_its_dice_before_anything_goes_on(
    nardi_table: Opened,
) -> None:
    """N7: they are looked at for a second, of the page's own clock."""
    page = nardi_table(kept="{ auto_roll: true }")
    page.clock.install()
    stage = Stage(page, on_turn(BLOCKED, None, seat=1), [(6, 5), (4, 3)])
    page.clock.pause_at(page.evaluate("(Date.now() + 1000) / 1000"))
    stage.act(Roll())
    expect(page.locator(".bar .told")).to_have_text(
        "გიორგი: 6-5, მკვდარი ქვა ვერ ცოცხლდება, სვლა გადადის"
    )
    expect(page.locator(".rival .die.dead")).to_have_count(2)
    expect(page.locator(".rival .cup")).to_contain_text("შაში-ფანჯი")
    page.clock.run_for(900)
    assert stage.actions == []
    page.clock.run_for(200)
    expect(page.locator(".own .cup")).to_contain_text("ჩარი-სე")
    assert stage.actions == [{"action": "roll"}]


def test_who_knows_no_rules_is_told_what_is_asked(nardi_table: Opened) -> None:
    page = nardi_table()
    stage = Stage(page, on_turn(START, None), [(3, 1)])
    asked = page.locator(".bar .asked")
    expect(asked).to_have_text("შენი სვლაა, გააგორე კამათელი")
    page.locator(".controls .primary:visible").click()
    expect(asked).to_have_text("შენი სვლაა, აირჩიე ქვა")
    stage.show(on_turn(build({6: 5}, {20: 2}, bar=1), (3, 2)))
    expect(asked).to_have_text("შენი სვლაა, მკვდარი ქვა გააცოცხლე")
    assert [one.get_attribute("data-point") for one in page.locator(".spot.movable").all()] == [
        "bar"
    ]
