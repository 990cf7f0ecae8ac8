"""The rules beside a board: fetched when they are asked for, and the board plays on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.app.server import Server
from tests.browser.axe import violations
from tests.browser.domino_stage import EXAMPLE, OURS, THEIRS, Stage, dealt, played
from tests.browser.gallery import Show, scenes
from tests.browser.players import make_table
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]
GAMES = pytest.mark.parametrize("game", ["domino", "nardi"])
SIZES = pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
BESIDE = ".beside:not([hidden])"
BOX = "one => one.getBoundingClientRect().toJSON()"


def shown(site: Server, open_window: OpenWindow, game: str, size: tuple[int, int]) -> Page:
    """A table with a match under way; it is the viewer's turn."""
    page = open_window(size)
    make_table(page, site.origin, game, {"domino": 75, "nardi": 1}[game])
    show = Show(page)
    page.reload()
    show.show(scenes()[game][1])
    return page


@GAMES
def test_nothing_of_it_is_fetched_before(site: Server, open_window: OpenWindow, game: str) -> None:
    """Then one script, one sheet, the page; no other game's board."""
    page = shown(site, open_window, game, PHONE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#rules-link").click()
    page.locator(BESIDE).wait_for()
    page.locator(".beside a[href='#end']").first.click()
    page.locator(".beside .figure.live").first.wait_for()
    names = [each.rpartition("/")[2].partition("?")[0] for each in asked]
    assert sorted(name for name in names if name.endswith((".js", ".css"))) == sorted(
        ["beside.js", f"{game}.js", "rules.css"]
    )
    assert names.count("figures.json") == 1
    # Once more: nothing more.
    asked.clear()
    page.keyboard.press("Escape")
    page.locator("#rules-link").click()
    page.locator(BESIDE).wait_for()
    assert asked == []


@GAMES
@SIZES
def test_bar_and_clock_stay_in_sight(
    site: Server, open_window: OpenWindow, game: str, size: tuple[int, int]
) -> None:
    """A sheet over the lower part, which leaves the board as it is; a column beside it."""
    page = shown(site, open_window, game, size)
    field = page.locator(".stage .field").first.evaluate(BOX)
    page.locator("#rules-link").click()
    sheet = page.locator(BESIDE).evaluate(BOX)
    bar = page.locator(".bar").evaluate(BOX)
    after = page.locator(".stage .field").first.evaluate(BOX)
    if size == PHONE:
        assert bar["bottom"] <= sheet["top"]
        assert after == field
        expect(page.locator(".beside-head .clock")).to_be_visible()
        assert sheet["bottom"] == pytest.approx(PHONE[1])
    else:
        assert max(bar["right"], after["right"]) <= sheet["left"]
        for one in page.locator(".plate.own:visible, .controls, .hand").all():
            assert one.evaluate(BOX)["right"] <= sheet["left"] or one.evaluate(
                "one => one.closest('.beside') !== null"
            )
        expect(page.locator("#play .plate.own .clock")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".beside-head .close").click()
    assert page.locator(".stage .field").first.evaluate(BOX) == field


@SIZES
def test_focus_goes_in_and_comes_back(
    site: Server, open_window: OpenWindow, size: tuple[int, int]
) -> None:
    page = shown(site, open_window, "domino", size)
    link = page.locator("#rules-link")
    link.press("Enter")
    expect(page.locator("#beside-title")).to_be_focused()
    address = page.url
    page.locator(".beside a[href='#count']").first.press("Enter")
    expect(page.locator(".beside #count")).to_be_focused()
    expect(page.locator(".beside #count")).to_be_in_viewport()
    assert page.url == address
    page.keyboard.press("Escape")
    expect(page.locator(".beside")).to_be_hidden()
    expect(link).to_be_focused()
    # No link of it leads away from the table.
    targets = page.locator(".beside a[href^='/']").evaluate_all(
        "all => all.map((one) => one.target)"
    )
    assert targets
    assert set(targets) == {"_blank"}


@pytest.mark.parametrize(
    ("size", "opens", "back"),
    [
        ((360, 640), ".menu-list .rules-item", ".menu summary"),
        ((844, 390), ".rules-tool", ".rules-tool"),
        ((1280, 700), ".rules-tool", ".rules-tool"),
    ],
)
def test_where_there_is_no_header(
    site: Server, open_window: OpenWindow, size: tuple[int, int], opens: str, back: str
) -> None:
    """In the menu of a narrow bar, in a wide one beside it."""
    page = shown(site, open_window, "nardi", size)
    expect(page.locator("#rules-link")).to_be_hidden()
    if "menu" in opens:
        page.locator(".menu summary").click()
    page.locator(opens).click()
    expect(page.locator("#beside-title")).to_be_focused()
    expect(page.locator(".bar .asked")).to_be_in_viewport()
    page.locator(".beside-head .close").click()
    expect(page.locator(back)).to_be_focused()


def test_it_stays_open_when_the_turn_comes(domino_table: OpenWindow) -> None:
    """The bar says so all the same, and nothing takes the focus away."""
    page = domino_table(PHONE)
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE[:3]))
    expect(page.locator(".bar .asked")).to_have_text("მოწინააღმდეგის სვლაა")
    page.locator("#rules-link").click()
    expect(page.locator("#beside-title")).to_be_focused()
    stage.move(EXAMPLE[3])
    expect(page.locator(".bar .asked")).to_contain_text("შენი სვლაა")
    expect(page.locator(".bar .asked")).to_be_in_viewport()
    expect(page.locator(".bar .told")).to_contain_text("4 + 5 + 1 = 10")
    expect(page.locator(BESIDE)).to_be_visible()
    expect(page.locator("#beside-title")).to_be_focused()
    page.keyboard.press("Escape")
    page.locator(".hand .own[data-tile='5-5']").click()
    page.locator(".hand .own[data-tile='5-5']").click()
    expect(page.locator("#play .stone")).to_have_count(5)


@GAMES
@SIZES
def test_axe_finds_nothing_beside(
    site: Server, open_window: OpenWindow, game: str, size: tuple[int, int]
) -> None:
    page = shown(site, open_window, game, size)
    page.locator("#rules-link").click()
    page.locator(BESIDE).wait_for()
    ids = page.locator("[id]").evaluate_all("all => all.map((one) => one.id)")
    assert sorted(ids) == sorted(set(ids))
    found = violations(page)
    page.locator(".beside a[href='#end']").first.click()
    page.locator(".beside .figure.live").first.wait_for()
    found += violations(page)
    page.emulate_media(color_scheme="dark")
    found += violations(page, ["color-contrast"])
    assert not found, "\n".join(found)


def test_rules_that_cannot_be_had_are_told(site: Server, chromium: Browser) -> None:
    """And asked for again the next time. A browser complains of such a thing itself, so this is
    none of the windows that may not."""
    page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]})
    make_table(page, site.origin, "domino", 75)
    page.route("**/rules/domino/georgian", lambda route: route.fulfill(status=503, body=""))
    page.locator("#rules-link").click()
    expect(page.locator(".beside .problem")).to_be_visible()
    page.unroute_all()
    page.keyboard.press("Escape")
    page.locator("#rules-link").click()
    expect(page.locator(".beside .contents")).to_be_visible()
    page.close()
