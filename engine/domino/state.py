"""The state of a domino match: what lies open, and what is hidden.

Named tuples, not dataclasses: a state is made at every tile, and they are made five times faster.

The two are apart by construction: whatever tells a viewer something is handed the
:class:`Open` part and at most that viewer's own tiles, never the :class:`State`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.domino.layout import Layout
from engine.domino.tiles import Tile, TileSet
from engine.game import Outcome, Seat

HandEnd: TypeAlias = Literal["domino", "riba", "drawn", "redeal"]


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended. ``hands`` are the tiles left, laid open now, and ``pips`` their sums;
    ``next`` opens the next hand, ``None`` where the highest double decides."""

    hand: int
    end: HandEnd
    winner: Seat | None
    points: int
    score: tuple[int, ...]
    next: Seat | None
    hands: tuple[TileSet, ...]
    pips: tuple[int, ...]


class Search(NamedTuple):
    """A seat on turn had nothing that fits, as everybody has seen it (G12, G15, G22).

    ``asks``: the numbers that the open ends asked for then, lowest first; ``placed``: how many
    tiles lay on the table; ``drew``: how many it has drawn of the bazaar since. ``passed``: its
    turn passed. Else the tile drawn last fits and is, or will be, the one laid next (G13); no
    other one drawn fits."""

    seat: Seat
    asks: tuple[int, ...]
    placed: int
    drew: int
    passed: bool


class Open(NamedTuple):
    """All that everybody at the table may know.

    ``hand`` counts from 1 (0: none dealt yet). ``turn``: whose turn, ``None`` between hands and
    at the end. ``opener``: who opens or opened this hand; between hands, who opens the next
    (``None``: the highest double decides). ``must_open``: the tile that has to open it (G3).
    ``left``: tiles of the bazaar that can still be drawn.
    ``laid_by``: who laid each tile of the layout, and the points it scored. ``last_plain``: who
    laid the last tile that is no double (G24). ``searches``: who had nothing that fits, in order.
    """

    target: int
    score: tuple[int, ...]
    hand: int = 0
    turn: Seat | None = None
    opener: Seat | None = None
    must_open: Tile | None = None
    layout: Layout = Layout()
    laid_by: tuple[tuple[Seat, int], ...] = ()
    left: int = 0
    last_plain: Seat | None = None
    last_hand: HandResult | None = None
    outcome: Outcome | None = None
    searches: tuple[Search, ...] = ()


class State(NamedTuple):
    """``hands``: the tiles of each seat. ``bazaar``: what is left of it in the order of drawing,
    the protected tiles at the back (G14). ``stock``: the set of those that can still be drawn."""

    open: Open
    hands: tuple[TileSet, ...]
    bazaar: tuple[Tile, ...] = ()
    stock: TileSet = 0

    def __repr__(self) -> str:
        return f"State(open={self.open!r}, hands=<hidden>, bazaar=<hidden>)"
