"""Strong: the networks of the optional library bgsage tell the chances, our table what they are
worth at the score of the match.

Its own match play reckons with a doubling cube, which this game does not have (N20); so it is
asked for nothing but five chances of a board, raw, and for exact ones where only bearing off is
left.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from operator import sub
from typing import Any, Final

from app.bots.nardi.judged import by_chances
from app.bots.nardi.worth import Five
from engine.nardi.board import BAR, Board


def available() -> bool:
    """Whether the library is there."""
    return importlib.util.find_spec("bgsage") is not None


@cache
def _networks() -> Any:
    native = importlib.import_module("bgbot_cpp")
    weights = importlib.import_module("bgsage.weights")
    kept = weights.default_weights()
    networks = native.create_strategy(
        kept.strategy_type, kept.weight_paths_list, kept.hidden_sizes_list
    )
    bearing_off = native.BearoffDB()
    path = weights.bearoff_db_path()
    if path is None or not bearing_off.load(path):
        return networks
    return native.BearoffStrategy(networks, bearing_off)


def chances(start: Board, board: Board) -> Five:
    """Of the player who has just moved from ``start``. Which of the networks is asked is decided
    there, so that all ways to play a turn are told by the same one."""
    win, marsi, koksi, lost_marsi, lost_koksi = _networks().evaluate_board(
        _plain(board), _plain(start)
    )["probs"]
    return win, marsi, koksi, lost_marsi, lost_koksi


_VALUES: Final = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))


def _plain(board: Board) -> list[int]:
    """Place by place, opposing checkers below zero; the opposing bar first, the own one last."""
    digits = f"{board:052x}".encode().translate(_VALUES)[::-1]
    own, opp = digits[:26], digits[26:]
    return [opp[0], *map(sub, own[1:25], opp[1:25]), own[BAR]]


pick = by_chances(chances)
