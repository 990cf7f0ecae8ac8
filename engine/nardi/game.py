"""Short nardi behind the contract of :mod:`engine.game`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from engine.game import (
    Ask,
    Event,
    Json,
    Options,
    Outcome,
    Reason,
    Refusal,
    Seat,
    Unreadable,
    Viewer,
)
from engine.game import Step as Change
from engine.nardi import actions, codec, figures, flow, record
from engine.nardi.actions import Action, Confirm, Move, Roll, TakeBack
from engine.nardi.events import NardiEvent
from engine.nardi.fallback import first_step
from engine.nardi.match import State
from engine.nardi.view import view
from engine.statistics import Statistic

CHOICES: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType({"points": (1, 3, 5, 7)})
"""The length of a match (N18)."""


class ShortNardi:
    """Rules N1 to N24. See :class:`engine.game.Game` for what each method promises."""

    name = "nardi"
    rules = "short"
    lines_key = "turns"
    choices = CHOICES

    def seats(self, options: Options) -> int:
        return 2

    def start(self, options: Options) -> Change[State]:
        points = options.get("points")
        if set(options) != set(CHOICES) or points not in CHOICES["points"]:
            raise Unreadable("options: points is one of 1, 3, 5, 7")
        return Change(State(points))

    def asks(self, state: State) -> Ask | None:
        if state.phase == "opening":
            return Ask(state.hand, f"opening|{len(state.opening)}", "dice", 2)
        if state.phase == "rolling":
            return Ask(state.hand, f"roll|{state.turn}", "dice", 2, ordered=False)
        return None

    def give(self, state: State, answer: tuple[int, ...]) -> Change[State]:
        if state.phase not in ("opening", "rolling"):
            raise Refusal("nothing_asked", "N9")
        if len(answer) != 2 or any(die not in range(1, 7) for die in answer):
            raise Refusal("bad_roll", "N3" if state.phase == "opening" else "N4")
        dice = answer[0], answer[1]
        if state.seat is None:
            return flow.give_opening(state, dice)
        return flow.give_roll(state, state.seat, dice)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if state.seat is None or state.phase not in ("roll", "move"):
            return ()
        return (state.seat,)

    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        if seat not in self.to_act(state):
            return ()
        if state.phase == "roll":
            return (Roll(),)
        steps = state.legal_steps
        found: list[Action] = [Move(step.source, step.die) for step in steps]
        if state.steps:
            found.append(TakeBack())
        if not steps:
            found.append(Confirm())
        return tuple(found)

    def takes_back(self, action: Action) -> bool:
        return isinstance(action, TakeBack)

    def apply(self, state: State, seat: Seat, action: Action) -> Change[State]:
        if state.phase == "over":
            raise Refusal("match_over", "N18")
        if state.phase in ("opening", "rolling"):
            raise Refusal("dice_rolling", "N9")
        if seat != state.seat:
            raise Refusal("not_your_turn", "N4")
        return flow.act(state, seat, action)

    def fallback(self, state: State, seat: Seat) -> Action:
        if seat not in self.to_act(state):
            raise Refusal("not_your_turn", "N4")
        if state.phase == "roll":
            return Roll()
        step = first_step(state.board, state.left)
        return Confirm() if step is None else Move(step.source, step.die)

    def concede(self, state: State, seat: Seat, reason: Reason) -> Change[State]:
        if state.phase == "over":
            raise Refusal("match_over", "N18")
        return flow.concede(state, seat, reason)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def score(self, state: State) -> tuple[int, ...]:
        return state.score

    def move(self, state: State) -> int:
        return 10_000 * state.hand + state.turn

    def hand(self, state: State) -> int:
        return state.hand

    def view(self, state: State, viewer: Viewer) -> Json:
        legal = () if viewer is None else self.legal(state, viewer)
        return {"game": self.name, "rules": self.rules, **view(state, viewer, legal)}

    def open_view(self, state: State, viewer: Viewer) -> Json:
        last = state.last_hand
        if last is not None and state.phase == "opening" and not state.opening:
            state = replace(state, hand=last.hand, start=last.board)
        return {"game": self.name, "rules": self.rules, **view(state, viewer, ())}

    def action_to_json(self, action: Action) -> Json:
        return actions.action_to_json(action)

    def action_from_json(self, value: object) -> Action:
        return actions.action_from_json(value)

    def state_to_json(self, state: State) -> Json:
        return codec.state_to_json(state)

    def state_from_json(self, value: Json) -> State:
        return codec.state_from_json(value)

    def event_to_json(self, event: Event) -> Json:
        return codec.event_to_json(event)

    def event_from_json(self, value: Json) -> NardiEvent:
        return codec.event_from_json(value)

    def check_hand(self, hand: Json) -> None:
        record.check_hand(hand)

    def recorded(self, hand: Json, ask: Ask) -> tuple[int, ...] | None:
        return record.recorded(hand, ask)

    def read_line(self, state: State, line: str) -> tuple[Seat, tuple[Action, ...]]:
        return record.read_line(state, line)

    def shows(self, action: Action) -> bool:
        return not isinstance(action, Confirm)

    def rows(self, state: State, line: str | None, events: tuple[Event, ...]) -> list[Json]:
        return record.rows(line, events)

    @property
    def counters(self) -> tuple[str, ...]:
        return figures.COUNTERS

    def count(self, state: State, events: tuple[Event, ...]) -> Iterable[tuple[Seat, str, int]]:
        return figures.count(events)

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        return figures.STATISTICS

    @property
    def chances(self) -> Mapping[str, Mapping[str, Fraction]]:
        return figures.CHANCES

    def given(self, state: State, ask: Ask, answer: tuple[int, ...]) -> Iterable[tuple[str, str]]:
        return figures.given(ask, answer)
