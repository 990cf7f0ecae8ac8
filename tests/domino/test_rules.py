"""G2–G30 one by one, and the rule traps of others."""

from __future__ import annotations

import pytest

from engine.domino.state import State
from engine.game import Refusal
from tests.domino.build import GAME, dealt, fresh, legal, order, play, position, told


def refuse(state: State, text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        play(state, text)
    return caught.value


PLAIN = "0-1 0-2 0-3 1-2 1-3 2-3 4-5"  # no double in it
OTHER = "6-6 5-5 0-4 0-5 0-6 1-4 1-5"


# ── deal and opening ──────────────────────────────────────────────────────────────────────────


def test_g2_seven_each_and_fourteen_in_the_bazaar() -> None:
    state = dealt(PLAIN, OTHER)
    view = GAME.view(state, 0)
    assert view["tiles"] == sorted(PLAIN.split())
    assert view["counts"] == [7, 7]
    assert view["bazaar"] == {"left": 12, "protected": 2}
    assert len(state.bazaar) == 14


def test_g3_the_highest_double_opens_with_that_double() -> None:
    state = dealt(PLAIN, OTHER)
    assert GAME.to_act(state) == (1,)
    assert legal(state, 1) == ["6-6"]
    refused = refuse(state, "1 5-5")
    assert (refused.code, refused.rule, refused.values) == ("must_open", "G3", {"tile": "6-6"})


def test_g4_no_double_in_either_hand_is_dealt_again() -> None:
    step = GAME.give(fresh(), order(PLAIN, "0-4 0-5 0-6 1-4 1-5 1-6 2-4"))
    assert told(step.events, "hand_ended")[0]["end"] == "redeal"
    ask = GAME.asks(step.state)
    assert ask is not None
    assert ask.hand == 2
    again = GAME.give(step.state, order(PLAIN, OTHER)).state
    assert legal(again, 1) == ["6-6"]  # the highest double still decides


def test_g5_the_winner_opens_the_next_hand_with_any_tile() -> None:
    state = position("0-1 1-2@R", "2-3", "6-6 5-6", "4-4 4-5", turn=0)
    after = play(state, "0 2-3@R").state
    after = GAME.give(after, order(PLAIN, OTHER)).state
    assert GAME.to_act(after) == (0,)
    assert legal(after, 0) == sorted(PLAIN.split())


# ── placing ───────────────────────────────────────────────────────────────────────────────────


def test_g6_refusals_of_placing() -> None:
    state = position("2-5", "4-5 0-0 2-2", "1-1", "3-3 4-4 6-6")
    assert refuse(state, "0 0-0@L").code == "does_not_fit"
    assert refuse(state, "0 0-0@L").values == {"tile": "0-0", "end": "L", "asks": 2}
    assert refuse(state, "0 4-5").code == "name_an_end"
    assert refuse(state, "0 4-5@U").code == "end_not_open"
    assert refuse(state, "0 1-1@L").code == "tile_not_in_hand"
    assert refuse(state, "1 1-1@L").code == "not_your_turn"
    opening = dealt(OTHER, PLAIN)
    assert refuse(opening, "0 6-6@L").code == "opening_has_no_end"


def test_g6_pitfall_ends_asking_for_the_same_number_are_separate_choices() -> None:
    state = position("2-5 5-6@R 2-6@L", "1-6 0-0", "1-1 0-1")
    assert legal(state, 0) == ["1-6@L", "1-6@R"]


def test_g9_nothing_on_the_third_side_before_both_main_sides_are_covered() -> None:
    state = position("6-6 4-6@R", "3-6 0-0", "1-1 0-1")
    assert refuse(state, "0 3-6@U").rule == "G9"
    covered = position("6-6 4-6@R 5-6@L", "1-1 0-1", "3-6 0-0", turn=1)
    assert legal(covered, 1) == ["3-6@U", "3-6@D"]


# ── bazaar ────────────────────────────────────────────────────────────────────────────────────


def test_g11_who_can_lay_must_lay() -> None:
    state = position("2-5", "4-5 0-0", "1-1", "3-3 4-4 6-6")
    assert "draw" not in legal(state, 0)
    assert refuse(state, "0 draw").rule == "G11"
    assert refuse(dealt(OTHER, PLAIN), "0 draw").rule == "G11"


def test_g12_who_cannot_draws_one_at_a_time() -> None:
    state = position("2-5", "0-0 1-1", "4-5", "3-3 5-6 4-4 6-6")
    assert legal(state, 0) == ["draw"]
    step = play(state, "0 draw")
    assert GAME.to_act(step.state) == (0,)
    assert legal(step.state, 0) == ["draw"]
    assert [event["left"] for event in told(step.events, "drew")] == [1]


def test_g13_a_drawn_tile_that_fits_must_be_laid() -> None:
    state = position("2-5", "0-0 1-1", "4-5", "5-6 3-3 4-4 6-6")
    after = play(state, "0 draw").state
    assert legal(after, 0) == ["5-6@R"]
    assert refuse(after, "0 draw").rule == "G11"


def test_g13_pitfall_a_drawn_tile_that_fits_two_ends_is_not_laid_for_the_player() -> None:
    state = position("2-5 5-6@R", "0-0 1-1", "4-5", "2-6 3-3 4-4 4-6")
    after = play(state, "0 draw").state
    assert GAME.to_act(after) == (0,)
    assert legal(after, 0) == ["2-6@L", "2-6@R"]


def test_g14_the_last_two_are_never_drawn() -> None:
    state = position("2-5", "0-0 1-1", "5-5 4-5", "3-3 2-2 2-3")
    step = play(state, "0 draw")
    assert told(step.events, "tile_drawn")[0]["tile"] == "3-3"
    assert GAME.view(step.state, 0)["bazaar"] == {"left": 0, "protected": 2}
    # G15: nothing to lay and nothing to draw: the turn passes by itself.
    assert told(step.events, "passed") == [{"event": "passed", "seat": 0, "cause": "bazaar"}]
    assert GAME.to_act(step.state) == (1,)


def test_g14_at_most_twelve_are_drawn_and_the_order_is_that_of_the_shuffle() -> None:
    state = dealt(PLAIN, OTHER)
    assert state.stock.bit_count() == 12


def test_g15_no_action_is_asked_of_who_can_neither_lay_nor_draw() -> None:
    state = position("2-5", "2-6 2-4 4-4", "0-0 1-1 5-5", "3-3 3-4", turn=0)
    step = play(state, "0 2-6@L")  # the ends ask for 6 and 5: seat 1 has 5-5
    assert GAME.to_act(step.state) == (1,)
    state = position("2-5 5-6@R", "2-6 2-4 4-6", "0-0 1-1 0-1", "3-3 3-4", turn=0)
    step = play(state, "0 2-6@L")
    assert told(step.events, "passed")[0] == {"event": "passed", "seat": 1, "cause": "bazaar"}
    assert GAME.to_act(step.state) == (0,)


# ── points ────────────────────────────────────────────────────────────────────────────────────


def points(state: State, text: str) -> int:
    found = told(play(state, text).events, "laid")[0]["points"]
    assert isinstance(found, int)
    return found


def opening(tile: str) -> State:
    """A later hand that seat 0 opens with ``tile`` among its tiles."""
    return position("", f"{tile} 0-1", "6-6 5-6", "4-4 3-3 2-3")


@pytest.mark.parametrize(
    ("tile", "scored"),
    [("5-5", 10), ("4-6", 0), ("2-3", 0), ("0-5", 0), ("0-0", 0), ("6-6", 0)],
)
def test_g17_only_an_opening_5_5_scores(tile: str, scored: int) -> None:
    if tile == "6-6":
        assert points(dealt(OTHER, PLAIN), "0 6-6") == 0
    else:
        assert points(opening(tile), f"0 {tile}") == scored


def test_g16_multiples_of_five_score_at_once() -> None:
    assert points(position("2-5", "5-5 0-0", "1-1"), "0 5-5@R") == 0  # 2 + 10
    assert points(position("6-6 4-6@R", "4-4 0-0", "1-1"), "0 4-4@R") == 20  # 12 + 8
    step = play(position("6-6 4-6@R", "4-4 0-0", "1-1 5-6"), "0 4-4@R")
    assert GAME.score(step.state) == (20, 0)


def test_g16_pitfall_a_total_of_zero_is_no_score() -> None:
    assert points(position("0-0 0-1@L 1-1@L", "0-2 3-3", "0-1"), "0 0-2@R") == 0


def test_g16_35_is_the_most_and_36_scores_nothing() -> None:
    base = "1-1 1-6@R 1-5@L 1-4@U 1-3@D 6-6@R 5-5@L 4-4@U"
    state = position(base, "3-3 0-0", "2-2 0-1")
    assert state.open.layout.total == 12 + 10 + 8 + 3
    assert points(state, "0 3-3@D") == 0  # 36
    base = "2-2 2-6@R 2-5@L 2-4@U 2-3@D 6-6@R 5-5@L"
    state = position(base, "4-4 0-0", "1-1 0-1")
    assert points(state, "0 4-4@U") == 0  # 12 + 10 + 8 + 3 = 33
    base = "1-1 1-6@R 1-5@L 1-4@U 1-3@D 6-6@R 5-5@L 3-5@D"
    state = position(base, "4-4 0-0", "2-2 0-1")
    assert points(state, "0 4-4@U") == 35  # 12 + 10 + 8 + 5


def test_g18_worked_example_play_by_play() -> None:
    state = dealt("6-6 5-6 5-5 0-1 0-2 0-3 0-4", "4-6 1-6 0-6 1-2 1-3 2-3 2-4")
    expected = [
        ("0 6-6", 12, 0),
        ("1 4-6@R", 16, 0),
        ("0 5-6@L", 9, 0),
        ("1 1-6@U", 10, 10),
        ("0 5-5@L", 15, 15),
        ("1 0-6@D", 15, 15),
    ]
    for text, total, scored in expected:
        step = play(state, text)
        laid = told(step.events, "laid")[0]
        assert (laid["sum"], laid["points"]) == (total, scored), text
        state = step.state
    assert laid["terms"] == [10, 4, 1, 0]
    assert GAME.score(state) == (15, 25)


# ── the ends of a hand ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("left", "scored"),
    [
        ("0-1", 5),
        ("0-5", 5),
        ("0-6", 10),
        ("5-6", 15),
        ("5-5 0-6", 20),
        ("1-1 0-2", 5),  # pitfall: 4 → 5 as a whole, never tile by tile
        ("0-0", 10),  # G20
        ("0-0 0-1", 5),  # G20 only where it is the only tile
    ],
)
def test_g19_g20_domino(left: str, scored: int) -> None:
    state = position("2-3 3-4@R", "4-4", left, "1-3 3-3", turn=0)
    ended = told(play(state, "0 4-4@R").events, "hand_ended")[0]
    assert (ended["end"], ended["winner"], ended["points"]) == ("domino", 0, scored)
    assert ended["next"] == 0  # G5


