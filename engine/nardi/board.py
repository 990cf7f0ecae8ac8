"""A nardi board as one number, seen by the player who moves.

Twenty-six nibbles for each side, all in the mover's numbering of points (``25 - p`` is the
opponent's number of point ``p``):

* own checkers, the low 104 bits: nibble 0 those borne off, 1 to 24 the points, 25 the bar;
* opposing checkers, the 104 bits above: nibble 0 their bar, 1 to 24 the points, 25 those they
  have borne off.

Both sides meet the same points from opposite ends, so the board seen by the other player is the
52 hexadecimal digits read backwards (N2), a step is one addition, and the question which points
are open is a handful of shifts for all of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from engine.game import Unreadable

Board: TypeAlias = int

OFF: Final = 0
"""Where a checker goes that is borne off."""
BAR: Final = 25
"""Where a killed checker waits."""
POINTS: Final = range(1, 25)
HOME: Final = range(1, 7)
CHECKERS: Final = 15

SIDE: Final = 104
"""Bits of one side."""
OWN: Final = (1 << SIDE) - 1
"""All nibbles of the own side."""
BITS: Final = sum(1 << 4 * point for point in POINTS)
"""The lowest bit of the nibble of every point, neither bar nor off."""
_DIGITS: Final = 52


def flip(board: Board) -> Board:
    """The same position seen by the other player (N2)."""
    return int(f"{board:052x}"[::-1], 16)


def own(board: Board, place: int) -> int:
    """How many own checkers stand on a place: a point, :data:`BAR` or :data:`OFF`."""
    return board >> 4 * place & 15


def opp(board: Board, point: int) -> int:
    """How many opposing checkers stand on the mover's point 1 to 24."""
    return board >> SIDE + 4 * point & 15


def bar(board: Board) -> int:
    """Own checkers on the bar."""
    return board >> 4 * BAR & 15


def off(board: Board) -> int:
    """Own checkers borne off."""
    return board & 15


def opp_bar(board: Board) -> int:
    """Opposing checkers on the bar."""
    return board >> SIDE & 15


def opp_off(board: Board) -> int:
    """Opposing checkers borne off."""
    return board >> SIDE + 4 * BAR & 15


def pips(board: Board) -> int:
    """Points that the own checkers still have to go, 167 at the start; one on the bar has 25."""
    return sum(place * own(board, place) for place in range(1, BAR + 1))


def all_home(board: Board) -> bool:
    """Whether every own checker is home or off, so that bearing off is open (N13)."""
    return not (board & OWN) >> 28


def build(own: Mapping[int, int], opp: Mapping[int, int], bar: int = 0, opp_bar: int = 0) -> Board:
    """A board from checkers by point, both in the mover's numbering; those not named are off.

    Raises :class:`Unreadable` for a point that is none, a negative number, more than fifteen
    checkers a side or a shared point.
    """
    sides: list[list[int]] = []
    for side, waiting in ((own, bar), (opp, opp_bar)):
        if any(point not in POINTS for point in side):
            raise Unreadable("a board has the points 1 to 24")
        counts = [side.get(point, 0) for point in POINTS]
        if min(waiting, *counts) < 0 or sum(counts) + waiting > CHECKERS:
            raise Unreadable("a side has fifteen checkers")
        sides.append([CHECKERS - sum(counts) - waiting, *counts, waiting])
    mine, theirs = sides
    theirs[OFF], theirs[BAR] = theirs[BAR], theirs[OFF]
    return check(_pack(mine) | _pack(theirs) << SIDE)


def _pack(counts: Sequence[int]) -> int:
    return sum(count << 4 * place for place, count in enumerate(counts))


def is_sound(board: Board) -> bool:
    """Whether fifteen checkers a side stand on the board and no point is shared."""
    if not 0 <= board < 1 << 2 * SIDE:
        return False
    digits = [int(digit, 16) for digit in f"{board:052x}"]
    if sum(digits[:26]) != CHECKERS or sum(digits[26:]) != CHECKERS:
        return False
    return not any(own(board, point) and opp(board, point) for point in POINTS)


def check(board: Board) -> Board:
    """The board itself; :class:`Unreadable` if it is not sound."""
    if not is_sound(board):
        raise Unreadable("a board has fifteen checkers a side and no shared point")
    return board


def to_json(board: Board) -> str:
    """The 52 hexadecimal digits, opponent's end first."""
    return f"{board:0{_DIGITS}x}"


def from_json(value: object) -> Board:
    """The board of :func:`to_json`. Raises :class:`Unreadable`."""
    if not isinstance(value, str) or len(value) != _DIGITS or set(value) - set("0123456789abcdef"):
        raise Unreadable("a board is written as 52 hexadecimal digits")
    return check(int(value, 16))


_ONE_SIDE: Final = {24: 2, 13: 5, 8: 3, 6: 5}
START: Final = build(_ONE_SIDE, {25 - point: count for point, count in _ONE_SIDE.items()})
"""The position before the first turn (N1); the same for both players."""
