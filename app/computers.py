"""Computer players where players are named by an id: at a table, in its match, in the history."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_PREFIX: Final = "computer:"
"""No person's id begins so: theirs have no colon."""


def player_of(level: str, seat: int) -> str:
    """The id of a computer player of a level at a seat; nobody else's at its table."""
    return f"{_PREFIX}{level}:{seat}"


def name_of(level: str) -> str:
    """Its name where none is told in the reader's language: in records and files."""
    return f"Computer ({level})"


def level_of(player: str) -> str | None:
    """The level of a computer player; ``None``: it is a person."""
    return player.split(":")[1] if player.startswith(_PREFIX) else None


def any_of(players: Iterable[str]) -> bool:
    """Whether some of these are computer players."""
    return any(level_of(player) is not None for player in players)
