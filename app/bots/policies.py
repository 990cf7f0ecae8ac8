"""The computer players there are: by game and rules, and by level."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final

from app.bots.policy import LEVELS, Level, Policy

_ROOMS: Final = MappingProxyType(
    {
        ("domino", "georgian"): "app.bots.domino",
        ("nardi", "short"): "app.bots.nardi",
    }
)
"""Where the computer players of each rule set are."""


@cache
def policies(game: str, rules: str) -> Mapping[Level, Policy]:
    """The computer players of a rule set that play here; a level may lack, for want of what it is
    made with, and so may all."""
    room = _ROOMS.get((game, rules))
    if room is None:
        return MappingProxyType({})
    there: Mapping[Level, Policy] = import_module(room).POLICIES
    return there


def ready(game: str, rules: str) -> None:
    """Load what the computer players of a rule set are made of."""
    policies(game, rules)


def levels(game: str, rules: str) -> tuple[Level, ...]:
    """The levels that play here, the weakest first."""
    return tuple(level for level in LEVELS if level in policies(game, rules))


def policy(game: str, rules: str, level: str) -> Policy:
    """The computer player of a level, or the strongest there is below it: a table may have been
    made where more is installed. Raises :class:`KeyError` where nobody plays."""
    there = policies(game, rules)
    wanted = LEVELS[: LEVELS.index(level) + 1] if level in LEVELS else ()
    found = next((there[each] for each in reversed(wanted) if each in there), None)
    if found is None:
        raise KeyError(f"nobody plays {game} {rules} at level {level!r:.20}")
    return found
