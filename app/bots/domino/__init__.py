"""Computer players of this game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Final

from app.bots.policy import LEVELS, Level, Policy
from engine.game import Json


def _any(view: Json, legal: Sequence[Json], rng: Random) -> Json:
    return rng.choice(legal)


POLICIES: Final[Mapping[Level, Policy]] = MappingProxyType(dict.fromkeys(LEVELS, _any))
