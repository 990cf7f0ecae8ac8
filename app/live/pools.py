"""What can be played at one press: who chooses the same may meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.table import coins
from app.table.table import AnyGame

STAKES: Final = (0, *coins.OFFERED)
"""What a seat may stake."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A game with its options and the coins of each seat (0: none). The clock is the standard
    one."""

    game: AnyGame = field(repr=False)
    options: Mapping[str, int]
    stake: int

    @property
    def name(self) -> str:
        """The same for all who choose the same, and for nobody else."""
        options = ",".join(f"{option}={value}" for option, value in sorted(self.options.items()))
        return f"{self.game.name}/{self.game.rules}/{options}/{self.stake}"

    @property
    def seats(self) -> int:
        """So many play together."""
        return self.game.seats(self.options)


def pool_of(
    games: Iterable[AnyGame],
    name: str | None,
    rules: str | None,
    options: Mapping[str, int | str],
    stake: int | str,
) -> Pool | None:
    """The pool of these choices, as numbers or as a form has them; ``None``: there is no such.
    ``options`` may hold more than the game's own."""
    game = next((each for each in games if (each.name, each.rules) == (name, rules)), None)
    staked = next((each for each in STAKES if str(each) == str(stake)), None)
    if game is None or staked is None:
        return None
    chosen = {}
    for option, values in game.choices.items():
        value = next((each for each in values if str(each) == str(options.get(option))), None)
        if value is None:
            return None
        chosen[option] = value
    return Pool(game, chosen, staked)
