"""What one die lets one checker do, the rest of the turn left aside (N6, N10 to N15)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.nardi.board import BAR, BITS, OFF, OWN, SIDE, Board


class Step(NamedTuple):
    """One checker moved by one die: from ``source`` (a point, or 25 for the bar)."""

    source: int
    die: int

    @property
    def target(self) -> int:
        """The point it goes to; 0: off."""
        return max(self.source - self.die, OFF)


STEPS: Final = tuple(tuple(Step(source, die) for die in range(7)) for source in range(BAR + 1))
"""``STEPS[source][die]``: every step there is, made once."""

_KILL: Final = tuple((1 << SIDE) - (1 << SIDE + 4 * point) for point in range(BAR + 1))
"""What killing the opposing checker on a point adds to a board (N10)."""

_GO: Final = tuple(
    tuple(
        tuple(
            (source, 1 << 4 * source, (1 << 4 * (source - die)) - (1 << 4 * source), source - die)
            for source in range(min(24, highest), die, -1)
        )
        for highest in range(BAR + 1)
    )
    for die in range(7)
)
"""``_GO[die][highest]``: source, its bit, what the step adds, target; highest source first."""


def successors(board: Board, die: int, highest: int = BAR) -> list[tuple[int, Board]]:
    """Source and resulting board of every step that ``die`` allows by itself.

    Highest source first, none above ``highest``. A killed checker must enter first (N11), closed
    points are left out (N6), a single opposing checker is killed (N10), bearing off is as N13 to
    N15 have it.
    """
    own = board & OWN
    opp = board >> SIDE
    if own >> 100:
        target = BAR - die
        standing = opp >> 4 * target & 15
        if standing > 1 or highest < BAR:
            return []
        after = board - (1 << 100) + (1 << 4 * target)
        return [(BAR, after + _KILL[target] if standing else after)]
    shift = 4 * die
    closed = (opp >> 1 | opp >> 2 | opp >> 3) & BITS
    sources = (own | own >> 1 | own >> 2 | own >> 3) & BITS & ~(closed << shift)
    killing = (opp & ~closed & BITS) << shift
    found = [
        (source, board + delta + _KILL[target] if killing & bit else board + delta)
        for source, bit, delta, target in _GO[die][highest]
        if sources & bit
    ]
    if not own >> 28:
        if own >> shift & 15:
            if die <= highest:
                found.append((die, board + 1 - (1 << shift)))
        elif 0 < (last := (own.bit_length() - 1) >> 2) < die and last <= highest:
            found.append((last, board + 1 - (1 << 4 * last)))
    return found


def can_move(board: Board, die: int) -> bool:
    """Whether ``die`` allows any step at all by itself."""
    own = board & OWN
    opp = board >> SIDE
    shift = 4 * die
    if own >> 100:
        return opp >> 4 * (BAR - die) & 15 < 2
    closed = (opp >> 1 | opp >> 2 | opp >> 3) & BITS
    occupied = (own | own >> 1 | own >> 2 | own >> 3) & BITS
    if (occupied & ~(closed << shift)) >> shift & BITS:
        return True
    if own >> 28 or own < 16:
        return False
    return bool(own >> shift & 15) or not own >> shift


def play(board: Board, step: Step) -> tuple[Board, bool]:
    """The board after a step that ``step.die`` allows, and whether it killed (N10, N14)."""
    source, target = step.source, step.target
    kills = target > OFF and board >> SIDE + 4 * target & 15 == 1
    after = board - (1 << 4 * source) + (1 << 4 * target)
    return (after + _KILL[target] if kills else after), kills
