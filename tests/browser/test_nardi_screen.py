"""The nardi board as a player meets it, with chosen boards and dice."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.nardi import State
from engine.nardi.actions import Confirm, Move, Roll
from engine.nardi.board import START, Board, build
from tests.app.server import Server
from tests.browser.modules import empty_page, run
from tests.browser.nardi_stage import Stage
from tests.browser.players import make_table
from tests.browser.windows import LAPTOP, PHONE
from tests.nardi.build import on_turn

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]
Box = dict[str, float]

LYING = (844, 390)
RACE = build({6: 2, 5: 1, 3: 2, 2: 1}, {24: 3, 20: 5, 19: 2})
"""Bearing off on both sides, past all contact."""
BLOCKED = build({18: 2, 24: 2, 6: 3}, dict.fromkeys((1, 19, 20, 21, 22, 23), 2), bar=1)
"""One on the bar, with the home before it closed."""
DEAD_SIX = build({8: 2, 6: 1}, {2: 2, 1: 2, 17: 2, 18: 2, 19: 2, 20: 3, 21: 2})
"""A 6 is closed on every way, a 4 is not."""


@pytest.fixture
def table(site: Server, open_window: OpenWindow) -> Callable[..., Page]:
    """A page at a table of nardi; ``kept`` are settings that its browser has kept."""

    def make(size: tuple[int, int] = PHONE, kept: str = "{}", **settings: Any) -> Page:
        page = open_window(size, **settings)
        page.add_init_script(f"localStorage.setItem('ezo.settings', JSON.stringify({kept}))")
        make_table(page, site.origin, "nardi", 3)
        return page

    return make


def at(page: Page, point: int | str) -> Locator:
    return page.locator(f".spot[data-point='{point}']")


def middle(spot: Locator) -> tuple[float, float]:
    box: Box = spot.evaluate("one => one.getBoundingClientRect().toJSON()")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, point: int, to: tuple[float, float]) -> None:
    page.mouse.move(*middle(at(page, point)))
    page.mouse.down()
    page.mouse.move(*to, steps=4)


def saved(page: Page, moves: int = 1) -> None:
    """So many actions since the table was staged are shown, and nothing moves any more."""
    expect(page.locator(f"#play[data-pending='0'][data-ply='{7 + moves}']")).to_be_attached()
    expect(page.locator(".board:not([aria-busy])")).to_be_visible()


def moves(stage: Stage) -> list[tuple[int | str, int]]:
    return [(action["from"], action["die"]) for action in stage.actions]


def test_a_pressed_checker_lights_all_it_can_reach_and_one_press_more_plays_it(
    table: Callable[..., Page],
) -> None:
    """N21: one die and both, the one that kills among them."""
    page = table()
    stage = Stage(page, on_turn(build({13: 2, 6: 3}, {20: 2, 12: 1, 8: 2}), (5, 1)))
    at(page, 13).click()
    lit = page.locator(".spot.to")
    assert [spot.get_attribute("data-point") for spot in lit.all()] == ["12", "7"]
    expect(at(page, 12)).to_have_attribute("aria-label", re.compile("კლავს$"))
    expect(at(page, 7)).to_have_attribute("aria-label", re.compile(re.escape("1 + 5")))
    expect(page.locator(".target")).to_have_count(2)
    expect(page.locator(".bar .told")).to_have_text("აირჩიე ადგილი, ან ისევ ამ ქვას დააჭირე (1-ით)")
    at(page, 7).click()
    saved(page, 2)
    assert moves(stage) == [(13, 1), (12, 5)]
    expect(at(page, "bar")).to_have_attribute("aria-label", re.compile("მოწინააღმდეგის 1 ქვა"))


def test_what_can_be_picked_up_and_where_it_goes_differ_in_shape(
    table: Callable[..., Page],
) -> None:
    page = table()
    Stage(page, on_turn(START, (6, 2)))
    rings = page.locator(".checker.movable > circle.halo:not(.under)")
    expect(rings).to_have_count(4)
    expect(page.locator(".target")).to_have_count(0)
    at(page, 13).click()
    expect(rings).to_have_count(0)
    expect(page.locator(".target > rect.slot")).to_have_count(3)
    dots = page.locator(".target").evaluate_all(
        "all => all.map((one) => one.querySelectorAll('.dot').length)"
    )
    assert sorted(dots) == [1, 1, 2]
    page.keyboard.press("Escape")
    expect(page.locator(".target")).to_have_count(0)
    expect(rings).to_have_count(4)


def test_a_second_press_plays_the_larger_die_and_the_next_checker_the_other(
    table: Callable[..., Page],
) -> None:
    """N22."""
    page = table()
    stage = Stage(page, on_turn(START, (6, 2)))
    at(page, 24).click()
    at(page, 24).click()
    saved(page)
    at(page, 13).click()
    at(page, 13).click()
    saved(page, 2)
    assert moves(stage) == [(24, 6), (13, 2)]


def test_a_checker_that_cannot_move_says_why(table: Callable[..., Page]) -> None:
    page = table()
    stage = Stage(page, on_turn(START, (5, 5)))
    expect(at(page, 24)).to_have_attribute("aria-disabled", "true")
    at(page, 24).click(force=True)
    expect(page.locator(".bar.refused .told")).to_have_text("ამ ქვით ახლა ვერ ივლი")
    assert stage.actions == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_checker_is_dragged_onto_a_point_with_both_dice_in_one_gesture(
    table: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = table(size)
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
    stage.resume()
    saved(page, 2)
    assert moves(stage) == [(24, 6), (18, 2)]
    expect(at(page, 16)).to_have_attribute("aria-label", re.compile("შენი 1 ქვა"))


def test_a_checker_let_go_near_a_lit_point_lands_there_and_elsewhere_goes_back(
    table: Callable[..., Page],
) -> None:
    page = table(LAPTOP)
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


def test_a_finger_drags_too(table: Callable[..., Page]) -> None:
    page = table()
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
    table: Callable[..., Page],
) -> None:
    """N23."""
    page = table()
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


def test_a_press_on_the_dice_rolls(table: Callable[..., Page]) -> None:
    """N9."""
    page = table()
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


def test_with_confirming_off_a_turn_ends_by_itself(table: Callable[..., Page]) -> None:
    page = table(kept="{ confirm: false }")
    stage = Stage(page, on_turn(START, (3, 1)))
    for n, start in enumerate((8, 6)):
        at(page, start).click()
        at(page, 5).click()
        saved(page, 1 + n if n == 0 else 3)
    assert [action["action"] for action in stage.actions] == ["move", "move", "confirm"]


def test_it_rolls_by_itself_where_that_is_set(table: Callable[..., Page]) -> None:
    page = table(kept="{ auto_roll: true }")
    stage = Stage(page, on_turn(START, (3, 1), seat=1), [(6, 5)])
    expect(page.locator(".rival .cup")).to_contain_text("სე-იაქი")
    for move in (Move(8, 3), Move(6, 1)):
        stage.act(move)
    assert stage.actions == []
    stage.act(Confirm())
    expect(page.locator(".own .cup")).to_contain_text("შაში-ფანჯი")
    assert stage.actions == [{"action": "roll"}]


def test_it_bears_off_by_itself_until_the_player_takes_back(table: Callable[..., Page]) -> None:
    page = table(kept="{ auto_bear_off: true }")
    stage = Stage(page, on_turn(RACE, (6, 3)))
    saved(page, 2)
    assert moves(stage) == [(6, 6), (3, 3)]
    # Confirming is still asked for; what is taken back is the player's to play.
    page.locator(".controls button", has_text="დააბრუნე").click()
    saved(page, 3)
    expect(page.locator(".spot.movable")).not_to_have_count(0)
    at(page, 5).click()
    at(page, 2).click()
    saved(page, 4)
    assert moves_of(stage.acts[3:]) == [(5, 3)]


def moves_of(acts: list[dict[str, Any]]) -> list[tuple[int | str, int]]:
    return [(act["action"]["from"], act["action"]["die"]) for act in acts]


@pytest.mark.parametrize(
    ("own", "rival", "runs"),
    [
        ({6: 15}, {24: 15}, True),
        ({6: 15}, {7: 15}, True),
        ({6: 2, 1: 4}, {0: 3, 7: 12}, True),
        ({7: 1, 6: 14}, {24: 15}, False),
        ({25: 1, 6: 14}, {24: 15}, False),
        ({6: 15}, {25: 1, 24: 14}, False),
        ({6: 15}, {5: 1, 24: 14}, False),
        ({4: 15}, {5: 2, 24: 13}, True),
    ],
)
def test_it_bears_off_by_itself_only_where_nothing_can_be_met(
    open_window: OpenWindow, own: dict[int, int], rival: dict[int, int], runs: bool
) -> None:
    page = empty_page(open_window())
    rows = [[side.get(point, 0) for point in range(26)] for side in (own, rival)]
    script = "return (await load('nardi/auto')).runsHome({ own: given[0], rival: given[1] });"
    assert run(page, script, rows) is runs


def test_a_dead_die_is_grey_and_its_reason_is_said(table: Callable[..., Page]) -> None:
    page = table()
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
    table: Callable[..., Page],
) -> None:
    """N7: they are looked at for a second, of the page's own clock."""
    page = table(kept="{ auto_roll: true }")
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


