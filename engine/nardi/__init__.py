"""Short nardi (მოკლე ნარდი), rules N1 to N24.

Another rule set, such as long nardi, is another game beside :data:`GAME` in :data:`GAMES`.
"""

from typing import Any, Final

from engine.game import Game
from engine.nardi.actions import Action
from engine.nardi.game import ShortNardi
from engine.nardi.match import State

GAME: Final[Game[State, Action]] = ShortNardi()
GAMES: Final[tuple[Game[Any, Any], ...]] = (GAME,)
"""Every rule set of nardi, the usual one first."""

__all__ = ["GAME", "GAMES", "Action", "ShortNardi", "State"]
