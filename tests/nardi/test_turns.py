"""All legal turns: N4 to N8, N10 to N15."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from engine.nardi.board import BAR, CHECKERS, START, Board, flip, is_sound, own
from engine.nardi.moves import Step, can_move, play, successors
from engine.nardi.position import board_of, position_id
from engine.nardi.turns import finishes, max_dice, moves_of, results, steps, turns
from tests.nardi import slow
from tests.nardi.given import DICE, ROLLS, at, dice, modest, positions, steps_of

VECTORS = Path(__file__).parents[1] / "vectors"
LEGAL = [
    json.loads(line) for line in (VECTORS / "nardi-short.legal.jsonl").read_text().splitlines()
]


def test_vectors_hold_what_they_should() -> None:
    assert len(LEGAL) == 555


@pytest.mark.parametrize("case", LEGAL, ids=lambda case: f"{case['position']} {case['dice']}")
def test_every_vector_of_legal_turns(case: dict[str, object]) -> None:
    board = board_of(str(case["position"]))
    first, second = (int(die) for die in str(case["dice"]))
    for order in ((first, second), (second, first)):
        after = sorted(position_id(flip(each)) for each in results(board, order))
        assert after == case["after"]
        assert sorted(position_id(flip(turn.board)) for turn in turns(board, order)) == after


def perft(board: Board, depth: int) -> int:
    total = 0
    for roll in ROLLS:
        after = results(board, roll)
        total += len(after) if depth == 1 else sum(perft(flip(each), depth - 1) for each in after)
    return total


def test_perft_from_the_start() -> None:
    assert perft(START, 1) == 447
    assert perft(START, 2) == 202_782


def test_n5_a_double_is_four_moves() -> None:
    assert moves_of((3, 3)) == (3, 3, 3, 3)
    assert moves_of((2, 5)) == moves_of((5, 2)) == (5, 2)
    assert all(len(turn.steps) == 4 for turn in turns(START, (1, 1)))


def test_n4_one_checker_may_take_both_dice_each_landing_legal_by_itself() -> None:
    one = at("24:1", "18:2 4:1")
    assert [turn.steps for turn in turns(one, (6, 1))] == [steps_of((24, 1), (23, 6))]
    blocked = at("24:1", "18:2 23:2")
    assert turns(blocked, (6, 1)) == (((), blocked),)


def test_n6_two_opposing_checkers_close_a_point_one_does_not() -> None:
    board = at("13:1 8:1", "7:2 2:1 11:1")
    assert {source for source, _ in successors(board, 6)} == {8}
    assert {source for source, _ in successors(board, 2)} == {13, 8}


def test_n10_landing_on_a_single_checker_kills_it() -> None:
    board, kills = play(at("8:1", "2:1"), Step(8, 6))
    assert kills
    assert board == at("2:1", "bar:1")
    board, kills = play(at("8:1", "3:1"), Step(8, 6))
    assert not kills
    assert board == at("2:1", "3:1")


def test_n11_nobody_moves_while_a_checker_is_on_the_bar_and_entering_may_kill() -> None:
    board = at("bar:1 13:2", "20:1 19:2")
    assert steps(board, (6, 5)) == steps_of((BAR, 5))
    after, kills = play(board, Step(BAR, 5))
    assert kills
    assert after == at("20:1 13:2", "bar:1 19:2")
    assert results(board, (6, 6)) == {board}


def test_n12_if_some_enter_and_the_rest_cannot_the_turn_ends() -> None:
    board = at("bar:2 13:3", "20:2")
    assert [turn.steps for turn in turns(board, (6, 5))] == [steps_of((BAR, 6))]
    three = at("bar:3 13:3")
    assert [turn.steps for turn in turns(three, (6, 5))] == [steps_of((BAR, 6), (BAR, 5))]


def test_n13_bearing_off_only_with_all_fifteen_home_or_off() -> None:
    assert steps(at("7:1 6:1"), (6,)) == steps_of((7, 6))
    assert steps(at("bar:1 6:1", "19:2"), (6,)) == ()
    assert steps(at("6:2"), (6,)) == steps_of((6, 6))
    # The killed checker comes round to the home first.
    assert results(at("bar:1 1:1"), (6, 1)) == {at("18:1 1:1")}


def test_n14_a_larger_die_takes_the_highest_only() -> None:
    assert steps(at("5:1 2:1"), (6,)) == steps_of((5, 6))
    assert steps(at("5:1 2:1"), (4,)) == steps_of((5, 4))
    assert steps(at("5:1 2:1"), (2,)) == steps_of((5, 2), (2, 2))


def test_n15_bearing_off_is_not_compulsory() -> None:
    assert steps(at("6:1 2:1"), (2,)) == steps_of((6, 2), (2, 2))


def test_n7_the_dice_that_must_be_used() -> None:
    assert max_dice(START, (6, 5)) == 2
    assert max_dice(START, (3, 3, 3, 3)) == 4
    assert max_dice(at("8:1 6:1 4:1", "2:2"), (2, 2, 2, 2)) == 3
    assert max_dice(at("bar:1 3:1 5:2", "14:3"), (6, 5)) == 1
    assert max_dice(at("bar:1", "19:2"), (6, 6, 6, 6)) == 0


@modest
@given(positions, dice)
def test_a_second_opinion_agrees(board: Board, roll: tuple[int, int]) -> None:
    every = slow.legal(slow.lists(board), roll)
    boards = {slow.number(place) for _, place in every}
    assert results(board, roll) == boards
    listed = turns(board, roll)
    assert {turn.board for turn in listed} == boards
    assert len(listed) == len(boards)
    sequences = {steps for steps, _ in every}
    assert all(tuple(map(tuple, turn.steps)) in sequences for turn in listed)
    assert max_dice(board, moves_of(roll)) == max(map(len, sequences))


@modest
@given(positions, dice)
def test_every_prefix_of_a_legal_turn_can_be_completed_and_no_other_is_accepted(
    board: Board, roll: tuple[int, int]
) -> None:
    """N7, N8: the steps accepted one after the other are the beginnings of legal turns."""
    every = slow.legal(slow.lists(board), roll)
    accepted: set[slow.Sequence] = set()

    def follow(at: Board, left: tuple[int, ...], so_far: slow.Sequence) -> None:
        accepted.add(so_far)
        for step in steps(at, left):
            rest = list(left)
            rest.remove(step.die)
            follow(play(at, step)[0], tuple(rest), (*so_far, (step.source, step.die)))

    follow(board, moves_of(roll), ())
    assert accepted == slow.prefixes(every)


@modest
@given(positions, dice)
def test_fifteen_checkers_a_side_always(board: Board, roll: tuple[int, int]) -> None:
    assert all(is_sound(after) for after in results(board, roll))


@modest
@given(positions, dice)
def test_the_order_of_the_dice_does_not_matter(board: Board, roll: tuple[int, int]) -> None:
    swapped = (roll[1], roll[0])
    assert results(board, roll) == results(board, swapped)
    assert turns(board, roll) == turns(board, swapped)
    assert steps(board, roll) == steps(board, swapped)


@modest
@given(positions, dice)
def test_swapping_sides_mirrors_the_legal_set(board: Board, roll: tuple[int, int]) -> None:
    """Both players by the same rules: written from the other end, every turn is the same."""
    own_side, opp_side = slow.lists(board)
    other_view = slow.number((opp_side[::-1], own_side[::-1]))
    assert flip(board) == other_view
    assert flip(other_view) == board
    assert {flip(after) for after in results(flip(other_view), roll)} == {
        slow.number((opp[::-1], mine[::-1]))
        for _, (mine, opp) in slow.legal((own_side, opp_side), roll)
    }


@modest
@given(positions, dice)
def test_the_ways_to_finish_a_turn_are_the_rest_of_whole_turns(
    board: Board, roll: tuple[int, int]
) -> None:
    left = moves_of(roll)
    assert {turn.board for turn in finishes(board, left)} == results(board, roll)
    reached = set()
    for step in steps(board, left):
        rest = list(left)
        rest.remove(step.die)
        reached |= {turn.board for turn in finishes(play(board, step)[0], tuple(rest))}
    assert reached == (results(board, roll) if steps(board, left) else set())


@modest
@given(positions)
def test_whether_a_die_can_move_is_whether_it_has_a_step(board: Board) -> None:
    for die in range(1, 7):
        found = successors(board, die)
        assert can_move(board, die) == bool(found)
        assert found == [(source, play(board, Step(source, die))[0]) for source, _ in found]
        for highest in range(BAR + 1):
            few = [each for each in found if each[0] <= highest]
            assert successors(board, die, highest) == few


def test_a_turn_with_fewer_checkers_than_dice_stops_when_fifteen_are_off() -> None:
    (turn,) = turns(at("1:2"), (3, 3))
    assert turn.steps == steps_of((1, 3), (1, 3))
    assert own(turn.board, 0) == CHECKERS
    (turn,) = turns(at("2:1"), (6, 5))
    assert turn.steps == steps_of((2, 6))


@modest
@given(positions)
def test_all_36_rolls_lead_somewhere(board: Board) -> None:
    assert all(results(board, roll) for roll in DICE)
