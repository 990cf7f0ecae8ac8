"""What all levels have in common: legal, whole turns, no second thoughts, both seats alike."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.bots.nardi import POLICIES, easy, medium, strong
from app.bots.nardi.seen import read
from app.bots.nardi.turn import Pick
from app.bots.policy import Level
from engine.nardi import GAME
from engine.nardi.actions import Move
from engine.nardi.board import Board, off, opp_bar
from engine.nardi.moves import play
from engine.nardi.turns import turns
from tests.bots.nardi.played import answer, match, view_of
from tests.nardi.build import on_turn
from tests.nardi.given import at, dice, modest, scattered

PICKS: dict[Level, Pick] = {"easy": easy.pick, "medium": medium.pick, "strong": strong.pick}
levels = pytest.mark.parametrize("level", POLICIES)
thinkers = pytest.mark.parametrize("level", [level for level in POLICIES if level != "easy"])


@levels
@pytest.mark.parametrize("points", [1, 3, 5, 7])
def test_whole_matches_are_played_legally_and_every_turn_to_the_end_it_was_begun_for(
    level: Level, points: int
) -> None:
    others = list(POLICIES)
    sides = level, others[points % len(others)]
    meant: dict[tuple[int, int], Board] = {}
    left: dict[tuple[int, int], Board] = {}
    for state, view, action in match(
        (POLICIES[sides[0]], POLICIES[sides[1]]), points, f"whole {points}"
    ):
        assert action in view["legal"]
        assert action["action"] != "take_back"
        turn = state.hand, state.turn
        if state.dice is not None and turn not in meant:
            ends = [each.board for each in turns(state.start, state.dice)]
            pick = PICKS[sides[view["seat"]]]
            meant[turn] = pick(read(view), ends) if len(ends) > 1 else ends[0]
        move = GAME.action_from_json(action)
        if isinstance(move, Move):
            left[turn], _ = play(state.board, move.step)
    assert left == meant
    assert len(meant) > 10


@levels
@modest
@given(scattered(), dice, st.integers(0, 1), st.data())
def test_any_step_of_a_turn_can_be_gone_on_from(
    level: Level, board: Board, roll: tuple[int, int], seat: int, data: st.DataObject
) -> None:
    state = on_turn(board, roll, seat=seat)
    while state.phase == "move" and state.turn == 1 and GAME.outcome(state) is None:
        view = view_of(state)
        action = POLICIES[level](view, view["legal"], random.Random(0))
        assert action in view["legal"]
        assert action["action"] != "take_back"
        # Whatever it answers, somebody else may have played before.
        onward = [each for each in view["legal"] if each["action"] != "take_back"]
        other = data.draw(st.sampled_from(onward))
        state = GAME.apply(state, seat, GAME.action_from_json(other)).state


@levels
@modest
@given(scattered(), dice, st.tuples(st.integers(0, 2), st.integers(0, 2)))
def test_both_seats_play_alike_and_the_same_three_give_the_same(
    level: Level, board: Board, roll: tuple[int, int], score: tuple[int, int]
) -> None:
    state = on_turn(board, roll, seat=0, score=score)
    mirrored = on_turn(board, roll, seat=1, score=score[::-1])
    assume(state.phase == "move" and state.dice is not None and state.turn == 1)
    first = answer(POLICIES[level], state, random.Random(3))
    assert first == answer(POLICIES[level], state, random.Random(3))
    assert first == answer(POLICIES[level], mirrored, random.Random(4))


@levels
def test_it_rolls_and_it_confirms(level: Level) -> None:
    state = on_turn(at("24:2 13:5 8:3 6:5", "1:2 12:5 17:3 19:5"), None)
    assert answer(POLICIES[level], state) == {"action": "roll"}
    state = on_turn(state.board, (3, 1))
    for _ in range(2):
        action = GAME.action_from_json(answer(POLICIES[level], state))
        state = GAME.apply(state, 0, action).state
    assert [each["action"] for each in view_of(state)["legal"]] == ["take_back", "confirm"]
    assert answer(POLICIES[level], state) == {"action": "confirm"}


def ended(level: Level, board: Board, roll: tuple[int, int], score: tuple[int, int]) -> Board:
    """The board that a level leaves."""
    state = on_turn(board, roll, score=score)
    while True:
        move = GAME.action_from_json(answer(POLICIES[level], state))
        assert isinstance(move, Move)
        board, _ = play(state.board, move.step)
        state = GAME.apply(state, 0, move).state
        if state.turn != 1 or not state.legal_steps:
            return board


@levels
@pytest.mark.parametrize("score", [(0, 0), (2, 0), (0, 2), (2, 2)])
def test_the_last_checkers_are_borne_off(level: Level, score: tuple[int, int]) -> None:
    assert off(ended(level, at("6:1 1:1", "23:4"), (6, 1), score)) == 15


@thinkers
@pytest.mark.parametrize("score", [(0, 0), (2, 0), (0, 2), (2, 2)])
def test_who_would_be_off_with_the_next_roll_is_killed(
    level: Level, score: tuple[int, int]
) -> None:
    board = at("24:1 6:3 5:3 4:3 3:3 2:2", "20:1")
    assert opp_bar(ended(level, board, (4, 1), score)) == 1


@thinkers
def test_in_a_race_nothing_is_borne_off_late(level: Level) -> None:
    assert off(ended(level, at("6:1 5:1 4:1 2:2", "19:2 20:2 23:1"), (6, 5), (0, 0))) == 12


@thinkers
def test_a_hand_lost_anyway_is_saved_from_marsi(level: Level) -> None:
    # The other one has two left and none of ours is off: only 6/off saves the second point.
    board = at("7:1 6:2 5:4 4:4 3:4", "24:2")
    assert off(ended(level, board, (6, 1), (0, 0))) >= 1


@pytest.mark.parametrize("blocked", [True, False])
def test_strong_is_there_exactly_with_its_library(blocked: bool) -> None:
    code = "import sys\n"
    code += "sys.modules['bgsage'] = None\n" * blocked
    code += "from app.bots.nardi import POLICIES\n"
    code += "print(*POLICIES)\n"
    code += "print('numpy' in sys.modules)\n"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    there = not blocked and importlib.util.find_spec("bgsage") is not None
    assert told[0].split() == ["easy", "medium", *["strong"] * there]
    # Who only asks which levels there are need not load anything.
    assert told[1] == "False"
