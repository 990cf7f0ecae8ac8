"""The open ends of the chain: what fits, what it counts, and the tile that goes there."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app import i18n
from tests.browser.domino_stage import EXAMPLE, FELT, OURS, THEIRS, Stage, dealt, played
from tests.browser.windows import PHONE

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


def test_a_chosen_tile_lights_every_end_it_fits_with_its_points(domino_table: Opened) -> None:
    """One tap on an end plays it there; each end says what it counts."""
    page = domino_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    expect(page.locator(".place .value")).to_have_text(["4", "5", "1", "6"])
    page.locator("[data-tile='5-5']").click()
    place = page.locator(".place.open")
    expect(place).to_have_text(["+15"])
    expect(place).to_have_attribute("aria-label", re.compile("^5-5 .+, 15 ქულა$"))
    place.click()
    expect(page.locator(".stone")).to_have_count(5)
    assert stage.actions == [{"action": "lay", "tile": "5-5", "end": "R"}]


# After these the rival's 4-6 fits three ends, and scores at two of them.
FORK = ["6-6", "0-6 R", "0-1 R", "1-6 R", "5-6 L"]


@pytest.mark.parametrize(("end", "points"), [("R", 0), ("U", 15), ("D", 15)])
def test_each_end_shows_what_it_gives_and_a_press_gives_what_it_shows(
    domino_table: Opened, end: str, points: int
) -> None:
    """One tile, ends with different points: the choice is made by what stands there."""
    page = domino_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), FORK), seat=1)
    before = _score(stage)
    page.locator("[data-tile='4-6']").click()
    expect(page.locator(".place.open")).to_have_count(3)
    for one, gives in (("R", 0), ("U", 15), ("D", 15)):
        place = page.locator(f".place.open[data-end={one}]")
        expect(place).to_have_text(f"+{gives}")
        expect(place).to_have_attribute("aria-label", re.compile(rf"\b{gives}\b"))
    page.locator(f".place.open[data-end={end}]").click()
    expect(page.locator(".stone")).to_have_count(6)
    assert stage.actions == [{"action": "lay", "tile": "4-6", "end": end}]
    assert _score(stage) - before == points
    plate = i18n.text("ka", "table.score", points=before + points, target=75)
    expect(page.locator(".plate.own")).to_contain_text(plate)


def test_a_tile_with_a_choice_waits_for_it_and_one_without_is_played_by_a_second_press(
    domino_table: Opened,
) -> None:
    page = domino_table()
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


def test_the_count_is_always_in_sight(domino_table: Opened) -> None:
    """Its terms, its sum and what it gave; the same as a sentence for who hears it."""
    page = domino_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), [*EXAMPLE, "5-5 R"]), seat=1)
    count = page.locator(".count")
    expect(count.locator(".term")).to_have_text(["4", "10", "1"])
    expect(count.locator(".sum")).to_contain_text("ბოლოების ჯამი")
    expect(count.locator(".sum")).to_contain_text("= 15")
    expect(count.locator(".gives")).to_have_text("+15")
    expect(count).to_contain_text("ბოლოების ჯამი 4 + 10 + 1 = 15 → +15")
    page.locator("[data-tile='3-4']").click()
    page.locator(".place.open").click()
    expect(count.locator(".gives")).to_have_text("5-ზე არ იყოფა")
    assert len(stage.actions) == 1


def test_an_end_says_what_fits_it_and_a_double_that_it_counts_twice(domino_table: Opened) -> None:
    page = domino_table()
    state = played(dealt(OURS, THEIRS), [*EXAMPLE, "5-5 R"])
    stage = Stage(page, state, seat=1)
    values = page.locator(".place .value")
    expect(values).to_have_text(["4", "5+5", "1", "6"])
    expect(page.locator(".count .gives")).to_have_text("+15")
    page.locator("[data-tile='3-4']").click()
    page.locator(".place.open").click()
    expect(page.locator(".count .gives")).to_have_text("5-ზე არ იყოფა")
    expect(page.locator(".count")).to_contain_text("3 + 10 + 1 = 14, 5-ზე არ იყოფა")
    assert len(stage.actions) == 1


def test_a_score_shows_its_arithmetic_at_the_place_and_in_the_bar(domino_table: Opened) -> None:
    """And it is felt: a tile that lands, then the score."""
    page = domino_table(PHONE, FELT)
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


def test_a_tile_that_cannot_be_laid_is_dimmed_and_says_why(domino_table: Opened) -> None:
    page = domino_table()
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


def test_that_a_move_is_on_its_way_is_said_until_it_has_come(domino_table: Opened) -> None:
    page = domino_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    stage.held = True
    page.locator("[data-tile='5-5']").click()
    page.locator(".place.open").click()
    page.locator("[data-tile='0-1']").click(force=True)
    told = page.locator(".bar .told")
    expect(told).to_have_text("წინა სვლა ჯერ იგზავნება, ცოტა დაიცადე")
    stage.answer()
    expect(told).not_to_contain_text("იგზავნება")
    expect(page.locator(".bar.refused")).to_have_count(0)


@pytest.mark.parametrize(("tile", "end"), [("0-1", "D"), ("0-1", "U")])
def test_a_tile_that_is_not_saved_lies_the_way_it_will(
    domino_table: Opened, tile: str, end: str
) -> None:
    """The half that fits towards the chain, before anybody has answered."""
    page = domino_table()
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


def _score(stage: Stage) -> int:
    """Of the second seat."""
    told: int = stage.table()["view"]["score"][1]
    return told


def _felt(page: Page) -> list[str]:
    """The bell at one's turn is none of the board's."""
    patterns = {"12": "tile", "15,40,25": "score"}
    told: list[str] = page.evaluate("felt.map(String)")
    return [patterns[each] for each in told if each in patterns]
