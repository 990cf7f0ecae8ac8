"""What a viewer of a domino match is told, and what a seat would best do.

Nothing here ever gets a :class:`~engine.domino.state.State`: only what lies open, and a seat's
own tiles. So nothing hidden can be told (T11).
"""

from __future__ import annotations

from engine.domino.actions import Action, Draw, Lay, action_to_json
from engine.domino.codec import result_to_json
from engine.domino.layout import Layout
from engine.domino.match import legal
from engine.domino.rules import DominoRules
from engine.domino.state import Open
from engine.domino.tiles import NAMES, PIPS, TileSet, names
from engine.game import Json, Viewer
from engine.plain import outcome_to_json


def view(
    rules: DominoRules, table: Open, held: tuple[int, ...], viewer: Viewer, own: TileSet
) -> Json:
    """What ``viewer`` sees, who holds ``own`` (a spectator: nothing); ``held``: how many tiles
    each seat holds."""
    layout = table.layout
    return {
        "game": "domino",
        "rules": rules.name,
        "hand": table.hand,
        "target": table.target,
        "score": list(table.score),
        "seat": viewer,
        "turn": table.turn,
        "opener": table.opener,
        "must_open": None if table.must_open is None else NAMES[table.must_open],
        "counts": list(held),
        "tiles": names(own),
        "bazaar": {"left": table.left, "protected": rules.protected},
        "placed": [
            {
                "seat": seat,
                "tile": NAMES[placed.tile],
                "end": placed.end,
                "in": placed.inner,
                "out": placed.outer,
                "points": points,
            }
            for placed, (seat, points) in zip(layout.placed, table.laid_by, strict=True)
        ],
        "stavka": None if layout.stavka is None else NAMES[layout.stavka],
        "ends": [{"end": e.end, "asks": e.asks, "value": e.value} for e in layout.ends],
        "sum": layout.total,
        "legal": []
        if viewer is None
        else [_offered(rules, layout, action) for action in legal(table, viewer, own)],
        "searches": [
            {
                "seat": search.seat,
                "asks": list(search.asks),
                "placed": search.placed,
                "drew": search.drew,
                "passed": search.passed,
            }
            for search in table.searches
        ],
        "last_hand": None if table.last_hand is None else result_to_json(table.last_hand),
        "outcome": None if table.outcome is None else outcome_to_json(table.outcome),
    }


def laid(layout: Layout, action: Lay) -> Layout:
    """The layout after a legal lay."""
    if action.end is None:
        return layout.open_with(action.tile)
    index = layout.at(action.end)
    assert index is not None
    return layout.lay(action.tile, index)


def _offered(rules: DominoRules, layout: Layout, action: Action) -> Json:
    offered = action_to_json(action)
    if isinstance(action, Lay):
        after = laid(layout, action)
        offered |= {"sum": after.total, "points": rules.lay_points(after)}
    return offered


def fallback(rules: DominoRules, table: Open, seat: int, own: TileSet) -> Action:
    """T7: the tile that scores most; of those the heaviest, then the highest number, then the
    first end. A draw where nothing can be laid."""
    actions = legal(table, seat, own)

    def worth(action: Action) -> tuple[int, int, int]:
        if isinstance(action, Draw):
            return (0, 0, 0)
        points = rules.lay_points(laid(table.layout, action))
        return (points, PIPS[action.tile], action.tile)

    return max(actions, key=worth)
