"""How hands and matches end: N16 to N20."""

from __future__ import annotations

import pytest

from engine.game import Outcome, Refusal, Unreadable
from engine.nardi import GAME
from engine.nardi.actions import Confirm, Move, Roll, TakeBack
from engine.nardi.board import CHECKERS, START, off
from engine.nardi.events import HandEnded, MatchEnded
from engine.nardi.flow import end_of
from engine.nardi.match import LastHand
from tests.nardi.build import moves, named, on_turn, play, refused
from tests.nardi.given import at

WINNING = at("1:2", "24:1")


def test_n16_the_first_to_have_all_fifteen_off_wins_the_hand() -> None:
    step = play(on_turn(WINNING, (6, 5), seat=1, points=3), *moves((1, 6), (1, 5)))
    assert step.lines == ("1 65: 1/off(2)",)
    assert step.events[-1] == HandEnded(1, "oini", 1, 1, (0, 1))
    assert step.state.last_hand == LastHand(1, "oini", 1, 1, (0, 1), at("1:1"))
    assert GAME.outcome(step.state) is None


def test_n16_a_last_turn_with_a_choice_waits_to_be_confirmed_like_any_other() -> None:
    state = play(on_turn(at("2:1 1:1", "24:1"), (2, 1)), *moves((2, 2), (1, 1))).state
    assert off(state.board) == CHECKERS
    assert GAME.legal(state, 0) == (TakeBack(), Confirm())
    assert named(play(state, Confirm()).events) == ["turn_ended", "hand_ended"]


@pytest.mark.parametrize(
    ("theirs", "end"),
    [
        ("24:14", "oini"),
        ("24:15", "marsi"),
        ("7:15", "marsi"),
        ("bar:1 24:14", "koksi"),
        ("6:1 24:14", "koksi"),
        ("1:1 24:14", "koksi"),
        ("6:1 24:13", "oini"),
        ("bar:1 24:13", "oini"),
    ],
)
def test_n17_what_a_won_hand_is(theirs: str, end: str) -> None:
    assert end_of(at("", theirs)) == end


@pytest.mark.parametrize(
    ("theirs", "end", "worth"),
    [("24:14", "oini", 1), ("24:15", "marsi", 2), ("bar:1 24:14", "koksi", 3)],
)
def test_n17_what_a_won_hand_counts(theirs: str, end: str, worth: int) -> None:
    board = at("1:1", theirs)
    step = play(on_turn(board, (6, 5), points=7, score=(2, 4)), Move(1, 6))
    ended = step.events[-1]
    assert ended == HandEnded(1, end, 0, worth, (2 + worth, 4))  # type: ignore[arg-type]
    assert GAME.score(step.state) == (2 + worth, 4)


@pytest.mark.parametrize("points", [1, 3, 5, 7])
def test_n18_the_first_to_reach_the_length_at_the_end_of_a_hand_wins(points: int) -> None:
    below = on_turn(WINNING, (6, 5), points=points, score=(points - 1, 0))
    step = play(below, *moves((1, 6), (1, 5)))
    assert step.events[-1] == MatchEnded((0,), "points", (points, 0))
    assert GAME.outcome(step.state) == Outcome((0,), "points", (points, 0))
    assert GAME.to_act(step.state) == ()
    assert GAME.asks(step.state) is None
    assert GAME.legal(step.state, 0) == GAME.legal(step.state, 1) == ()
    assert refused(step.state, 0, Roll()) == ("match_over", "N18")


def test_n18_the_lengths_that_can_be_picked() -> None:
    assert dict(GAME.choices) == {"points": (1, 3, 5, 7)}
    assert GAME.seats({"points": 1}) == 2
    for options in ({}, {"points": 2}, {"target": 3}, {"points": 3, "target": 75}):
        with pytest.raises(Unreadable):
            GAME.start(options)


def test_n19_every_hand_opens_with_a_roll() -> None:
    step = play(on_turn(WINNING, (6, 5)), *moves((1, 6), (1, 5)))
    ask = GAME.asks(step.state)
    assert ask is not None
    assert (ask.hand, ask.label) == (2, "opening|0")
    assert GAME.hand(step.state) == 2
    begun = GAME.give(step.state, (1, 4))
    assert begun.lines == ({"opening": [[1, 4]], "turns": []},)
    assert begun.state.board == START
    assert begun.state.last_turn is None
    after = play(begun.state, *moves((13, 4), (6, 1)), Confirm()).state
    ask = GAME.asks(GAME.apply(after, 0, Roll()).state)
    assert ask is not None
    assert (ask.hand, ask.label) == (2, "roll|1")


@pytest.mark.parametrize("reason", ["resigned", "time", "left"])
def test_n20_leaving_loses_at_once_and_the_score_stays(reason: str) -> None:
    for state in (
        on_turn(START, (2, 1), score=(2, 1)),
        on_turn(START, None, score=(2, 1)),
        GAME.apply(on_turn(START, None, score=(2, 1)), 0, Roll()).state,
        play(on_turn(START, (2, 1), score=(2, 1)), Move(13, 2)).state,
    ):
        step = GAME.concede(state, 0, reason)  # type: ignore[arg-type]
        assert step.events == (MatchEnded((1,), reason, (2, 1)),)  # type: ignore[arg-type]
        assert GAME.outcome(step.state) == Outcome((1,), reason, (2, 1))  # type: ignore[arg-type]
        assert GAME.to_act(step.state) == ()
        assert GAME.asks(step.state) is None
        assert step.lines == ()
        with pytest.raises(Refusal):
            GAME.concede(step.state, 1, "left")
    assert GAME.outcome(GAME.concede(GAME.start({"points": 1}).state, 1, "left").state) == Outcome(
        (0,), "left", (0, 0)
    )
