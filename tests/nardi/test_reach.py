"""What a press on a checker shows and plays: N21, N22."""

from __future__ import annotations

from hypothesis import given

from engine.nardi.board import START, Board, off
from engine.nardi.moves import Step, play
from engine.nardi.reach import Way, press, reach
from engine.nardi.turns import moves_of, results, steps
from tests.nardi.given import at, dice, modest, positions


def test_n21_every_point_with_one_die_or_several() -> None:
    found = reach(START, (5, 2))
    assert {point: set(targets) for point, targets in found.items()} == {
        24: {22},
        13: {11, 8, 6},
        8: {6, 3},
        6: {4},
    }
    assert found[13] == {8: Way((5,), ()), 11: Way((2,), ()), 6: Way((5, 2), ())}


def test_n21_on_a_double_up_to_four_steps() -> None:
    found = reach(at("24:1"), (3, 3, 3, 3))
    assert found == {
        24: {
            21: Way((3,), ()),
            18: Way((3, 3), ()),
            15: Way((3, 3, 3), ()),
            12: Way((3, 3, 3, 3), ()),
        }
    }
    assert set(reach(at("24:1", "15:2"), (3, 3, 3, 3))[24]) == {21, 18}


def test_n21_intermediate_landings_must_be_open() -> None:
    assert 13 not in reach(at("13:1 24:1", "8:2 11:2"), (5, 2))
    assert reach(at("13:1 24:1", "8:2"), (5, 2))[13] == {11: Way((2,), ()), 6: Way((2, 5), ())}


def test_n21_of_two_orders_the_one_that_kills_is_taken() -> None:
    assert reach(at("24:2", "22:1"), (5, 2))[24][17] == Way((2, 5), (22,))
    assert reach(at("24:2", "19:1"), (5, 2))[24][17] == Way((5, 2), (19,))
    assert reach(at("24:2", "19:1 22:1 17:1"), (5, 2))[24][17] == Way((5, 2), (19, 17))


def test_n21_bearing_off_takes_as_little_as_it_needs() -> None:
    assert reach(at("4:1 3:3"), (6, 4))[4][0] == Way((4,), ())
    assert reach(at("6:1 1:3"), (4, 2))[6][0] == Way((4, 2), ())
    assert reach(at("6:1 1:3", "2:1"), (6, 4))[6] == {0: Way((6,), ()), 2: Way((4,), (2,))}
    assert reach(at("bar:1"), (6, 1))[25] == {
        19: Way((6,), ()),
        24: Way((1,), ()),
        18: Way((6, 1), ()),
    }


def test_n22_a_second_press_plays_the_larger_die_else_the_smaller() -> None:
    assert press(START, (5, 2)) == {24: 2, 13: 5, 8: 5, 6: 2}
    assert press(START, (2,)) == {24: 2, 13: 2, 8: 2, 6: 2}
    assert press(at("bar:1 6:1", "19:2"), (6, 5)) == {25: 5}
    assert press(START, ()) == {}
    # Both can be played only if the 2 comes first: the larger die waits.
    assert press(at("24:1 8:1 6:13", "4:2 16:2 18:3 19:4 20:4"), (6, 2)) == {24: 2, 8: 6}


@modest
@given(positions, dice)
def test_every_way_is_the_start_of_a_legal_turn_and_ends_where_it_says(
    board: Board, roll: tuple[int, int]
) -> None:
    found = reach(board, moves_of(roll))
    assert set(found) == {step.source for step in steps(board, moves_of(roll))}
    assert set(press(board, moves_of(roll))) == set(found)
    for source, targets in found.items():
        for target, way in targets.items():
            now, at_point, left, kills = board, source, list(moves_of(roll)), []
            for die in way.dice:
                step = Step(at_point, die)
                assert step in steps(now, left)
                now, kill = play(now, step)
                left.remove(die)
                at_point = step.target
                kills += [at_point] if kill else []
            assert at_point == target
            assert tuple(kills) == way.kills
            while legal := steps(now, left):
                left.remove(legal[0].die)
                now, _ = play(now, legal[0])
            assert now in results(board, roll)


@modest
@given(positions, dice)
def test_no_point_that_a_checker_can_reach_is_missing(board: Board, roll: tuple[int, int]) -> None:
    found = reach(board, moves_of(roll))

    def walk(now: Board, left: tuple[int, ...], source: int, first: int, kills: int) -> None:
        for step in steps(now, left):
            if step.source == source:
                after, kill = play(now, step)
                rest = list(left)
                rest.remove(step.die)
                way = found[first][step.target]
                if off(after) == off(board):
                    assert len(way.kills) >= kills + kill
                    walk(after, tuple(rest), step.target, first, kills + kill)

    for source in found:
        walk(board, moves_of(roll), source, source, 0)
