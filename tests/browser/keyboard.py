"""Somebody who plays by the keyboard alone: Tab, Enter, Space, the arrows, Escape."""

from __future__ import annotations

import random

from playwright.sync_api import Page

from tests.browser.players import ply

MOST = 90
"""No way from one control of a page to another is longer."""


class Keyboard:
    """One person's hands. What they cannot reach in :data:`MOST` presses cannot be reached."""

    def __init__(self, page: Page, chance: random.Random) -> None:
        self.page = page
        self._chance = chance
        self.last = ""
        """The last key that was no way to somewhere, and where it was pressed: for who looks for
        what took the focus."""

    def press(self, key: str) -> None:
        if "Tab" not in key:
            at = self.page.evaluate(
                """() => {
                  const { className, dataset, textContent } = document.activeElement;
                  const mark = dataset.tile ?? dataset.point ?? textContent.slice(0, 30);
                  return `${className} [${mark}]`;
                }"""
            )
            self.last = f"{key} at {at}"
        self.page.keyboard.press(key)

    def at(self, selector: str) -> bool:
        """Is the focus there?"""
        found: bool = self.page.evaluate(
            "(what) => document.activeElement?.matches(what) ?? false", selector
        )
        return found

    def count(self, selector: str) -> int:
        found: int = self.page.evaluate(
            "(what) => document.querySelectorAll(what).length", selector
        )
        return found

    def reach(self, selector: str) -> None:
        """From control to control, the shorter way, until it is one of these."""
        back: bool = self.page.evaluate(
            """(what) => {
              const at = document.activeElement ?? document.body;
              const there = document.querySelector(what);
              const before = Node.DOCUMENT_POSITION_PRECEDING;
              return at !== document.body && there !== null
                && (at.compareDocumentPosition(there) & before) !== 0;
            }""",
            selector,
        )
        for _ in range(MOST):
            if self.at(selector):
                return
            self.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"no way to {selector}")

    def do(self, selector: str) -> None:
        """Reach it and press it."""
        self.reach(selector)
        self.press(self._chance.choice(("Enter", "Space")))

    def pick(self, name: str, value: int) -> None:
        """One of a row of choices."""
        self.reach(f"input[name={name}]")
        for _ in range(MOST):
            if self.at(f"input[name={name}][value='{value}']:checked"):
                return
            self.press("ArrowRight")
        raise AssertionError(f"no {name} of {value}")

    def has_focus(self) -> bool:
        """Whoever plays by keyboard stands somewhere on the table, not at the page's beginning."""
        found: bool = self.page.evaluate(
            """() => {
              const at = document.activeElement;
              return at !== null && at !== document.body && at.checkVisibility();
            }"""
        )
        return found

    def make_table(self, origin: str, game: str, target: int) -> str:
        """From the lobby; the address to invite to."""
        self.page.goto(origin)
        form = f".game[data-game={game}]"
        self.reach(f"{form} *")
        self.pick("target" if game == "domino" else "points", target)
        self.do(f"{form} summary")
        self.do(f"{form} button[value='0']")
        return self.page.locator("#invite").input_value()

    def act(self) -> None:
        """One action of the player on turn, saved when this returns."""
        before = ply(self.page)
        if self.count(".board.domino"):
            self._domino()
        else:
            self._nardi()
        self.page.wait_for_function(
            """before => {
              const { ply, pending } = document.querySelector("#play").dataset;
              return Number(ply) > before && pending === "0"
                && !document.querySelector(".board[aria-busy]");
            }""",
            arg=before,
        )

    def _domino(self) -> None:
        playable = self.page.evaluate(
            """() => [...document.querySelectorAll(".hand .own.playable")]
                .map((one) => one.dataset.tile)"""
        )
        if not playable:
            return self.do(".controls .primary:enabled")
        tile = self._chance.choice(playable)
        self.reach(".hand .own")
        self._walk(tile)
        self.press("Enter")
        if self._chance.random() < 0.1:
            self._think_better(tile)
        if self.at(".place.open"):  # there is a choice, so that is where one stands now
            for _ in range(self._chance.randrange(self.count(".place.open"))):
                self.press("Tab")
            assert self.at(".place.open")
            self.press("Enter")
        elif self._chance.random() < 0.5:
            self.press("Space")
        else:
            self.do(".place.open")
        return None

    def _walk(self, tile: str) -> None:
        """Along the hand by the arrows."""
        steps: int = self.page.evaluate(
            """(tile) => {
              const all = [...document.querySelectorAll(".hand .own")];
              return all.findIndex((one) => one.dataset.tile === tile)
                - all.indexOf(document.activeElement);
            }""",
            tile,
        )
        for _ in range(abs(steps)):
            self.press("ArrowRight" if steps > 0 else "ArrowLeft")
        assert self.at(f".hand .own[data-tile='{tile}']")

    def _think_better(self, tile: str) -> None:
        """Escape lets go of the tile; then it is taken again."""
        self.press("Escape")
        assert self.count(".place.open") == 0
        assert self.has_focus()
        self.reach(".hand .own")
        self._walk(tile)
        self.press("Enter")

    def _nardi(self) -> None:
        ready = ".controls .primary:not([hidden]):enabled"
        if self.count(ready):
            return self.do(ready)
        points = self.page.evaluate(
            """() => [...document.querySelectorAll(".spot.movable")]
                .map((one) => one.dataset.point)"""
        )
        # Mostly the checker furthest back: who only plays at random kills and dies for ever.
        point = points[0] if self._chance.random() < 0.9 else self._chance.choice(points)
        self.reach(".spot")
        self.press(self._chance.choice(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")))
        assert self.at(".spot")
        self.do(f".spot[data-point='{point}']")
        if self._chance.random() < 0.1:
            self.press("Escape")
            assert self.count(".spot.to") == 0
            self.do(f".spot[data-point='{point}']")
        if self._chance.random() < 0.3:
            self.press("Enter")
        else:
            self.do(".spot.to")
        return None
