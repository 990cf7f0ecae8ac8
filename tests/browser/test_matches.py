"""Two people play whole matches through the screen (spec of the look: *Around both*)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.app.server import Server
from tests.browser.players import make_table, ply, sit_down, state
from tests.browser.players import play as play_on
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser


class Plan(NamedTuple):
    """What is played, and after how many actions what goes wrong."""

    game: str
    target: int
    reload_at: int
    kill_at: int


@pytest.mark.parametrize("plan", [Plan("domino", 75, 9, 25), Plan("nardi", 1, 20, 45)])
def test_two_people_play_a_whole_match_by_link(
    own_site: Server,
    open_window: Callable[..., Page],
    plan: Plan,
) -> None:
    """With a page reloaded and the server killed on the way, both see the same end."""
    phone, laptop = open_window(PHONE), open_window(LAPTOP)
    invite = make_table(phone, own_site.origin, plan.game, plan.target)
    sit_down(laptop, invite)
    phone.locator(".board").wait_for()
    disturbed: list[str] = []

    def disturb(done: int) -> None:
        if done == plan.reload_at:
            before = _seen(phone)
            phone.reload()
            phone.locator(".board").wait_for()
            phone.wait_for_function("document.querySelector('#play').dataset.pending === '0'")
            assert _seen(phone) == before
            disturbed.append("reload")
        elif done == plan.kill_at:
            laptop.wait_for_function(
                "ply => document.querySelector('#play').dataset.ply === ply", arg=str(ply(phone))
            )
            before = _seen(phone)
            own_site.kill()
            for page in (phone, laptop):
                expect(page.locator(".line")).not_to_have_attribute("data-line", "online")
            own_site.start()
            for page in (phone, laptop):
                expect(page.locator(".line")).to_have_attribute("data-line", "online")
            assert _seen(phone) == before
            disturbed.append("kill")

    play_on([phone, laptop], random.Random(4), disturb)

    assert disturbed == ["reload", "kill"]
    assert state(phone) == state(laptop) == "over"
    won = [page for page in (phone, laptop) if _text(page, ".panel h2") == "შენ მოიგე!"]
    lost = [page for page in (phone, laptop) if _text(page, ".panel h2") == "ამჯერად წააგე"]
    assert len(won) == len(lost) == 1
    reason = f"მატჩი ქულებით დასრულდა ({plan.target} ქულამდე)"
    assert [_text(page, ".panel .reason") for page in (phone, laptop)] == [reason, reason]
    own, rival = (
        [_text(page, f".plate.{side} .score") for page in (*won, *lost)]
        for side in ("own", "rival")
    )
    assert own == rival[::-1]
    assert int(own[0].split(" / ")[0]) >= plan.target


def _text(page: Page, selector: str) -> str:
    return page.locator(selector).inner_text()


def _seen(page: Page) -> tuple[object, ...]:
    """What lies on the table, as a screen reader would tell it."""
    names: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".stone, .own[data-tile], .spot")]
            .map((one) => one.dataset.tile ?? one.getAttribute("aria-label"))"""
    )
    scores = page.locator(".plate .score").all_inner_texts()
    return (ply(page), sorted(names), scores)
