"""All legal turns: as many dice as any sequence allows, else the larger one (N4, N5, N7, N8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.nardi.board import BAR, BITS, OWN, SIDE, Board
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
            for source, after in successors(before, die, last)
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
        return _double_results(board, large)
    if large < small:
        large, small = small, large
    outside = (board & OWN) >> 28
    if outside >> 72 or not outside & (outside - 1):
        # On the bar, or so near home that a die may bear off: both orders, step by step.
        firsts = [after for _, after in successors(board, large)]
        seconds = [after for _, after in successors(board, small)]
        found = {final for after in firsts for _, final in successors(after, small)}
        found |= {final for after in seconds for _, final in successors(after, large)}
        return found or set(firsts or seconds) or {board}
    return _pair_results(board, large, small)


def _double_results(board: Board, die: int) -> set[Board]:
    level = [(BAR, board)]
    for _ in range(4):
        deeper = [each for last, before in level for each in successors(before, die, last)]
        if not deeper:
            break
        level = deeper
    return {after for _, after in level}


def _pair_results(board: Board, large: int, small: int) -> set[Board]:
    """Two different dice, nobody on the bar, two or more checkers outside the home.

    Steps of two checkers do not hinder each other, so most boards are the sum of one step of
    each die. Three cases are put right: the same lone checker cannot make both, only the first of
    two checkers on a point kills there, and one checker may take both dice.
    """
    own = board & OWN
    opp = board >> SIDE
    far, near = 4 * large, 4 * small
    closed = (opp >> 1 | opp >> 2 | opp >> 3) & BITS
    blots = opp & BITS & ~closed
    several = own >> 1 | own >> 2 | own >> 3
    occupied = (own | several) & BITS
    can_large = occupied & ~(closed << far) & _ABOVE[large]
    can_small = occupied & ~(closed << near) & _ABOVE[small]
    firsts = [board + _change(bit, bit >> far, blots) for bit in _bits(can_large)]
    changes = [_change(bit, bit >> near, blots) for bit in _bits(can_small)]
    found = {after + change for after in firsts for change in changes}
    for bit in _bits(can_large & can_small & ~several):
        found.discard(board + _change(bit, bit >> far, blots) + _change(bit, bit >> near, blots))
    for point in _bits(can_large >> far & can_small >> near & blots):
        twice = board + _change(point << far, point, blots) + _change(point << near, point, blots)
        found.discard(twice)
        found.add(twice - (1 << SIDE) + (point << SIDE))
    reachable = ~(closed << far + near) & _ABOVE[large + small]
    for shift, sources in ((far, can_large), (near, can_small)):
        for bit in _bits(sources & ~(occupied << shift) & reachable):
            middle, target = bit >> shift, bit >> far + near
            found.add(board + _change(bit, middle, blots) + _change(middle, target, blots))
    if found:
        return found
    return set(firsts) or {board + change for change in changes} or {board}


def _change(source: int, target: int, blots: int) -> int:
    """What a step adds to a board, places given as bits."""
    if target & blots:
        return target - source + (1 << SIDE) - (target << SIDE)
    return target - source


def _bits(mask: int) -> list[int]:
    """The single bits of a mask, lowest first."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit)
        mask ^= bit
    return found


_ABOVE: Final = tuple(BITS & ~((1 << 4 * count + 4) - 1) for count in range(12))
"""``_ABOVE[n]``: the points above ``n``."""
