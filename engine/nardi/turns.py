"""All legal turns: as many dice as any sequence allows, else the larger one (N4, N5, N7, N8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.nardi.board import BAR, Board
from engine.nardi.moves import STEPS, Step, can_move, successors

Dice: TypeAlias = Sequence[int]
"""Dice as rolled, two numbers 1 to 6 in any order."""


class Turn(NamedTuple):
    """A full turn: its steps in order, and the board after them, still the mover's view."""

    steps: tuple[Step, ...]
    board: Board


def moves_of(dice: Dice) -> tuple[int, ...]:
    """The dice as moves, larger first: two of them, or four for a double (N5)."""
    first, second = dice
    if first == second:
        return (first,) * 4
    return (first, second) if first > second else (second, first)


def steps(board: Board, left: Dice) -> tuple[Step, ...]:
    """The legal steps now, with the dice ``left`` of this turn, highest source first.

    After each of them, and after no other, the turn can still use as many dice as it can from
    here (N7, N8): so a turn is legal exactly if every step of it was among these, and complete
    when there are none.
    """
    if not left:
        return ()
    if min(left) == max(left):  # every order of a double's moves uses the same number of them
        die = left[0]
        return tuple(STEPS[source][die] for source, _ in successors(board, die))
    large, small = max(left), min(left)
    firsts = successors(board, large)
    seconds = successors(board, small)
    both = [STEPS[source][large] for source, after in firsts if can_move(after, small)]
    both += [STEPS[source][small] for source, after in seconds if can_move(after, large)]
    if both:
        return tuple(sorted(both, reverse=True))
    if firsts:
        return tuple(STEPS[source][large] for source, _ in firsts)
    return tuple(STEPS[source][small] for source, _ in seconds)


def max_dice(board: Board, left: Dice) -> int:
    """How many of the dice ``left`` must be used (N7)."""
    count = 0
    rest = list(left)
    while legal := steps(board, rest):
        step = legal[0]
        rest.remove(step.die)
        board = next(after for source, after in successors(board, step.die) if source == step[0])
        count += 1
    return count


def turns(board: Board, dice: Dice) -> tuple[Turn, ...]:
    """Every legal full turn, one for each distinct board it leads to, each die larger first
    where both orders lead there. A roll that allows nothing gives the one turn without steps.
    """
    large, small = dice
    if large == small:
        return _double_turns(board, large)
    if large < small:
        large, small = small, large
    large_steps, small_steps = _BY_DIE[large], _BY_DIE[small]
    firsts = successors(board, large)
    seconds = successors(board, small)
    found: dict[Board, tuple[Step, ...]] = {
        final: (small_steps[source], large_steps[other])
        for source, after in seconds
        for other, final in successors(after, large)
    }
    found.update(
        (final, (large_steps[source], small_steps[other]))
        for source, after in firsts
        for other, final in successors(after, small)
    )
    if found:
        return tuple([Turn(way, final) for final, way in found.items()])
    if firsts:
        return tuple([Turn((large_steps[source],), after) for source, after in firsts])
    if seconds:
        return tuple([Turn((small_steps[source],), after) for source, after in seconds])
    return (Turn((), board),)


def finishes(board: Board, left: Sequence[int]) -> tuple[Turn, ...]:
    """Every way to end a turn with the dice ``left`` of it, as :func:`turns`."""
    if len(left) == 2 and left[0] != left[1]:
        return turns(board, left)
    if not left:
        return (Turn((), board),)
    return _double_turns(board, left[0], len(left))


def _double_turns(board: Board, die: int, count: int = 4) -> tuple[Turn, ...]:
    by_die = _BY_DIE[die]
    level: list[tuple[tuple[Step, ...], Board, int]] = [((), board, BAR)]
    for _ in range(count):
        # Sources never rise, so that each set of moves is made once; higher checkers moving
        # first never lose a move, for nobody is in a lower one's way.
        deeper = [
            ((*way, by_die[source]), after, source)
            for way, before, last in level
            for source, after in successors(before, die)
            if source <= last
        ]
        if not deeper:
            break
        level = deeper
    found = {after: way for way, after, _ in level}
    return tuple([Turn(way, final) for final, way in found.items()])


_BY_DIE: Final = tuple(tuple(row[die] for row in STEPS) for die in range(7))
"""``_BY_DIE[die][source]``."""


def results(board: Board, dice: Dice) -> set[Board]:
    """The distinct boards, the mover's view, that legal full turns lead to; the fast way."""
    large, small = dice
    if large == small:
        level = {(board, BAR)}
        for _ in range(4):
            deeper = {
                (after, source)
                for before, last in level
                for source, after in successors(before, large)
                if source <= last
            }
            if not deeper:
                break
            level = deeper
        return {after for after, _ in level}
    if large < small:
        large, small = small, large
    firsts = successors(board, large)
    seconds = successors(board, small)
    found = {final for _, after in firsts for _, final in successors(after, small)}
    found |= {final for _, after in seconds for _, final in successors(after, large)}
    return found or {after for _, after in firsts or seconds} or {board}
