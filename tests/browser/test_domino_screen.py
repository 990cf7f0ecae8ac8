"""The domino table as a player sees and touches it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.domino import GAME
from tests.app.server import Server
from tests.browser.domino_stage import Stage, dealt, played, played_on
from tests.browser.modules import empty_page, run
from tests.browser.players import make_table
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]
Opened = Callable[..., Page]

# The worked example of the rules (G18): "ours" is A, "theirs" is B.
OURS = "6-6 5-6 5-5 0-1 0-2 1-2 2-2"
THEIRS = "4-6 1-6 0-6 3-3 3-4 2-4 2-3"
EXAMPLE = ["6-6", "4-6 L", "5-6 R", "1-6 U"]
# Nothing of ours fits what they lay; the third tile of the bazaar does.
STUCK = "1-1 2-2 3-3 1-2 1-3 2-3 0-1"
RICH = "6-6 5-6 4-6 4-5 4-4 5-5 0-6"
BAZAAR = "0-2 0-3 3-6 2-6"
MOVES = """() => {
  window.moves = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    moves.push({ what: this.className.baseVal ?? this.className, tile: this.dataset?.laid
      ?? this.dataset?.tile ?? "", from: frames[0]?.transform ?? "", for: options.duration });
    return animate.call(this, frames, options);
  };
}"""
FELT = """() => {
  window.felt = [];
  Object.defineProperty(navigator, "vibrate", { value: (what) => felt.push(what) });
}"""
DRAW = ".controls .primary:not(.go-on)"
BOX = """all => all.map((one) => one.getBoundingClientRect().toJSON())"""


@pytest.fixture
def at_table(site: Server, open_window: OpenWindow) -> Opened:
    """A page at a table, for a stage."""

    def make(size: tuple[int, int] = PHONE, *scripts: str, **settings: str) -> Page:
        page = open_window(size, **settings)
        for script in scripts:
            page.add_init_script(f"({script})()")
        make_table(page, site.origin, "domino", 75)
        return page

    return make


def test_a_chosen_tile_lights_every_end_it_fits_with_its_points(at_table: Opened) -> None:
    """One tap on an end plays it there; each end says what it counts."""
    page = at_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    expect(page.locator(".place .value")).to_have_text(["4", "5", "1"])
    page.locator("[data-tile='5-5']").click()
    place = page.locator(".place.open")
    expect(place).to_have_text(["+15"])
    expect(place).to_have_attribute("aria-label", re.compile("^5-5 .+, 15 ქულა$"))
    place.click()
    expect(page.locator(".stone")).to_have_count(5)
    assert stage.actions == [{"action": "lay", "tile": "5-5", "end": "R"}]


def test_a_tile_with_a_choice_waits_for_it_and_one_without_is_played_by_a_second_press(
    at_table: Opened,
) -> None:
    page = at_table()
    stage = Stage(page, played(dealt("6-6 4-5 0-4 0-1 0-2 1-2 2-2", THEIRS), ["6-6", "4-6 L"]))
    page.locator("[data-tile='0-4']").click()
    page.locator("[data-tile='0-4']").click()
    expect(page.locator(".stone")).to_have_count(3)
    assert stage.actions == [{"action": "lay", "tile": "0-4", "end": "L"}]

    both = Stage(page, played(dealt("6-6 4-5 0-4 0-1 0-2 1-2 2-2", THEIRS), []))
    page.locator("[data-tile='6-6']").click()
    expect(page.locator(".place.open")).to_have_count(1)
    page.locator("[data-tile='6-6']").click()
    expect(page.locator(".stone")).to_have_count(1)
    both.move("0-6 L")
    page.locator("[data-tile='0-1']").click()
    expect(page.locator(".place.open")).to_have_count(1)
    page.locator("[data-tile='0-2']").click()
    expect(page.locator(".own[aria-pressed='true']")).to_have_attribute("data-tile", "0-2")
    assert len(both.actions) == 1


def test_the_count_is_always_in_sight(at_table: Opened) -> None:
    """Its terms, its sum and what it gave; the same as a sentence for who hears it."""
    page = at_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), [*EXAMPLE, "5-5 R"]), seat=1)
    count = page.locator(".count")
    expect(count.locator(".term")).to_have_text(["4", "10", "1"])
    expect(count.locator(".sum")).to_contain_text("ბოლოების ჯამი")
    expect(count.locator(".sum")).to_contain_text("= 15")
    expect(count.locator(".gives")).to_have_text("+15")
    expect(count).to_contain_text("ბოლოების ჯამი 4 + 10 + 1 = 15 → +15")
    page.locator("[data-tile='3-4']").click()
    page.locator(".place.open").click()
    expect(count.locator(".gives")).to_have_text("0 ქულა")
    assert len(stage.actions) == 1


def test_a_score_shows_its_arithmetic_at_the_place_and_in_the_bar(at_table: Opened) -> None:
    """And it is felt: a tile that lands, then the score."""
    page = at_table(PHONE, FELT)
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    page.locator("[data-tile='5-5']").click()
    page.locator(".place.open").click()
    expect(page.locator(".tally")).to_have_text("4 + 10 + 1 = 15+15")
    expect(page.locator(".bar .told")).to_contain_text("5-5, 4 + 10 + 1 = 15 → +15")
    assert _felt(page) == ["tile", "score"]
    stage.move("3-4 L")
    expect(page.locator(".stone")).to_have_count(6)
    expect(page.locator(".tally")).to_have_class(re.compile("gone"))
    assert _felt(page) == ["tile", "score", "tile"]


def _felt(page: Page) -> list[str]:
    """The bell at one's turn is none of the board's."""
    patterns = {"12": "tile", "15,40,25": "score"}
    told: list[str] = page.evaluate("felt.map(String)")
    return [patterns[each] for each in told if each in patterns]


def test_a_tile_that_cannot_be_laid_is_dimmed_and_says_why(at_table: Opened) -> None:
    page = at_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    dim = page.locator("[data-tile='2-2']")
    expect(dim).to_have_class(re.compile("dim"))
    dim.click(force=True)
    told = page.locator(".bar.refused .told")
    expect(told).to_have_text("2-2 არსად ჯდება: ბოლოები ითხოვს 1, 4, 5, 6")
    page.locator("[data-tile='5-5']").click()
    page.locator(".place.open").click()
    expect(page.locator(".stone")).to_have_count(5)
    dim.click(force=True)
    expect(told).to_have_text("ახლა შენი სვლა არ არის")
    assert len(stage.actions) == 1


def _middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_drag_to_an_end_plays_and_a_drop_elsewhere_puts_back(at_table: Opened) -> None:
    """Near the end is enough; nothing else comes of a drag."""
    page = at_table(LAPTOP)
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    tile = _middle(page, "[data-tile='5-5']")
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


def test_a_finger_drags_and_a_second_finger_cancels(at_table: Opened) -> None:
    page = at_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    x, y = _middle(page, "[data-tile='5-5']")
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
    touch("touchMove", _middle(page, ".place.open"))
    touch("touchEnd")
    expect(page.locator(".stone")).to_have_count(5)
    assert stage.actions == [{"action": "lay", "tile": "5-5", "end": "R"}]


def test_a_tile_dragged_along_the_hand_changes_the_order_and_sorting_puts_it_right(
    at_table: Opened,
) -> None:
    page = at_table()
    Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    first, last = _middle(page, ".hand .own:first-child"), _middle(page, ".hand .own:last-child")
    before = _hand(page)
    page.mouse.move(*first)
    page.mouse.down()
    page.mouse.move(*last, steps=4)
    page.mouse.up()
    expect(page.locator(".ghost")).to_have_count(0)
    assert _hand(page) == [*before[1:], before[0]]
    page.get_by_role("button", name="დაალაგე ქვები").click()
    assert _hand(page) == ["5-5", "2-2", "1-2", "0-2", "0-1"]


def _hand(page: Page) -> list[str]:
    told: list[str] = page.locator(".hand .own").evaluate_all(
        "all => all.map((one) => one.dataset.tile)"
    )
    return told


def test_a_drawn_tile_comes_last_unless_the_hand_is_kept_sorted(at_table: Opened) -> None:
    page = at_table()
    start = played(dealt(STUCK, RICH, BAZAAR), ["6-6"])
    Stage(page, start)
    page.locator(DRAW).click()
    expect(page.locator(".hand .own")).to_have_count(8)
    assert _hand(page)[-1] == "0-2"
    _set(page, sort=True)
    Stage(page, start)
    page.locator(DRAW).click()
    expect(page.locator(".hand .own")).to_have_count(8)
    assert _hand(page) == ["3-3", "2-3", "1-3", "2-2", "1-2", "0-2", "1-1", "0-1"]
    expect(page.locator(".tool:visible")).to_have_count(0)


def _set(page: Page, **settings: bool) -> None:
    page.evaluate("all => localStorage.setItem('ezo.settings', JSON.stringify(all))", settings)


def test_who_cannot_lay_is_told_to_draw_and_each_press_draws_one(at_table: Opened) -> None:
    """How many can still be drawn is shown; what is drawn comes from there."""
    page = at_table(PHONE, MOVES, reduced_motion="no-preference")
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


def test_as_a_setting_one_press_draws_until_something_can_be_laid(at_table: Opened) -> None:
    """Each draw is asked for once the one before is saved."""
    page = at_table()
    _set(page, draw_until=True)
    stage = Stage(page, played(dealt(STUCK, RICH, BAZAAR), ["6-6"]))
    page.locator(DRAW).click()
    expect(page.locator(".own.playable")).to_have_count(1)
    expect(page.locator(".hand .own")).to_have_count(10)
    assert stage.actions == [{"action": "draw"}] * 3
    assert [act["ply"] for act in stage.acts] == [7, 8, 9]
    expect(page.locator(DRAW)).to_be_disabled()


def test_drawing_in_a_row_stops_when_a_draw_is_refused(at_table: Opened) -> None:
    page = at_table()
    _set(page, draw_until=True)
    stage = Stage(page, played(dealt(STUCK, RICH, BAZAAR), ["6-6"]))
    stage.held = True
    page.locator(DRAW).click()
    expect(page.locator("#play")).to_have_attribute("data-pending", "1")
    stage.refuse("hand_paused")
    expect(page.locator(".bar.refused")).to_be_visible()
    expect(page.locator("#play")).to_have_attribute("data-pending", "0")
    assert len(stage.acts) == 1


def test_the_tile_travels_from_the_hand_and_the_others_glide(at_table: Opened) -> None:
    """150 to 350 ms; theirs comes from their plate. They end up where they would without."""
    page = at_table(PHONE, MOVES, reduced_motion="no-preference")
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
    _inside(page)


def _y(move: dict[str, Any]) -> float:
    found = re.match(r"translate\(\S+px, (\S+)px\)", move["from"])
    assert found is not None
    return float(found[1])


def test_nothing_moves_where_motion_is_not_wanted(at_table: Opened) -> None:
    page = at_table(PHONE, MOVES)
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    page.locator("[data-tile='5-5']").click()
    page.locator(".place.open").click()
    expect(page.locator(".stone")).to_have_count(5)
    stage.move("3-4 L")
    expect(page.locator(".stone")).to_have_count(6)
    assert page.evaluate("moves") == []


@pytest.mark.parametrize(("tile", "end"), [("0-1", "D"), ("0-1", "U")])
def test_a_tile_that_is_not_saved_lies_the_way_it_will(
    at_table: Opened, tile: str, end: str
) -> None:
    """The half that fits towards the chain, before anybody has answered."""
    page = at_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), [*EXAMPLE, "5-5 R", "0-6 D"]))
    turned = "all => all.map((one) => (one.style.transform.match(/rotate.+?deg./) ?? [''])[0])"
    stage.held = True
    page.locator(f"[data-tile='{tile}']").click()
    page.locator(f".place.open[data-end={end}]").click()
    before = page.locator(".place.pending").evaluate_all(turned)
    expect(page.locator(".own.pending")).to_have_attribute("data-tile", tile)
    assert page.locator(f"[data-laid='{tile}']").count() == 0
    stage.answer()
    expect(page.locator(f"[data-laid='{tile}']")).to_have_count(1)
    expect(page.locator(".place.pending")).to_have_count(0)
    after = page.locator(f"[data-laid='{tile}']").evaluate_all(turned)
    assert _same_way(before[0], after[0])


def _same_way(one: str, other: str) -> bool:
    angles = [int(re.sub(r"\D*(-?\d+).*", r"\1", each)) % 360 for each in (one, other)]
    return angles[0] == angles[1]


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_a_hands_end_reads_like_a_receipt_and_covers_nothing(
    at_table: Opened, size: tuple[int, int]
) -> None:
    """G19: their tiles face up, their sum, its rounding, the running score to the target."""
    page = at_table(size)
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
        assert not _overlap(page, ".panel", one), one
    assert page.locator(".field").evaluate("one => one.clientHeight") > 150


def _one_before_the_end(state: Any) -> tuple[Any, int]:
    """Plays on until somebody's last tile can be laid; whose that is."""
    while True:
        (seat,) = GAME.to_act(state)
        view = GAME.view(state, seat)
        if view["counts"][seat] == 1 and view["legal"][0]["action"] == "lay":
            return state, seat
        state = GAME.apply(state, seat, GAME.legal(state, seat)[0]).state
        assert GAME.asks(state) is None