def test_g19_the_last_tiles_own_points_come_first_and_count() -> None:
    state = position("2-3 3-4@R", "4-4", "0-6", "1-3 3-3", turn=0)
    step = play(state, "0 4-4@R")
    assert told(step.events, "laid")[0]["points"] == 10  # 2 + 8
    assert told(step.events, "hand_ended")[0]["score"] == [20, 0]


SIXES = "3-6 2-6@R 2-4@R 4-6@R 3-5@L 5-6@L 6-6@L 0-6@L 0-1@L"  # six sixes, the ends ask 1 and 6


def test_g19_locking_with_the_last_tile_is_domino_not_riba() -> None:
    # All seven sixes lie then, and both ends ask for a six.
    state = position(SIXES, "1-6", "1-1 0-0", "3-3 4-4", turn=0)
    ended = told(play(state, "0 1-6@L").events, "hand_ended")[0]
    assert (ended["end"], ended["winner"]) == ("domino", 0)


def test_g21_riba_on_the_move_that_locks() -> None:
    state = position(SIXES, "1-6 2-2", "1-1 0-0 5-5", "3-3 4-4 0-4", turn=0)
    ended = told(play(state, "0 1-6@L").events, "hand_ended")[0]
    # G23: 4 against 12: seat 0 scores the loser's sum, rounded up.
    assert (ended["end"], ended["winner"], ended["points"]) == ("riba", 0, 15)
    assert ended["next"] == 0  # G24


