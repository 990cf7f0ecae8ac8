"""Layouts as a graph: what a computer player needs of a layout, each kind of layout once.

The engine lays the tiles and counts (:class:`~engine.domino.layout.Layout`); this remembers the
answers, so that playing a hand out is a walk along ready edges. Two layouts are one position
where nothing tells their futures apart: by what every open end asks for and counts. There are
some 5,000 of them, 25 MB if all are met.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from engine.domino import GEORGIAN
from engine.domino.layout import Layout
from engine.domino.tiles import BIT, IS_DOUBLE, OF_BIT, PIPS, SHOWING, Tile, TileSet

RULES: Final = GEORGIAN.rule_set
PIP: Final = 0.1
DOUBLE: Final = 0.5
SHED: Final = {bit: PIP * PIPS[OF_BIT[bit]] + DOUBLE * IS_DOUBLE[OF_BIT[bit]] for bit in BIT}
"""What it is worth to be rid of a tile, in points."""
WHOLE: Final[TileSet] = (1 << 28) - 1

Key: TypeAlias = tuple[tuple[int, int, bool], ...]


class Edge(NamedTuple):
    """A lay: the points it scores and the position it leads to. ``bias``: its points and what the
    tile laid is worth by itself (:data:`SHED`)."""

    bias: float
    points: int
    to: Position


class Position:
    """``fits``: every tile of the set that can be laid; ``answers``: the tiles that score
    here, by points, most first. ``edges``: what each tile can do here, by its bit; empty until
    :meth:`Positions.grow`."""

    __slots__ = ("answers", "edges", "fits", "layout")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.fits = layout.fits if layout.placed else WHOLE
        self.edges: dict[int, tuple[Edge, ...]] = {}
        self.answers: tuple[tuple[int, TileSet], ...] = ()


def key(layout: Layout) -> Key:
    """What tells positions apart: of every end what it asks for and counts, and whether it is a
    main side of the stavka that is still free; the order of the ends does not matter."""
    free = layout.uncovered
    return tuple(sorted([(e.asks, e.value, e.end in free) for e in layout.ends]))


def laid(layout: Layout, tile: Tile) -> Iterator[Layout]:
    """What laying a tile at each end that it fits leads to."""
    if not layout.placed:
        yield layout.open_with(tile)
    for index, end in enumerate(layout.ends):
        if SHOWING[end.asks] & BIT[tile]:
            yield layout.lay(tile, index)


class Positions:
    """The graph, grown where it is walked."""

    def __init__(self) -> None:
        self._known: dict[Key, Position] = {}

    def at(self, layout: Layout) -> Position:
        """The position of a layout, grown."""
        found = self._at(layout)
        if not found.edges:
            self.grow(found)
        return found

    def _at(self, layout: Layout) -> Position:
        # Nothing asks for more of what was laid than whether it was the first tile (G17): two of
        # them stand for all, and memory stays small.
        name = key(layout)
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = Position(layout._replace(placed=layout.placed[-2:]))
        return found

    def grow(self, here: Position) -> None:
        """Finds every edge of a position. The set of tiles is whole here: whoever walks has the
        tiles to walk with."""
        best: dict[int, int] = {}
        for bit in BIT:
            if not here.fits & bit:
                continue
            tile = OF_BIT[bit]
            found: dict[int, Edge] = {}
            for layout in laid(here.layout, tile):
                to = self._at(layout)
                points = RULES.lay_points(layout)
                found[id(to)] = Edge(points + SHED[bit], points, to)
            here.edges[bit] = tuple(found.values())
            best[bit] = max(edge.points for edge in here.edges[bit])
        by_points: dict[int, int] = {}
        for bit, points in best.items():
            if points:
                by_points[points] = by_points.get(points, 0) | bit
        here.answers = tuple(sorted(by_points.items(), reverse=True))


POSITIONS: Final = Positions()
"""The one graph of a process."""
EMPTY: Final = POSITIONS.at(Layout())
"""The table before the first tile."""
