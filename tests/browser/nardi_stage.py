"""A nardi table whose page is real and whose server is the engine with chosen boards and dice."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from engine.nardi import State
from engine.nardi.board import build
from tests.browser import staged

Box = dict[str, float]
LYING = (844, 390)
RACE = build({6: 2, 5: 1, 3: 2, 2: 1}, {24: 3, 20: 5, 19: 2})
"""Bearing off on both sides, past all contact."""
BLOCKED = build({18: 2, 24: 2, 6: 3}, dict.fromkeys((1, 19, 20, 21, 22, 23), 2), bar=1)
"""One on the bar, with the home before it closed."""
DEAD_SIX = build({8: 2, 6: 1}, {2: 2, 1: 2, 17: 2, 18: 2, 19: 2, 20: 3, 21: 2})
"""A 6 is closed on every way, a 4 is not."""
LAST_TWO = build({1: 2}, {24: 3, 20: 5, 19: 2, 3: 1, 6: 4})
MOTIONS = """
window.motions = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  window.motions.push([this.getAttribute("class"), options.duration]);
  return animate.call(this, frames, options);
};
window.felt = [];
const kinds = { "8": "checker", "30,30,40": "kill", "8,30,8,30,8": "dice", "40,80,80": "end" };
navigator.vibrate = (pattern) => kinds[pattern] && window.felt.push(kinds[pattern]);
"""


class Stage(staged.Stage[State]):
    """What chance gives are the rolls to come."""

    game = staged.NARDI


def at(page: Page, point: int | str) -> Locator:
    return page.locator(f".spot[data-point='{point}']")


def middle(spot: Locator) -> tuple[float, float]:
    box: Box = spot.evaluate("one => one.getBoundingClientRect().toJSON()")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def saved(page: Page, moves: int = 1) -> None:
    """So many actions since the table was staged are shown, and nothing moves any more."""
    expect(page.locator(f"#play[data-pending='0'][data-ply='{7 + moves}']")).to_be_attached()
    expect(page.locator(".board:not([aria-busy])")).to_be_visible()


def moves(stage: Stage) -> list[tuple[int | str, int]]:
    return [(action["from"], action["die"]) for action in stage.actions]


def drag(page: Page, point: int, to: tuple[float, float]) -> None:
    page.mouse.move(*middle(at(page, point)))
    page.mouse.down()
    page.mouse.move(*to, steps=4)
