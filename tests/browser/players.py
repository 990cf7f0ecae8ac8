"""People who play through the screen: they press what the page offers and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import Locator, Page

STATE = """() => {
  const play = document.querySelector("#play");
  if (!play || !document.querySelector(".board")) return "waiting";
  if (play.classList.contains("cut-off") || play.dataset.pending !== "0") return "waiting";
  if (document.querySelector(".panel:not([hidden]) .reason")) return "over";
  return document.querySelector(".plate.own.on-turn") ? "mine" : "theirs";
}"""


def state(page: Page) -> str:
    """``waiting``, ``mine``, ``theirs`` or ``over``."""
    told: str = page.evaluate(STATE)
    return told


def ply(page: Page) -> int:
    return int(page.locator("#play").get_attribute("data-ply") or 0)


def make_table(page: Page, origin: str, game: str, target: int) -> str:
    """Open a table from the home page; the address to invite to."""
    page.goto(origin)
    form = page.locator(f"form:has(input[name=game][value={game}])")
    form.locator(f"input[type=radio][value='{target}']").check()
    form.locator("button.primary").click()
    return page.locator("#invite").input_value()


def sit_down(page: Page, invite: str) -> None:
    page.goto(invite)
    page.locator("#waiting form button").click()
    page.locator(".board").wait_for()


def act(page: Page, chance: random.Random) -> None:
    """One action of the player on turn, saved when this returns."""
    before = ply(page)
    close = page.locator(".panel:not([hidden]) .close")
    if close.count():
        close.click()
    domino = page.locator(".board.domino").count() > 0
    (_domino if domino else _nardi)(page, chance)
    page.wait_for_function(
        """before => {
          const { ply, pending } = document.querySelector("#play").dataset;
          return Number(ply) > before && pending === "0";
        }""",
        arg=before,
    )


def _pick(places: Locator, chance: random.Random) -> Locator:
    return places.nth(chance.randrange(places.count()))


def _domino(page: Page, chance: random.Random) -> None:
    playable = page.locator(".hand .own.playable")
    if playable.count() == 0:
        page.locator(".controls .primary").click()
        return
    tile = page.locator(f"[data-tile='{_pick(playable, chance).get_attribute('data-tile')}']")
    tile.click()
    ends = page.locator(".place.open")
    if ends.count() == 1 and chance.random() < 0.5:
        tile.click()
    else:
        _pick(ends, chance).click()


def _nardi(page: Page, chance: random.Random) -> None:
    ready = page.locator(".controls .primary:enabled")
    if ready.count():
        ready.click()
        return
    # Mostly the checker furthest back: who only plays at random kills and dies for ever.
    movable = page.locator(".spot.movable")
    source = (movable.first if chance.random() < 0.8 else _pick(movable, chance)).get_attribute(
        "data-point"
    )
    checker = page.locator(f".spot[data-point='{source}']")
    checker.click()
    if chance.random() < 0.3:
        checker.click()
    else:
        _pick(page.locator(".spot.to"), chance).click()


def play(
    pages: list[Page], chance: random.Random, between: Callable[[int], None] = lambda _: None
) -> None:
    """Play until both pages show the end; ``between`` is called with the number of actions."""
    done = 0
    while True:
        states = [state(page) for page in pages]
        if all(each == "over" for each in states):
            return
        if "mine" in states:
            act(pages[states.index("mine")], chance)
            done += 1
            between(done)
            continue
        # A page that lags behind the other: whoever is told last has the turn or the end.
        for page, each in zip(pages, states, strict=True):
            if each != "over":
                page.wait_for_function(f"was => ({STATE})() !== was", arg=each)
                break
