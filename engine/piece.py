"""A piece of a hand: where it begins, and what happens from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.game import Json


@dataclass(frozen=True, slots=True)
class Piece:
    """``begin`` is a state of the game, ``hand`` what follows, recorded as a hand is."""

    options: Mapping[str, int]
    begin: Any
    hand: Json