@pytest.mark.parametrize("size", [PHONE, (360, 640), LAPTOP, LYING])
def test_piles_show_their_number_and_stay_on_their_point(
    table: Callable[..., Page], size: tuple[int, int]
) -> None:
    """Fifteen on a point, five on the bar."""
    page = table(size)
    stage = Stage(page, on_turn(build({6: 15}, {19: 15}), (6, 1)))
    assert numbers(page) == ["15", "15"]
    assert outside(page) == []
    stage.show(on_turn(build({6: 6, 5: 4}, {19: 7, 24: 8}, bar=5), (6, 1)))
    assert sorted(numbers(page)) == ["6", "7", "8"]
    assert outside(page) == []
    expect(at(page, "bar")).to_have_attribute("aria-label", "ბარი, შენი 5 ქვა")


def numbers(page: Page) -> list[str]:
    return page.locator(".checker .number").all_text_contents()


def outside(page: Page) -> list[str]:
    """Checkers that lie over the board's edge, or on no point."""
    found: list[str] = page.evaluate(
        """() => {
          const board = document.querySelector(".wood").getBoundingClientRect();
          const spots = [...document.querySelectorAll(".spot")]
            .map((one) => one.getBoundingClientRect());
          return [...document.querySelectorAll(".checker .disc")].flatMap((disc) => {
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


def test_the_last_turn_stays_marked_until_the_next_move(table: Callable[..., Page]) -> None:
    page = table()
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


MOTIONS = """
window.motions = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  window.motions.push([this.getAttribute("class"), options.duration]);
  return animate.call(this, frames, options);
};
window.felt = [];
const kinds = { "8": "checker", "30,30,40": "kill", "8,30,8,30,8": "dice", "40,80,80": "end" };
navigator.vibrate = (pattern) => kinds[pattern] && window.felt.push(kinds[pattern]);
"""


def test_dice_fall_and_checkers_go_one_at_a_time_and_a_killed_one_to_the_bar(
    table: Callable[..., Page],
) -> None:
    page = table(reduced_motion="no-preference")
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


def test_nothing_moves_for_who_wants_no_motion(table: Callable[..., Page]) -> None:
    page = table()
    page.add_init_script(MOTIONS)
    Stage(page, on_turn(START, None), [(6, 5)])
    page.locator(".controls .primary:visible").click()
    saved(page)
    at(page, 24).click()
    at(page, 24).click()
    saved(page, 2)
    assert page.evaluate("motions") == []
    assert page.evaluate("felt") == ["dice", "checker"]


LAST_TWO = build({1: 2}, {24: 3, 20: 5, 19: 2, 3: 1, 6: 4})


def bear_off_the_last(page: Page) -> None:
    for _ in range(2):
        done = int(page.locator("#play").get_attribute("data-ply") or 0)
        at(page, 1).click()
        at(page, 0).click()
        saved(page, done - 6)


@pytest.mark.parametrize("size", [PHONE, (360, 640), LAPTOP, LYING])
def test_the_end_of_a_hand_leaves_the_board_and_what_one_presses_next_in_sight(
    table: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = table(size)
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


def test_the_opening_dice_fall_on_the_board_of_the_new_hand(table: Callable[..., Page]) -> None:
    """N3: each player's own die lies with them first, ties too, then both with who begins."""
    page = table(reduced_motion="no-preference")
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
    table: Callable[..., Page],
) -> None:
    page = table(LAPTOP)
    page.add_init_script(MOTIONS)
    Stage(page, on_turn(LAST_TWO, (6, 5), points=1))
    bear_off_the_last(page)
    expect(page.locator(".panel:visible .reason")).to_be_visible()
    assert page.evaluate("felt.at(-1)") == "end"
    panel, board = page.locator(".panel").bounding_box(), page.locator(".stage").bounding_box()
    assert panel
    assert board
    assert panel["x"] >= board["x"] + board["width"]