def _overlap(page: Page, one: str, other: str) -> bool:
    a, b = (page.locator(each).first.bounding_box() for each in (one, other))
    assert a is not None
    assert b is not None
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


def test_the_tiles_not_seen_yet_are_shown_at_free_tables_alone(at_table: Opened) -> None:
    """Off by default; it lies over the hand and moves nothing."""
    page = at_table()
    state = played(dealt(OURS, THEIRS), EXAMPLE)
    Stage(page, state)
    expect(page.get_by_role("button", name="უნახავი ქვები")).to_have_count(0)
    _set(page, unseen=True)
    Stage(page, state, stake=100)
    expect(page.get_by_role("button", name="უნახავი ქვები")).to_have_count(0)
    Stage(page, state)
    before = page.locator(".field, .hand .own, .controls").evaluate_all(BOX)
    page.get_by_role("button", name="უნახავი ქვები").click()
    helper = page.locator(".unseen")
    expect(helper.locator("p")).to_have_text("ჯერ უნახავია 19 ქვა")
    unseen = helper.locator("li:not(.seen)").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert len(unseen) == 19
    seen = _hand(page) + page.locator(".stone").evaluate_all(
        "all => all.map((one) => one.dataset.laid)"
    )
    assert len(seen) == 9
    assert not set(unseen) & set(seen)
    assert page.locator(".field, .hand .own, .controls").evaluate_all(BOX) == before
    assert not _overlap(page, ".unseen", ".stage")
    helper.get_by_role("button").click()
    expect(helper).to_be_hidden()


