"""The legal turns of a written position, for the command line and for tests of other programs."""

from __future__ import annotations

import re
from typing import Final

from engine.game import Json, Unreadable
from engine.nardi.board import flip
from engine.nardi.notation import write
from engine.nardi.position import board_of, position_id
from engine.nardi.turns import turns

_LINE: Final = re.compile(r"(\S+)\s+([1-6])([1-6])")


def legal_row(line: str) -> list[Json]:
    """Every legal full turn of ``POSITION-ID DICE``, one for each position it can lead to.

    Each as ``{"moves": "13/8 24/22", "position": ID}``, the ID seen by the other player. A roll
    that allows nothing gives one turn without moves. Raises :class:`Unreadable`.
    """
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise Unreadable("not a position ID and dice, like 4HPwATDgc/ABMA 52")
    position, first, second = match.groups()
    board = board_of(position)
    return [
        {"moves": write(board, turn.steps), "position": position_id(flip(turn.board))}
        for turn in turns(board, (int(first), int(second)))
    ]
