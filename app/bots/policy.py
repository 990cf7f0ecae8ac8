"""What a computer player is: a pure choice among what is legal, from what its seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, Literal, Protocol, TypeAlias

from engine.game import Json

Level: TypeAlias = Literal["easy", "medium", "strong"]
LEVELS: Final[tuple[Level, ...]] = ("easy", "medium", "strong")
"""From the one that a newcomer beats to the best there is."""


class Policy(Protocol):
    """How a computer player of one level plays one game."""

    def __call__(self, view: Json, legal: Sequence[Json], rng: Random) -> Json:
        """One of ``legal``, the actions of the seat whose ``view`` this is (both in the game's
        JSON form; ``legal`` is not empty). ``rng`` is all the chance there is: the same three
        give the same answer."""
        ...