NO_SIX_SIX = "3-6 2-6@R 2-4@R 4-6@R 3-5@L 5-5@L 0-5@L 0-6@L 1-6@L 1-5@L"  # ends ask 5 and 6


def test_g21_the_protected_two_do_not_count() -> None:
    # 6-6 fits both ends, but it is protected: dead all the same.
    state = position(NO_SIX_SIX, "5-6 2-2", "0-0 3-3", "6-6 4-4", turn=0)
    ended = told(play(state, "0 5-6@L").events, "hand_ended")[0]
    assert (ended["end"], ended["winner"]) == ("riba", 0)


def test_g22_a_fitting_double_in_the_drawable_bazaar_is_no_lock() -> None:
    # 6-6 is the last six, and it can still be drawn.
    state = position(NO_SIX_SIX, "5-6 2-2", "0-0 3-3", "0-4 6-6 4-4 3-4", turn=0)
    step = play(state, "0 5-6@L")
    assert not told(step.events, "hand_ended")
    assert GAME.to_act(step.state) == (1,)
    assert legal(step.state, 1) == ["draw"]
    # G22: the state can also arise by a draw: the double in hand now must be laid.
    step = play(step.state, "1 draw", "1 draw")
    assert set(legal(step.state, 1)) == {"6-6@L", "6-6@R"}


