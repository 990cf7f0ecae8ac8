"""Positions of Georgian domino, written down the way a person would."""

from __future__ import annotations

from collections.abc import Iterable

from engine.domino import GEORGIAN
from engine.domino.actions import Action, read_play
from engine.domino.state import State
from engine.domino.tiles import BY_NAME, NAMES
from engine.game import Event, Json, Step

GAME = GEORGIAN


def order(first: str, second: str, bazaar: str = "") -> tuple[int, ...]:
    """A shuffled set that deals these hands and, as far as named, this front of the bazaar."""
    named = [BY_NAME[name] for name in f"{first} {second} {bazaar}".split()]
    assert len(set(named)) == len(named)
    return tuple(named) + tuple(i for i in range(28) if i not in named)


def fresh(target: int = 75) -> State:
    """A match before its first hand."""
    return GAME.start({"target": target}).state


def dealt(first: str, second: str, bazaar: str = "", target: int = 75) -> State:
    """A match in its first hand."""
    return GAME.give(fresh(target), order(first, second, bazaar)).state


def position(
    placed: str,
    first: str,
    second: str,
    bazaar: str = "",
    *,
    turn: int = 0,
    score: tuple[int, int] = (0, 0),
    target: int = 75,
    hand: int = 2,
    last_plain: int | None = None,
) -> State:
    """A position in the middle of a hand. ``placed``: tiles as the record writes them, laid by
    seat 0 and 1 in turn unless a seat stands before them (``1:4-6@R``)."""
    plays = []
    for number, play in enumerate(placed.split()):
        seat, colon, rest = play.partition(":")
        plays.append(f"{seat} {rest}" if colon else f"{number % 2} {play}")
    given: Json = {
        "target": target,
        "score": list(score),
        "hand": hand,
        "turn": turn,
        "opener": 0,
        "must_open": None,
        "placed": plays,
        "last_plain": last_plain,
        "last_hand": None,
        "outcome": None,
        "hands": [first.split(), second.split()],
        "bazaar": bazaar.split(),
    }
    return GAME.state_from_json(given)


def play(state: State, *plays: str) -> Step[State]:
    """Plays of the record, ``0 4-6@R``, one after the other; the step of the last one."""
    step = Step(state)
    for each in plays:
        seat, text = each.split(" ", 1)
        step = GAME.apply(step.state, int(seat), read_play(text))
    return step


def legal(state: State, seat: int) -> list[str]:
    """The legal plays of a seat as the record writes them."""
    return [written(action) for action in GAME.legal(state, seat)]


def written(action: Action) -> str:
    """An action as the record writes it."""
    json = GAME.action_to_json(action)
    if json["action"] == "draw":
        return "draw"
    return str(json["tile"]) + (f"@{json['end']}" if json["end"] else "")


def told(events: Iterable[Event], name: str) -> list[Json]:
    """The events of one kind, as JSON."""
    rows = [GAME.event_to_json(event) for event in events]
    return [row for row in rows if row["event"] == name]


def all_names() -> list[str]:
    """The 28 names."""
    return list(NAMES)
