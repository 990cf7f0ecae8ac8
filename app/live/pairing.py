"""Who meets whom: the nearest ratings first, and the wider the longer somebody waits. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from app.live.seeking import Seeker

UNRATED: Final = 1500.0
"""What somebody counts as who has no rating."""
AT_ONCE: Final = 75
"""So far apart two may be who have just come."""
A_SECOND: Final = 25
"""So much further with each second."""
ALL_MS: Final = 30_000
"""After so long anybody will do."""


def window(seeker: Seeker, now: int) -> int | None:
    """How far off somebody may be whom this one meets at the site time ``now``; ``None``:
    however far."""
    waited = max(0, now - seeker.since)
    return None if waited >= ALL_MS else AT_ONCE + A_SECOND * (waited // 1_000)


def fits(one: Seeker, other: Seeker, now: int) -> bool:
    """Whether the two may meet now: they want the same, neither will not meet the other, and each
    is near enough for the other."""
    apart = _apart(one, other)
    return (
        one.pool == other.pool
        and one.player != other.player
        and one.player not in other.blocked
        and other.player not in one.blocked
        and all(apart <= _reach(each, now) for each in (one, other))
    )


def groups(seekers: Sequence[Seeker], now: int, seats: int) -> list[tuple[Seeker, ...]]:
    """Who is to play together, ``seats`` of them at each table: one after the other whoever has
    waited longest gets the nearest of those who fit, and all fit each other. Nobody is in two.
    The cost grows with the number of seekers to the power of the seats."""
    left = sorted(seekers, key=lambda each: (each.since, each.player))
    found = []
    while left:
        first = left.pop(0)
        others = [each for each in left if fits(first, each, now)]
        others.sort(key=lambda each: _apart(first, each))
        rest = _among(others, now, seats - 1)
        if rest is not None:
            found.append((first, *rest))
            met = {each.player for each in rest}
            left = [each for each in left if each.player not in met]
    return found


def _among(candidates: Sequence[Seeker], now: int, wanted: int) -> tuple[Seeker, ...] | None:
    """So many of them who all fit each other, the first ones first."""
    if wanted == 0:
        return ()
    for n, each in enumerate(candidates):
        fitting = candidates[n + 1 :] if wanted == 1 else _fitting(each, candidates[n + 1 :], now)
        rest = _among(fitting, now, wanted - 1)
        if rest is not None:
            return (each, *rest)
    return None


def _fitting(one: Seeker, others: Sequence[Seeker], now: int) -> list[Seeker]:
    return [other for other in others if fits(one, other, now)]


def _apart(one: Seeker, other: Seeker) -> float:
    return abs(_rating(one) - _rating(other))


def _rating(seeker: Seeker) -> float:
    return UNRATED if seeker.rating is None else seeker.rating


def _reach(seeker: Seeker, now: int) -> float:
    reach = window(seeker, now)
    return math.inf if reach is None else reach
