"""The easy player: it knows the rules and likes points, but it does not look ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from engine.game import Json

SEES_POINTS: Final = 0.25
"""How often it looks for the points."""


def choose(view: Json, legal: Sequence[Json], rng: Random) -> Json:
    """A policy (:class:`~app.bots.policy.Policy`)."""
    if rng.random() < SEES_POINTS:
        offered = [each.get("points", 0) for each in view["legal"]]
        best = max(offered, default=0)
        if best:
            lay = view["legal"][offered.index(best)]
            action = {name: lay[name] for name in ("action", "tile", "end")}
            if action in legal:
                return action
    return rng.choice(legal)
