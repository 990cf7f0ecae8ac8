"""People who play through the screen: they press what the page offers and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import Page

STATE = """() => {
  const play = document.querySelector("#play");
  if (!play || !document.querySelector(".board")) return "waiting";
  if (play.classList.contains("cut-off") || play.dataset.pending !== "0") return "waiting";
  if (document.querySelector(".board[aria-busy], .go-on:not([hidden]):disabled")) return "waiting";
  if (document.querySelector(".panel:not([hidden]) .reason")) return "over";
  if (document.querySelector(".go-on:not([hidden]):enabled")) return "paused";
  return document.querySelector(".plate.own.on-turn") ? "mine" : "theirs";
}"""
SEEN = f"() => [({STATE})(), Number(document.querySelector('#play')?.dataset.ply ?? 0)]"


def state(page: Page) -> str:
    """``waiting``, ``mine``, ``theirs``, ``paused`` or ``over``."""
    told: str = page.evaluate(STATE)
    return told


def ply(page: Page) -> int:
    return int(page.locator("#play").get_attribute("data-ply") or 0)


def make_table(page: Page, origin: str, game: str, target: int) -> str:
    """Open a table by link from the lobby; the address to invite to."""
    page.goto(origin)
    form = page.locator(f".game[data-game={game}] form")
    option = "target" if game == "domino" else "points"
    form.locator(f"input[name={option}][value='{target}']").check()
    form.locator("summary").click()
    form.locator("button[value='0']").click()
    return page.locator("#invite").input_value()


def sit_down(page: Page, invite: str) -> None:
    page.goto(invite)
    page.locator("#waiting form button").click()
    page.locator(".board").wait_for()


def go_on(page: Page) -> None:
    """Seen enough of the last hand. Whoever is the last to say so ends the pause."""
    Offer(page, ".go-on:not([hidden]):enabled").press(0)
    page.wait_for_function("""() => !document.querySelector(".go-on:not([hidden]):enabled")""")


def act(page: Page, chance: random.Random) -> None:
    """One action of the player on turn, saved when this returns."""
    before = ply(page)
    close = Offer(page, ".panel:not([hidden]) .close")
    if close.count:
        close.press(0)
    (_domino if Offer(page, ".board.domino").count else _nardi)(page, chance)
    page.wait_for_function(
        """before => {
          const { ply, pending } = document.querySelector("#play").dataset;
          return Number(ply) > before && pending === "0";
        }""",
        arg=before,
    )


class Offer:
    """What can be pressed, pressed where a finger would, and by a finger where the screen can be
    touched: whatever covers it takes the press."""

    def __init__(self, page: Page, selector: str) -> None:
        self._page = page
        self._selector = selector
        self.count: int = page.evaluate("what => document.querySelectorAll(what).length", selector)

    def press(self, n: int) -> str:
        """Press the ``n``-th of them; its ``data-tile`` or ``data-point``."""
        x, y, touch, covered, name = self._page.evaluate(
            """([what, n]) => {
              const one = document.querySelectorAll(what)[n];
              const { x, y, width, height } = one.getBoundingClientRect();
              const middle = [x + width / 2, y + height / 2];
              const top = document.elementFromPoint(...middle);
              return [...middle, navigator.maxTouchPoints > 0,
                one.contains(top) ? "" : String(top?.className),
                one.dataset.tile ?? one.dataset.point ?? ""];
            }""",
            [self._selector, n],
        )
        assert covered == "", f"{self._selector} is covered by {covered}"
        if touch:
            self._page.touchscreen.tap(x, y)
        else:
            self._page.mouse.click(x, y)
        return str(name)


def _domino(page: Page, chance: random.Random) -> None:
    playable = Offer(page, ".hand .own.playable")
    if playable.count == 0:
        Offer(page, ".controls .primary:enabled").press(0)
        return
    tile = playable.press(chance.randrange(playable.count))
    ends = Offer(page, ".place.open")
    if ends.count == 1 and chance.random() < 0.5:
        Offer(page, f".own[data-tile='{tile}']").press(0)
    else:
        ends.press(chance.randrange(ends.count))


def _nardi(page: Page, chance: random.Random) -> None:
    ready = Offer(page, ".controls .primary:not([hidden]):enabled")
    if ready.count:
        ready.press(0)
        return
    # Mostly the checker furthest back: who only plays at random kills and dies for ever.
    movable = Offer(page, ".spot.movable")
    checker = movable.press(0 if chance.random() < 0.8 else chance.randrange(movable.count))
    if chance.random() < 0.3:
        Offer(page, f".spot[data-point='{checker}']").press(0)
    else:
        ends = Offer(page, ".spot.to")
        ends.press(chance.randrange(ends.count))


def play(
    pages: list[Page], chance: random.Random, between: Callable[[int], None] = lambda _: None
) -> None:
    """Play until both pages show the end; ``between`` is called with the number of actions."""
    done = 0
    while True:
        seen = [page.evaluate(SEEN) for page in pages]
        states = [each for each, _ in seen]
        if all(each == "over" for each in states):
            return
        if "paused" in states:
            go_on(pages[states.index("paused")])
            continue
        if "mine" in states:
            act(pages[states.index("mine")], chance)
            done += 1
            between(done)
            continue
        # Whoever is told last has the turn or the end: a page that lags behind the other.
        latest = max(count for _, count in seen)
        lags = [each == "waiting" or count < latest for each, count in seen]
        n = lags.index(True) if any(lags) else states.index("theirs")
        pages[n].wait_for_function(f"was => String(({SEEN})()) !== String(was)", arg=seen[n])