@pytest.mark.parametrize("size", [(360, 640), PHONE, LAPTOP])
def test_the_largest_hand_fits_and_the_eighth_tile_begins_a_row(
    at_table: Opened, size: tuple[int, int]
) -> None:
    """Twenty tiles, each at least 24 pixels in its narrow direction."""
    page = at_table(size)
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


def _rows(page: Page) -> int:
    return len({round(box["y"]) for box in page.locator(".hand .own").evaluate_all(BOX)})


def test_the_focus_goes_on_with_the_hand(at_table: Opened) -> None:
    """A choice takes it to the ends, and a tile laid leaves it with the tiles."""
    page = at_table()
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


def test_small_tiles_can_be_looked_at_from_nearer(open_window: OpenWindow) -> None:
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


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_bazaar_and_the_tally_leave_the_chain_alone(
    at_table: Opened, size: tuple[int, int]
) -> None:
    page = at_table(size)
    Stage(page, played_on(dealt(OURS, THEIRS).state, 14, seed=2))
    expect(page.locator(".stone")).to_have_count(14)
    assert not _overlap(page, ".bazaar", ".field")
    _inside(page)


def _inside(page: Page) -> None:
    """Every tile and place of the chain is within the field."""
    boxes = page.locator(".stone, .place").evaluate_all(BOX)
    field = page.locator(".field").bounding_box()
    assert field is not None
    for box in boxes:
        assert field["x"] <= box["left"] + 1
        assert box["right"] <= field["x"] + field["width"] + 1
        assert field["y"] <= box["top"] + 1
        assert box["bottom"] <= field["y"] + field["height"] + 1
