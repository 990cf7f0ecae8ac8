"""A domino table whose page is real and whose server is the engine with a chosen deal."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Page

from engine.domino import GAME
from engine.domino.state import State
from engine.domino.tiles import BY_NAME, NAMES
from engine.game import Json, Step
from tests.browser import staged

# The worked example of the rules (G18): "ours" is A, "theirs" is B.
OURS = "6-6 5-6 5-5 0-1 0-2 1-2 2-2"
THEIRS = "4-6 1-6 0-6 3-3 3-4 2-4 2-3"
EXAMPLE = ["6-6", "4-6 L", "5-6 R", "1-6 U"]
# Nothing of ours fits what they lay; the third tile of the bazaar does.
STUCK = "1-1 2-2 3-3 1-2 1-3 2-3 0-1"
RICH = "6-6 5-6 4-6 4-5 4-4 5-5 0-6"
BAZAAR = "0-2 0-3 3-6 2-6"
MOVES = """{
  window.moves = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    moves.push({ what: this.className.baseVal ?? this.className, tile: this.dataset?.laid
      ?? this.dataset?.tile ?? "", from: frames[0]?.transform ?? "", for: options.duration });
    return animate.call(this, frames, options);
  };
}"""
FELT = """{
  window.felt = [];
  Object.defineProperty(navigator, "vibrate", { value: (what) => felt.push(what) });
}"""
DRAW = ".controls .primary:not(.go-on)"
BOX = """all => all.map((one) => one.getBoundingClientRect().toJSON())"""


def dealt(first: str, second: str, bazaar: str = "", *, target: int = 75) -> Step[State]:
    """A match begun with these tiles of the seats, and these first in the bazaar."""
    order = f"{first} {second} {bazaar}".split()
    order += [name for name in NAMES if name not in order]
    step = GAME.start({"target": target})
    return GAME.give(step.state, tuple(BY_NAME[name] for name in order))


def played(step: Step[State], moves: Iterable[str]) -> State:
    """After these moves of whoever's turn it is: ``6-6``, ``4-6 L``, ``draw``."""
    state = step.state
    for move in moves:
        state = GAME.apply(state, GAME.to_act(state)[0], GAME.action_from_json(action(move))).state
    return state


def played_on(state: State, tiles: int, seed: int = 1) -> State:
    """After random moves, with so many tiles on the table."""
    chance = random.Random(seed)
    while len(GAME.view(state, None)["placed"]) < tiles:
        (seat,) = GAME.to_act(state)
        state = GAME.apply(state, seat, chance.choice(GAME.legal(state, seat))).state
        assert GAME.asks(state) is None
    return state


def action(move: str) -> Json:
    if move == "draw":
        return {"action": "draw"}
    tile, _, end = move.partition(" ")
    return {"action": "lay", "tile": tile, "end": end or None}


class Stage(staged.Stage[State]):
    """What chance gives are the deals to come."""

    game = staged.DOMINO

    def __init__(self, page: Page, state: State, *chance: Any, **given: Any) -> None:
        self._given: list[str] = []
        super().__init__(page, state, *chance, **given)

    def move(self, move: str) -> None:
        """What the other player does."""
        self.act(GAME.action_from_json(action(move)))

    def give(self, tiles: str) -> None:
        """The page is told of more tiles in its own hand, wherever they come from."""
        self._given += tiles.split()
        self.tell(self._told([{}]))

    def table(self) -> Json:
        """TABLE of docs/protocol.md."""
        told = super().table()
        told["view"]["tiles"] = told["view"]["tiles"] + self._given
        return told


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def hand(page: Page) -> list[str]:
    told: list[str] = page.locator(".hand .own").evaluate_all(
        "all => all.map((one) => one.dataset.tile)"
    )
    return told


def keep(page: Page, **settings: bool) -> None:
    page.evaluate("all => localStorage.setItem('ezo.settings', JSON.stringify(all))", settings)


def overlap(page: Page, one: str, other: str) -> bool:
    a, b = (page.locator(each).first.bounding_box() for each in (one, other))
    assert a is not None
    assert b is not None
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


def inside(page: Page) -> None:
    """Every tile and place of the chain is within the field."""
    boxes = page.locator(".stone, .place").evaluate_all(BOX)
    field = page.locator(".field").bounding_box()
    assert field is not None
    for box in boxes:
        assert field["x"] <= box["left"] + 1
        assert box["right"] <= field["x"] + field["width"] + 1
        assert field["y"] <= box["top"] + 1
        assert box["bottom"] <= field["y"] + field["height"] + 1
