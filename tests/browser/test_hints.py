"""First-time hints: one at a time, each once, over nothing that is pressed; off by a setting."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from engine.domino.examples import GEORGIAN
from engine.game import Step
from engine.nardi.board import START, build
from tests.app.server import ROOT
from tests.browser import domino_stage, nardi_stage
from tests.browser.axe import violations
from tests.browser.domino_stage import EXAMPLE, OURS, STUCK, THEIRS, dealt, played
from tests.browser.windows import HINTS, LAPTOP, PHONE
from tests.nardi.build import on_turn

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]
CARD = ".hint-card:not(.gone)"
SIZES = pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])


def hint(page: Page, name: str) -> None:
    """It is shown, with words."""
    expect(page.locator(CARD)).to_have_attribute("data-hint", name)
    expect(page.locator(f"{CARD} p")).not_to_be_empty()


def none(page: Page) -> None:
    expect(page.locator(".hint-card.gone")).to_have_count(1)
    expect(page.locator(".hint-card p")).to_be_empty()


def got_it(page: Page) -> None:
    page.locator(f"{CARD} .ok").click()
    expect(page.locator(".hint-card p")).to_be_empty()


def seen(page: Page) -> list[str]:
    kept: list[str] = json.loads(page.evaluate("localStorage.getItem('ezo.hints') ?? '[]'"))
    return kept


def only(*names: str) -> str:
    """A script for a browser that has seen all others."""
    others = json.dumps([each for each in HINTS if each not in names])
    return f"localStorage.getItem('ezo.hints') ?? localStorage.setItem('ezo.hints', '{others}')"


def test_all_names_are_known_here() -> None:
    """What tests count as seen is what there is."""
    found: set[str] = set()
    for game in ("domino", "nardi"):
        text = (ROOT / f"static/js/{game}/hints.js").read_text("utf-8")
        found |= {f"{game}-{name}" for name in re.findall(r'\badd\(\s*"(\w+)"', text)}
        found |= set(re.findall(rf'name: "({game}-\w+)"', text))
    assert found == set(HINTS)


def test_each_leads_to_a_place_that_there_is() -> None:
    for game, rules in (("domino", "georgian"), ("nardi", "short")):
        text = (ROOT / f"static/js/{game}/hints.js").read_text("utf-8")
        page = (ROOT / f"templates/rules/{game}/{rules}.ka.html").read_text("utf-8")
        anchors = set(re.findall(r'\), "([a-z-]+)"', text)) | set(
            re.findall(r'anchor: "([a-z-]+)"', text)
        )
        assert len(anchors) > 3
        assert {each for each in anchors if f'id="{each}"' not in page} == set()


def test_domino_explains_what_happens_and_each_once(domino_table: OpenWindow) -> None:
    page = domino_table(PHONE, hints=True)
    stage = domino_stage.Stage(page, played(dealt(OURS, THEIRS), []))
    none(page)
    page.locator(".hand .own[data-tile='6-6']").click()
    page.locator(".hand .own[data-tile='6-6']").click()
    hint(page, "domino-stavka")
    stage.move("4-6 L")
    hint(page, "domino-stavka")  # it stays until it is dismissed, and nothing comes over it
    got_it(page)
    page.locator(".hand .own[data-tile='5-6']").click()
    page.locator(".place.open").first.click()
    hint(page, "domino-sides")
    got_it(page)
    stage.move("1-6 U")
    hint(page, "domino-scored")
    expect(page.locator(f"{CARD} p")).to_contain_text("4 + 5 + 1 = 10")
    got_it(page)
    page.locator(".hand .own[data-tile='2-2']").click(force=True)  # it is marked as disabled
    hint(page, "domino-dim")
    got_it(page)
    page.locator(".hand .own[data-tile='2-2']").click(force=True)  # it is marked as disabled
    hint(page, "domino-refused")
    got_it(page)
    page.locator(".hand .own[data-tile='2-2']").click(force=True)  # it is marked as disabled
    none(page)
    page.locator(".hand .own[data-tile='5-5']").click()
    page.locator(".hand .own[data-tile='5-5']").click()
    none(page)  # it has scored, and that has been explained
    assert seen(page) == [f"domino-{n}" for n in ("stavka", "sides", "scored", "dim", "refused")]


def test_who_plays_on_need_not_dismiss_it(domino_table: OpenWindow) -> None:
    """What was said of an old move is not in the way of the next."""
    page = domino_table(PHONE, hints=True)
    stage = domino_stage.Stage(page, played(dealt(OURS, THEIRS), []))
    page.locator(".hand .own[data-tile='6-6']").click()
    page.locator(".hand .own[data-tile='6-6']").click()
    hint(page, "domino-stavka")
    stage.move("4-6 L")
    hint(page, "domino-stavka")
    page.locator(".hand .own[data-tile='5-6']").click()
    page.locator(".place.open").first.click()
    hint(page, "domino-sides")


def test_it_is_not_shown_again_after_a_reload(domino_table: OpenWindow) -> None:
    state = played(dealt(STUCK, domino_stage.RICH, domino_stage.BAZAAR), [])
    page = domino_table(PHONE, only("domino-bazaar"), hints=True)
    stage = domino_stage.Stage(page, state, seat=0)
    none(page)
    stage.move("6-6")
    hint(page, "domino-bazaar")
    page.reload()
    page.locator(".board").wait_for()
    none(page)
    assert "domino-bazaar" in seen(page)


def test_none_where_they_are_switched_off(domino_table: OpenWindow) -> None:
    """In the settings; and one that is shown goes with it."""
    page = domino_table(PHONE, only("domino-dim"), hints=True)
    state = played(dealt(OURS, THEIRS), EXAMPLE[:2])
    domino_stage.Stage(page, state)
    hint(page, "domino-dim")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="პარამეტრები").click()
    page.get_by_role("switch", name="მინიშნებები მაგიდასთან").click()
    page.keyboard.press("Escape")
    none(page)
    page.evaluate("localStorage.removeItem('ezo.hints')")
    page.reload()
    page.locator(".board").wait_for()
    expect(page.locator(".own.dim").first).to_be_visible()
    none(page)


def test_by_keyboard_and_to_its_place_in_the_rules(domino_table: OpenWindow) -> None:
    page = domino_table(LAPTOP, only("domino-dim"), hints=True)
    domino_stage.Stage(page, played(dealt(OURS, THEIRS), EXAMPLE[:2]))
    hint(page, "domino-dim")
    page.locator(f"{CARD} .tool").press("Enter")
    expect(page.locator(".beside #refused")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(f"{CARD} .tool")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(f"{CARD} .ok")).to_be_focused()
    page.keyboard.press("Enter")
    none(page)
    expect(page.locator(".hand .own.playable").first).to_be_focused()


def test_escape_dismisses_it(domino_table: OpenWindow) -> None:
    page = domino_table(PHONE, only("domino-dim"), hints=True)
    domino_stage.Stage(page, played(dealt(OURS, THEIRS), EXAMPLE[:2]))
    page.locator(f"{CARD} .ok").press("Escape")
    none(page)


def test_nardi_explains_a_turn(nardi_table: OpenWindow) -> None:
    """What is said while it is so goes by itself when it is so no longer."""
    page = nardi_table(PHONE, hints=True)
    stage = nardi_stage.Stage(page, on_turn(START, None), [(6, 1)])
    hint(page, "nardi-dice")
    page.locator(".controls .primary:visible").click()
    hint(page, "nardi-checker")
    for point in (13, 8):
        nardi_stage.at(page, point).click()
        nardi_stage.at(page, point).click()
        nardi_stage.saved(page, 2 if point == 13 else 3)
    hint(page, "nardi-confirm")
    page.locator(".controls .primary:visible").click()
    none(page)
    assert seen(page) == ["nardi-dice", "nardi-checker", "nardi-confirm"]
    assert len(stage.actions) == 4


@pytest.mark.parametrize(
    ("name", "board", "dice"),
    [
        ("nardi-bar", build({13: 5, 8: 3, 6: 5}, {19: 5, 17: 3, 12: 5}, bar=2), (6, 5)),
        ("nardi-dead", nardi_stage.DEAD_SIX, (6, 4)),
        (
            "nardi-larger",
            build({24: 1, 12: 1, 6: 6, 2: 4, 1: 3}, {4: 2, 22: 4, 21: 3, 20: 4, 18: 2}),
            (6, 2),
        ),
        ("nardi-bear_off", nardi_stage.RACE, (6, 5)),
    ],
)
def test_nardi_explains_what_is_urgent_first(
    nardi_table: OpenWindow, name: str, board: int, dice: tuple[int, int]
) -> None:
    page = nardi_table(PHONE, hints=True)
    nardi_stage.Stage(page, on_turn(board, dice))
    hint(page, name)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("nardi-marsi", {18: 15}), ("nardi-koksi", {18: 14, 3: 1})],
)
@SIZES
def test_nardi_explains_how_a_hand_ended(
    nardi_table: OpenWindow, name: str, theirs: dict[int, int], size: tuple[int, int]
) -> None:
    """Beside the look at it."""
    page = nardi_table(size, only("nardi-marsi", "nardi-koksi"), hints=True)
    nardi_stage.Stage(page, on_turn(build({1: 1}, theirs), None, points=7), [(2, 1)])
    page.locator(".controls .primary:visible").click()
    nardi_stage.at(page, 1).click()
    nardi_stage.at(page, 1).click()
    hint(page, name)
    page.locator(".panel:not([hidden])").wait_for()
    assert domino_stage.overlap(page, CARD, ".panel:not([hidden])") is False
    got_it(page)


@SIZES
def test_domino_explains_a_riba(domino_table: OpenWindow, size: tuple[int, int]) -> None:
    """Beside the look at the hand's end."""
    page = domino_table(size, only("domino-riba"), hints=True)
    state = played(Step(GEORGIAN["riba"].begin), ["0-4 L"])
    stage = domino_stage.Stage(page, state)
    page.locator(".hand .own[data-tile='0-6']").click()
    page.locator(".hand .own[data-tile='0-6']").click()
    none(page)
    stage.move("3-6 L")
    hint(page, "domino-riba")
    page.locator(".panel:not([hidden])").wait_for()
    assert domino_stage.overlap(page, CARD, ".panel:not([hidden])") is False


