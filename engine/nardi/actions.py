"""What a player does: roll, move one checker by one die, take back, confirm (N9, N4, N23)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine import plain
from engine.game import Json, Unreadable
from engine.nardi.board import BAR
from engine.nardi.moves import Step


@dataclass(frozen=True, slots=True)
class Roll:
    """The press on the dice: asks the server for a roll (N9)."""


@dataclass(frozen=True, slots=True)
class Move:
    """One checker from ``source`` (1 to 24, 25: the bar) by one die."""

    source: int
    die: int

    @property
    def step(self) -> Step:
        """The same as a step on the board."""
        return Step(self.source, self.die)


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undoes the last step of this turn (N23)."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Ends a complete turn (N23)."""


Action: TypeAlias = Roll | Move | TakeBack | Confirm

_PLAIN: dict[str, Action] = {"roll": Roll(), "take_back": TakeBack(), "confirm": Confirm()}
_NAMES: dict[type[Action], str] = {type(action): name for name, action in _PLAIN.items()}


def action_to_json(action: Action) -> Json:
    """``{"action": "roll"}``, ``{"action": "move", "from": 13, "die": 5}``, ``"from": "bar"``."""
    if isinstance(action, Move):
        return {"action": "move", "from": place_to_json(action.source), "die": action.die}
    return {"action": _NAMES[type(action)]}


def action_from_json(value: object) -> Action:
    """The action of a JSON value. Raises :class:`Unreadable`: nothing unknown, nothing missing."""
    given = plain.obj(value, "action")
    name = plain.text(plain.key(given, "action"), "action")
    if name == "move":
        if set(given) != {"action", "from", "die"}:
            raise Unreadable("a move has 'from' and 'die'")
        source = given["from"]
        place = BAR if source == "bar" else plain.integer(source, "from", 1, 24)
        return Move(place, plain.integer(given["die"], "die", 1, 6))
    if name not in _PLAIN:
        raise Unreadable("action: not one of roll, move, take_back, confirm")
    if len(given) != 1:
        raise Unreadable(f"{name}: has nothing beside it")
    return _PLAIN[name]


def place_to_json(place: int) -> int | str:
    """A point, or ``"bar"``."""
    return "bar" if place == BAR else place
