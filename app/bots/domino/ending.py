"""The end of a hand with an empty bazaar, played perfectly by both with open hands.

A player who knows the opponent's tiles but for two has little to guess any more; here a glance is
not good enough, and few enough lays are left to try them all.
"""

from __future__ import annotations

from typing import Final

from app.bots.domino.chances import after
from app.bots.domino.playing import BLANK, Lay, pips, rounded
from app.bots.domino.positions import POSITIONS, Position
from engine.domino.tiles import DOUBLES, TileSet

TILES: Final = 10
"""Tiles in both hands up to which all is tried."""


def chance(lay: Lay, hand: TileSet, other: TileSet, needs: tuple[int, int], last: bool) -> float:
    """The chance of winning the match of who holds ``hand`` and makes this lay against ``other``;
    ``needs``: points still missing to the one and to the other; ``last`` as in
    :func:`~app.bots.domino.playing.play_out`."""
    bit, edge = lay
    here = edge.to
    rest = hand ^ bit
    need, others = needs[0] - edge.points, needs[1]
    last = last or not bit & DOUBLES
    if not rest:
        return after(need - _left(other), others, opens=True, drawn=False)
    if other & here.fits:
        return 1.0 - _best(here, other, rest, (others, need), not last)
    if rest & here.fits:  # the other's turn passes (G15, G22)
        return _best(here, rest, other, (need, others), last)
    own, theirs = pips(rest), pips(other)  # G23
    if own < theirs:
        need -= rounded(theirs)
    elif theirs < own:
        others -= rounded(own)
    return after(need, others, last, own == theirs)


def _left(other: TileSet) -> int:
    return 10 if other == BLANK else rounded(pips(other))


def _best(
    here: Position, hand: TileSet, other: TileSet, needs: tuple[int, int], last: bool
) -> float:
    """The chance of who is on turn, with the best lay."""
    if not here.edges:
        POSITIONS.grow(here)
    fitting = hand & here.fits
    best = 0.0
    while fitting:
        bit = fitting & -fitting
        fitting ^= bit
        for edge in here.edges[bit]:
            found = chance((bit, edge), hand, other, needs, last)
            if found > best:
                best = found
                if best >= 1.0:
                    return best
    return best
