"""Pages of rules: read without a script, and their figures stepped through by keys and fingers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.app.server import Server
from tests.browser.test_axe import in_both_themes, in_english
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]
PAGES = {"domino": "/rules/domino/georgian", "nardi": "/rules/nardi/short"}
GAMES = pytest.mark.parametrize("game", PAGES)
SIZES = pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
WORKED = ["", "12", "4 + 12 = 16", "4 + 5 = 9", "4 + 5 + 1 = 10", "4 + 10 + 1 = 15"]
SMALL = """() => [...document.querySelectorAll("#rules button:not([hidden]), #rules .contents a")]
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([one, { width, height }]) => `${one.outerHTML.slice(0, 60)} ${width} ${height}`)"""
OUTSIDE = """() => {
  const found = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
  for (const figure of document.querySelectorAll(".figure")) {
    const { left, right, bottom } = figure.getBoundingClientRect();
    for (const one of figure.querySelectorAll(".plate, .field, .open-tiles li, .count, li.shown")) {
      const box = one.getBoundingClientRect();
      if (box.width > 0 && (box.left < left || box.right > right || box.bottom > bottom))
        found.push(`${figure.id}: ${one.className}`);
    }
    const rows = [...figure.querySelectorAll(".scene > *, .figure-steps, .figure-controls")]
      .map((one) => one.getBoundingClientRect()).filter(({ height }) => height > 0);
    rows.forEach((one, n) => rows.slice(n + 1).forEach((other) => {
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (high > 1) found.push(`${figure.id}: rows overlap by ${high}`);
    }));
    const field = figure.querySelector(".field").getBoundingClientRect();
    if (field.height < 120) found.push(`${figure.id}: the field is ${field.height} high`);
    for (const one of figure.querySelectorAll(".stone")) {
      const box = one.getBoundingClientRect();
      if (box.top < field.top - 1 || box.bottom > field.bottom + 1)
        found.push(`${figure.id}: tile`);
    }
  }
  return found;
}"""


def figure(page: Page, name: str) -> Locator:
    """A figure that has become a board."""
    found = page.locator(f"#figure-{name}")
    found.scroll_into_view_if_needed()
    expect(page.locator(f"#figure-{name}.live")).to_be_visible()
    return found


def all_live(page: Page) -> None:
    for name in page.locator(".figure").evaluate_all("all => all.map((one) => one.dataset.figure)"):
        figure(page, name)


def test_the_worked_example_step_by_step_g18(site: Server, open_window: OpenWindow) -> None:
    """By fingers, with the count and the words of every step; and back."""
    page = open_window(PHONE)
    page.goto(site.origin + PAGES["domino"])
    found = figure(page, "worked")
    words = []
    for n, count in enumerate([*WORKED, "4 + 10 + 1 + 0 = 15"]):
        expect(found.locator(".at")).to_have_text(f"ნაბიჯი {n + 1} / 7")
        if count:
            expect(found.locator(".count .visually-hidden")).to_contain_text(count)
        expect(found.locator(".stone")).to_have_count(n)
        expect(found.locator("li.shown")).to_have_count(1)
        words.append(found.locator("li.shown").inner_text())
        if n < 6:
            found.locator("[data-does=forward]").tap()
    assert len(set(words)) == 7
    assert "4\u00a0+\u00a010\u00a0+\u00a01\u00a0=\u00a015" in words[5]
    expect(found.locator(".plate.own .score")).to_have_text("15 / 75")
    expect(found.locator(".plate.rival .score")).to_have_text("25 / 75")
    expect(found.locator("[data-does=forward]")).to_have_attribute("aria-disabled", "true")
    found.locator("[data-does=back]").tap()
    expect(found.locator(".at")).to_have_text("ნაბიჯი 6 / 7")
    expect(found.locator(".stone")).to_have_count(5)


def test_both_dice_of_a_first_roll_are_seen_n3(site: Server, open_window: OpenWindow) -> None:
    """Of a tie each has thrown one; then whoever starts has both."""
    page = open_window(PHONE)
    page.goto(site.origin + PAGES["nardi"])
    found = figure(page, "opening")
    dice = [found.locator(f".plate.{side} .cup:not(.empty) .die") for side in ("own", "rival")]
    for one in dice:
        expect(one).to_have_count(1)
    found.locator("[data-does=forward]").tap()
    expect(dice[0]).to_have_count(2)
    expect(dice[1]).to_have_count(0)


@GAMES
def test_every_figure_by_keys(site: Server, open_window: OpenWindow, game: str) -> None:
    """To its end and back; each step is read out, and the words under the board keep their room."""
    page = open_window(LAPTOP)
    page.goto(site.origin + PAGES[game])
    names = page.locator(".figure").evaluate_all("all => all.map((one) => one.dataset.figure)")
    assert len(names) > 6
    for name in names:
        found = figure(page, name)
        count = found.locator(".figure-steps > li").count()
        found.locator("[data-does=forward]").focus()
        high = found.evaluate("one => one.offsetHeight")
        for n in range(2, count + 1):
            page.keyboard.press("ArrowRight")
            expect(found).to_have_attribute("data-at", str(n))
            said = found.locator("[role=status]").inner_text()
            assert said == (f"ნაბიჯი {n} / {count}. {found.locator('li.shown').inner_text()}")
            assert found.evaluate("one => one.offsetHeight") == high
        page.keyboard.press("ArrowRight")
        expect(found).to_have_attribute("data-at", str(count))
        page.keyboard.press("Home")
        expect(found).to_have_attribute("data-at", "1")
        page.keyboard.press("End")
        expect(found).to_have_attribute("data-at", str(count))
        page.keyboard.press("ArrowLeft")
        expect(found).to_have_attribute("data-at", str(count - 1))
        expect(found.locator("[data-does=forward]")).to_be_focused()


@GAMES
@SIZES
def test_all_figures_fit_and_nothing_moves(
    site: Server, open_window: OpenWindow, game: str, size: tuple[int, int]
) -> None:
    """Their room is kept before they are boards; at every step all lies within."""
    page = open_window(size)
    heights = "all => all.map((one) => [one.id, one.offsetHeight])"
    page.goto(site.origin + PAGES[game])
    before = page.locator(".figure:not(.live)").evaluate_all(heights)
    all_live(page)
    after = dict(page.locator(".figure").evaluate_all(heights))
    assert before
    assert {name: after[name] for name, _ in before} == dict(before)
    assert page.evaluate(SMALL) == []
    for _ in range(7):
        assert page.evaluate(OUTSIDE) == []
        page.evaluate(
            "for (const one of document.querySelectorAll('[data-does=forward]')) one.click()"
        )


@GAMES
@pytest.mark.parametrize("language", ["ka", "en"])
def test_axe_finds_nothing(site: Server, open_window: OpenWindow, game: str, language: str) -> None:
    page = open_window(PHONE)
    page.goto(f"{site.origin}/rules")
    if language == "en":
        in_english(page)
    found = in_both_themes(page, "rules")
    page.goto(site.origin + PAGES[game])
    all_live(page)
    page.evaluate("for (const one of document.querySelectorAll('[data-does=forward]')) one.click()")
    found += in_both_themes(page, PAGES[game])
    assert not found, "\n".join(found)


@GAMES
def test_it_reads_well_without_a_script(site: Server, chromium: Browser, game: str) -> None:
    """All steps of all figures, one under the other, and no empty boards."""
    context = chromium.new_context(
        java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    page.goto(site.origin + PAGES[game])
    steps = page.locator(".figure-steps > li")
    assert steps.count() > 20
    for n in range(steps.count()):
        expect(steps.nth(n)).to_be_visible()
    assert page.locator(".figure-place").first.bounding_box()["height"] == 0  # type: ignore[index]
    page.get_by_role("link", name="სიტყვები").click()
    assert page.url.endswith("#terms")
    context.close()


def test_a_board_that_cannot_be_fetched_leaves_the_words(site: Server, chromium: Browser) -> None:
    """A browser complains of such a thing itself, so this is none of the windows that may not."""
    page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]})
    page.route("**/figures.json*", lambda route: route.abort())
    page.goto(site.origin + PAGES["domino"])
    found = page.locator("#figure-worked")
    found.scroll_into_view_if_needed()
    expect(found.locator(".why")).to_be_visible()
    for n in range(7):
        expect(found.locator(".figure-steps > li").nth(n)).to_be_visible()
    page.close()
