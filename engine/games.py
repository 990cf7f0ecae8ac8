"""All games there are. A new rule set is one more value here."""

from __future__ import annotations

from typing import Any, Final

from engine.domino import GAMES as DOMINO
from engine.game import Game, Unreadable
from engine.nardi import GAMES as NARDI

GAMES: Final[tuple[Game[Any, Any], ...]] = (*DOMINO, *NARDI)


def game(name: object, rules: object) -> Game[Any, Any]:
    """The game with that name and rule set. Raises :class:`Unreadable`."""
    named = [each for each in GAMES if each.name == name]
    for each in named:
        if each.rules == rules:
            return each
    raise Unreadable(f"unknown rule set: {rules!r:.40}" if named else f"unknown game: {name!r:.40}")


def checked_options(game: Game[Any, Any], given: object) -> dict[str, int]:
    """What a creator or a record picked, complete and among the game's choices. Raises
    :class:`Unreadable`."""
    if not isinstance(given, dict):
        raise Unreadable("options: not an object")
    options: dict[str, int] = {}
    for name, choices in game.choices.items():
        if name not in given:
            raise Unreadable(f"options: no {name!r}")
        value = given[name]
        if not isinstance(value, int) or isinstance(value, bool):
            raise Unreadable(f"options: {name!r} is not a whole number")
        if value not in choices:
            raise Unreadable(f"options: {name} {value} is none of {', '.join(map(str, choices))}")
        options[name] = value
    return options
