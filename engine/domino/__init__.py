"""Domino: one machinery, many rule sets. ``GAMES`` holds every rule set behind the contract."""

from typing import Final

from engine.domino.actions import DRAW, Draw, Lay, read_play, write_play
from engine.domino.game import Domino
from engine.domino.georgian import Georgian

GEORGIAN: Final = Domino(Georgian())
GAME: Final = GEORGIAN
GAMES: Final = (GEORGIAN,)
"""Every rule set of domino, the usual one first."""

__all__ = ["DRAW", "GAME", "GAMES", "GEORGIAN", "Draw", "Lay", "read_play", "write_play"]
