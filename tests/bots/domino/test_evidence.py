"""What an opponent's lays tell of its hand, and what a view tells of needs and the opening."""

from __future__ import annotations

from math import exp

import pytest

from app.bots.domino.evidence import FLOOR, PATIENCE, Evidence
from app.bots.domino.seen import read
from engine.domino.tiles import BIT, BY_NAME
from engine.game import Json
from tests.domino.build import GAME, play, position


def bit(name: str) -> int:
    return BIT[BY_NAME[name]]


def view_after(*plays: str) -> Json:
    """Seat 0's, of a hand in which 5-5 lies at 4-5: the ends count 4 and 10."""
    bazaar = "0-0 0-2 0-3 0-5 0-6 1-1"
    state = position(
        "4-5 0:5-5@R",
        "2-3 2-6 1-5",
        "1-4 0-4 3-4 4-4",
        bazaar,
        turn=1,
        score=(20, 55),
        last_plain=0,
    )
    return GAME.view(play(state, *plays).state, 0)


def test_who_let_ten_points_lie_had_hardly_the_tile_for_them() -> None:
    evidence = Evidence(read(view_after("1 1-4@L")))  # 1 + 10; 0-4 had made 10
    assert evidence
    assert evidence.likely((bit("3-3"),)) == 1
    assert evidence.likely((bit("0-4") | bit("3-3"),)) == pytest.approx(
        max(FLOOR, exp(-10 / PATIENCE))
    )


def test_who_took_the_most_there_is_tells_nothing() -> None:
    # No tile that it can have had made more than 0-4 did.
    seen = read(view_after("1 0-4@L"))
    assert Evidence(seen).likely((seen.unseen,)) == 1


def test_needs_and_the_last_tile_that_is_no_double() -> None:
    seen = read(view_after("1 1-4@L"))
    assert seen.needs == (55, 20)
    assert not seen.last  # G24: the opponent's
    assert seen.held == 3
    assert [laid.held for laid in seen.lays] == [3]
    mine = read(view_after("1 4-4@L"))
    assert mine.last  # a double earns no opening
