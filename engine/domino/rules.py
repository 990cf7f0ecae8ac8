"""What one rule set of domino must say; everything else is common to all (``match.py``).

A rule set is a small class beside the others (``georgian.py``). It sees tiles and scores, never
the machinery, and answers the questions on which rule sets differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.domino.layout import Layout
from engine.domino.state import Open
from engine.domino.tiles import TileSet
from engine.game import Options, Seat


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a hand is settled: who won it (``None``: drawn), the points that go to the winner, and
    who opens the next."""

    winner: Seat | None
    points: int
    next: Seat | None


class DominoRules(Protocol):
    """A rule set of domino."""

    @property
    def name(self) -> str:
        """The record's name of it: ``"georgian"``."""
        ...

    @property
    def choices(self) -> Mapping[str, tuple[int, ...]]:
        """What the creator of a table may pick."""
        ...

    @property
    def hand_size(self) -> int:
        """Tiles dealt to each seat."""
        ...

    @property
    def protected(self) -> int:
        """Tiles at the back of the bazaar that nobody ever draws."""
        ...

    def seats(self, options: Options) -> int:
        """How many play."""
        ...

    def lay_points(self, layout: Layout) -> int:
        """What the tile just laid scores."""
        ...

    def locked_holders(
        self, fits: TileSet, hands: tuple[TileSet, ...], stock: TileSet
    ) -> tuple[Seat, ...] | None:
        """Asked while somebody can still lay or draw something that fits. ``None``: the hand
        goes on as usual. Else it is locked but for doubles, and these seats hold them."""
        ...

    def dead(self, fits: TileSet, hands: tuple[TileSet, ...], stock: TileSet) -> bool:
        """Whether the layout is dead: riba."""
        ...

    def settle_domino(self, table: Open, winner: Seat, hands: tuple[TileSet, ...]) -> Settlement:
        """A hand in which ``winner`` laid the last tile."""
        ...

    def settle_riba(self, table: Open, hands: tuple[TileSet, ...]) -> Settlement:
        """A dead hand."""
        ...

    def winners(
        self, target: int, score: tuple[int, ...], settlement: Settlement
    ) -> tuple[Seat, ...]:
        """Who has won the match at this end of a hand; empty: it goes on."""
        ...

    def rivals(self, seat: Seat, seats: int) -> tuple[Seat, ...]:
        """Who wins if ``seat`` gives up."""
        ...
