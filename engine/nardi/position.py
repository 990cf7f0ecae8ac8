"""GNU Backgammon position IDs: fourteen characters for a whole position.

Ten bytes, least significant bit first: for the player who is *not* on roll, then for the one
who is, the points 1 to 24 and the bar, each as so many ones as checkers stand there and a zero.
Checkers that are not named have been borne off.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from engine.game import Unreadable
from engine.nardi.board import BAR, Board, build, flip, own

LENGTH: Final = 14
_BYTES: Final = 10


def position_id(board: Board) -> str:
    """The ID with the player whose view ``board`` is on roll; ``4HPwATDgc/ABMA`` at the start."""
    bits = 0
    shift = 0
    for side in (flip(board), board):
        for place in range(1, BAR + 1):
            count = own(side, place)
            bits |= ((1 << count) - 1) << shift
            shift += count + 1
    return base64.b64encode(bits.to_bytes(_BYTES, "little"))[:LENGTH].decode("ascii")


def board_of(position: str) -> Board:
    """The board of an ID, seen by the player on roll.

    Raises :class:`Unreadable` for a string that is no ID: wrong length or alphabet, bits that
    belong to nothing, more than fifteen checkers a side, a point held by both.
    """
    if len(position) != LENGTH or not position.isascii():
        raise Unreadable(f"a position ID has {LENGTH} characters of base64")
    try:
        data = base64.b64decode(position + "==", validate=True)
    except binascii.Error as error:
        raise Unreadable(f"a position ID has {LENGTH} characters of base64") from error
    bits = int.from_bytes(data, "little")
    sides = []
    for _ in range(2):
        counts = []
        for _ in range(BAR):
            ones = (bits ^ (bits + 1)).bit_length() - 1  # how many ones before the first zero
            counts.append(ones)
            bits >>= ones + 1
        sides.append(counts)
    theirs, mine = sides
    board = build(
        dict(enumerate(mine[:24], start=1)),
        {24 - index: count for index, count in enumerate(theirs[:24])},
        bar=mine[24],
        opp_bar=theirs[24],
    )
    if bits or position_id(board) != position:
        raise Unreadable("a position ID ends with the checkers")
    return board
