"""What a player can do: lay a tile, or draw one from the bazaar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.domino.layout import ENDS, End
from engine.domino.tiles import BIT, NAMES, TILES, Tile, tile
from engine.game import Json, Unreadable


@dataclass(frozen=True, slots=True)
class Lay:
    """A tile laid at an open end; ``end`` is ``None`` for the tile that opens a hand."""

    tile: Tile
    end: End | None

    def __repr__(self) -> str:
        return f"Lay({write_play(self)})"


@dataclass(frozen=True, slots=True)
class Draw:
    """One tile from the bazaar (G12)."""


Action: TypeAlias = Lay | Draw

DRAW: Final = Draw()
LAYS: Final = {end: {BIT[each]: Lay(each, end) for each in TILES} for end in (None, *ENDS)}
"""Every possible :class:`Lay`, by end and by the tile's bit: made once."""


_WRITTEN: Final = {
    end: tuple([NAMES[each] + (f"@{end}" if end else "") for each in TILES])
    for end in (None, *ENDS)
}


def action_to_json(action: Action) -> Json:
    """``{"action": "lay", "tile": "4-6", "end": "R"}`` or ``{"action": "draw"}``."""
    if isinstance(action, Lay):
        return {"action": "lay", "tile": NAMES[action.tile], "end": action.end}
    return {"action": "draw"}


def action_from_json(value: object) -> Action:
    """The inverse; raises :class:`Unreadable` for anything else."""
    if not isinstance(value, dict):
        raise Unreadable("an action is an object")
    if value == {"action": "draw"}:
        return DRAW
    if value.get("action") != "lay" or value.keys() != {"action", "tile", "end"}:
        raise Unreadable("an action is a lay with tile and end, or a draw")
    return LAYS[_end(value["end"])][BIT[tile(value["tile"])]]


def _end(value: object) -> End | None:
    for end in ENDS:
        if value == end:
            return end
    if value is None:
        return None
    raise Unreadable(f"no such end: {value!r:.40}")


def read_play(text: str) -> Action:
    """A play of the record without its seat: ``6-6``, ``4-6@R`` or ``draw``."""
    if text == "draw":
        return DRAW
    name, at, end = text.partition("@")
    return LAYS[_end(end) if at else None][BIT[tile(name)]]


def write_play(action: Action) -> str:
    """The play as the record writes it, without its seat."""
    if isinstance(action, Draw):
        return "draw"
    return _WRITTEN[action.end][action.tile]
