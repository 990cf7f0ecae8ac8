"""The chain always fits its field, and nothing lies over anything else."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.chance import Seeded
from engine.domino import GAME
from engine.game import Json, play_on
from tests.app.server import Server

pytestmark = pytest.mark.browser

FIELDS = [(374, 470), (780, 217), (1100, 560)]
HANDS = 300

CHECK = """async ({ hands, width, height, module }) => {
  const { layout } = await import(module);
  const slack = 0.01;
  const faults = [];
  const units = [];
  hands.forEach((hand, number) => {
    let shape = null;
    for (const view of hand) {
      const ends = view.ends.map((one) => one.end);
      const made = layout({ placed: view.placed, stavka: view.stavka, ends }, width, height, shape);
      shape = made.shape;
      const boxes = [...made.tiles, ...made.drops].map((one) => one.box);
      if (made.tiles.length !== view.placed.length || made.drops.length !== ends.length)
        faults.push(`${number}: something is missing`);
      boxes.forEach((a, n) => {
        if (a.x < -slack || a.y < -slack || a.x + a.width > width + slack ||
            a.y + a.height > height + slack) faults.push(`${number}: outside`);
        for (const b of boxes.slice(n + 1))
          if (a.x < b.x + b.width - slack && b.x < a.x + a.width - slack &&
              a.y < b.y + b.height - slack && b.y < a.y + a.height - slack)
            faults.push(`${number}: one over another`);
      });
      units.push(made.unit);
    }
  });
  return { faults, units };
}"""


def _random_hand(seed: int) -> list[Json]:
    """What a watcher saw of a random first hand: half-way, and before its last tile."""
    chance = random.Random(seed)
    step = play_on(GAME, GAME.start({"target": 75}), Seeded(seed.to_bytes(32, "big")))
    seen: list[Json] = []
    while True:
        state = step.state
        view = GAME.view(state, None)
        if view["hand"] > 1 or GAME.outcome(state) is not None:
            return [seen[len(seen) // 2], seen[-1]]
        if view["placed"]:
            seen.append({key: view[key] for key in ("placed", "stavka", "ends")})
        (seat,) = GAME.to_act(state)
        step = GAME.apply(state, seat, chance.choice(GAME.legal(state, seat)))
        step = play_on(GAME, step, Seeded(seed.to_bytes(32, "big")))


@pytest.fixture(scope="module")
def hands() -> list[list[Json]]:
    return [_random_hand(seed) for seed in range(HANDS)]


@pytest.mark.parametrize(("width", "height"), FIELDS)
def test_no_tile_lies_over_another_or_outside(
    site: Server,
    open_window: Callable[..., Page],
    hands: list[list[Json]],
    width: int,
    height: int,
) -> None:
    """Places for the next tile included, with four arms and with two."""
    page = open_window()
    page.goto(f"{site.origin}/healthz")
    told: dict[str, Any] = page.evaluate(
        CHECK,
        {
            "hands": hands,
            "width": width,
            "height": height,
            "module": "/static/js/domino/layout.js",
        },
    )
    assert told["faults"] == []
    assert min(told["units"]) >= 14
    middle = sorted(told["units"])[len(told["units"]) // 2]
    assert middle >= 24


def test_the_hands_are_long_and_have_four_arms(hands: list[list[Json]]) -> None:
    """Else the test above would show little."""
    last = [views[-1] for views in hands]
    assert sum(len(view["ends"]) == 4 for view in last) > HANDS / 2
    assert max(len(view["placed"]) for view in last) >= 18
    ends = [one["end"] for one in itertools.chain(*(view["placed"] for view in last))]
    assert {"L", "R", "U", "D"} <= set(ends)
