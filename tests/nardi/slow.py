"""A slow, obvious generator of legal turns, written on its own: lists, and every order tried.

``own[0]`` off, ``own[1..24]`` points, ``own[25]`` bar; ``opp[p]`` opposing checkers on the mover's
point p, ``opp[0]`` their bar, ``opp[25]`` theirs borne off.
"""

from __future__ import annotations

from engine.nardi.board import SIDE, Board

Place = tuple[tuple[int, ...], tuple[int, ...]]


def lists(board: Board) -> Place:
    """The two lists of a board."""
    digits = [board >> 4 * place & 15 for place in range(52)]
    assert SIDE == 104
    return tuple(digits[:26]), tuple(digits[26:])


def number(place: Place) -> Board:
    """The board of two lists."""
    own, opp = place
    return sum(count * 16**index for index, count in enumerate((*own, *opp)))


def single(place: Place, die: int) -> list[tuple[int, Place]]:
    """Source and place after it, for every way to play one die."""
    own, opp = place
    found = []
    for source in range(1, 26):
        if own[source] == 0:
            continue
        if own[25] > 0 and source != 25:  # N11
            continue
        target = source - die
        if target < 0 or target == 0:
            if sum(own[7:26]) > 0:  # N13
                continue
            if target < 0 and sum(own[source + 1 : 7]) > 0:  # N14
                continue
            target = 0
        elif opp[target] >= 2:  # N6
            continue
        after_own, after_opp = list(own), list(opp)
        after_own[source] -= 1
        after_own[target] += 1
        if target > 0 and opp[target] == 1:  # N10
            after_opp[target] = 0
            after_opp[0] += 1
        found.append((source, (tuple(after_own), tuple(after_opp))))
    return found


Sequence = tuple[tuple[int, int], ...]


def sequences(place: Place, left: tuple[int, ...]) -> set[tuple[Sequence, Place]]:
    """Every sequence of (source, die) that goes as far as it can, in any order of the dice."""
    found = set()
    for die in set(left):
        rest = list(left)
        rest.remove(die)
        for source, after in single(place, die):
            for tail, final in sequences(after, tuple(rest)):
                found.add((((source, die), *tail), final))
    return found or {((), place)}


def legal(place: Place, dice: tuple[int, int]) -> set[tuple[Sequence, Place]]:
    """The sequences that N7 allows."""
    left = (dice[0],) * 4 if dice[0] == dice[1] else dice
    every = sequences(place, left)
    most = max(len(steps) for steps, _ in every)
    every = {each for each in every if len(each[0]) == most}
    if most == 1 and dice[0] != dice[1]:
        dice_used = {steps[0][1] for steps, _ in every}
        every = {each for each in every if each[0][0][1] == max(dice_used)}
    return every


def prefixes(every: set[tuple[Sequence, Place]]) -> set[Sequence]:
    """All beginnings of sequences, whole ones included."""
    return {steps[:count] for steps, _ in every for count in range(len(steps) + 1)}
