"""State and events as plain JSON, and strictly back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_args

from engine import plain
from engine.game import Event, Json, Seat, Unreadable
from engine.nardi import board as boards
from engine.nardi import events as ev
from engine.nardi.events import Pair
from engine.nardi.match import LastHand, LastTurn, Phase, State
from engine.nardi.moves import STEPS, Step, play
from engine.nardi.turns import moves_of, steps

_MOST = 10_000
"""More hands, turns or points than any match has."""
_PHASES: tuple[Phase, ...] = get_args(Phase)


def state_to_json(state: State) -> Json:
    """The whole state; the board as 52 hexadecimal digits, steps as pairs of source and die."""
    return {
        "target": state.target,
        "hand": state.hand,
        "score": list(state.score),
        "phase": state.phase,
        "opening": [list(pair) for pair in state.opening],
        "turn": state.turn,
        "seat": state.seat,
        "start": boards.to_json(state.start),
        "dice": None if state.dice is None else list(state.dice),
        "steps": [list(step) for step in state.steps],
        "last_turn": None if state.last_turn is None else _named(state.last_turn),
        "last_hand": None
        if state.last_hand is None
        else _named(state.last_hand) | {"board": boards.to_json(state.last_hand.board)},
        "outcome": None if state.outcome is None else plain.outcome_to_json(state.outcome),
    }


def state_from_json(value: object) -> State:
    """The state of :func:`state_to_json`. Raises :class:`Unreadable`, also for a state that no
    match can be in."""
    given = _exactly(value, "state", {each.name for each in fields(State)})
    state = State(
        target=plain.integer(given["target"], "target", 1, _MOST),
        hand=plain.integer(given["hand"], "hand", 1, _MOST),
        score=_pair(given["score"], "score", 0, _MOST),
        phase=plain.word(given["phase"], "phase", _PHASES),
        opening=tuple(_dice(pair) for pair in plain.array(given["opening"], "opening")),
        turn=plain.integer(given["turn"], "turn", 0, _MOST),
        seat=plain.optional(_seat, given["seat"]),
        start=boards.from_json(given["start"]),
        dice=plain.optional(_roll, given["dice"]),
        steps=tuple(_step(pair) for pair in plain.array(given["steps"], "steps")),
        last_turn=plain.optional(_last_turn, given["last_turn"]),
        last_hand=plain.optional(_last_hand, given["last_hand"]),
        outcome=plain.optional(plain.outcome_from_json, given["outcome"]),
    )
    _check(state)
    return state


def _check(state: State) -> None:
    """Raises :class:`Unreadable` where the parts of a state contradict each other."""
    if (state.phase == "over") != (state.outcome is not None):
        raise Unreadable("state: a match that is over has an outcome, and no other")
    if state.phase in ("roll", "rolling", "move") and state.seat is None:
        raise Unreadable("state: no seat is on turn")
    if state.phase == "opening" and (state.seat is not None or state.start != boards.START):
        raise Unreadable("state: a hand under way before its opening roll")
    if state.phase in ("opening", "roll", "rolling") and state.dice is not None:
        raise Unreadable("state: dice before the roll")
    if state.phase == "move" and state.dice is None:
        raise Unreadable("state: no dice to move with")
    if state.dice is None and state.steps:
        raise Unreadable("state: steps without dice")
    board, left = state.start, list(moves_of(state.dice) if state.dice else ())
    for step in state.steps:
        if step not in steps(board, left):
            raise Unreadable("state: a step that is not legal")
        left.remove(step.die)
        board, _ = play(board, step)


def event_to_json(event: Event) -> Json:
    """``{"event": "moved", "seat": 0, …}``: the fields by name."""
    name = _NAME_OF.get(type(event))
    if name is None:
        raise Unreadable("no event of nardi")
    found: Json = {"event": name, **_named(event)}
    if isinstance(event, ev.NoMove):
        found["reasons"] = [
            {"die": dead.die, "code": dead.code, "rule": dead.rule, "values": dict(dead.values)}
            for dead in event.reasons
        ]
    return {key: _lists(each) for key, each in found.items()}


def event_from_json(value: object) -> ev.NardiEvent:
    """The event of :func:`event_to_json`. Raises :class:`Unreadable`."""
    given = plain.obj(value, "event")
    name = plain.text(plain.key(given, "event"), "event")
    if name not in _KINDS:
        raise Unreadable("event: none of nardi's")
    kind = _KINDS[name]
    _exactly(given, name, {"event", *(each.name for each in fields(kind))})
    return kind(**{each.name: _FIELDS[each.name](given[each.name]) for each in fields(kind)})


def _named(value: Any) -> Json:
    """The fields of a flat value by name: this runs with every step, and ``asdict`` copies
    deeply."""
    return {name: getattr(value, name) for name in value.__match_args__}


def _lists(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _exactly(value: object, what: str, keys: set[str]) -> Json:
    given = plain.obj(value, what)
    if set(given) != keys:
        raise Unreadable(f"{what}: not exactly the keys {', '.join(sorted(keys))}")
    return given


def _pair(value: object, what: str, low: int, high: int) -> Pair:
    found = plain.numbers(value, what, low, high)
    if len(found) != 2:
        raise Unreadable(f"{what}: not two numbers")
    return found[0], found[1]


def _dice(value: object) -> Pair:
    return _pair(value, "dice", 1, 6)


def _roll(value: object) -> Pair:
    large, small = _dice(value)
    if large < small:
        raise Unreadable("dice: not larger first")
    return large, small


def _seat(value: object) -> Seat:
    return plain.integer(value, "seat", 0, 1)


def _place(value: object) -> int:
    return plain.integer(value, "place", boards.OFF, boards.BAR)


def _die(value: object) -> int:
    return plain.integer(value, "die", 1, 6)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Unreadable("kill: not true or false")
    return value


def _step(value: object) -> Step:
    source, die = _pair(value, "step", 0, boards.BAR)
    return STEPS[source][_die(die)]


def _moved(value: object) -> tuple[int, int, bool]:
    source, target, kill = _three(plain.array(value, "move"), "move")
    return _place(source), _place(target), _flag(kill)


def _three(found: list[object], what: str) -> tuple[object, object, object]:
    if len(found) != 3:
        raise Unreadable(f"{what}: not three values")
    return found[0], found[1], found[2]


def _last_turn(value: object) -> LastTurn:
    given = _exactly(value, "last_turn", {each.name for each in fields(LastTurn)})
    return LastTurn(
        seat=_seat(given["seat"]),
        dice=_roll(given["dice"]),
        moves=tuple(_moved(move) for move in plain.array(given["moves"], "moves")),
        text=plain.text(given["text"], "text"),
    )


def _last_hand(value: object) -> LastHand:
    given = _exactly(value, "last_hand", {each.name for each in fields(LastHand)})
    return LastHand(**{name: _FIELDS[name](given[name]) for name in given})


def _dead(value: object) -> ev.DeadDie:
    given = _exactly(value, "reason", {"die", "code", "rule", "values"})
    values = plain.obj(given["values"], "values")
    if any(not isinstance(each, str | int) or isinstance(each, bool) for each in values.values()):
        raise Unreadable("values: neither text nor number")
    code, rule = plain.text(given["code"], "code"), plain.text(given["rule"], "rule")
    return ev.DeadDie(_die(given["die"]), code, rule, tuple(values.items()))


def _dead_dice(value: object) -> tuple[ev.DeadDie, ...]:
    return tuple(_dead(each) for each in plain.array(value, "reasons"))


def _nobody(value: object) -> None:
    if value is not None:
        raise Unreadable("next: a roll decides who opens")


_FIELDS: dict[str, Callable[[object], Any]] = {
    "hand": lambda value: plain.integer(value, "hand", 1, _MOST),
    "number": lambda value: plain.integer(value, "number", 0, _MOST),
    "dice": _dice,
    "seat": _seat,
    "source": _place,
    "target": _place,
    "die": _die,
    "kill": _flag,
    "reasons": _dead_dice,
    "moves": lambda value: plain.text(value, "moves"),
    "position": lambda value: plain.text(value, "position"),
    "end": lambda value: plain.word(value, "end", ev.ENDS),
    "winner": _seat,
    "points": lambda value: plain.integer(value, "points", 1, 3),
    "score": lambda value: _pair(value, "score", 0, _MOST),
    "board": boards.from_json,
    "next": _nobody,
    "winners": lambda value: plain.numbers(value, "winners", 0, 1),
    "reason": lambda value: plain.word(value, "reason", plain.REASONS),
}
"""How to read each field of an event: one name, one meaning."""

_KINDS: dict[str, type[ev.NardiEvent]] = {
    "opening_rolled": ev.OpeningRolled,
    "hand_started": ev.HandStarted,
    "rolled": ev.Rolled,
    "moved": ev.Moved,
    "taken_back": ev.TakenBack,
    "no_move": ev.NoMove,
    "turn_ended": ev.TurnEnded,
    "hand_ended": ev.HandEnded,
    "match_ended": ev.MatchEnded,
}
_NAME_OF: dict[type[Event], str] = {kind: name for name, kind in _KINDS.items()}
