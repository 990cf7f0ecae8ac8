"""The chain always fits its field, nothing lies over anything else, and whoever looks sees how it
runs: what lies side by side belongs together, and nothing else comes near."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

from benchmarks.layout import FIELDS, LEAST, hands, measure
from engine.game import Json
from tests.app.server import ROOT
from tests.browser.modules import empty_page, run

pytestmark = pytest.mark.browser

FAULTS = (ROOT / "tests" / "browser" / "layout_faults.js").read_text("utf-8")
ODD_FIELDS = [(360, 300), (300, 600), (844, 200), (1000, 1000), (120, 120)]
FINGER = 24


@pytest.fixture
def page(open_window: Callable[..., Page]) -> Page:
    return empty_page(open_window())


def _played(count: int, seed: int) -> list[Json]:
    return list(islice(hands(seed), count))


def _looked_over(page: Page, played: list[Json], width: int, height: int) -> dict[str, Any]:
    told: dict[str, Any] = run(page, FAULTS, {"hands": played, "width": width, "height": height})
    return told


@pytest.mark.parametrize(("width", "height"), FIELDS)
def test_the_chain_fits_and_can_be_followed(page: Page, width: int, height: int) -> None:
    """No tile over another or outside, places for the next ones included; neighbours touch with
    the halves that belong together and all others leave room; doubles lie crosswise, without a
    corner; a place lies at its end, large enough for a finger; few tiles ever move."""
    told = _looked_over(page, _played(120, seed=width), width, height)
    assert told["faults"] == []
    assert told["place"] >= FINGER - 0.01
    assert told["moved"] / told["plays"] < 1
    units, aim = sorted(told["units"]), FIELDS[width, height]
    assert units[0] >= LEAST
    assert units[len(units) // 20] >= aim["percentile_5"]
    assert units[len(units) // 2] >= aim["median"]


@pytest.mark.parametrize(("width", "height"), ODD_FIELDS)
def test_any_field_will_do(page: Page, width: int, height: int) -> None:
    assert _looked_over(page, _played(40, seed=width), width, height)["faults"] == []


def test_the_benchmark_sees_the_same(page: Page) -> None:
    """It looks for overlaps with eyes of its own, and counts moved tiles."""
    played = _played(10, seed=3)
    ours = _looked_over(page, played, 374, 470)
    told = measure(page, played, 374, 470)
    assert (told["over"], told["off"], told["missing"]) == (0, 0, 0)
    assert told["units"] == ours["units"]
    assert told["moved"] == ours["moved"]


def test_the_hands_are_long_and_have_four_arms() -> None:
    """Else the tests above would show little."""
    played = _played(120, seed=374)
    assert sum(len(hand["plays"][-1]["ends"]) == 4 for hand in played) > 60
    assert max(len(hand["placed"]) for hand in played) >= 22
    assert any(hand["plays"][3]["stavka"] is None for hand in played)
    assert {one["end"] for hand in played for one in hand["placed"]} == {None, "L", "R", "U", "D"}


STEADY = """
const { layout } = await load("domino/layout");
const chain = (n) => ({ ...given.plays[n], placed: given.placed.slice(0, n + 1) });
const last = given.plays.length - 1;
const drawn = () => {
  let made = null;
  for (let n = 0; n <= last; n += 1) made = layout(chain(n), 374, 470, made && made.shape);
  return JSON.stringify(made);
};
const once = drawn();
layout(chain(last), 120, 120);
return [once, drawn()];
"""


def test_the_same_hand_looks_the_same(page: Page) -> None:
    """Whatever was laid out in between."""
    for hand in _played(5, seed=4):
        once, again = run(page, STEADY, hand)
        assert once == again


ROOMY = """
const { layout } = await load("domino/layout");
return given.hands.map(({ placed, plays }) => {
  let last = null;
  return plays.map((play, n) => {
    const chain = { ...play, placed: placed.slice(0, n + 1) };
    const place = last && last.drops.find((one) => one.end === placed[n].end);
    const made = layout(chain, 4000, 4000, last && last.shape);
    const boxes = Object.fromEntries(made.tiles.map((one) => [one.tile, one.box]));
    const tile = boxes[placed[n].tile];
    const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2].map(Math.round);
    const lands = place ? middle(place.box).join() === middle(tile).join() : true;
    last = made;
    return { boxes, lands, double: placed[n].in === placed[n].out };
  });
});
"""


def test_nothing_moves_where_there_is_room(page: Page) -> None:
    """The first seven tiles in a large field: all stay where they lie, to the pixel, and the next
    one comes to lie where its place was shown (a double, shorter that way, next to the end)."""
    for shown in run(page, ROOMY, {"hands": _played(20, seed=5)}):
        for before, after in pairwise(shown[:7]):
            assert {tile: after["boxes"][tile] for tile in before["boxes"]} == before["boxes"]
            assert after["lands"] or after["double"]


def test_an_empty_field_has_one_place_in_its_middle(page: Page) -> None:
    told = run(
        page,
        """
        const { layout } = await load("domino/layout");
        return layout({ placed: [], stavka: null, ends: [] }, 300, 400);
        """,
    )
    (place,) = told["drops"]
    box = place["box"]
    assert told["tiles"] == []
    assert (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) == (150, 200)
    assert box["width"] >= FINGER
