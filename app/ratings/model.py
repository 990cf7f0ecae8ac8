"""What a match makes of ratings. Pure: the library's model, and how a rating is shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

ESTABLISHED: Final = 10
"""A rating of fewer matches is provisional."""

_MODEL: Final = PlackettLuce()
_MIDDLE: Final = 1500
_SCALE: Final = 40


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of a player: the mean ``mu``, and ``sigma``, how uncertain that is."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def shown(self) -> int:
        """The rating as people see it. It is the mean alone: two who are equally unsure move by
        the same amount, one up and the other down."""
        return round(_MIDDLE + _SCALE * (self.mu - _MODEL.mu))


def after(before: Sequence[Skill], winners: Collection[int]) -> tuple[Skill, ...]:
    """The skills of all seats after a match that ``winners``, some of the seats, have won.

    One winner has beaten every other, who are level. Several have won together, against the
    others together.
    """
    won = sorted(winners)
    lost = [seat for seat in range(len(before)) if seat not in winners]
    sides = [won, lost] if len(won) > 1 else [won, *([seat] for seat in lost)]
    teams = [
        [_MODEL.rating(mu=before[seat].mu, sigma=before[seat].sigma) for seat in side]
        for side in sides
    ]
    rated = _MODEL.rate(teams, ranks=[1.0] + [2.0] * (len(sides) - 1))
    found = {
        seat: Skill(each.mu, each.sigma)
        for side, team in zip(sides, rated, strict=True)
        for seat, each in zip(side, team, strict=True)
    }
    return tuple(found[seat] for seat in range(len(before)))
