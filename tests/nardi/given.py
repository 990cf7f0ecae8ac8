"""Positions and dice for property tests, and short ways to write a position."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine.nardi.board import CHECKERS, START, Board, build, flip, off, opp_off
from engine.nardi.moves import Step
from engine.nardi.turns import results

modest = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""How hard the property tests of nardi try."""

DICE = [(one, other) for one in range(1, 7) for other in range(1, 7)]
ROLLS = [(one, other) for one in range(1, 7) for other in range(1, one + 1)]
"""The 21 rolls, larger first."""

dice = st.sampled_from(DICE)


def at(own: str, opp: str = "") -> Board:
    """``at("bar:1 6:2", "19:2 bar:1")``: both in the mover's numbering; the rest is off."""
    sides = []
    for text in (own, opp):
        pairs = (word.split(":") for word in text.split())
        sides.append({place: int(count) for place, count in pairs})
    mine, theirs = sides
    waiting, theirs_waiting = mine.pop("bar", 0), theirs.pop("bar", 0)
    return build(
        {int(point): count for point, count in mine.items()},
        {int(point): count for point, count in theirs.items()},
        bar=waiting,
        opp_bar=theirs_waiting,
    )


def steps_of(*pairs: tuple[int, int]) -> tuple[Step, ...]:
    """Steps from (source, die)."""
    return tuple(Step(source, die) for source, die in pairs)


@st.composite
def scattered(draw: st.DrawFn) -> Board:
    """Any sound position: crowded or sparse, on the bar, bearing off, with walls."""
    low, high = draw(st.sampled_from([(1, 24), (1, 24), (1, 6), (1, 8), (12, 24)]))
    mine = draw(st.integers(1, CHECKERS))
    theirs = draw(st.integers(1, CHECKERS))
    waiting = draw(st.sampled_from([0, 0, 0, 1, 2])) if low == 1 and high == 24 else 0
    own: dict[int, int] = {}
    for _ in range(mine - min(waiting, mine)):
        point = draw(st.integers(low, high))
        own[point] = own.get(point, 0) + 1
    free = [point for point in range(1, 25) if point not in own]
    opp: dict[int, int] = {}
    opp_waiting = draw(st.sampled_from([0, 0, 0, 1]))
    left = theirs - min(opp_waiting, theirs)
    while left:
        point = draw(st.sampled_from(free))
        count = min(left, draw(st.sampled_from([1, 2, 2, 3])))
        if opp.get(point, 0) + count > CHECKERS:
            count = left
        opp[point] = opp.get(point, 0) + count
        left -= count
    return build(own, opp, bar=min(waiting, mine), opp_bar=min(opp_waiting, theirs))


@st.composite
def played(draw: st.DrawFn) -> Board:
    """A position that random play meets."""
    chance = random.Random(draw(st.integers(0, 2**32 - 1)))
    board = START
    for _ in range(draw(st.integers(0, 120))):
        roll = (chance.randint(1, 6), chance.randint(1, 6))
        after = flip(chance.choice(sorted(results(board, roll))))
        if opp_off(after) == CHECKERS:
            break
        board = after
    assert off(board) < CHECKERS
    return board


positions = st.one_of(scattered(), scattered(), played())
