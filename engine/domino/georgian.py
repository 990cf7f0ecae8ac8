"""Georgian domino: two players, points for every multiple of five (G1–G30)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.domino.layout import Layout
from engine.domino.rules import Settlement
from engine.domino.state import Open
from engine.domino.tiles import BIT, BY_NAME, DOUBLES, TileSet, pips
from engine.game import Options, Seat

_BLANK = BIT[BY_NAME["0-0"]]
_FIVES = BY_NAME["5-5"]
_CHOICES: Final = MappingProxyType({"target": (75, 175, 255, 355)})


def rounded(amount: int) -> int:
    """Pips rounded up to a multiple of five, as a whole (G19)."""
    return -(-amount // 5) * 5


@dataclass(frozen=True, slots=True)
class Georgian:
    """The rule set ``georgian``."""

    name: str = "georgian"
    hand_size: int = 7  # G2
    protected: int = 2  # G14

    @property
    def choices(self) -> Mapping[str, tuple[int, ...]]:
        """G25."""
        return _CHOICES

    def seats(self, options: Options) -> int:
        """Two."""
        return 2

    def lay_points(self, layout: Layout) -> int:
        """G16: the count where it is a multiple of five up to 35. G17: an opening tile scores
        only if it is 5-5."""
        total = layout.total
        if total % 5 or (len(layout.placed) == 1 and layout.placed[0].tile != _FIVES):
            return 0
        return total

    def locked_holders(
        self, fits: TileSet, hands: tuple[TileSet, ...], stock: TileSet
    ) -> tuple[Seat, ...] | None:
        """G22: every available tile that fits is a double in a hand."""
        if stock & fits:
            return None
        held = [hand & fits for hand in hands]
        for each in held:
            if each & ~DOUBLES:
                return None
        return tuple([seat for seat, each in enumerate(held) if each])

    def dead(self, fits: TileSet, hands: tuple[TileSet, ...], stock: TileSet) -> bool:
        """G21: no tile in a hand or in the drawable bazaar fits."""
        return not (stock & fits) and not any(hand & fits for hand in hands)

    def settle_domino(self, table: Open, winner: Seat, hands: tuple[TileSet, ...]) -> Settlement:
        """G19; G20: a lone 0-0 counts 10. G5: the winner opens."""
        left = [hand for seat, hand in enumerate(hands) if seat != winner]
        points = 10 if left == [_BLANK] else sum(rounded(pips(hand)) for hand in left)
        return Settlement(winner, points, winner)

    def settle_riba(self, table: Open, hands: tuple[TileSet, ...]) -> Settlement:
        """G23, G24; G29 for the hand that cannot occur."""
        opener = table.last_plain if table.last_plain is not None else table.opener
        first, second = (pips(hand) for hand in hands)
        if first == second:
            return Settlement(None, 0, opener)
        return Settlement(int(second < first), rounded(max(first, second)), opener)

    def winners(
        self, target: int, score: tuple[int, ...], settlement: Settlement
    ) -> tuple[Seat, ...]:
        """G26, G27: somebody at or past the target and ahead; never after a drawn hand (G23)."""
        best = max(score)
        if settlement.winner is None or best < target or score.count(best) > 1:
            return ()
        return (score.index(best),)

    def rivals(self, seat: Seat, seats: int) -> tuple[Seat, ...]:
        """G30: the opponent."""
        return tuple(other for other in range(seats) if other != seat)