@SIZES
def test_it_covers_nothing_and_axe_finds_nothing(
    domino_table: OpenWindow, nardi_table: OpenWindow, size: tuple[int, int]
) -> None:
    """Neither the count nor anything that is pressed."""
    page = domino_table(size, only("domino-dim"), hints=True)
    domino_stage.Stage(page, played(dealt(OURS, THEIRS), EXAMPLE[:2]))
    hint(page, "domino-dim")
    for other in (".field", ".count", ".hand", ".controls", ".plate.own", ".bar"):
        assert domino_stage.overlap(page, CARD, other) is False, other
    assert violations(page) == []
    nardi = nardi_table(size, only("nardi-checker"), hints=True)
    nardi_stage.Stage(nardi, on_turn(START, (6, 5)))
    hint(nardi, "nardi-checker")
    for other in (".field", ".controls", ".plate.own", ".bar"):
        assert domino_stage.overlap(nardi, CARD, other) is False, other
    assert violations(nardi) == []


def test_a_watcher_is_not_disturbed(domino_table: OpenWindow) -> None:
    page = domino_table(PHONE, hints=True)
    stage = domino_stage.Stage(page, played(dealt(OURS, THEIRS), EXAMPLE[:3]), seat=None)
    stage.move(EXAMPLE[3])
    expect(page.locator(".stone")).to_have_count(4)
    none(page)
    assert seen(page) == []
