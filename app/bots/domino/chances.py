"""The chances of winning a match before a hand, by what both still need and who opens.

The table is reckoned from many hands that two equal players play out
(``python -m benchmarks.bots.equity``). What has been scored does not matter, only what is missing
to the target: one table serves every target.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

UNIT: Final = 5
"""All points are multiples of five."""
_STORED = json.loads(Path(__file__).with_name("chances.json").read_bytes())
_RUNNING: Final[list[list[int]]] = _STORED["running"]
_OVER: Final[list[int]] = _STORED["over"]
_WHOLE: Final = 10_000
_MOST: Final = len(_RUNNING)
_EDGE: Final = len(_OVER) // 2


def of_opener(need: int, others: int) -> float:
    """The chance of who opens, needing so many points; neither is at the target, or the hand
    before was drawn or left them equal (G23, G27)."""
    mine, theirs = -(-need // UNIT), -(-others // UNIT)
    if mine > 0 and theirs > 0:
        return _RUNNING[min(mine, _MOST) - 1][min(theirs, _MOST) - 1] / _WHOLE
    ahead = theirs - mine
    return _OVER[max(-_EDGE, min(_EDGE, ahead)) + _EDGE] / _WHOLE


def after(need: int, others: int, opens: bool, drawn: bool) -> float:
    """The chance after a hand that left these needs (below zero: past the target)."""
    if not drawn and (need <= 0 or others <= 0) and need != others:
        return 1.0 if need < others else 0.0
    return of_opener(need, others) if opens else 1.0 - of_opener(others, need)
