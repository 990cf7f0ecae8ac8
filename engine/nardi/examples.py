"""Short pieces of short nardi for its page of rules (:mod:`engine.examples`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.nardi.board import START, Board, build
from engine.nardi.match import State
from engine.piece import Piece

_POINTS: Final = 3


def _from(board: Board, *turns: str, seat: int = 0) -> Piece:
    """A hand from its middle on; ``board`` as the seat on turn sees it, turns as the record writes
    them."""
    begin = State(_POINTS, phase="roll", opening=((2, 1),), seat=seat, start=board)
    return Piece({"points": _POINTS}, begin, {"turns": list(turns)})


def _opened(*opening: tuple[int, int], turns: tuple[str, ...]) -> Piece:
    """The first hand of a match from its opening rolls on, seat 0's die first."""
    hand: dict[str, Any] = {"opening": [list(pair) for pair in opening], "turns": list(turns)}
    return Piece({"points": _POINTS}, State(_POINTS), hand)


SHORT: Final[Mapping[str, Piece]] = {
    # N1, N3: a tie is rolled again, then the higher starts with both dice.
    "opening": _opened((4, 4), (5, 2), turns=("0 52: 13/8 13/11",)),
    # N4, N6: two checkers, or one with both dice.
    "moves": _from(START, "0 31: 8/5 6/5", "1 65: 24/13"),
    # N5: four moves.
    "double": _from(START, "0 33: 8/5(2) 6/3(2)"),
    # N10, N11: a kill, and coming back in; a 6 is closed.
    "kill": _from(
        build({24: 2, 13: 4, 10: 1, 8: 2, 6: 4, 7: 2}, {1: 2, 12: 5, 17: 3, 19: 4, 4: 1}),
        "0 64: 10/4* 13/9",
        "1 62: bar/23 13/7",
    ),
    # N7: either die could be played, but not both.
    "larger": _from(
        build({24: 1, 12: 1, 6: 6, 2: 4, 1: 3}, {4: 2, 22: 4, 21: 3, 20: 4, 18: 2}), "0 62: 12/6"
    ),
    # N13, N14: the exact point, a move inside, and the highest checker.
    "bear_off": _from(build({5: 2, 4: 1, 3: 2, 2: 1}, {24: 3, 23: 3, 20: 3}), "0 63: 5/off 3/off"),
    # N16, N17: the loser has borne off none.
    "marsi": _from(build({2: 1, 1: 1}, {24: 3, 23: 4, 22: 4, 18: 2, 17: 2}), "0 21: 2/off 1/off"),
    # N17: none, and one of them is still in the winner's home.
    "koksi": _from(
        build({2: 1, 1: 1}, {24: 3, 23: 4, 22: 4, 18: 2, 17: 1, 5: 1}), "0 21: 2/off 1/off"
    ),
}
"""By name."""
