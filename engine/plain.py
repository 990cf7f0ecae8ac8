"""Plain JSON read strictly: each reader returns what it was asked for or raises
:class:`~engine.game.Unreadable` with what was found where."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.game import Json, Outcome, Reason, Unreadable

T = TypeVar("T")

REASONS: tuple[Reason, ...] = ("points", "resigned", "time", "left")


def obj(value: object, what: str) -> Json:
    """An object."""
    if not isinstance(value, dict):
        raise Unreadable(f"{what}: not an object")
    return value


def key(value: Json, name: str) -> object:
    """What stands under a key that has to be there."""
    if name not in value:
        raise Unreadable(f"no {name!r}")
    return value[name]


def integer(value: object, what: str, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``; no boolean is one."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Unreadable(f"{what}: not a whole number")
    if not low <= value <= high:
        raise Unreadable(f"{what}: not from {low} to {high}")
    return value


def text(value: object, what: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise Unreadable(f"{what}: not a string")
    return value


def word(value: object, what: str, words: tuple[T, ...]) -> T:
    """One of some words."""
    for each in words:
        if value == each and isinstance(value, str):
            return each
    raise Unreadable(f"{what}: not one of {', '.join(map(str, words))}")


def array(value: object, what: str) -> list[object]:
    """An array."""
    if not isinstance(value, list):
        raise Unreadable(f"{what}: not an array")
    return value


def numbers(value: object, what: str, low: int, high: int) -> tuple[int, ...]:
    """An array of whole numbers."""
    return tuple([integer(each, what, low, high) for each in array(value, what)])


def optional(read: Callable[[object], T], value: object) -> T | None:
    """``None``, or what ``read`` makes of the value."""
    return None if value is None else read(value)


def outcome_to_json(outcome: Outcome) -> Json:
    """``{"winners": [0], "reason": "points", "score": [80, 55]}``."""
    return {
        "winners": list(outcome.winners),
        "reason": outcome.reason,
        "score": list(outcome.score),
    }


def outcome_from_json(value: object) -> Outcome:
    """The inverse; raises :class:`Unreadable`."""
    given = obj(value, "outcome")
    return Outcome(
        numbers(key(given, "winners"), "winners", 0, 99),
        word(key(given, "reason"), "reason", REASONS),
        numbers(key(given, "score"), "score", 0, 10_000),
    )
