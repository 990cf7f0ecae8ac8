"""The tiles on the table: open ends, the stavka's four arms, and the count (G6–G10, G18).

A layout knows no hands, no turns and no points; a rule set makes points of its ``total``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.domino.tiles import HIGH, IS_DOUBLE, LOW, SHOWING, Tile, TileSet

End: TypeAlias = Literal["L", "R", "U", "D"]
"""``L`` and ``R`` are the two ends of the line, ``U`` and ``D`` the stavka's third and fourth
side."""

ENDS: Final[tuple[End, ...]] = ("L", "R", "U", "D")
_INDEX: Final = {end: index for index, end in enumerate(ENDS)}


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A place where a tile can be laid.

    ``asks``: the number; ``value``: what the end adds to the count now; ``counts``: whether it
    is a term of the count at all (a side of the stavka without a tile is none: G18).
    """

    end: End
    asks: int
    value: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile as it lies: ``inner`` is its half towards the chain, ``outer`` the other. For an
    opening tile that is no double, ``inner`` asks at ``L`` and ``outer`` at ``R``."""

    tile: Tile
    end: End | None
    inner: int
    outer: int


@cache
def _open(end: End, asks: int, value: int, counts: bool) -> OpenEnd:
    return OpenEnd(end, asks, value, counts)


_NEW_END: Final = {
    (end, tile, asks): (
        _open(end, outer, 2 * outer if IS_DOUBLE[tile] else outer, True),
        Placed(tile, end, asks, outer),
    )
    for end in ENDS
    for tile in (Tile(i) for i in range(28))
    for asks, outer in ((LOW[tile], HIGH[tile]), (HIGH[tile], LOW[tile]))
}
"""What laying a tile at an end that asks for a number makes there."""


class Layout(NamedTuple):
    """``ends``: the open ends in the order L, R, U, D. ``stavka``: the first double laid (G7);
    ``uncovered``: those of its two main sides that are free (G8). ``total``: the sum of the open
    ends (G18). ``fits``: every tile of the set that fits some open end."""

    placed: tuple[Placed, ...] = ()
    ends: tuple[OpenEnd, ...] = ()
    stavka: Tile | None = None
    uncovered: tuple[End, ...] = ()
    total: int = 0
    fits: TileSet = 0

    def open_with(self, tile: Tile) -> Layout:
        """The layout of an opening tile: two open ends; a double counts once (G8, G18)."""
        low, high = LOW[tile], HIGH[tile]
        placed = (Placed(tile, None, low, high),)
        if IS_DOUBLE[tile]:
            ends = (_open("L", low, 2 * low, True), _open("R", low, 0, False))
            return Layout(placed, ends, tile, ("L", "R"), 2 * low, SHOWING[low])
        ends = (_open("L", low, low, True), _open("R", high, high, True))
        return Layout(placed, ends, None, (), low + high, SHOWING[low] | SHOWING[high])

    def lay(self, tile: Tile, index: int) -> Layout:
        """The layout with ``tile`` laid at ``ends[index]``, whose number it shows (G6)."""
        old = self.ends[index]
        end = old.end
        new, placed = _NEW_END[end, tile, old.asks]
        ends = list(self.ends)
        ends[index] = new
        stavka, uncovered = self.stavka, self.uncovered
        if end in uncovered:
            asks = old.asks
            if len(uncovered) == 1:  # G9: both main sides covered, two more open
                uncovered = ()
                ends += (_open("U", asks, 0, False), _open("D", asks, 0, False))
            else:
                uncovered = tuple([side for side in uncovered if side != end])
                free = 1 - index
                ends[free] = _open(ends[free].end, asks, 2 * asks, True)
        elif stavka is None and IS_DOUBLE[tile]:
            stavka, uncovered = tile, (end,)
        total = fits = 0
        for each in ends:
            total += each.value
            fits |= SHOWING[each.asks]
        return Layout((*self.placed, placed), tuple(ends), stavka, uncovered, total, fits)

    def at(self, end: End) -> int | None:
        """The index in ``ends`` of an open end, or ``None``. The ends open in the order of
        ``ENDS``: the last two together, once the stavka is covered."""
        index = _INDEX[end]
        return index if index < len(self.ends) else None

    @property
    def asked(self) -> tuple[int, ...]:
        """The numbers that the open ends ask for, each once, lowest first."""
        return tuple(sorted({end.asks for end in self.ends}))

    def terms(self) -> tuple[int, ...]:
        """The terms of the count, ``(4, 10, 1, 0)`` for 4+10+1+0."""
        return tuple([each.value for each in self.ends if each.counts])
