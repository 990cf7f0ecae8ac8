"""What a game's figures say of a player: which are set against which, and how that is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Share:
    """The part that one figure is of another, 0 to 1: of all plays those that scored."""

    name: str
    of: str
    over: str

    def value(self, sums: Mapping[str, int]) -> float | None:
        """Of figures that were added up; ``None``: there is nothing to tell yet."""
        return _ratio(sums, self.of, self.over)


@dataclass(frozen=True, slots=True)
class Mean:
    """How much of one figure comes on one of another: points a hand."""

    name: str
    of: str
    over: str

    def value(self, sums: Mapping[str, int]) -> float | None:
        """As :meth:`Share.value`."""
        return _ratio(sums, self.of, self.over)


@dataclass(frozen=True, slots=True)
class Luck:
    """What chance gave beyond expectation. ``of``: a figure that is 0 on average, in parts of which
    ``unit`` make one; ``variance``: of that figure, for each of ``over``, which are independent."""

    name: str
    of: str
    over: str
    variance: int
    unit: int = 1

    def value(self, sums: Mapping[str, int]) -> float | None:
        """As :meth:`Share.value`: how much more than expected came on each."""
        ratio = _ratio(sums, self.of, self.over)
        return None if ratio is None else ratio / self.unit

    def strays(self, sums: Mapping[str, int]) -> float | None:
        """By how many standard deviations it is off; beyond 2 is one in twenty."""
        over = sums.get(self.over, 0)
        return sums.get(self.of, 0) / sqrt(self.variance * over) if over > 0 else None


Statistic: TypeAlias = Share | Mean | Luck


def _ratio(sums: Mapping[str, int], of: str, over: str) -> float | None:
    return sums.get(of, 0) / sums[over] if sums.get(over, 0) > 0 else None
