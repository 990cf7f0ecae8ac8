"""What domino counts: figures of a seat, and what the shuffles gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb
from typing import Final

from engine.domino.deal import deal, highest_double
from engine.domino.events import Drew, HandEnded, Laid
from engine.domino.tiles import DOUBLES, IS_DOUBLE, NAMES, TILES
from engine.game import Event, Seat
from engine.statistics import Mean, Share, Statistic

COUNTERS: Final = (
    "hands_ended",
    "hands_won",
    "hands_drawn",
    "ribas",
    "ribas_won",
    "plays",
    "scoring_plays",
    "scored",
    "draws",
)
"""``hands_ended``: hands played to their end, and of these ``hands_won``, ``hands_drawn`` (G23) and
``ribas``, the drawn ones among them (G21). ``plays``: tiles laid; ``scoring_plays``: those that
scored, and ``scored`` what they did (G16). ``draws``: tiles drawn from the bazaar."""


STATISTICS: Final[tuple[Statistic, ...]] = (
    Mean("points_a_hand", "points", "hands"),
    Share("scoring_plays", "scoring_plays", "plays"),
    Share("hands_won", "hands_won", "hands_ended"),
    Share("ribas", "ribas", "hands_ended"),
)


def count(events: tuple[Event, ...]) -> Iterator[tuple[Seat, str, int]]:
    """Seat, counter and how much, for every event that counts."""
    for event in events:
        if isinstance(event, Laid):
            yield event.seat, "plays", 1
            yield event.seat, "scoring_plays", int(event.points > 0)
            yield event.seat, "scored", event.points
        elif isinstance(event, Drew):
            yield event.seat, "draws", 1
        elif isinstance(event, HandEnded) and event.result.end != "redeal":
            ended = event.result
            riba = ended.end in ("riba", "drawn")
            for seat in range(len(ended.score)):
                yield seat, "hands_ended", 1
                yield seat, "ribas", int(riba)
                yield seat, "hands_drawn", int(ended.winner is None)
            if ended.winner is not None:
                yield ended.winner, "hands_won", 1
                yield ended.winner, "ribas_won", int(riba)


def chances(seats: int, hand_size: int) -> Mapping[str, Mapping[str, Fraction]]:
    """How likely each thing is that a shuffled set can give.

    ``opening_double``: with which double a hand is opened that the highest double opens, or
    ``none`` (G3, G4). Of the 28 tiles D are dealt, every choice of D equally likely. That k-k is
    the highest double means that it is among them and the j = 6 - k higher doubles are not: the
    other D - 1 come from 27 - j tiles, C(27 - j, D - 1) of C(28, D) choices; none, that all D come
    from the 21 others.

    ``opener``: which seat opens such a hand. By symmetry each seat as often as another.

    ``doubles_dealt``: how many doubles a hand is dealt, for every hand of every deal: d of 7
    doubles and the rest of the 21 other tiles, C(7, d) C(21, H - d) of C(28, H). Hands of one deal
    are not independent (a double is in one of them), so their counts stray a little less than as
    many independent ones would.
    """
    tiles, doubles = len(TILES), DOUBLES.bit_count()
    dealt = seats * hand_size
    highest = {
        NAMES[each]: Fraction(comb(tiles - 1 - above, dealt - 1), comb(tiles, dealt))
        for above, each in enumerate(each for each in reversed(TILES) if IS_DOUBLE[each])
    }
    none = Fraction(comb(tiles - doubles, dealt), comb(tiles, dealt))
    held = {
        str(number): Fraction(
            comb(doubles, number) * comb(tiles - doubles, hand_size - number),
            comb(tiles, hand_size),
        )
        for number in range(min(doubles, hand_size) + 1)
    }
    return {
        "opening_double": {**highest, "none": none},
        "opener": {**{str(seat): (1 - none) / seats for seat in range(seats)}, "none": none},
        "doubles_dealt": held,
    }


def given(
    order: tuple[int, ...], seats: int, hand_size: int, by_double: bool
) -> Iterator[tuple[str, str]]:
    """Tables and keys of :func:`chances` for a shuffled set; ``by_double``: the highest double
    opens. Raises :class:`~engine.game.Refusal` for what is no full set."""
    hands = deal(order, seats, hand_size).hands
    if by_double:
        highest = highest_double(hands)
        yield "opening_double", "none" if highest is None else NAMES[highest[1]]
        yield "opener", "none" if highest is None else str(highest[0])
    for hand in hands:
        yield "doubles_dealt", str((hand & DOUBLES).bit_count())
