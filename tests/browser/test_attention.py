"""The bell at one's turn and the warning of the last ten seconds, on the real page of a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from engine.game import Json
from engine.nardi.actions import Confirm, Move
from engine.nardi.board import START
from tests.browser import domino_stage, nardi_stage
from tests.browser.domino_stage import EXAMPLE, FELT, OURS, THEIRS, dealt, played
from tests.browser.staged import NOW
from tests.browser.windows import PHONE
from tests.nardi.build import on_turn

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]

MOVE = 30_000
RESERVE = 120_000
CALLS = {"20,60,20": "turn", "60,80,60": "warn"}


class Domino(domino_stage.Stage):
    late = 0
    """Milliseconds since the move began that runs now."""

    def table(self) -> Json:
        """TABLE of docs/protocol.md."""
        return {**super().table(), "now": NOW + self.late}


class Nardi(nardi_stage.Stage):
    late = 0
    """Milliseconds since the move began that runs now."""

    def table(self) -> Json:
        """TABLE of docs/protocol.md."""
        return {**super().table(), "now": NOW + self.late}


@pytest.mark.parametrize("late", [MOVE - 12_000, MOVE + RESERVE - 12_000])
def test_the_turn_is_felt_once_and_its_last_ten_seconds_once_at_domino(
    domino_table: Opened, late: int
) -> None:
    """Of the move's own seconds, and of the reserve; the rival's are no concern of one's own."""
    page = domino_table(PHONE, FELT)
    page.clock.install()
    stage = Domino(page, played(dealt(OURS, THEIRS), EXAMPLE[:3]))
    _touch(page)
    stage.late = late
    stage.move("1-6 U")
    expect(page.locator(".plate.own.on-turn")).to_be_visible()
    assert _calls(page) == ["turn"]
    page.clock.run_for(1_500)
    assert _calls(page) == ["turn"]
    page.clock.run_for(1_000)
    assert _calls(page) == ["turn", "warn"]
    page.clock.run_for(3_000)
    assert _calls(page) == ["turn", "warn"]

    page.locator("[data-tile='5-5']").click()
    page.locator(".place.open").click()
    expect(page.locator(".plate.rival.on-turn")).to_be_visible()
    page.clock.run_for(4_000)
    assert _calls(page) == ["turn", "warn"]
    stage.move("3-4 L")
    expect(page.locator(".plate.own.on-turn")).to_be_visible()
    assert _calls(page) == ["turn", "warn", "turn"]
    page.clock.run_for(2_500)
    assert _calls(page) == ["turn", "warn", "turn", "warn"]


def test_the_turn_is_felt_once_and_its_last_ten_seconds_once_at_nardi(
    nardi_table: Opened,
) -> None:
    """A roll goes on with the same turn: it calls nobody again."""
    page = nardi_table(PHONE, FELT)
    page.clock.install()
    stage = Nardi(page, on_turn(START, (3, 1), seat=1), [(6, 5)])
    _touch(page)
    for move in (Move(8, 3), Move(6, 1)):
        stage.act(move)
    nardi_stage.saved(page, 2)
    assert _calls(page) == []
    stage.late = MOVE - 12_000
    stage.act(Confirm())
    nardi_stage.saved(page, 3)
    assert _calls(page) == ["turn"]
    page.locator(".controls .primary:visible").click()
    nardi_stage.saved(page, 4)
    assert _calls(page) == ["turn"]
    page.clock.run_for(1_500)
    assert _calls(page) == ["turn"]
    page.clock.run_for(1_000)
    assert _calls(page) == ["turn", "warn"]
    page.clock.run_for(3_000)
    assert _calls(page) == ["turn", "warn"]


def _touch(page: Page) -> None:
    """A press on nothing: before one no browser lets a page be felt. The page's own clock stands
    still from here on."""
    page.clock.pause_at(page.evaluate("(Date.now() + 1000) / 1000"))
    page.locator(".bar .asked").click()


def _calls(page: Page) -> list[str]:
    """What the table itself has let be felt; tiles, dice and checkers are the board's."""
    told: list[str] = page.evaluate("felt.map(String)")
    return [CALLS[each] for each in told if each in CALLS]
