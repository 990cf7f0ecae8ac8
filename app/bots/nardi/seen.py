"""What a computer player takes from the view of its seat."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Json
from engine.nardi.board import BAR, OFF, POINTS, SIDE, Board


@dataclass(frozen=True, slots=True)
class Seen:
    """A turn under way, all boards seen by the player who moves."""

    start: Board
    """Before the first step of the turn."""
    board: Board
    """Now."""
    left: tuple[int, ...]
    """The dice not played yet, larger first."""
    away: tuple[int, int]
    """How many points the player and the other one still need (N18)."""


def read(view: Json) -> Seen:
    """The turn of the seat whose view it is. A turn is thought over from its start, so that what
    was decided with the first step stays decided."""
    seat = view["seat"]
    board = _board(view["sides"][seat], view["sides"][1 - seat])
    start = board
    for source, target, _, kill in reversed(view["steps"]):
        start += (1 << 4 * source) - (1 << 4 * target)
        if kill:
            start += (1 << SIDE + 4 * target) - (1 << SIDE)
    target = view["target"]
    score = view["score"]
    return Seen(
        start,
        board,
        tuple(view["dice_left"]),
        (target - score[seat], target - score[1 - seat]),
    )


def _board(own: Json, opp: Json) -> Board:
    board: Board = (own["off"] << 4 * OFF) + (own["bar"] << 4 * BAR)
    board += (opp["bar"] << SIDE) + (opp["off"] << SIDE + 4 * BAR)
    for point in POINTS:
        board += own["points"][point - 1] << 4 * point
        board += opp["points"][24 - point] << SIDE + 4 * point
    return board
