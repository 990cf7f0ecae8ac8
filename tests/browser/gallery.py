"""Tables as they may look at the worst: made-up values of real engine states, shown by the real
page, whose server they are."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from app.table.clock import SeatClock
from app.table.match import Ended, Handshake
from app.table.table import Table
from engine.chance import Seeded, sha256
from engine.domino.layout import Layout
from engine.domino.state import HandResult
from engine.domino.state import State as Domino
from engine.domino.tiles import BIT, PIPS, TILES, members
from engine.game import Json, Outcome, Viewer, play_on
from engine.nardi import State as Nardi
from engine.nardi.actions import Move
from engine.nardi.board import START, build, flip
from engine.nardi.match import LastHand
from tests.browser.staged import (
    CHAIN,
    DOMINO,
    FRESH,
    NARDI,
    NOW,
    PLAIN,
    Line,
    as_told,
    table,
)
from tests.nardi.build import on_turn
from tests.nardi.build import play as played

LONGEST: Final = ("ქრისტეფორე-მაქსიმილი", "WWWWWWWWWWWWWWWWWWWW")
TURNED: Final = ("محمد بن عبد الله طلب", "יוסף בן־מתתיהו הכהן")
SIGNS: Final = (
    "🎲🀄🎲🀄🎲🀄🎲🀄🎲🀄🎲🀄🎲🀄🎲🀄🎲🀄🎲🀄",
    "麻雀牌九四五六七八九十百千萬億兆京垓秭",
)
MARKED: Final = ("ẩ̈ẩ̈ẩ̈ẩ̈ẩ̈ẩ̈", "ნინო <b>&amp;</b> \\n")
"""The longest names that can be taken (20 signs, 60 with their marks), of many scripts."""

FULL: Final = SeatClock(5_999_000, 60_000, since=NOW)
SPENDING: Final = SeatClock(9_000, 60_000, since=NOW - 30_000)
SPENT: Final = SeatClock(0, 60_000, since=NOW - 30_000, timeouts=2)
AWAY: Final = SeatClock(62_000, 59_000, since=NOW - 5_000, absent_since=NOW - 1_000)

RIVAL: Final = frozenset({1})


@dataclass(frozen=True)
class Scene:
    """A table and what is done on the page before one looks."""

    name: str
    table: Table
    viewer: Viewer = 0
    steps: tuple[str, ...] = ()
    """Selectors pressed one after the other."""
    sees: str = ".board"
    """What must be there then."""
    stone: int = 24
    """So wide the tiles of its chain have to be, on the least of screens."""
    shown: Json = field(default_factory=dict)
    """Fields of TABLE that say something else."""

    def json(self) -> Json:
        """TABLE as the viewer gets it."""
        return {**as_told(self.table, self.viewer), **self.shown}


# ── domino ────────────────────────────────────────────────────────────────────────────────────


def domino(plies: int, seed: int = 1, target: int = 355) -> Domino:
    """A real hand after so many random moves, with seat 0 on turn."""
    choose = random.Random(seed)
    chance = Seeded(sha256(str(seed).encode()))
    state: Domino = play_on(DOMINO, DOMINO.start({"target": target}), chance).state
    while True:
        acting = DOMINO.to_act(state)
        if plies <= 0 and acting == (0,) and len(DOMINO.legal(state, 0)) > 2:
            return state
        action = choose.choice(DOMINO.legal(state, acting[0]))
        state = play_on(DOMINO, DOMINO.apply(state, acting[0], action), chance).state
        plies -= 1


def scored(state: Domino, *score: int) -> Domino:
    return state._replace(open=state.open._replace(score=score))


@cache
def longest(tiles: int = 27) -> Layout:
    """The table with so many tiles on it, each laid where it fits, at random. No hand of the
    game lays more than 25; a layout has to bear all but one."""
    choose = random.Random(5)
    while True:
        first = choose.choice(TILES)
        layout = Layout().open_with(first)
        left = [tile for tile in TILES if tile != first]
        while len(layout.placed) < tiles:
            fits = [
                (tile, index)
                for tile in left
                for index, end in enumerate(layout.ends)
                if BIT[tile] & _showing(end.asks)
            ]
            if not fits:
                break
            tile, index = choose.choice(fits)
            layout = layout.lay(tile, index)
            left.remove(tile)
        if len(layout.placed) == tiles:
            return layout


def _showing(asks: int) -> int:
    return sum(BIT[tile] for tile in TILES if asks in DOMINO_HALVES[tile])


DOMINO_HALVES: Final = [(low, high) for low in range(7) for high in range(low, 7)]


def laid(layout: Layout, own: int, *, seat: int = 0, score: tuple[int, int] = (0, 0)) -> Domino:
    """A hand with this on the table and so many tiles in the hand of seat 0, the rest in the
    other's up to three, then in the bazaar."""
    start = domino(0)
    on_table = {each.tile for each in layout.placed}
    rest = [tile for tile in TILES if tile not in on_table]
    first, second, bazaar = rest[:own], rest[own : own + 3], rest[own + 3 :]
    return start._replace(
        open=start.open._replace(
            layout=layout,
            laid_by=tuple((n % 2, 25 if n % 3 == 0 else 0) for n in range(len(layout.placed))),
            turn=seat,
            must_open=None,
            score=score,
            left=max(0, len(bazaar) - 2),
        ),
        hands=(sum(BIT[tile] for tile in first), sum(BIT[tile] for tile in second)),
        bazaar=tuple(bazaar),
        stock=sum(BIT[tile] for tile in bazaar[: max(0, len(bazaar) - 2)]),
    )


