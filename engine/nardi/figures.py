"""What nardi counts: figures of a seat, and what the dice gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from engine.game import Ask, Event, Refusal, Seat
from engine.nardi.events import HandEnded, HandStarted, Moved, Rolled
from engine.statistics import Luck, Mean, Share, Statistic

COUNTERS: Final = (
    "hands_won",
    "hands_lost",
    "oini",
    "marsi",
    "koksi",
    "oini_lost",
    "marsi_lost",
    "koksi_lost",
    "openings",
    "rolls",
    "pips",
    "luck_36",
    "doubles",
    "hits",
)
"""``oini``, ``marsi``, ``koksi``: hands won so, and with ``_lost`` lost so. ``openings``: opening
rolls won. ``rolls``: rolls of one's own, and of these the ``doubles`` and the ``pips`` (a double
four times). ``hits``: checkers killed.

``luck_36`` is the luck of the dice in 36ths of a pip: ``36 * pips - 294 * rolls``, since the 36
rolls have 294 pips in all (N4, N5). Its expectation is exactly 0 for every roll, whatever was
rolled before, so it can be added up over any matches and nobody else has to know what a roll is
worth; its variance is 23,940 a roll (a standard deviation of 4.3 pips). The pair of an opening
roll is left out of all this: it is never a double, so it would not be 0 on average.
"""


STATISTICS: Final[tuple[Statistic, ...]] = (
    Share("oini", "oini", "hands_won"),
    Share("marsi", "marsi", "hands_won"),
    Share("koksi", "koksi", "hands_won"),
    Mean("hits", "hits", "hands"),
    Luck("luck_of_dice", "luck_36", "rolls", variance=23_940, unit=36),
)


def count(events: tuple[Event, ...]) -> Iterator[tuple[Seat, str, int]]:
    """Seat, counter and how much, for every event that counts."""
    for event in events:
        if isinstance(event, Moved):
            if event.kill:
                yield event.seat, "hits", 1
        elif isinstance(event, Rolled):
            first, second = event.dice
            double = first == second
            pips = (first + second) * (2 if double else 1)
            yield event.seat, "rolls", 1
            yield event.seat, "pips", pips
            yield event.seat, "luck_36", 36 * pips - 294
            yield event.seat, "doubles", int(double)
        elif isinstance(event, HandStarted):
            yield event.seat, "openings", 1
        elif isinstance(event, HandEnded):
            yield event.winner, "hands_won", 1
            yield event.winner, event.end, 1
            yield 1 - event.winner, "hands_lost", 1
            yield 1 - event.winner, f"{event.end}_lost", 1


CHANCES: Final[Mapping[str, Mapping[str, Fraction]]] = MappingProxyType(
    {
        "faces": {str(face): Fraction(1, 6) for face in range(1, 7)},
        "rolls": {"double": Fraction(1, 6), "plain": Fraction(5, 6)},
        "opening": {"0": Fraction(5, 12), "1": Fraction(5, 12), "tie": Fraction(1, 6)},
    }
)
"""``faces``: every die of every roll, ties of the opening too; each face is 1 in 6. ``rolls``:
rolls of two dice by one seat; 6 of 36 are doubles. ``opening``: which seat won an opening roll,
every one of them (N3); 6 of 36 are ties, and in half of the 30 others either die is the higher."""


def given(ask: Ask, dice: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    """Tables and keys of :data:`CHANCES` for a roll. Raises :class:`Refusal`."""
    if len(dice) != 2 or any(die not in range(1, 7) for die in dice):
        raise Refusal("bad_roll", "N4")
    first, second = dice
    for die in dice:
        yield "faces", str(die)
    if ask.label.startswith("opening"):
        yield "opening", "tie" if first == second else "01"[first < second]
    else:
        yield "rolls", "double" if first == second else "plain"
