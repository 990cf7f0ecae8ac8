"""Domino: one machinery, many rule sets. ``GAMES`` holds every rule set behind the contract."""

from typing import Final

from engine.domino.game import Domino
from engine.domino.georgian import Georgian

GEORGIAN: Final = Domino(Georgian())
GAMES: Final = (GEORGIAN,)
GAME: Final = GEORGIAN