def few(tiles: int) -> Layout:
    """The beginning of the longest table."""
    whole = longest()
    layout = Layout().open_with(whole.placed[0].tile)
    for placed in whole.placed[1:tiles]:
        assert placed.end is not None
        index = layout.at(placed.end)
        assert index is not None
        layout = layout.lay(placed.tile, index)
    return layout


def to_draw() -> Domino:
    """Nothing fits: the bazaar has to be asked."""
    layout = few(6)
    state = laid(layout, 20)
    stuck = [tile for tile in members(state.hands[0]) if not layout.fits & BIT[tile]]
    assert stuck
    own = sum(BIT[tile] for tile in stuck[:7])
    others = [tile for tile in members(state.hands[0]) if not own & BIT[tile]]
    return state._replace(
        open=state.open._replace(left=len(others) - 2),
        hands=(own, state.hands[1]),
        bazaar=tuple(others),
        stock=sum(BIT[tile] for tile in others[:-2]),
    )


def hand_over(score: tuple[int, int]) -> Domino:
    """Between two hands: the other sits on as many tiles as one can have drawn."""
    state = laid(few(8), 0, score=score)
    taken = {each.tile for each in state.open.layout.placed}
    rest = sum(BIT[tile] for tile in TILES if tile not in taken)
    pips = sum(PIPS[tile] for tile in members(rest))
    result = HandResult(12, "domino", 0, 5 * round(pips / 5), score, 0, (0, rest), (0, pips))
    return state._replace(
        open=state.open._replace(turn=None, last_hand=result), hands=(0, rest), bazaar=(), stock=0
    )


def domino_over() -> Domino:
    state = hand_over((355, 350))
    return state._replace(open=state.open._replace(outcome=Outcome((0,), "points", (355, 350))))


# ── nardi ─────────────────────────────────────────────────────────────────────────────────────

ON_BAR: Final = build({1: 2, 2: 2, 8: 2, 13: 2, 18: 2}, {19: 3, 20: 2, 4: 5}, bar=5, opp_bar=5)
ONE_POINT: Final = build({3: 15}, {22: 15})
TALL: Final = build({24: 15}, {1: 15})
RACE: Final = build({1: 1}, {24: 1})
HOME: Final = build({6: 6, 5: 4, 4: 3, 1: 2}, {24: 5, 23: 4, 22: 6})
WON: Final = build({}, {24: 5, 23: 4, 6: 3, 4: 2}, opp_bar=1)
SHUT: Final = build({18: 2, 24: 2, 6: 3}, dict.fromkeys((1, 19, 20, 21, 22, 23), 2), bar=1)


