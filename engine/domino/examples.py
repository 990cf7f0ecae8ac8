"""Short pieces of Georgian domino for its page of rules (:mod:`engine.examples`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.domino import codec, match
from engine.domino.georgian import Georgian
from engine.domino.state import State
from engine.domino.tiles import NAMES
from engine.piece import Piece

_RULES: Final = Georgian()
_TARGET: Final = 75


def _deal(first: str, second: str, plays: str) -> Piece:
    """The first hand of a match, from its deal: hands, then plays as the record writes them, with
    ``·`` between them."""
    named = f"{first} {second}".split()
    tiles = named + [name for name in NAMES if name not in named]
    begin = match.start(_RULES, _TARGET, 2).state
    return Piece({"target": _TARGET}, begin, {"tiles": tiles, "plays": plays.split(" · ")})


def _from(
    placed: str,
    first: str,
    second: str,
    plays: str,
    *,
    turn: int = 0,
    bazaar: str | None = None,
    last_plain: int | None = None,
) -> Piece:
    """The middle of a second hand. Where ``bazaar`` is not given it holds all that is left."""
    laid = [play.partition("@")[0] for play in placed.split(" · ") if play]
    gone = {play[2:] for play in laid} | set(first.split()) | set(second.split())
    begin: State = codec.state_from_json(
        _RULES,
        {
            "target": _TARGET,
            "score": [0, 0],
            "hand": 2,
            "turn": turn,
            "opener": 0,
            "must_open": None,
            "placed": placed.split(" · ") if placed else [],
            "last_plain": last_plain,
            "last_hand": None,
            "outcome": None,
            "hands": [first.split(), second.split()],
            "bazaar": [name for name in NAMES if name not in gone]
            if bazaar is None
            else bazaar.split(),
        },
    )
    return Piece({"target": _TARGET}, begin, {"plays": plays.split(" · ")})


GEORGIAN: Final[Mapping[str, Piece]] = {
    # G3, G17, G18: the highest double opens; what the first count is.
    "opening": _deal(
        "4-4 0-5 1-2 0-1 2-6 1-5 3-5",
        "2-4 3-3 1-6 0-2 5-6 0-3 0-0",
        "0 4-4 · 1 2-4@R",
    ),
    # The worked example of G18.
    "worked": _deal(
        "6-6 5-6 5-5 0-1 0-2 1-2 2-2",
        "4-6 1-6 0-6 3-3 3-4 2-4 2-3",
        "0 6-6 · 1 4-6@L · 0 5-6@R · 1 1-6@U · 0 5-5@R · 1 0-6@D",
    ),
    # G7 to G10: a stavka laid at an end, covered by the next tile; then its third side.
    "stavka": _from(
        "",
        "3-6 3-4 0-1 2-5 1-1 2-6 4-5",
        "3-3 1-3 0-2 5-6 1-5 4-6 2-2",
        "0 3-6 · 1 3-3@L · 0 3-4@L · 1 1-3@U",
    ),
    # G10, G18: an ordinary double counts both halves, until a tile lies on it.
    "double": _from(
        "0 1-1 · 1 1-4@L · 0 1-2@R",
        "4-6 0-3 2-6 3-5",
        "4-4 3-6 0-1 5-5 2-3 6-6",
        "1 4-4@L · 0 4-6@L",
        turn=1,
        last_plain=0,
    ),
    # G11 to G13: nothing to lay, so one draws until something fits, and lays that.
    "bazaar": _from(
        "0 5-5 · 1 2-5@L · 0 4-5@R",
        "1-4 0-2 3-3 2-6 0-5",
        "0-1 3-6 1-1 0-3 6-6",
        "1 draw · 1 draw · 1 2-4@R",
        turn=1,
        bazaar="1-6 2-4 0-4 1-5 3-5 0-0 1-2 2-2 4-6 3-4 5-6 1-3 0-6",
        last_plain=0,
    ),
    # G14, G15: two tiles are left, and nobody draws them.
    "protected": _from(
        "0 5-5 · 1 2-5@L · 0 4-5@R · 1 0-2@L",
        "0-0 4-4 0-5 3-5",
        "1-1 3-6 1-3 1-6 2-6 2-2",
        "0 0-0@L · 0 4-4@R",
        bazaar="1-5 3-4",
        last_plain=1,
    ),
    # G19: the last tile, and the other's pips rounded up.
    "domino": _from(
        "0 5-5 · 1 2-5@L · 0 4-5@R · 1 0-2@L",
        "0-4 3-4",
        "1-6 3-6 2-2 0-1",
        "0 3-4@R · 1 3-6@R · 0 0-4@L",
        last_plain=1,
    ),
    # G21, G23, G24: the numbers of G23.
    "riba": _from(
        "0 3-3 · 1 0-3@L · 0 0-1@L · 1 1-3@L · 0 3-5@R · 1 2-5@R · 0 2-3@R · 1 3-4@L",
        "0-6 1-1 5-6",
        "0-4 3-6 2-4 4-6",
        "1 0-4@L · 0 0-6@L · 1 3-6@L",
        turn=1,
        last_plain=1,
    ),
}
"""By name."""
