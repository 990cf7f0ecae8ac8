"""Domino behind the contract of every game, for any of its rule sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.domino import codec, figures, match
from engine.domino.actions import Action, action_from_json, action_to_json, read_play
from engine.domino.deal import shuffled
from engine.domino.events import DominoEvent, Drew, HandEnded, Laid
from engine.domino.rules import DominoRules
from engine.domino.state import State
from engine.domino.tiles import NAMES, TileSet, names
from engine.domino.view import fallback, view
from engine.game import (
    Ask,
    Event,
    Json,
    Options,
    Outcome,
    Reason,
    Refusal,
    Seat,
    Step,
    Unreadable,
    Viewer,
)
from engine.plain import array, key, text
from engine.statistics import Statistic


@dataclass(frozen=True, slots=True)
class Domino:
    """One rule set of domino (:class:`~engine.game.Game`)."""

    rule_set: DominoRules
    name: str = "domino"
    lines_key: str = "plays"

    @property
    def rules(self) -> str:
        return self.rule_set.name

    @property
    def choices(self) -> Mapping[str, tuple[int, ...]]:
        return self.rule_set.choices

    def seats(self, options: Options) -> int:
        return self.rule_set.seats(options)

    def start(self, options: Options) -> Step[State]:
        target = options.get("target")
        if set(options) != set(self.choices) or target not in self.choices["target"]:
            raise Unreadable(f"options: target is one of {self.choices['target']}")
        return match.start(self.rule_set, target, self.seats(options))

    def asks(self, state: State) -> Ask | None:
        return match.asks(state)

    def give(self, state: State, answer: tuple[int, ...]) -> Step[State]:
        return match.give(self.rule_set, state, answer)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        turn = state.open.turn
        return () if turn is None else (turn,)

    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        return match.legal(state.open, seat, state.hands[seat])

    def takes_back(self, action: Action) -> bool:
        return False

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return match.apply(self.rule_set, state, seat, action)

    def fallback(self, state: State, seat: Seat) -> Action:
        if state.open.turn != seat:
            raise Refusal("not_your_turn", "G12")
        return fallback(self.rule_set, state.open, seat, state.hands[seat])

    def concede(self, state: State, seat: Seat, reason: Reason) -> Step[State]:
        return match.concede(self.rule_set, state, seat, reason)

    def outcome(self, state: State) -> Outcome | None:
        return state.open.outcome

    def score(self, state: State) -> tuple[int, ...]:
        return state.open.score

    def move(self, state: State) -> int:
        return 100 * state.open.hand + len(state.open.layout.placed)

    def hand(self, state: State) -> int:
        return state.open.hand

    def view(self, state: State, viewer: Viewer) -> Json:
        own: TileSet = 0 if viewer is None else state.hands[viewer]
        held = tuple([hand.bit_count() for hand in state.hands])
        return view(self.rule_set, state.open, held, viewer, own)

    def open_view(self, state: State, viewer: Viewer) -> Json:
        return {
            **self.view(state, viewer),
            "legal": [],
            "all_tiles": [names(hand) for hand in state.hands],
            "bazaar_tiles": [NAMES[each] for each in state.bazaar],
        }

    def action_to_json(self, action: Action) -> Json:
        return action_to_json(action)

    def action_from_json(self, value: object) -> Action:
        return action_from_json(value)

    def state_to_json(self, state: State) -> Json:
        return codec.state_to_json(state)

    def state_from_json(self, value: Json) -> State:
        return codec.state_from_json(self.rule_set, value)

    def event_to_json(self, event: Event) -> Json:
        assert isinstance(event, DominoEvent)
        return codec.event_to_json(event)

    def event_from_json(self, value: Json) -> Event:
        return codec.event_from_json(value)

    def check_hand(self, hand: Json) -> None:
        for name in array(key(hand, "tiles"), "tiles"):
            text(name, "tiles")
        for play in array(key(hand, "plays"), "plays"):
            text(play, "plays")

    def recorded(self, hand: Json, ask: Ask) -> tuple[int, ...] | None:
        return shuffled(hand["tiles"])

    def read_line(self, state: State, line: str) -> tuple[Seat, tuple[Action, ...]]:
        seat, space, play = line.partition(" ")
        if not space or seat not in map(str, range(len(state.hands))):
            raise Unreadable(f"cannot be read: {line!r:.60}")
        return int(seat), (read_play(play),)

    def shows(self, action: Action) -> bool:
        return True

    def rows(self, state: State, line: str | None, events: tuple[Event, ...]) -> list[Json]:
        found: list[Json] = []
        for event in events:
            if isinstance(event, Laid):
                row = {"sum": event.total, "points": event.points, "score": list(event.score)}
                found.append({"seat": event.seat, "play": (line or "")[2:], **row})
            elif isinstance(event, Drew):
                score = list(state.open.score)
                found.append({"seat": event.seat, "play": "draw", "score": score})
            elif isinstance(event, HandEnded):
                ended = codec.result_to_json(event.result)
                found.append({k: ended[k] for k in ("end", "winner", "points", "score", "next")})
        return found

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
        some = {name: choices[0] for name, choices in self.choices.items()}
        return figures.chances(self.seats(some), self.rule_set.hand_size)

    def given(self, state: State, ask: Ask, answer: tuple[int, ...]) -> Iterable[tuple[str, str]]:
        by_double = state.open.opener is None
        return figures.given(answer, len(state.hands), self.rule_set.hand_size, by_double)