@pytest.mark.parametrize("size", [(360, 640), PHONE, (768, 1024), LAPTOP, LYING])
def test_board_plates_and_controls_fit_the_screen(
    table: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = table(size)
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


def boxes(found: Locator) -> list[Box]:
    told: list[Box] = found.evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    return told


def test_a_whole_turn_by_keyboard_never_loses_the_focus(table: Callable[..., Page]) -> None:
    page = table()
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


def test_the_arrows_go_from_point_to_point(table: Callable[..., Page]) -> None:
    page = table(LAPTOP)
    Stage(page, on_turn(START, (6, 5)))
    at(page, 24).focus()
    for arrow, point in [("Left", "13"), ("Down", "8"), ("Right", "6"), ("Left", "8")]:
        page.keyboard.press(f"Arrow{arrow}")
        expect(at(page, point)).to_be_focused()


def test_who_knows_no_rules_is_told_what_is_asked(table: Callable[..., Page]) -> None:
    page = table()
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


def test_a_watcher_sees_the_board_from_the_first_seat(table: Callable[..., Page]) -> None:
    page = table()
    board: Board = build({24: 1, 6: 3}, {20: 2})
    state: State = on_turn(board, (4, 1))
    Stage(page, state, seat=None)
    expect(at(page, 6)).to_have_attribute("aria-label", "6, 3 ღია ქვა")
    expect(at(page, 20)).to_have_attribute("aria-label", "20, 2 მუქი ქვა")
    expect(page.locator("button.spot")).to_have_count(0)
    expect(page.locator(".own .cup")).to_contain_text("ჩარი-იაქი")
