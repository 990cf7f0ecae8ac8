"""What the end of a hand is worth, and so what five chances are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from app.bots.nardi.equity import match_chance

Five: TypeAlias = tuple[float, float, float, float, float]
"""A player's chances in a hand: to win it at all, with marsi or koksi, with koksi; to lose it with
marsi or koksi, with koksi (N17)."""
Three: TypeAlias = tuple[float, float, float]
"""By oini, marsi and koksi."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand is worth to a player who wins it, or loses it, by one, two or three points."""

    win: Three
    loss: Three

    def of(self, five: Five) -> float:
        """What is to be expected of chances."""
        win, marsi, koksi, lost_marsi, lost_koksi = five
        return (
            self.loss[0]
            + win * (self.win[0] - self.loss[0])
            + marsi * (self.win[1] - self.win[0])
            + koksi * (self.win[2] - self.win[1])
            + lost_marsi * (self.loss[1] - self.loss[0])
            + lost_koksi * (self.loss[2] - self.loss[1])
        )


POINTS: Final = Worth((1, 2, 3), (-1, -2, -3))
"""A hand played for its points alone, as if there were no match."""


@cache
def in_match(own: int, opp: int) -> Worth:
    """What a hand is worth to a player who needs ``own`` points of a match, the other ``opp``:
    the chance of winning the match afterwards."""
    return Worth(
        (match_chance(own - 1, opp), match_chance(own - 2, opp), match_chance(own - 3, opp)),
        (match_chance(own, opp - 1), match_chance(own, opp - 2), match_chance(own, opp - 3)),
    )
