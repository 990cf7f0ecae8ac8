"""Matches for tests: set up, acted on, told by name."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.chance import Seeded, sha256
from engine.game import Event, Line, Refusal, Step, play_on
from engine.nardi import GAME, Action, State
from engine.nardi.actions import Move, Roll
from engine.nardi.board import Board
from engine.nardi.match import LastTurn


def opened(*pairs: tuple[int, int], points: int = 3) -> Step[State]:
    """A match whose first hand has been opened with these rolls, seat 0's die first."""
    step = GAME.start({"points": points})
    events: tuple[Event, ...] = ()
    for pair in pairs:
        step = GAME.give(step.state, pair)
        events += step.events
    return Step(step.state, events, step.lines)


def on_turn(
    board: Board,
    dice: tuple[int, int] | None,
    *,
    seat: int = 0,
    score: tuple[int, int] = (0, 0),
    points: int = 3,
) -> State:
    """The second turn of a hand, on any board, before or after its roll."""
    last = LastTurn(1 - seat, (2, 1), ((13, 11, False), (6, 5, False)), "13/11 6/5")
    state = State(
        points,
        score=score,
        phase="roll",
        opening=((2, 1),),
        turn=1,
        seat=seat,
        start=board,
        last_turn=last,
    )
    if dice is None:
        return state
    return GAME.give(GAME.apply(state, seat, Roll()).state, dice).state


def play(state: State, *actions: Action, seat: int | None = None) -> Step[State]:
    """Actions one after the other, all by the seat on turn; all events and lines together."""
    events: tuple[Event, ...] = ()
    lines: tuple[Line, ...] = ()
    for action in actions:
        acting = GAME.to_act(state)[0] if seat is None else seat
        step = GAME.apply(state, acting, action)
        state = step.state
        events += step.events
        lines += step.lines
    return Step(state, events, lines)


def moves(*pairs: tuple[int, int]) -> tuple[Move, ...]:
    """Moves from (source, die)."""
    return tuple(Move(*pair) for pair in pairs)


def refused(state: State, seat: int, action: Action) -> tuple[str, str]:
    """Code and rule of a refusal."""
    try:
        GAME.apply(state, seat, action)
    except Refusal as refusal:
        return refusal.code, refusal.rule
    raise AssertionError("not refused")


def named(events: Sequence[Event]) -> list[str]:
    """The events' names."""
    return [GAME.event_to_json(event)["event"] for event in events]


def walk(seed: int, points: int = 3, most: int = 4000) -> list[tuple[State, tuple[Event, ...]]]:
    """Every state of a match of random legal actions, taking back among them."""
    chance, choose = Seeded(sha256(str(seed).encode())), random.Random(seed)
    step = play_on(GAME, GAME.start({"points": points}), chance)
    met = [(step.state, step.events)]
    while GAME.outcome(step.state) is None and len(met) < most:
        (seat,) = GAME.to_act(step.state)
        step = play_on(
            GAME, GAME.apply(step.state, seat, choose.choice(GAME.legal(step.state, seat))), chance
        )
        met.append((step.state, step.events))
    return met
