"""How a match goes on: from the opening roll through its turns to the end of hand and match."""

from __future__ import annotations

from dataclasses import replace

from engine.game import Outcome, Reason, Refusal, Seat, Step, Unreadable
from engine.nardi import events as ev
from engine.nardi.actions import Action, Confirm, Move, Roll, TakeBack
from engine.nardi.board import CHECKERS, HOME, START, Board, flip, off, opp, opp_bar, opp_off
from engine.nardi.events import End, NardiEvent, Pair
from engine.nardi.match import LastHand, LastTurn, State
from engine.nardi.notation import write
from engine.nardi.position import position_id
from engine.nardi.reasons import dead_dice, why_not
from engine.nardi.turns import results

WORTH: dict[End, int] = {"oini": 1, "marsi": 2, "koksi": 3}
"""Points of a hand by its end (N17)."""


def give_opening(state: State, dice: Pair) -> Step[State]:
    """One die each (N3): a tie is rolled again, else the higher starts with these two."""
    opening = (*state.opening, dice)
    rolled = ev.OpeningRolled(state.hand, len(state.opening), dice)
    first, second = dice
    if first == second:
        return Step(replace(state, opening=opening), (rolled,))
    seat = 0 if first > second else 1
    pair = (max(dice), min(dice))
    begun = replace(state, phase="move", opening=opening, turn=0, seat=seat, dice=pair)
    line = {"opening": [list(each) for each in opening], "turns": []}
    return Step(begun, (rolled, ev.HandStarted(state.hand, seat, pair)), (line,))


def give_roll(state: State, seat: Seat, dice: Pair) -> Step[State]:
    """A roll for the seat on turn; a turn without a legal move passes by itself (N7)."""
    pair = (max(dice), min(dice))
    rolled = ev.Rolled(seat, pair)
    after = replace(state, phase="move", dice=pair)
    if after.legal_steps:
        return Step(after, (rolled,))
    reasons = tuple(
        ev.DeadDie(die, reason.code, reason.rule, tuple(reason.values.items()))
        for die, reason in dead_dice(after.board, after.left)
    )
    return _end_turn(after, seat, pair, (rolled, ev.NoMove(seat, pair, reasons)))


def act(state: State, seat: Seat, action: Action) -> Step[State]:
    """What the seat on turn does. Raises :class:`Refusal`."""
    if isinstance(action, Roll):
        if state.phase != "roll":
            raise Refusal("already_rolled", "N9")
        return Step(replace(state, phase="rolling"))
    if state.phase == "roll" or state.dice is None:
        raise Refusal("roll_first", "N9")
    if isinstance(action, Move):
        return _move(state, seat, state.dice, action)
    if isinstance(action, Confirm):
        if state.legal_steps:
            raise Refusal("turn_not_complete", "N7", left=len(state.left))
        return _end_turn(state, seat, state.dice, ())
    if not isinstance(action, TakeBack):
        raise Unreadable(f"no action of nardi: {action!r:.40}")
    if not state.steps:
        raise Refusal("nothing_to_take_back", "N23")
    step, kill = state.moved()[-1]
    undone = ev.TakenBack(seat, step.source, step.target, step.die, kill)
    return Step(replace(state, steps=state.steps[:-1]), (undone,))


def _move(state: State, seat: Seat, dice: Pair, action: Move) -> Step[State]:
    if not state.legal_steps:
        raise Refusal("nothing_left", "N7")
    refusal = why_not(state.board, state.left, action.step)
    if refusal is not None:
        raise refusal
    after = replace(state, steps=(*state.steps, action.step))
    step, kill = after.moved()[-1]
    moved = ev.Moved(seat, step.source, step.target, step.die, kill)
    if not after.legal_steps and not had_choice(state.start, dice):
        return _end_turn(after, seat, dice, (moved,))
    return Step(after, (moved,))


def had_choice(board: Board, dice: Pair) -> bool:
    """Whether legal turns lead to different positions, so that one has to be confirmed (N23)."""
    return len(results(board, dice)) > 1


def _end_turn(state: State, seat: Seat, dice: Pair, before: tuple[NardiEvent, ...]) -> Step[State]:
    board = state.board
    text = write(state.start, state.steps)
    moves = tuple((step.source, step.target, kill) for step, kill in state.moved())
    ended = ev.TurnEnded(seat, dice, text, position_id(flip(board)))
    line = f"{seat} {dice[0]}{dice[1]}:" + (f" {text}" if text else "")
    last = LastTurn(seat, dice, moves, text)
    if off(board) == CHECKERS:
        won = replace(state, start=board, dice=None, steps=(), last_turn=last)
        after, told = _end_hand(won, seat, board)
    else:
        after = replace(
            state,
            phase="roll",
            turn=state.turn + 1,
            seat=1 - seat,
            start=flip(board),
            dice=None,
            steps=(),
            last_turn=last,
        )
        told = ()
    return Step(after, (*before, ended, *told), (line,))


def end_of(board: Board) -> End:
    """What a won hand is, seen by its winner (N17)."""
    if opp_off(board):
        return "oini"
    if opp_bar(board) or any(opp(board, point) for point in HOME):
        return "koksi"
    return "marsi"


def _end_hand(state: State, seat: Seat, board: Board) -> tuple[State, tuple[NardiEvent, ...]]:
    end = end_of(board)
    points = WORTH[end]
    first, second = state.score
    score = (first + points, second) if seat == 0 else (first, second + points)
    told = ev.HandEnded(state.hand, end, seat, points, score)
    last = LastHand(state.hand, end, seat, points, score, board if seat == 0 else flip(board))
    if score[seat] < state.target:
        fresh = State(state.target, hand=state.hand + 1, score=score, start=START, last_hand=last)
        return fresh, (told,)
    over = replace(
        state,
        score=score,
        phase="over",
        last_hand=last,
        outcome=Outcome((seat,), "points", score),
    )
    return over, (told, ev.MatchEnded((seat,), "points", score))


def concede(state: State, seat: Seat, reason: Reason) -> Step[State]:
    """The other seat wins at once; the score stays as it stands (N20)."""
    outcome = Outcome((1 - seat,), reason, state.score)
    over = replace(state, phase="over", outcome=outcome)
    return Step(over, (ev.MatchEnded(outcome.winners, reason, state.score),))
