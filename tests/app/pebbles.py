"""A tiny game for three, with hidden stones: nothing in the house may assume two seats.

Nine stones 1 to 9 are dealt, three to a seat. In turn each lays one of theirs; when all lie, who
laid the highest last stone has won. Every deal is a match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

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
from engine.statistics import Mean, Statistic

SEATS = 3
STONES = 9


@dataclass(frozen=True, slots=True)
class Pebbles:
    hands: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    laid: tuple[int, ...] = ()
    ended: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Told:
    name: str
    values: Mapping[str, object]
    audience: frozenset[Seat] | None = None


@dataclass(frozen=True, slots=True)
class PebbleGame:
    name: str = "pebbles"
    rules: str = "plain"
    lines_key: str = "plays"

    @property
    def choices(self) -> Mapping[str, tuple[int, ...]]:
        return {"target": (1, 2)}

    def seats(self, options: Options) -> int:
        del options
        return SEATS

    def start(self, options: Options) -> Step[Pebbles]:
        del options
        return Step(Pebbles())

    def asks(self, state: Pebbles) -> Ask | None:
        return None if state.hands else Ask(1, "stones", "shuffle", STONES)

    def give(self, state: Pebbles, answer: tuple[int, ...]) -> Step[Pebbles]:
        stones = [n + 1 for n in answer]
        hands = tuple(tuple(sorted(stones[3 * s : 3 * s + 3])) for s in range(SEATS))
        told = tuple(
            Told("stones", {"seat": s, "stones": list(hands[s])}, frozenset({s}))
            for s in range(SEATS)
        )
        return Step(replace(state, hands=hands), told, ({"stones": stones},))

    def to_act(self, state: Pebbles) -> tuple[Seat, ...]:
        if not state.hands or state.ended:
            return ()
        return (len(state.laid) % SEATS,)

    def legal(self, state: Pebbles, seat: Seat) -> tuple[int, ...]:
        return state.hands[seat] if seat in self.to_act(state) else ()

    def apply(self, state: Pebbles, seat: Seat, action: int) -> Step[Pebbles]:
        if seat not in self.to_act(state):
            raise Refusal("not_your_turn", "X1")
        if action not in state.hands[seat]:
            raise Refusal("not_yours", "X2", stone=action)
        hand = tuple(stone for stone in state.hands[seat] if stone != action)
        hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
        state = replace(state, hands=hands, laid=(*state.laid, action))
        events = [Told("laid", {"seat": seat, "stone": action})]
        if len(state.laid) == STONES:
            last = state.laid[-SEATS:]
            won = Outcome((last.index(max(last)),), "points", last)
            state = replace(state, ended=won)
            events.append(Told("match_ended", {"winners": list(won.winners)}))
        return Step(state, tuple(events), (f"{seat} {action}",))

    def takes_back(self, action: int) -> bool:
        del action
        return False

    def score(self, state: Pebbles) -> tuple[int, ...]:
        return state.laid[-SEATS:] if len(state.laid) == STONES else (0,) * SEATS

    def fallback(self, state: Pebbles, seat: Seat) -> int:
        return state.hands[seat][0]

    def concede(self, state: Pebbles, seat: Seat, reason: Reason) -> Step[Pebbles]:
        others = tuple(s for s in range(SEATS) if s != seat)
        return Step(replace(state, ended=Outcome(others, reason, (0,) * SEATS)))

    def outcome(self, state: Pebbles) -> Outcome | None:
        return state.ended

    def move(self, state: Pebbles) -> int:
        return len(state.laid)

    def hand(self, state: Pebbles) -> int:
        return 1 if state.hands else 0

    def view(self, state: Pebbles, viewer: Viewer) -> Json:
        return {
            "seat": viewer,
            "laid": list(state.laid),
            "counts": [len(hand) for hand in state.hands],
            "stones": [] if viewer is None else list(state.hands[viewer]),
        }

    def open_view(self, state: Pebbles, viewer: Viewer) -> Json:
        return {**self.view(state, viewer), "all_stones": [list(hand) for hand in state.hands]}

    def action_to_json(self, action: int) -> Json:
        return {"stone": action}

    def action_from_json(self, value: object) -> int:
        match value:
            case {"stone": int(stone)}:
                return stone
            case _:
                raise Unreadable("no stone")

    def state_to_json(self, state: Pebbles) -> Json:
        ended = state.ended
        return {
            "hands": [list(hand) for hand in state.hands],
            "laid": list(state.laid),
            "ended": ended and [list(ended.winners), ended.reason, list(ended.score)],
        }

    def state_from_json(self, value: Json) -> Pebbles:
        ended = value["ended"]
        return Pebbles(
            tuple(tuple(hand) for hand in value["hands"]),
            tuple(value["laid"]),
            ended and Outcome(tuple(ended[0]), ended[1], tuple(ended[2])),
        )

    def event_to_json(self, event: Event) -> Json:
        assert isinstance(event, Told)
        return {"event": event.name, **event.values}

    def event_from_json(self, value: Json) -> Event:
        return Told(value["event"], {k: v for k, v in value.items() if k != "event"})

    def check_hand(self, hand: Json) -> None:
        if "stones" not in hand:
            raise Unreadable("no stones")

    def recorded(self, hand: Json, ask: Ask) -> tuple[int, ...] | None:
        del ask
        return tuple(stone - 1 for stone in hand["stones"])

    def read_line(self, state: Pebbles, line: str) -> tuple[Seat, tuple[int, ...]]:
        del state
        seat, stone = line.split()
        return int(seat), (int(stone),)

    def shows(self, action: int) -> bool:
        del action
        return True

    def rows(self, state: Pebbles, line: str | None, events: tuple[Event, ...]) -> list[Json]:
        del state, line
        return [self.event_to_json(event) for event in events]

    @property
    def counters(self) -> tuple[str, ...]:
        return ("laid",)

    def count(self, state: Pebbles, events: tuple[Event, ...]) -> list[tuple[Seat, str, int]]:
        del state
        rows = [self.event_to_json(event) for event in events]
        return [(row["seat"], "laid", 1) for row in rows if row["event"] == "laid"]

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        return (Mean("laid", "laid", "hands"),)

    @property
    def chances(self) -> Mapping[str, Mapping[str, Fraction]]:
        return {"highest": {str(seat): Fraction(1, SEATS) for seat in range(SEATS)}}

    def given(self, state: Pebbles, ask: Ask, answer: tuple[int, ...]) -> list[tuple[str, str]]:
        del state, ask
        return [("highest", str(answer.index(STONES - 1) // 3))]


PEBBLES = PebbleGame()
