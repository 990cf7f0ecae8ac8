"""Hands played out quickly, by two players who judge a lay at a glance.

The rules of a hand are the engine's (G11–G16, G19–G24); here they walk along the edges of
:mod:`app.bots.domino.positions`, with hands as sets of tiles. A test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from app.bots.domino.positions import POSITIONS, Edge, Position
from engine.domino.tiles import BIT, BY_NAME, DOUBLES, PIPS, TileSet

THREAT: Final = 0.8
"""What the best answer to be expected of the opponent weighs, by its points."""
STUCK: Final = 4.6
"""What it costs to have nothing that fits what one leaves, in points."""
CHOKE: Final = 3.5
"""What it costs to leave ends that every unseen tile fits, by tiles of the opponent."""

BLANK: Final = BIT[BY_NAME["0-0"]]
_HALF: Final = (1 << 14) - 1


def _sums(first: int) -> tuple[int, ...]:
    sums = [0] * (1 << 14)
    for tiles in range(1, 1 << 14):
        low = tiles & -tiles
        sums[tiles] = sums[tiles ^ low] + PIPS[first + low.bit_length() - 1]
    return tuple(sums)


_LOW_PIPS: Final = _sums(0)
_HIGH_PIPS: Final = _sums(14)


def _absent() -> tuple[tuple[tuple[float, ...], ...], ...]:
    return tuple(
        tuple(
            tuple(max(0.0, 1 - held / unseen) ** k if unseen else 1.0 for k in range(29))
            for unseen in range(29)
        )
        for held in range(29)
    )


ABSENT: Final = _absent()
"""How likely it is that none of ``k`` tiles is among ``held`` of ``unseen``: about so, quickly."""


def pips(tiles: TileSet) -> int:
    """All pips of a set."""
    return _LOW_PIPS[tiles & _HALF] + _HIGH_PIPS[tiles >> 14]


def rounded(amount: int) -> int:
    """Pips rounded up to a multiple of five (G19)."""
    return -(-amount // 5) * 5


Lay: TypeAlias = tuple[int, Edge]
"""A tile's bit and what laying it leads to."""


class Deal(NamedTuple):
    """What is hidden from a player: ``other``, the opponent's tiles; ``order``, the bits of the
    tiles that can be drawn, in the order of drawing; ``dark``, the protected ones. ``brought``:
    how ``other`` was come by (:class:`~app.bots.domino.seen.Seen`), where that is asked."""

    other: TileSet
    order: tuple[int, ...]
    dark: TileSet
    brought: tuple[TileSet, ...] = ()


class Played(NamedTuple):
    """What a hand brought from here to its end to the player who was on turn and to the other,
    whether the first of them opens the next one, and whether it was drawn (G23)."""

    points: int
    others: int
    opens: bool
    drawn: bool


def glance(here: Position, hand: TileSet, held: int, unseen: TileSet) -> Lay:
    """The lay that looks best to who holds ``hand`` and sees all but ``unseen``, of which the
    opponent holds ``held``. Something has to fit."""
    fitting = hand & here.fits
    edges = here.edges
    if not fitting & (fitting - 1):
        only = edges[fitting]
        if len(only) == 1:
            return fitting, only[0]
    lays: list[Lay] = []
    while fitting:
        bit = fitting & -fitting
        fitting ^= bit
        lays += [(bit, edge) for edge in edges[bit]]
    return best_of(lays, hand, held, unseen)


def best_of(lays: Sequence[Lay], hand: TileSet, held: int, unseen: TileSet) -> Lay:
    """:func:`glance` among given lays, of which there is at least one."""
    count = unseen.bit_count()
    absent = ABSENT[held][count]
    choke = CHOKE * held / count if count else 0.0
    best, found = -1000.0, lays[0]
    for lay in lays:
        bit, (worth, _, to) = lay
        if not to.edges:
            POSITIONS.grow(to)
        fits = to.fits
        if not (hand ^ bit) & fits:
            worth -= STUCK
        worth -= choke * (unseen & fits).bit_count()
        none = THREAT
        for points, tiles in to.answers:
            answers = (tiles & unseen).bit_count()
            if answers:
                still = none * absent[answers]
                worth -= points * (none - still)
                none = still
        if worth > best:
            best, found = worth, lay
    return found


Judge: TypeAlias = Callable[[Position, TileSet, int, TileSet], Lay]
"""Chooses a lay as :func:`glance` does."""


def play_out(lay: Lay, hand: TileSet, deal: Deal, last: bool, judge: Judge = glance) -> Played:
    """The hand to its end from a lay on, by who holds ``hand`` (the tile laid among it). ``last``:
    whether it was the same player who laid the last tile before that is no double (G24)."""
    bit, edge = lay
    other, order, dark, _ = deal
    mine = theirs = 0  # of whoever lays
    at = 0
    stock = sum(order)
    turned = False  # whether it is the other player who lays
    plain = not last  # the same of the last tile that is no double
    while True:
        mine += edge.points
        hand ^= bit
        here = edge.to
        if not bit & DOUBLES:
            plain = turned
        if not hand:
            mine += 10 if other == BLANK else rounded(pips(other))  # G19, G20
            if turned:
                return Played(theirs, mine, False, False)
            return Played(mine, theirs, True, False)
        fits = here.fits
        if other & fits:
            hand, other, mine, theirs, turned = other, hand, theirs, mine, not turned
        elif stock & fits:
            while True:
                drawn = order[at]
                at += 1
                stock ^= drawn
                other |= drawn
                if drawn & fits:
                    break
            hand, other, mine, theirs, turned = other, hand, theirs, mine, not turned
        elif not hand & fits:
            if turned:
                hand, other, mine, theirs = other, hand, theirs, mine
            return _dead(pips(hand), pips(other), mine, theirs, not plain)
        elif stock and hand & fits & ~DOUBLES:  # not locked (G22): all is drawn for nothing
            other |= stock
            stock = 0
        if not here.edges:
            POSITIONS.grow(here)
        bit, edge = judge(here, hand, other.bit_count(), other | stock | dark)


def _dead(own: int, others: int, mine: int, theirs: int, opens: bool) -> Played:
    """A riba with so many pips left (G23)."""
    won = rounded(max(own, others))
    if own == others:
        return Played(mine, theirs, opens, True)
    if own < others:
        return Played(mine + won, theirs, opens, False)
    return Played(mine, theirs + won, opens, False)
