"""The double-six set (G1) and sets of its tiles.

A :data:`Tile` is a number 0 to 27 in the order 0-0, 0-1, … 0-6, 1-1, … 6-6; a :data:`TileSet`
is an int with bit ``t`` set for every tile ``t`` in it, so that "has a tile that fits" is one
``&``. The tables below answer everything about a single tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NewType, TypeAlias

from engine.game import Unreadable

Tile = NewType("Tile", int)
TileSet: TypeAlias = int

LOW: Final = tuple(a for a in range(7) for _ in range(a, 7))
HIGH: Final = tuple(b for a in range(7) for b in range(a, 7))
TILES: Final = tuple(Tile(i) for i in range(28))
NAMES: Final = tuple(f"{a}-{b}" for a, b in zip(LOW, HIGH, strict=True))
PIPS: Final = tuple(a + b for a, b in zip(LOW, HIGH, strict=True))
IS_DOUBLE: Final = tuple(a == b for a, b in zip(LOW, HIGH, strict=True))
BY_NAME: Final = {name: Tile(i) for i, name in enumerate(NAMES)}
BIT: Final = tuple(1 << i for i in range(28))
OF_BIT: Final = {1 << i: Tile(i) for i in range(28)}

SHOWING: Final[tuple[TileSet, ...]] = tuple(
    sum(BIT[t] for t in TILES if number in (LOW[t], HIGH[t])) for number in range(7)
)
"""For each number the seven tiles that show it."""
DOUBLES: Final[TileSet] = sum(BIT[t] for t in TILES if IS_DOUBLE[t])


def tile(name: object) -> Tile:
    """The tile of a canonical name like ``"4-6"``. Raises :class:`Unreadable`."""
    found = BY_NAME.get(name) if isinstance(name, str) else None
    if found is None:
        raise Unreadable(f"no such tile: {name!r:.40}")
    return found


def tile_set(tiles: Iterable[Tile]) -> TileSet:
    """The set of the given tiles."""
    whole = 0
    for each in tiles:
        whole |= BIT[each]
    return whole


def members(tiles: TileSet) -> Iterator[Tile]:
    """The tiles of a set, lowest first."""
    while tiles:
        low = tiles & -tiles
        yield OF_BIT[low]
        tiles ^= low


def names(tiles: TileSet) -> list[str]:
    """The names of a set's tiles, lowest first."""
    return [NAMES[each] for each in members(tiles)]


def pips(tiles: TileSet) -> int:
    """All pips of a set."""
    return sum(PIPS[each] for each in members(tiles))