def test_g22_forced_double_of_the_other_player_before_riba() -> None:
    state = position(NO_SIX_SIX, "5-6 2-2", "6-6 3-3", "0-4 4-4 3-4", turn=0)
    step = play(state, "0 5-6@L")  # ends ask 6 and 6; only 6-6 is left, in seat 1's hand
    assert not told(step.events, "hand_ended")
    assert GAME.to_act(step.state) == (1,)
    assert set(legal(step.state, 1)) == {"6-6@L", "6-6@R"}
    ended = told(play(step.state, "1 6-6@L").events, "hand_ended")[0]
    assert ended["end"] == "riba"
    assert ended["next"] == 0  # G24: a forced double never earns the opening
    assert (ended["winner"], ended["points"]) == (0, 10)


def test_g22_the_lockers_own_double_skips_the_other() -> None:
    state = position(NO_SIX_SIX, "5-6 6-6 2-2", "3-3 0-0", "0-4 4-4 3-4", turn=0)
    step = play(state, "0 5-6@L")
    assert told(step.events, "passed") == [{"event": "passed", "seat": 1, "cause": "locked"}]
    assert GAME.to_act(step.state) == (0,)
    assert set(legal(step.state, 0)) == {"6-6@L", "6-6@R"}
    assert refuse(step.state, "0 draw").rule == "G11"


def test_t11_with_an_empty_bazaar_a_pass_does_not_tell_that_only_doubles_are_left() -> None:
    state = position(NO_SIX_SIX, "5-6 6-6 2-2", "3-3 0-0", "4-4 3-4", turn=0)
    step = play(state, "0 5-6@L")
    assert told(step.events, "passed") == [{"event": "passed", "seat": 1, "cause": "bazaar"}]


def test_g22_a_forced_double_as_last_tile_is_domino() -> None:
    state = position(NO_SIX_SIX, "5-6 6-6", "3-3 0-0", "0-4 4-4 3-4", turn=0)
    ended = told(play(state, "0 5-6@L", "0 6-6@R").events, "hand_ended")[0]
    assert (ended["end"], ended["winner"], ended["points"]) == ("domino", 0, 10)


def test_g23_equal_sums_are_a_drawn_hand() -> None:
    state = position(SIXES, "1-6 2-2", "0-4", "3-3 4-4", turn=0, score=(80, 0))
    step = play(state, "0 1-6@L")
    ended = told(step.events, "hand_ended")[0]
    assert (ended["end"], ended["winner"], ended["points"]) == ("drawn", None, 0)
    # It never ends a match, even with somebody past the target.
    assert GAME.outcome(step.state) is None
    assert GAME.asks(step.state) is not None


