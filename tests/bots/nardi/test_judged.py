"""The board is picked whose chances are worth most at the score."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from app.bots.nardi import POLICIES, easy, medium, strong
from app.bots.nardi.judged import by_chances
from app.bots.nardi.seen import Seen
from app.bots.nardi.turn import Pick
from app.bots.nardi.worth import POINTS, Five
from app.bots.policy import Level
from engine.nardi.board import Board
from engine.nardi.turns import moves_of, turns
from tests.nardi.given import at, dice, modest, played

PICKS: dict[Level, Pick] = {"easy": easy.pick, "medium": medium.pick, "strong": strong.pick}

START = at("6:2 5:2", "24:2")
SAFE = at("6:2 4:2", "24:2")
BOLD = at("5:2 4:2", "24:2")
TOLD: dict[Board, Five] = {SAFE: (0.6, 0.0, 0.0, 0.1, 0.0), BOLD: (0.5, 0.45, 0.0, 0.2, 0.0)}


def judge(start: Board, board: Board) -> Five:
    """As it is told above."""
    assert start == START
    return TOLD[board]


@pytest.mark.parametrize(
    ("away", "wanted"),
    [
        ((1, 1), SAFE),  # marsi is worth nothing to anybody
        ((1, 2), SAFE),  # to the other one alone
        ((2, 1), BOLD),  # it wins the match
        ((7, 7), BOLD),
    ],
)
def test_the_score_decides_what_is_risked(away: tuple[int, int], wanted: Board) -> None:
    seen = Seen(START, START, (1, 1), away)
    assert by_chances(judge)(seen, [SAFE, BOLD]) == wanted
    assert by_chances(judge, POINTS)(seen, [SAFE, BOLD]) == BOLD


def test_what_cannot_change_the_match_is_decided_by_points() -> None:
    told: dict[Board, Five] = {SAFE: (1.0, 0.0, 0.0, 0.0, 0.0), BOLD: (1.0, 0.5, 0.0, 0.0, 0.0)}
    seen = Seen(START, START, (1, 1), (1, 4))
    for ends in ([SAFE, BOLD], [BOLD, SAFE]):
        assert by_chances(lambda _, board: told[board])(seen, ends) == BOLD


@pytest.mark.parametrize("level", POLICIES)
@modest
@given(played(), dice)
def test_the_order_in_which_turns_are_listed_decides_nothing(
    level: Level, board: Board, roll: tuple[int, int]
) -> None:
    ends = [turn.board for turn in turns(board, roll)]
    seen = Seen(board, board, moves_of(roll), (3, 2))
    first = PICKS[level](seen, ends)
    random.Random(1).shuffle(ends)
    assert PICKS[level](seen, ends) == first
