"""How well the chain of domino is laid out: ``python -m benchmarks layout [--hands 5000]``.

Hands of random matches (every move a random legal one) are laid out play by play in Chromium,
with our own modules, each time with the layout before handed on, in three fields: the chain's on
an upright phone, on one lying on its side, on a laptop. The short side of a tile is told as it is
at a hand's end. A tile counts as moved if it has another place, measured in tiles from the stavka
(without one, from the tile that opened), or lies another way round. Exit status 1 if a size is
below its aim or anything lies over something else, off the field, or is missing.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright

from engine.chance import Seeded, sha256
from engine.domino import GEORGIAN
from engine.game import Json, play_on
from tests.browser.conftest import CHROMIUMS, FLAGS
from tests.browser.modules import empty_page, run

HANDS: Final = 5_000
FIELDS: Final = {
    (374, 470): {"median": 30, "percentile_5": 16},
    (780, 217): {"median": 33, "percentile_5": 21},
    (1100, 560): {"median": 64, "percentile_5": 36},
}
LEAST: Final = 14
MS: Final = 4
SCRIPT: Final = Path(__file__).with_suffix(".js")
_AT_ONCE: Final = 250


def hands(seed: int = 1) -> Iterator[Json]:
    """The hands of random matches, one after another: the tiles in the order laid, and after each
    the stavka and the open ends, as a client sees them."""
    for number in count():
        yield from _match(f"{seed}/{number}")


def _match(seed: str) -> Iterator[Json]:
    game, key = GEORGIAN, sha256(seed.encode())
    chance, choose = Seeded(key), random.Random(key)
    state = play_on(game, game.start({"target": 355}), chance).state
    hand: dict[str, Any] = {"placed": [], "plays": []}
    while game.outcome(state) is None:
        (seat,) = game.to_act(state)
        step = game.apply(state, seat, choose.choice(game.legal(state, seat)))
        view = game.view(step.state, None)
        if len(view["placed"]) > len(hand["placed"]):
            hand["placed"] = view["placed"]
            ends = [one["end"] for one in view["ends"]]
            hand["plays"].append({"stavka": view["stavka"], "ends": ends})
        state = play_on(game, step, chance).state
        if game.hand(state) != view["hand"] or game.outcome(state) is not None:
            yield hand
            hand = {"placed": [], "plays": []}


def measure(page: Page, played: list[Json], width: int, height: int) -> dict[str, Any]:
    """What the page finds when it lays these hands out."""
    total: dict[str, Any] = {}
    for start in range(0, len(played), _AT_ONCE):
        some = played[start : start + _AT_ONCE]
        field = {"hands": some, "width": width, "height": height}
        told = run(page, SCRIPT.read_text("utf-8"), field)
        total = {name: total.get(name, type(told[name])()) + told[name] for name in told}
    return total


def _row(field: tuple[int, int], told: dict[str, Any]) -> dict[str, Any]:
    units = sorted(told["units"])
    return {
        "field": "x".join(map(str, field)),
        "hands": len(units),
        "median": round(units[len(units) // 2], 1),
        "percentile_5": round(units[len(units) // 20], 1),
        "least": round(units[0], 1),
        "aim": FIELDS[field] | {"least": LEAST, "ms_per_layout": MS},
        "overlaps": told["over"],
        "off_the_field": told["off"],
        "missing": told["missing"],
        "moved_per_play": round(told["moved"] / told["plays"], 2),
        "ms_per_layout": round(told["ms"] / told["plays"], 2),
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks layout")
    parser.add_argument("--hands", type=int, default=HANDS)
    played = list(islice(hands(), parser.parse_args(arguments).hands))
    found = next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    kept = True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        page = empty_page(browser.new_page())
        for field, aim in FIELDS.items():
            row = _row(field, measure(page, played, *field))
            print(json.dumps(row), flush=True)
            faults = row["overlaps"] + row["off_the_field"] + row["missing"]
            sizes = all(row[name] >= least for name, least in {**aim, "least": LEAST}.items())
            kept = kept and sizes and not faults
        browser.close()
    return 0 if kept else 1
