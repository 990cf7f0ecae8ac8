"""What the settings leave to the page: rolling, bearing off, ending a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.nardi.actions import Confirm, Move
from engine.nardi.board import START
from tests.browser.modules import empty_page, run
from tests.browser.nardi_stage import RACE, Stage, at, moves, saved
from tests.nardi.build import on_turn

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


def test_with_confirming_off_a_turn_ends_by_itself(nardi_table: Opened) -> None:
    page = nardi_table(kept="{ confirm: false }")
    stage = Stage(page, on_turn(START, (3, 1)))
    for n, start in enumerate((8, 6)):
        at(page, start).click()
        at(page, 5).click()
        saved(page, 1 + n if n == 0 else 3)
    assert [action["action"] for action in stage.actions] == ["move", "move", "confirm"]


def test_it_rolls_by_itself_where_that_is_set(nardi_table: Opened) -> None:
    page = nardi_table(kept="{ auto_roll: true }")
    stage = Stage(page, on_turn(START, (3, 1), seat=1), [(6, 5)])
    expect(page.locator(".rival .cup")).to_contain_text("სე-იაქი")
    for move in (Move(8, 3), Move(6, 1)):
        stage.act(move)
    assert stage.actions == []
    stage.act(Confirm())
    expect(page.locator(".own .cup")).to_contain_text("შაში-ფანჯი")
    assert stage.actions == [{"action": "roll"}]


def test_what_another_tab_has_done_first_is_no_refusal(nardi_table: Opened) -> None:
    page = nardi_table(kept="{ auto_roll: true }")
    stage = Stage(page, on_turn(START, (3, 1), seat=1), [(6, 5)])
    stage.held = True
    for move in (Move(8, 3), Move(6, 1), Confirm()):
        stage.act(move)
    expect(page.locator("#play")).to_have_attribute("data-pending", "1")
    stage.refuse("stale")
    expect(page.locator("#play")).to_have_attribute("data-pending", "0")
    expect(page.locator(".bar.refused")).to_have_count(0)
    stage.held = True
    page.locator(".controls .primary:visible").click()
    stage.refuse("stale")
    expect(page.locator(".bar.refused")).to_be_visible()


def test_it_bears_off_by_itself_until_the_player_takes_back(nardi_table: Opened) -> None:
    page = nardi_table(kept="{ auto_bear_off: true }")
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
    open_window: Opened, own: dict[int, int], rival: dict[int, int], runs: bool
) -> None:
    page = empty_page(open_window())
    rows = [[side.get(point, 0) for point in range(26)] for side in (own, rival)]
    script = "return (await load('nardi/auto')).runsHome({ own: given[0], rival: given[1] });"
    assert run(page, script, rows) is runs


def moves_of(acts: list[dict[str, Any]]) -> list[tuple[int | str, int]]:
    return [(act["action"]["from"], act["action"]["die"]) for act in acts]
