"""The bar over a table, for who hears it: words are read out, seconds that count down are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import ElementHandle, Page, expect

from engine.nardi.actions import Confirm, Move
from engine.nardi.board import START
from tests.browser import domino_stage, nardi_stage
from tests.browser.domino_stage import EXAMPLE, OURS, THEIRS, dealt, played
from tests.nardi.build import on_turn

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]

WORDS = ("asked", "told", "note")


def test_what_is_asked_told_and_noted_is_read_out_at_domino(domino_table: Opened) -> None:
    page = domino_table()
    stage = domino_stage.Stage(page, played(dealt(OURS, THEIRS), EXAMPLE[:3]))
    read_out = _read_out(page)
    before = page.locator(".bar .asked").inner_text()
    stage.move("1-6 U")
    expect(page.locator(".bar .asked")).not_to_have_text(before)
    expect(page.locator(".bar .told")).to_contain_text("1-6")
    _stand(read_out)


def test_what_is_asked_told_and_noted_is_read_out_at_nardi(nardi_table: Opened) -> None:
    page = nardi_table()
    stage = nardi_stage.Stage(page, on_turn(START, (3, 1), seat=1))
    read_out = _read_out(page)
    before = page.locator(".bar .asked").inner_text()
    for move in (Move(8, 3), Move(6, 1), Confirm()):
        stage.act(move)
    expect(page.locator(".bar .asked")).not_to_have_text(before)
    expect(page.locator(".bar .told")).to_contain_text("3-1")
    _stand(read_out)


def _read_out(page: Page) -> dict[str, ElementHandle]:
    """The live regions of the bar by what stands in them, each alone in its own; the seconds
    stand in none."""
    for name in WORDS:
        expect(page.locator(f".bar .{name}")).to_have_count(1)
        expect(page.locator(f".bar [role=status] .{name}")).to_have_count(1)
    expect(page.locator(".bar .counting")).to_have_count(2)
    expect(page.locator(".bar .counting[aria-hidden=true]")).to_have_count(2)
    expect(page.locator("[role=status] .counting, [aria-live] .counting")).to_have_count(0)
    return {
        name: page.locator("[role=status]", has=page.locator(f".{name}")).element_handle()
        for name in WORDS
    }


def _stand(regions: dict[str, ElementHandle]) -> None:
    """What is new is read out only in a region that stood there before."""
    for name, region in regions.items():
        assert region.evaluate(
            "(one, name) => one.isConnected && !!one.querySelector(name)", f".{name}"
        )
