"""The chain on the table: the stavka among its tiles."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app import i18n
from tests.browser.domino_stage import EXAMPLE, OURS, THEIRS, Stage, dealt, played
from tests.domino.build import position

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]

STAVKA = ".stone.stavka"


def test_the_stavka_differs_by_colour_and_frame_and_is_named(domino_table: Opened) -> None:
    page = domino_table()
    stage = Stage(page, played(dealt(OURS, THEIRS), EXAMPLE))
    _is_stavka(page, "6-6")
    page.locator("[data-tile='5-5']").click()
    page.locator(".place.open").click()
    expect(page.locator(".stone")).to_have_count(5)
    _is_stavka(page, "6-6")
    stage.move("3-4 L")
    expect(page.locator(".stone")).to_have_count(6)
    _is_stavka(page, "6-6")


def test_the_first_double_is_the_stavka_however_late_it_is_laid(domino_table: Opened) -> None:
    """A hand opened with another tile has none before; a second double does not take its place."""
    page = domino_table()
    hands = "5-5 0-1 0-2 1-2 2-2 1-5", "6-6 4-6 1-6 0-6 3-3 3-4 2-4"
    stage = Stage(page, position("5-6", *hands, "2-3 3-6 2-6", turn=1))
    expect(page.locator(".stone")).to_have_count(1)
    expect(page.locator(STAVKA)).to_have_count(0)
    stage.move("6-6 R")
    _is_stavka(page, "6-6")
    page.locator("[data-tile='5-5']").click()
    page.locator(".place.open").click()
    expect(page.locator(".stone")).to_have_count(3)
    _is_stavka(page, "6-6")


def _is_stavka(page: Page, tile: str) -> None:
    """This tile alone, to the eye and to the ear."""
    named = re.compile(re.escape(i18n.text("ka", "domino.stavka")))
    expect(page.locator(STAVKA)).to_have_count(1)
    expect(page.locator(STAVKA)).to_have_attribute("data-laid", tile)
    expect(page.locator(STAVKA)).to_have_attribute("aria-label", named)
    fill, width = _look(page, STAVKA)
    others = page.locator(".stone:not(.stavka)").evaluate_all(
        "all => all.map((x) => x.dataset.laid)"
    )
    assert others
    for other in others:
        expect(page.locator(f"[data-laid='{other}']")).not_to_have_attribute("aria-label", named)
        plain_fill, plain_width = _look(page, f"[data-laid='{other}']")
        assert plain_fill != fill
        assert plain_width < width


def _look(page: Page, stone: str) -> tuple[str, float]:
    """Colour and width of the frame."""
    told = page.locator(f"{stone} .body").evaluate(
        """(one) => {
          const { fill, strokeWidth } = getComputedStyle(one);
          return [fill, parseFloat(strokeWidth)];
        }"""
    )
    return str(told[0]), float(told[1])
