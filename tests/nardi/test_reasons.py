"""Why a step is refused and why a die is dead: each code with its rule and values."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.game import Refusal
from engine.nardi.board import Board
from engine.nardi.moves import STEPS, Step
from engine.nardi.reasons import dead_dice, why_not
from engine.nardi.turns import finishes, moves_of, steps
from tests.nardi.given import at, dice, modest, positions


def told(refusal: Refusal | None) -> tuple[str, str, dict[str, str | int]] | None:
    return None if refusal is None else (refusal.code, refusal.rule, dict(refusal.values))


@pytest.mark.parametrize(
    ("board", "left", "step", "why"),
    [
        (at("13:2"), (5, 2), (13, 4), ("die_not_left", "N4", {"die": 4})),
        (at("13:2"), (5, 2), (12, 5), ("no_checker", "N4", {"source": 12})),
        (at("13:2"), (5, 2), (25, 5), ("no_checker", "N4", {"source": 25})),
        (at("13:2", "8:2"), (5, 2), (13, 5), ("closed", "N6", {"die": 5, "point": 8})),
        (at("bar:1 13:2"), (5, 2), (13, 5), ("bar_first", "N11", {"source": 13})),
        (at("bar:1", "20:2"), (5, 2), (25, 5), ("bar_closed", "N11", {"die": 5, "point": 20})),
        (at("9:1 3:1"), (5, 3), (3, 3), ("not_home", "N13", {"die": 3, "point": 9})),
        (at("9:1 3:1"), (5, 4), (3, 4), ("not_home", "N13", {"die": 4, "point": 9})),
        (at("5:1 3:1"), (5, 4), (3, 4), ("higher_checker", "N14", {"die": 4, "point": 5})),
        (
            at("3:1 4:1 6:1", "2:2 5:2"),
            (4, 1),
            (4, 1),
            ("larger_die", "N7", {"die": 1, "larger": 4}),
        ),
        (at("1:1 5:1 6:1", "3:2 4:2"), (4, 2), (5, 4), ("use_both", "N8", {"die": 4, "source": 5})),
        (at("13:2"), (5, 2), (13, 5), None),
    ],
)
def test_why_a_step_is_refused(
    board: Board,
    left: tuple[int, ...],
    step: tuple[int, int],
    why: tuple[str, str, dict[str, str | int]] | None,
) -> None:
    assert told(why_not(board, left, Step(*step))) == why


@modest
@given(positions, dice)
def test_a_step_is_refused_exactly_if_it_is_not_legal(board: Board, roll: tuple[int, int]) -> None:
    left = moves_of(roll)
    legal = steps(board, left)
    for source in range(1, 26):
        for die in range(1, 7):
            step = STEPS[source][die]
            assert (why_not(board, left, step) is None) == (step in legal)


@modest
@given(positions, dice)
def test_a_die_is_dead_exactly_if_no_way_to_end_the_turn_uses_it(
    board: Board, roll: tuple[int, int]
) -> None:
    left = moves_of(roll)
    dead = [die for die, _ in dead_dice(board, left)]
    used = {step.die for turn in finishes(board, left) for step in turn.steps}
    assert dead == sorted(set(left) - used, reverse=True)


def test_the_values_of_a_dead_die() -> None:
    (dead,) = dead_dice(at("bar:1 3:1", "19:2 14:2"), (6, 5))
    assert told(dead.reason) == ("bar_closed", "N11", {"die": 6, "point": 19})
    (dead,) = dead_dice(at("3:1 4:1 6:1", "2:2 5:2"), (4, 1))
    assert told(dead.reason) == ("larger_die", "N7", {"die": 1, "larger": 4})
    (dead,) = dead_dice(at("13:2", "7:2 6:2"), (6, 1))
    assert told(dead.reason) == ("closed", "N6", {"die": 6})
    assert dead_dice(at("13:2"), ()) == ()
