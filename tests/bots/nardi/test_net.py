"""The network of the medium player."""

from __future__ import annotations

import json
from math import exp, tanh

import pytest
from hypothesis import given

from app.bots.nardi import medium
from app.bots.nardi.judged import won
from app.bots.nardi.net import HIDDEN, MEDIUM, PLACES, PLANES, SCALE, nets, racing
from engine.nardi.board import BAR, POINTS, START, Board, bar, flip, off, opp, opp_bar, own
from tests.nardi.given import at, modest, played, positions

KEPT = json.loads(MEDIUM.read_text("utf-8"))


def digits(board: Board) -> list[int]:
    """The 52 digits of a board as the other player sees it, lowest first."""
    return [flip(board) >> 4 * place & 15 for place in range(PLACES)]


@pytest.mark.parametrize(("name", "index"), [("contact", 0), ("race", 1)])
@modest
@given(positions)
def test_the_fast_way_tells_what_the_weights_say(name: str, index: int, board: Board) -> None:
    kept = KEPT[name]
    hidden = list(kept["bias"])
    for place, digit in enumerate(digits(board)):
        for plane in range(PLANES):
            seen = float(digit > plane) if plane < 3 else max(digit - 3, 0) / 2
            row = kept["into"][PLANES * place + plane]
            hidden = [sum_ + seen * weight for sum_, weight in zip(hidden, row, strict=True)]
    hidden = [tanh(each / SCALE) for each in hidden]
    rolls = []
    for base, *out in zip(kept["base"], *kept["out"], strict=True):
        total = base + sum(one * weight for one, weight in zip(hidden, out, strict=True))
        rolls.append(1 / (1 + exp(-total / SCALE)))
    win, marsi, koksi, lost_marsi, lost_koksi = rolls
    wanted = 1 - win, lost_marsi, lost_koksi, marsi, koksi
    assert nets()[index].chances(board) == pytest.approx(wanted)


def test_the_weights_are_of_the_size_that_is_said() -> None:
    for name, hidden in zip(("contact", "race"), HIDDEN, strict=True):
        assert {len(row) for row in KEPT[name]["into"]} == {hidden}
        assert len(KEPT[name]["into"]) == PLACES * PLANES
        assert len(KEPT[name]["out"]) == len(KEPT[name]["bias"]) == hidden
    assert MEDIUM.stat().st_size < 64_000


@modest
@given(positions)
def test_a_race_is_where_nobody_can_meet(board: Board) -> None:
    mine = [point for point in POINTS if own(board, point)] + [BAR] * bool(bar(board))
    theirs = [point for point in POINTS if opp(board, point)] + [0] * bool(opp_bar(board))
    assert racing(board) == all(one < other for one in mine for other in theirs)
    assert racing(board) == racing(flip(board))


@modest
@given(played())
def test_chances_are_chances(board: Board) -> None:
    assert all(0 <= each <= 1 for each in medium.chances(board, board))


def test_it_knows_a_little() -> None:
    # Who has moved is a little behind at the start, and marsi is no rare thing.
    win, marsi, koksi, *_ = medium.chances(START, START)
    assert 0.4 < win < 0.5
    assert 0.05 < marsi < 0.35
    assert koksi < 0.05
    ahead = at("1:2", "24:8 20:4")
    assert medium.chances(ahead, ahead)[0] > 0.9
    behind = flip(ahead)
    assert medium.chances(behind, behind)[0] < 0.1


@pytest.mark.parametrize(
    ("board", "five"),
    [
        (at("", "24:14"), (1, 0, 0, 0, 0)),
        (at("", "24:10 13:5"), (1, 1, 0, 0, 0)),
        (at("", "24:10 13:4 bar:1"), (1, 1, 1, 0, 0)),
        (at("", "24:10 13:4 6:1"), (1, 1, 1, 0, 0)),
        (at("", "24:10 13:4 7:1"), (1, 1, 0, 0, 0)),
    ],
)
def test_a_hand_won_is_won_by_its_end(board: Board, five: tuple[float, ...]) -> None:
    assert off(board) == 15
    assert won(board) == five
