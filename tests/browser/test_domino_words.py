"""What is asked, and what the other has done, in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app import i18n
from tests.browser.domino_stage import (
    BAZAAR,
    DRAW,
    EXAMPLE,
    OURS,
    RICH,
    STUCK,
    THEIRS,
    Stage,
    dealt,
    played,
)
from tests.browser.staged import PLAIN

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]

RIVAL = PLAIN[1]
TOLD = ".bar [role=status] .told"
# Whoever has no six can only draw, until the bazaar is empty.
SIXES = "6-6 5-6 4-6 3-6 2-6 1-6 0-6"


def test_what_the_rival_lays_is_told_with_the_arithmetic_of_its_score(
    domino_table: Opened,
) -> None:
    """Who did not look, or cannot see, knows by the words what lies there now, and why."""
    page = domino_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE[:3]))
    stage.move("1-6 U")
    told = page.locator(TOLD)
    values = {"name": RIVAL, "tile": "1-6", "count": "4 + 5 + 1 = 10", "points": 10}
    expect(told).to_contain_text(i18n.text("ka", "domino.told.scored", **values))
    for part in (RIVAL, "1-6", "4 + 5 + 1 = 10", "+10"):
        expect(told).to_contain_text(part)
    page.locator("[data-tile='5-5']").click()
    page.locator(".place.open").click()
    expect(page.locator(".stone")).to_have_count(5)
    stage.move("3-4 L")
    expect(told).to_contain_text(
        i18n.text("ka", "domino.told.laid", name=RIVAL, tile="3-4", count="", points=0)
    )
    expect(told).to_contain_text(RIVAL)
    expect(told).not_to_contain_text("+")


def test_what_the_rival_draws_is_told_and_that_they_pass(domino_table: Opened) -> None:
    """How many are left in the bazaar, and that it is one's own turn again with nothing laid."""
    page = domino_table()
    stage = Stage(page, played(dealt(SIXES, STUCK), ["6-6", *["draw"] * 10]))
    told = page.locator(TOLD)
    stage.move("draw")
    expect(told).to_contain_text(i18n.text("ka", "domino.told.drew", name=RIVAL, left=1))
    passed = i18n.text("ka", "domino.told.passed.bazaar", name=RIVAL)
    expect(told).not_to_contain_text(passed)
    stage.move("draw")
    expect(told).to_contain_text(i18n.text("ka", "domino.told.drew", name=RIVAL, left=0))
    expect(told).to_contain_text(passed)
    expect(told).to_contain_text(RIVAL)
    expect(page.locator(".plate.own.on-turn")).to_be_visible()


def test_who_knows_no_rules_is_told_what_is_asked(domino_table: Opened) -> None:
    """To open with the one tile that may, to wait, to lay, to draw."""
    page = domino_table()
    stage = Stage(page, dealt(OURS, THEIRS).state)
    asked = page.locator(".bar .asked")
    expect(asked).to_have_text(i18n.text("ka", "domino.asked.open", tile="6-6"))
    expect(asked).to_contain_text("6-6")
    page.locator("[data-tile='6-6']").click()
    page.locator(".place.open").click()
    expect(asked).to_have_text(i18n.text("ka", "table.rivals_turn"))
    stage.move("4-6 L")
    expect(asked).to_have_text(i18n.text("ka", "domino.asked.lay"))

    stuck = Stage(page, dealt(STUCK, RICH, BAZAAR).state)
    expect(asked).to_have_text(i18n.text("ka", "table.rivals_turn"))
    stuck.move("6-6")
    for _ in range(3):
        expect(asked).to_have_text(i18n.text("ka", "domino.asked.draw"))
        page.locator(DRAW).click()
    expect(asked).to_have_text(i18n.text("ka", "domino.asked.lay"))