def nardi_over(points: int) -> Nardi:
    state = on_turn(START, None, score=(points, points - 1), points=points)
    hand = LastHand(points * 2, "koksi", 0, 3, (points, points - 1), WON)
    outcome = Outcome((0,), "points", (points, points - 1))
    return replace(state, phase="over", seat=None, last_hand=hand, outcome=outcome)


def nardi_hand_over() -> Nardi:
    hand = LastHand(9, "marsi", 1, 2, (6, 6), flip(WON))
    first: Nardi = NARDI.start({"points": 7}).state
    return replace(first, hand=10, score=(6, 6), last_hand=hand)


def scenes() -> dict[str, list[Scene]]:
    """All of the gallery, by game."""
    return {"domino": _domino_scenes(), "nardi": _nardi_scenes()}


def _domino_scenes() -> list[Scene]:
    middle = scored(domino(9), 40, 35)
    opening = domino(0)
    pause: Json = {"pause_until": NOW + 8_000, "ready": frozenset({1})}
    end: Json = {
        "ended": Ended((0,), "points", (355, 350), NOW, kept=True, coins=(90_000, -100_000)),
        "wants": RIVAL,
    }
    gone: Json = {"ended": Ended((1,), "left", (0, 0), NOW), "wants": RIVAL}
    tile, more = ".hand .own.playable", ".place.open"
    menu = ".menu summary"
    return [
        Scene("opening", table(opening, "opening", SIGNS, (FULL, FRESH))),
        Scene("middle", table(middle, "middle", LONGEST, (SPENDING, FRESH))),
        Scene("chosen", table(middle, "chosen", PLAIN), steps=(tile,), sees=more),
        Scene("twenty", table(laid(few(2), 20), "twenty", LONGEST, (SPENT, FRESH)), steps=(tile,)),
        Scene(
            "whole",
            table(laid(longest(), 1, seat=1, score=(350, 345)), "whole", TURNED, (FRESH, FULL)),
            stone=14,
        ),
        Scene(
            "folded",
            table(laid(few(18), 5, seat=1), "folded", MARKED, (FRESH, AWAY), away=1),
            stone=20,
        ),
        Scene(
            "draw",
            table(to_draw(), "draw", TURNED, stake=50_000),
            sees=".controls .primary:enabled",
        ),
        Scene(
            "pause",
            table(hand_over((150, 345)), "pause", LONGEST, **pause),
            sees=".panel:not([hidden])",
        ),
        Scene(
            "won",
            table(domino_over(), "won", LONGEST, stake=100_000, **end),
            sees=".panel:not([hidden]) .reason",
        ),
        Scene(
            "left",
            table(middle, "left", TURNED, away=0, **gone),
            sees=".panel:not([hidden]) .reason",
        ),
        Scene("watched", table(laid(few(13), 6), "watched", LONGEST, (SPENDING, FULL)), None),
        Scene("menu", table(middle, "menu", PLAIN, stake=500), steps=(menu,), sees=".menu[open]"),
    ]