def test_g23_example_the_losers_sum_rounded_up() -> None:
    state = position(SIXES, "1-6 1-1 3-4 1-3", "2-4 4-5", "3-3 4-4", turn=0)
    ended = told(play(state, "0 1-6@L").events, "hand_ended")[0]
    assert ended["pips"] == [13, 15]
    assert (ended["winner"], ended["points"]) == (0, 15)


def test_g23_g20_does_not_apply_at_a_riba() -> None:
    state = position(SIXES, "1-6 0-2", "0-0", "3-3 4-4", turn=0)
    ended = told(play(state, "0 1-6@L").events, "hand_ended")[0]
    assert (ended["end"], ended["winner"], ended["points"]) == ("riba", 1, 5)
    assert ended["next"] == 0  # G24: who laid the last tile that is no double, not the winner


def test_g24_g28_the_last_tile_that_is_no_double_earns_the_opening() -> None:
    state = position(SIXES, "1-6 2-2", "0-4", "3-3 4-4", turn=0, hand=1)
    step = play(state, "0 1-6@L")
    after = GAME.give(step.state, order(PLAIN, OTHER)).state
    assert GAME.to_act(after) == (0,)
    assert len(legal(after, 0)) == 7  # any tile, also after the very first hand (G28)


# ── the match ─────────────────────────────────────────────────────────────────────────────────


def test_g25_the_targets() -> None:
    assert GAME.choices == {"target": (75, 175, 255, 355)}


def test_g26_past_the_target_in_mid_hand_changes_nothing() -> None:
    state = position("6-6 4-6@R", "4-4 0-0", "1-1 5-6", "3-3 2-2 1-2", score=(70, 0))
    step = play(state, "0 4-4@R")
    assert GAME.score(step.state) == (90, 0)
    assert GAME.outcome(step.state) is None
    assert GAME.to_act(step.state) == (1,)


def test_g26_a_hand_won_by_riba_ends_the_match() -> None:
    state = position(SIXES, "1-6 2-2", "1-1 0-0 5-5", "3-3 4-4 0-4", turn=0, score=(60, 0))
    outcome = GAME.outcome(play(state, "0 1-6@L").state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.score) == ((0,), "points", (75, 0))


@pytest.mark.parametrize(
    ("score", "winners"),
    [
        ((65, 0), (0,)),  # G27: reaching it exactly is enough
        ((60, 0), None),
        ((70, 100), (1,)),  # whoever has more wins
        ((90, 100), None),  # equal: another hand
        ((0, 80), (1,)),  # also for who lost the hand
    ],
)
def test_g27_the_end_of_a_match(score: tuple[int, int], winners: tuple[int, ...] | None) -> None:
    state = position("2-3 3-5@R", "5-6", "0-6", "1-3 3-3", turn=0, score=score)
    outcome = GAME.outcome(play(state, "0 5-6@R").state)  # 10 for 0-6; 2 + 6 scores nothing
    assert (outcome.winners if outcome else None) == winners


def test_g29_if_only_doubles_lay_the_opener_would_open_again() -> None:
    state = position("1:6-6", "0-0", "0-1", "")
    settlement = GAME.rule_set.settle_riba(state.open, state.hands)
    assert settlement.next == state.open.opener


@pytest.mark.parametrize("reason", ["resigned", "time", "left"])
def test_g30_giving_up_ends_the_match_for_the_opponent(reason: str) -> None:
    state = position("2-5", "4-5 0-0", "1-1", "3-3 4-4 6-6", score=(40, 20))
    for loser in (0, 1):
        step = GAME.concede(state, loser, reason)  # type: ignore[arg-type]
        outcome = GAME.outcome(step.state)
        assert outcome is not None
        assert outcome.winners == (1 - loser,)
        assert (outcome.reason, outcome.score) == (reason, (40, 20))
        assert GAME.to_act(step.state) == ()
        assert GAME.asks(step.state) is None
        assert refuse(step.state, "0 4-5@R").code == "match_over"


def test_nothing_is_dealt_into_a_hand_under_way() -> None:
    with pytest.raises(Refusal, match="not_asked"):
        GAME.give(dealt(OTHER, PLAIN), order(PLAIN, OTHER))
    with pytest.raises(Refusal, match="not_a_full_set"):
        GAME.give(fresh(), (0,) * 28)
