"""Why a step is refused, and why a die cannot be played: a code, a rule and its values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.game import Refusal
from engine.nardi.board import BAR, HOME, POINTS, Board, all_home, bar, opp, own
from engine.nardi.moves import Step, can_move, successors
from engine.nardi.turns import steps


class Dead(NamedTuple):
    """A die that cannot be played any more this turn, and why."""

    die: int
    reason: Refusal


def why_not(board: Board, left: Sequence[int], step: Step) -> Refusal | None:
    """Why ``step`` is refused on ``board`` with the dice ``left``; ``None`` if it is legal.

    ==============  ====  =====================================================  ============
    code            rule  meaning                                                values
    ==============  ====  =====================================================  ============
    die_not_left    N4    the die was not rolled, or is used up                  die
    no_checker      N4    no own checker stands there                            source
    bar_first       N11   a killed checker has to enter first                    source
    bar_closed      N11   the point it would enter on is closed                  die, point
    closed          N6    two or more opposing checkers hold the point           die, point
    not_home        N13   bearing off while a checker is outside the home        die, point
    higher_checker  N14   a checker on a higher point has to be moved instead    die, point
    use_both        N8    it would make it impossible to use as many dice        die, source
    larger_die      N7    either die can be played but not both                  die, larger
    ==============  ====  =====================================================  ============
    """
    source, die = step
    if die not in left:
        return Refusal("die_not_left", "N4", die=die)
    if not 1 <= source <= BAR:
        return Refusal("no_checker", "N4", source=source)
    if bar(board) and source != BAR:
        return Refusal("bar_first", "N11", source=source)
    if not own(board, source):
        return Refusal("no_checker", "N4", source=source)
    target = source - die
    if target > 0:
        if opp(board, target) > 1:
            if source == BAR:
                return Refusal("bar_closed", "N11", die=die, point=target)
            return Refusal("closed", "N6", die=die, point=target)
    elif not all_home(board):
        outside = max(point for point in POINTS if own(board, point))
        return Refusal("not_home", "N13", die=die, point=outside)
    elif target < 0:
        highest = max(point for point in HOME if own(board, point))
        if highest > source:
            return Refusal("higher_checker", "N14", die=die, point=highest)
    if step in steps(board, left):
        return None
    if _uses_both(board, left):
        return Refusal("use_both", "N8", die=die, source=source)
    return Refusal("larger_die", "N7", die=die, larger=max(left))


def dead_dice(board: Board, left: Sequence[int]) -> tuple[Dead, ...]:
    """The dice ``left`` that no legal way to end this turn can use, larger first, each once.

    ================  ====  ====================================================  ==========
    code              rule  meaning                                               values
    ================  ====  ====================================================  ==========
    all_off           N16   no checker is left to play it with                    die
    bar_closed        N11   a killed checker cannot enter with it                 die, point
    larger_die        N7    the larger die must be played, and not both can       die, larger
    closed            N6    it is closed everywhere                               die
    ================  ====  ====================================================  ==========
    """
    if _uses_both(board, left):
        return ()
    dead = set(left) - {step.die for step in steps(board, left)}
    return tuple(Dead(die, _why_dead(board, left, die)) for die in sorted(dead, reverse=True))


def _uses_both(board: Board, left: Sequence[int]) -> bool:
    """Whether two different dice ``left`` can both be used in some order."""
    if len(set(left)) < 2:
        return False
    large, small = max(left), min(left)
    return any(can_move(after, small) for _, after in successors(board, large)) or any(
        can_move(after, large) for _, after in successors(board, small)
    )


def _why_dead(board: Board, left: Sequence[int], die: int) -> Refusal:
    if not bar(board) and not any(own(board, point) for point in POINTS):
        return Refusal("all_off", "N16", die=die)
    if can_move(board, die):
        return Refusal("larger_die", "N7", die=die, larger=max(left))
    if bar(board):
        return Refusal("bar_closed", "N11", die=die, point=BAR - die)
    return Refusal("closed", "N6", die=die)
