"""A small network that tells five chances of a board; the weights are our own (see
``benchmarks/bots/nardi_train.py``)."""

from __future__ import annotations

import json
from functools import cache
from math import exp, tanh
from operator import mul
from pathlib import Path
from typing import Any, Final

from app.bots.nardi.worth import Five
from engine.nardi.board import OWN, SIDE, Board

PLACES: Final = 52
"""The digits of a board."""
PLANES: Final = 4
"""Of each digit: whether it is above 0, above 1, above 2, and half of what it is above 3."""
HIDDEN: Final = (40, 16)
"""Sizes of the hidden layers: while the sides can meet, and in a race."""
SCALE: Final = 1000
"""Weights are kept as whole numbers, so many to one."""
MEDIUM: Final = Path(__file__).with_name("medium.json")


class Net:
    """One hidden layer of tanh over the digits of a board."""

    def __init__(self, kept: Any) -> None:
        weights = [[each / SCALE for each in row] for row in kept["into"]]
        self._bias = tuple(each / SCALE for each in kept["bias"])
        self._out = tuple(
            zip(*([each / SCALE for each in row] for row in kept["out"]), strict=True)
        )
        self._base = tuple(each / SCALE for each in kept["base"])
        # What each digit adds to the hidden layer, by place.
        self._adds = tuple(
            {
                f"{count:x}": tuple(
                    one * (count > 0) + two * (count > 1) + three * (count > 2) + more * over
                    for one, two, three, more in zip(
                        *weights[PLANES * place : PLANES * place + PLANES], strict=True
                    )
                )
                for count in range(1, 16)
                for over in (max(count - 3, 0) / 2,)
            }
            for place in range(PLACES)
        )

    def chances(self, board: Board) -> Five:
        """Of the player who has just moved, on the board in their view: the network itself sees
        it as the other one, who is to roll."""
        rows = [
            adds[digit]
            for adds, digit in zip(self._adds, f"{board:052x}", strict=True)
            if digit != "0"
        ]
        hidden = list(map(tanh, map(sum, zip(self._bias, *rows, strict=True))))
        win, marsi, koksi, lost_marsi, lost_koksi = (
            1 / (1 + exp(-base - sum(map(mul, hidden, row))))
            for base, row in zip(self._base, self._out, strict=True)
        )
        return 1 - win, lost_marsi, lost_koksi, marsi, koksi


def racing(board: Board) -> bool:
    """Whether the sides have passed each other, so that nobody can be killed any more."""
    own = board & OWN & ~15
    theirs = board >> SIDE & _STANDING
    return not theirs or own.bit_length() - 1 >> 2 < (theirs & -theirs).bit_length() - 1 >> 2


_STANDING: Final = (1 << 100) - 1
"""The opposing bar and the points, without what is borne off."""


@cache
def nets() -> tuple[Net, Net]:
    """While the sides can meet, and in a race."""
    kept = json.loads(MEDIUM.read_text("utf-8"))
    return Net(kept["contact"]), Net(kept["race"])