def _nardi_scenes() -> list[Scene]:
    start = on_turn(START, (6, 5), points=7, score=(6, 5))
    double = on_turn(START, (6, 6))
    moved = played(double, Move(24, 6), Move(24, 6), Move(13, 6)).state
    whole = played(moved, Move(13, 6)).state
    pause: Json = {"pause_until": NOW + 8_000, "ready": frozenset({1})}
    end: Json = {
        "ended": Ended((0,), "points", (7, 6), NOW, kept=True, coins=(90_000, -100_000)),
        "wants": RIVAL,
    }
    menu = ".menu summary"
    return [
        Scene("rolling", table(on_turn(START, None), "rolling", SIGNS, (FULL, FRESH))),
        Scene("start", table(start, "start", LONGEST, (SPENDING, FRESH))),
        Scene(
            "chosen",
            table(start, "chosen", PLAIN),
            steps=(".spot.movable[data-point='13']",),
            sees=".spot.to",
        ),
        Scene("bar", table(on_turn(ON_BAR, (4, 3)), "bar", TURNED), sees=".spot.movable"),
        Scene("fifteen", table(on_turn(ONE_POINT, None), "fifteen", LONGEST, (SPENT, FRESH))),
        Scene("tall", table(on_turn(TALL, (2, 1), seat=1), "tall", MARKED, (FRESH, AWAY), away=1)),
        Scene("race", table(on_turn(RACE, (6, 5)), "race", SIGNS)),
        Scene("double", table(moved, "double", LONGEST, (FULL, FRESH))),
        Scene("whole", table(whole, "whole", TURNED, stake=50_000)),
        Scene("home", table(on_turn(HOME, (6, 6)), "home", PLAIN), steps=(".spot.movable",)),
        Scene(
            "pause",
            table(nardi_hand_over(), "pause", LONGEST, **pause),
            sees=".panel:not([hidden])",
        ),
        Scene(
            "won",
            table(nardi_over(7), "won", LONGEST, stake=100_000, **end),
            sees=".panel:not([hidden]) .reason",
        ),
        Scene("watched", table(start, "watched", LONGEST, (SPENDING, FULL)), None),
        Scene("menu", table(start, "menu", PLAIN, stake=500), steps=(menu,), sees=".menu[open]"),
    ]


def shaking(name: str = "shaking") -> Scene:
    """Before the match: who has sent its hash, and who has not."""
    shake = Handshake(
        name.ljust(22, "-"), CHAIN, CHAIN.commitment, NOW + 30_000, (None, None), (None, None)
    )
    made = table(domino(0), name, LONGEST)
    waits = replace(made, status="handshake", match=None, handshake=shake)
    return Scene(name, waits, None, sees="#waiting .shaking")


class Show(Line):
    """Plays the server for a page that is at a table already, and shows it one table after the
    other."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._number = 0
        self._table: Json | None = None
        self._pings = 0

    def show(self, scene: Scene) -> None:
        """The page shows this table, afresh, and what is to be seen there can be seen."""
        page = self.page
        page.evaluate("""() => {
          for (const one of document.querySelectorAll("dialog[open]")) one.close();
          for (const one of document.querySelectorAll("details[open]")) one.open = false;
          document.activeElement?.blur();
        }""")
        self._table = scene.json()
        self._greet()
        page.wait_for_function(
            """([match, board]) => document.querySelector("#play").dataset.match === match
              && document.querySelector("#play").dataset.pending === "0"
              && (!board || document.querySelector(".board:not([aria-busy])"))""",
            arg=[self._table["match"], self._table["view"] is not None],
        )
        for step in scene.steps:
            page.locator(step).first.click()
        page.locator(scene.sees).first.wait_for()

    def ping(self) -> None:
        """The line is alive."""
        self._pings += 1
        self.tell({"type": "ping", "n": self._pings})

    def hear(self, message: Json) -> None:
        """A hello is greeted with the table that is shown."""
        if message["type"] == "hello":
            self._greet()

    def _greet(self) -> None:
        if self._table is not None:
            self._number += 1
            told = {"number": self._number, "table": self._table, "notice": None}
            self.tell({"type": "snapshot", **told})


GEOMETRY: Final = Path(__file__).with_name("geometry.js").read_text("utf-8")
SETTLED: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
"""Once more drawn: what watches its own size has seen it."""


def faults(page: Page, stone: int = 24) -> list[str]:
    """What is wrong with how the page looks now, each with its kind first."""
    page.evaluate(SETTLED)
    seen = page.evaluate(
        f"(given) => ({GEOMETRY[GEOMETRY.index('(given)') :]})(given)", {"stone": stone}
    )
    return [f"{kind}: {what}" for kind, what in seen["faults"]]


SIZES: Final = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800))
THEMES: Final = ("light", "dark")
LANGUAGES: Final = ("ka", "en")
