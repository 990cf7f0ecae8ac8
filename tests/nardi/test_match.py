"""A match from its opening roll to its end: N3, N4, N7 to N10, N23, N24."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Seeded, sha256
from engine.game import Refusal, Unreadable, play_on
from engine.nardi import GAME, State
from engine.nardi.actions import Confirm, Move, Roll, TakeBack
from engine.nardi.board import START, flip, is_sound
from engine.nardi.events import (
    HandStarted,
    Moved,
    NoMove,
    OpeningRolled,
    Rolled,
    TakenBack,
    TurnEnded,
)
from engine.nardi.match import LastTurn
from engine.nardi.position import position_id
from engine.nardi.turns import results
from tests.nardi.build import moves, named, on_turn, opened, play, refused, walk
from tests.nardi.given import at, dice, modest, positions


def test_n3_the_higher_die_starts_with_those_two_dice() -> None:
    step = opened((5, 2))
    assert step.events == (OpeningRolled(1, 0, (5, 2)), HandStarted(1, 0, (5, 2)))
    assert step.lines == ({"opening": [[5, 2]], "turns": []},)
    assert GAME.to_act(step.state) == (0,)
    assert step.state.dice == (5, 2)
    step = opened((2, 5))
    assert step.events == (OpeningRolled(1, 0, (2, 5)), HandStarted(1, 1, (5, 2)))
    assert GAME.to_act(step.state) == (1,)
    assert step.state.dice == (5, 2)


def test_n3_a_tie_is_rolled_again_as_often_as_needed_and_every_roll_is_kept() -> None:
    state = GAME.start({"points": 1}).state
    labels = []
    for pair in ((3, 3), (6, 6), (2, 5)):
        ask = GAME.asks(state)
        assert ask is not None
        labels.append((ask.hand, ask.label, ask.kind, ask.size))
        assert GAME.to_act(state) == ()
        step = GAME.give(state, pair)
        state = step.state
    assert labels == [(1, f"opening|{number}", "dice", 2) for number in range(3)]
    assert step.lines == ({"opening": [[3, 3], [6, 6], [2, 5]], "turns": []},)
    assert state.opening == ((3, 3), (6, 6), (2, 5))
    assert GAME.asks(state) is None


def test_the_opening_has_thirty_possible_rolls_no_double_among_them() -> None:
    state = GAME.start({"points": 1}).state
    begun = [
        pair
        for pair in itertools.product(range(1, 7), repeat=2)
        if GAME.asks(GAME.give(state, pair).state) is None
    ]
    assert len(begun) == 30
    assert all(one != other for one, other in begun)


def test_n23_the_opening_roll_needs_no_press() -> None:
    state = opened((5, 2)).state
    assert GAME.legal(state, 0)[0] == Move(24, 2)
    assert Roll() not in GAME.legal(state, 0)
    assert refused(state, 0, Roll()) == ("already_rolled", "N9")


def test_n4_n9_then_they_take_turns_and_ask_for_each_roll() -> None:
    state = play(opened((5, 2)).state, *moves((13, 5), (13, 2)), Confirm()).state
    for number in (1, 2):
        seat = number % 2
        assert GAME.to_act(state) == (seat,)
        assert GAME.legal(state, seat) == (Roll(),)
        assert refused(state, seat, Move(13, 5)) == ("roll_first", "N9")
        assert refused(state, seat, Confirm()) == ("roll_first", "N9")
        assert refused(state, seat, TakeBack()) == ("roll_first", "N9")
        rolling = GAME.apply(state, seat, Roll())
        assert rolling.events == ()
        ask = GAME.asks(rolling.state)
        assert ask is not None
        assert (ask.hand, ask.label) == (1, f"roll|{number}")
        assert GAME.to_act(rolling.state) == ()
        assert refused(rolling.state, seat, Roll()) == ("dice_rolling", "N9")
        step = GAME.give(rolling.state, (2, 5))
        assert step.events == (Rolled(seat, (5, 2)),)
        assert refused(step.state, seat, Roll()) == ("already_rolled", "N9")
        state = play(step.state, *moves((8, 5), (6, 2)), Confirm()).state


@pytest.mark.parametrize("answer", [(), (1,), (1, 2, 3), (0, 3), (3, 7)])
def test_what_is_no_roll(answer: tuple[int, ...]) -> None:
    with pytest.raises(Refusal) as caught:
        GAME.give(GAME.start({"points": 1}).state, answer)
    assert (caught.value.code, caught.value.rule) == ("bad_roll", "N3")
    rolling = GAME.apply(on_turn(START, None), 0, Roll()).state
    with pytest.raises(Refusal):
        GAME.give(rolling, answer)
    with pytest.raises(Refusal) as caught:
        GAME.give(on_turn(START, (2, 1)), (2, 1))
    assert caught.value.code == "nothing_asked"


def test_n10_every_step_is_an_event_and_tells_a_kill() -> None:
    state = on_turn(at("13:2 8:2", "9:1 20:5"), (4, 3))
    step = play(state, Move(13, 4))
    assert step.events == (Moved(0, 13, 9, 4, kill=True),)
    assert GAME.view(step.state, 1)["sides"][1]["bar"] == 1
    assert GAME.view(step.state, 1)["steps"] == [[13, 9, 4, True]]


def test_n7_n8_a_step_that_wastes_a_die_is_refused_and_nothing_changes() -> None:
    state = on_turn(at("24:1 8:1 6:13", "4:2 16:2 18:3 19:4 20:4"), (6, 2))
    assert refused(state, 0, Move(8, 2)) == ("use_both", "N8")
    assert refused(state, 0, Move(24, 6)) == ("closed", "N6")
    assert refused(state, 0, Move(13, 6)) == ("no_checker", "N4")
    assert refused(state, 0, Move(8, 5)) == ("die_not_left", "N4")
    assert set(GAME.legal(state, 0)) == set(moves((24, 2), (8, 6)))
    larger = on_turn(at("1:11 2:3 14:1", "7:2"), (5, 2))
    assert refused(larger, 0, Move(14, 2)) == ("larger_die", "N7")


def test_n7_a_turn_without_a_legal_move_passes_by_itself() -> None:
    board = at("bar:1 6:3", "19:2 1:2")
    rolling = GAME.apply(on_turn(board, None), 0, Roll()).state
    step = GAME.give(rolling, (6, 6))
    assert named(step.events) == ["rolled", "no_move", "turn_ended"]
    no_move = step.events[1]
    assert isinstance(no_move, NoMove)
    assert [(dead.die, dead.code, dead.rule) for dead in no_move.reasons] == [
        (6, "bar_closed", "N11")
    ]
    assert step.lines == ("0 66:",)
    assert GAME.to_act(step.state) == (1,)
    assert step.state.board == flip(board)
    assert step.state.last_turn == LastTurn(0, (6, 6), (), "")


def test_n7_a_turn_is_confirmed_only_when_it_is_complete() -> None:
    state = opened((5, 2)).state
    assert refused(state, 0, Confirm()) == ("turn_not_complete", "N7")
    state = play(state, Move(13, 5)).state
    assert refused(state, 0, Confirm()) == ("turn_not_complete", "N7")
    state = play(state, Move(13, 2)).state
    assert GAME.legal(state, 0) == (TakeBack(), Confirm())
    assert refused(state, 0, Move(13, 2)) == ("nothing_left", "N7")
    step = play(state, Confirm())
    position = position_id(flip(state.board))
    assert step.events == (TurnEnded(0, (5, 2), "13/11 13/8", position),)
    assert step.lines == ("0 52: 13/11 13/8",)


def test_n23_moves_of_this_turn_can_be_taken_back_one_by_one() -> None:
    before = on_turn(at("13:2 8:2", "9:1 20:5"), (4, 3))
    assert refused(before, 0, TakeBack()) == ("nothing_to_take_back", "N23")
    once = play(before, Move(13, 4)).state
    twice = play(once, Move(9, 3)).state
    step = play(twice, TakeBack())
    assert step.state == once
    assert step.events == (TakenBack(0, 9, 6, 3, kill=False),)
    step = play(once, TakeBack())
    assert step.state == before
    assert step.events == (TakenBack(0, 13, 9, 4, kill=True),)
    assert step.lines == ()


@modest
@given(st.integers(0, 10_000))
def test_n23_taking_back_restores_everything(seed: int) -> None:
    met = walk(seed, points=1, most=60)
    for (before, _), (after, events) in itertools.pairwise(met):
        if named(events) == ["moved"]:
            (seat,) = GAME.to_act(after)
            assert GAME.apply(after, seat, TakeBack()).state == before
            assert GAME.view(GAME.apply(after, seat, TakeBack()).state, seat) == GAME.view(
                before, seat
            )


@modest
@given(positions, dice)
def test_n23_only_a_turn_that_left_no_choice_ends_by_itself(
    board: int, roll: tuple[int, int]
) -> None:
    state = on_turn(board, roll)
    if state.phase != "move":
        assert results(board, roll) == {board}
        return
    while state.legal_steps:
        step = GAME.apply(state, 0, GAME.legal(state, 0)[0])
        state = step.state
        if "turn_ended" in named(step.events):
            break
    choice = len(results(board, roll)) > 1
    assert (GAME.to_act(state) == (0,) and Confirm() in GAME.legal(state, 0)) == choice
    assert ("turn_ended" in named(step.events)) == (not choice)


def test_n23_a_turn_of_two_orders_but_one_result_left_no_choice() -> None:
    state = on_turn(at("8:1", "24:2"), (2, 1))
    step = play(state, *moves((8, 1), (7, 2)))
    assert named(step.events) == ["moved", "moved", "turn_ended"]
    assert step.lines == ("0 21: 8/5",)


def test_only_the_seat_on_turn_acts() -> None:
    state = opened((5, 2)).state
    assert GAME.legal(state, 1) == ()
    for action in (Roll(), Move(13, 5), TakeBack(), Confirm()):
        assert refused(state, 1, action) == ("not_your_turn", "N4")
    with pytest.raises(Refusal):
        GAME.fallback(state, 1)


def test_no_action_while_the_opening_is_rolled() -> None:
    state = GAME.start({"points": 1}).state
    for seat in (0, 1):
        assert refused(state, seat, Roll()) == ("dice_rolling", "N9")


def finish(state: State) -> tuple[State, list[str]]:
    """The server ends the turn of the seat on turn, as a table does when its time is out."""
    (seat,) = GAME.to_act(state)
    chance, told = Seeded(sha256(b"roll")), []
    while GAME.to_act(state) == (seat,):
        action = GAME.fallback(state, seat)
        assert action in GAME.legal(state, seat)
        assert action == GAME.fallback(state, seat)
        step = play_on(GAME, GAME.apply(state, seat, action), chance)
        state = step.state
        told += named(step.events)
    return state, told


@modest
@given(st.integers(0, 10_000))
def test_n24_the_server_finishes_any_turn_from_where_it_stands(seed: int) -> None:
    for state, _ in walk(seed, points=1, most=80)[::9]:
        if GAME.to_act(state):
            (seat,) = GAME.to_act(state)
            after, told = finish(state)
            assert told.count("turn_ended") == 1
            assert after.seat != seat or after.phase in ("over", "opening")


def test_n24_it_rolls_if_no_roll_was_made_and_dice_already_played_stay_played() -> None:
    assert GAME.fallback(on_turn(START, None), 0) == Roll()
    state = play(opened((6, 1)).state, Move(24, 1)).state
    after, told = finish(state)
    assert told == ["moved", "turn_ended"]
    assert after.last_turn is not None
    assert (24, 23, False) in after.last_turn.moves
    complete = play(opened((6, 1)).state, *moves((13, 6), (8, 1))).state
    assert GAME.fallback(complete, 0) == Confirm()


@modest
@given(st.integers(0, 10_000))
def test_one_roll_a_turn(seed: int) -> None:
    """Whatever is sent, each turn asks chance once, with the number of the turn."""
    rolled: list[str] = []
    for state, events in walk(seed, points=1, most=120):
        turning = ("rolled", "hand_started", "turn_ended")
        rolled += [name for name in named(events) if name in turning]
        if state.phase == "roll" and state.seat is not None:
            ask = GAME.asks(GAME.apply(state, state.seat, Roll()).state)
            assert ask is not None
            assert ask.label == f"roll|{rolled.count('turn_ended')}"
    starts = [name for name in rolled if name != "turn_ended"]
    assert (
        rolled[: 2 * len(starts)]
        == list(itertools.chain.from_iterable((name, "turn_ended") for name in starts))[
            : len(rolled)
        ]
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_match_of_random_actions_ends_and_keeps_its_checkers(seed: int) -> None:
    met = walk(seed, points=3, most=100_000)
    assert all(is_sound(state.board) for state, _ in met)
    last = met[-1][0]
    outcome = GAME.outcome(last)
    assert outcome is not None
    assert outcome.score[outcome.winners[0]] >= 3 > outcome.score[1 - outcome.winners[0]]


def test_both_seats_play_by_the_same_rules() -> None:
    """The same rolls and moves with the seats swapped: the same positions, lines and points."""
    one, other = opened((6, 2)).state, opened((2, 6)).state
    for number in range(60):
        seat = one.seat
        assert seat is not None
        assert other.seat == 1 - seat
        assert one.board == other.board
        actions = GAME.legal(one, seat)
        assert GAME.legal(other, 1 - seat) == actions
        action = actions[number % len(actions)] if actions[0] != Roll() else Roll()
        step, mirrored = GAME.apply(one, seat, action), GAME.apply(other, 1 - seat, action)
        assert [str(line)[1:] for line in step.lines] == [str(line)[1:] for line in mirrored.lines]
        one, other = step.state, mirrored.state
        if GAME.asks(one) is not None:
            roll = (1 + number % 6, 1 + number // 6 % 6)
            one, other = GAME.give(one, roll).state, GAME.give(other, roll).state


def test_what_only_undoes_can_be_told_apart() -> None:
    assert GAME.takes_back(TakeBack())
    assert not any(GAME.takes_back(action) for action in (Roll(), Move(13, 5), Confirm()))


def test_its_name() -> None:
    assert (GAME.name, GAME.rules, GAME.lines_key) == ("nardi", "short", "turns")


@modest
@given(st.integers(0, 10_000))
def test_a_move_lasts_from_getting_the_turn_to_passing_it(seed: int) -> None:
    """T6: the roll and all checkers are one move; the number grows with every turn and hand."""
    for (before, _), (after, events) in itertools.pairwise(walk(seed, points=3, most=120)):
        told = named(events)
        if "turn_ended" in told:
            assert GAME.move(after) > GAME.move(before)
        else:
            assert GAME.move(after) == GAME.move(before)


def test_a_hand_later_is_a_later_move() -> None:
    last = on_turn(at("1:2", "24:1"), (6, 5))
    assert GAME.move(play(last, *moves((1, 6), (1, 5))).state) > GAME.move(last)


def test_seat_0_rolls_first_in_the_opening_and_a_roll_has_no_order() -> None:
    asked = GAME.asks(GAME.start({"points": 1}).state)
    assert asked is not None
    assert asked.ordered
    asked = GAME.asks(GAME.apply(on_turn(START, None), 0, Roll()).state)
    assert asked is not None
    assert not asked.ordered
    rolling = GAME.apply(on_turn(START, None), 0, Roll()).state
    assert GAME.give(rolling, (2, 5)) == GAME.give(rolling, (5, 2))


@pytest.mark.parametrize("foreign", ["8/5", None, 5])
def test_what_is_no_action_at_all_is_never_taken_for_a_take_back(foreign: object) -> None:
    state = opened((5, 2)).state
    state = GAME.apply(state, 0, Move(13, 5)).state
    with pytest.raises(Unreadable):
        GAME.apply(state, 0, foreign)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [-3, 0, 26])
def test_a_point_that_is_none_has_no_checker(source: int) -> None:
    assert refused(opened((5, 2)).state, 0, Move(source, 5)) == ("no_checker", "N4")
