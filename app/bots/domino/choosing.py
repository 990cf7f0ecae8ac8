"""The legal lays of a view, without those that come to the same as another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.bots.domino.playing import Lay
from app.bots.domino.positions import EMPTY, POSITIONS, RULES, SHED, Edge
from app.bots.domino.seen import Seen
from engine.domino.tiles import BIT, BY_NAME, OF_BIT
from engine.game import Json


class Choice(NamedTuple):
    """A legal action and the lay that it is."""

    action: Json
    lay: Lay


def choices(seen: Seen, legal: Sequence[Json]) -> list[Choice]:
    """The lays among ``legal``; of two that come to the same the first."""
    found: dict[tuple[int, int], Choice] = {}
    for action in legal:
        bit = BIT[BY_NAME[action["tile"]]]
        edge = _edge(seen, action["end"], bit)
        found.setdefault((bit, id(edge.to)), Choice(action, (bit, edge)))
    return list(found.values())


def _edge(seen: Seen, end: object, bit: int) -> Edge:
    if end is None:
        return EMPTY.edges[bit][0]
    (index,) = [i for i, each in enumerate(seen.layout.ends) if each.end == end]
    layout = seen.layout.lay(OF_BIT[bit], index)
    points = RULES.lay_points(layout)
    return Edge(points + SHED[bit], points, POSITIONS.at(layout))
