"""Where each checker can go this turn, for the screen (N21, N22)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from engine.nardi.board import Board
from engine.nardi.moves import play
from engine.nardi.turns import steps


class Way(NamedTuple):
    """One checker's way to a point: the dice to play in this order, and where it kills."""

    dice: tuple[int, ...]
    kills: tuple[int, ...]


Reach: TypeAlias = dict[int, dict[int, Way]]
"""By the point a checker stands on (25: the bar), by the point it can go to (0: off)."""


def reach(board: Board, left: Sequence[int]) -> Reach:
    """Every point that each checker can reach with the dice ``left``, landings included (N21).

    Each way is the start of a legal full turn. Of two orders of the dice the one that kills more
    is taken. A checker that can be borne off in several ways uses as few dice as it can, and of
    those the smaller ones.
    """
    found: Reach = {}
    for source in sorted({step.source for step in steps(board, left)}, reverse=True):
        targets: dict[int, Way] = {}
        _follow(board, tuple(left), source, Way((), ()), targets)
        found[source] = targets
    return found


def _follow(
    board: Board, left: tuple[int, ...], source: int, so_far: Way, targets: dict[int, Way]
) -> None:
    for step in steps(board, left):
        if step.source != source:
            continue
        after, kills = play(board, step)
        target = step.target
        way = Way((*so_far.dice, step.die), so_far.kills + ((target,) if kills else ()))
        if target not in targets or _rank(way) < _rank(targets[target]):
            targets[target] = way
        if target:
            rest = list(left)
            rest.remove(step.die)
            _follow(after, tuple(rest), target, way, targets)


def _rank(way: Way) -> tuple[int, int, int, tuple[int, ...]]:
    return len(way.dice), -len(way.kills), sum(way.dice), tuple(-die for die in way.dice)


def press(board: Board, left: Sequence[int]) -> dict[int, int]:
    """The die that a second press on a checker plays: the larger, else the smaller (N22).

    By the point the checker stands on; those that cannot be played are not there.
    """
    found: dict[int, int] = {}
    for source, die in steps(board, left):
        found[source] = max(die, found.get(source, 0))
    return found
