"""How far a frequency may be from what is expected of it, by chance alone. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

Z: Final = 2.5758293035489004
"""Of 100 values of a normal distribution 99 lie within so many deviations."""


@dataclass(frozen=True, slots=True)
class Band:
    """A frequency that was ``seen`` and the ``expected`` one, and from ``low`` to ``high`` where 99
    of 100 such counts lie when the expectation is right. All between 0 and 1."""

    count: int
    trials: int
    seen: float
    expected: float
    low: float
    high: float

    @property
    def inside(self) -> bool:
        """Whether what was seen is within the band."""
        return self.low <= self.seen <= self.high


def band(count: int, trials: int, chance: float) -> Band:
    """The band of ``count`` in ``trials`` that each had a ``chance``; without trials it is all
    there is, and nothing was seen.

    It is the normal approximation of the binomial distribution about the expectation,
    p ± (2.576·√(p(1−p)/n) + 1/2n), cut off at 0 and 1; the last term, for a count that is whole,
    keeps the band from being too narrow where there are few trials. A count is inside just when
    the score interval (Wilson's, with the same term) about what was seen holds the expectation.
    """
    if not trials:
        return Band(0, 0, 0.0, chance, 0.0, 1.0)
    half = Z * sqrt(chance * (1 - chance) / trials) + 1 / (2 * trials)
    low, high = max(0.0, chance - half), min(1.0, chance + half)
    return Band(count, trials, count / trials, chance, low, high)
