"""G1: the set."""

from __future__ import annotations

import pytest

from engine.domino.tiles import (
    BY_NAME,
    DOUBLES,
    NAMES,
    PIPS,
    SHOWING,
    TILES,
    members,
    names,
    pips,
    tile,
    tile_set,
)
from engine.game import Unreadable


def test_g1_the_set() -> None:
    assert len(TILES) == len(set(NAMES)) == 28
    assert NAMES[:8] == ("0-0", "0-1", "0-2", "0-3", "0-4", "0-5", "0-6", "1-1")
    assert sum(PIPS) == 168
    assert DOUBLES.bit_count() == 7
    assert names(DOUBLES) == ["0-0", "1-1", "2-2", "3-3", "4-4", "5-5", "6-6"]
    assert [each.bit_count() for each in SHOWING] == [7] * 7


def test_g1_names_are_low_high() -> None:
    assert tile("4-6") == BY_NAME["4-6"]
    for wrong in ("6-4", "7-7", "4-6 ", "", None, 46, ["4-6"]):
        with pytest.raises(Unreadable):
            tile(wrong)


def test_sets() -> None:
    some = tile_set(map(tile, ("0-0", "5-6", "1-3")))
    assert names(some) == ["0-0", "1-3", "5-6"]
    assert tuple(members(some)) == (BY_NAME["0-0"], BY_NAME["1-3"], BY_NAME["5-6"])
    assert pips(some) == 15
