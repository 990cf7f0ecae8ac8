"""What can be asked of a table. Randomness comes with the command; nothing here draws any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from app.table.table import AnyGame


@dataclass(frozen=True, slots=True)
class Fresh:
    """What a match needs that must be new and unguessable: its id and its seed."""

    match: str
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Create:
    """Make a table (T1) and take its first seat."""

    table: str
    game: AnyGame = field(repr=False)
    options: Mapping[str, int]
    player: str
    name: str
    fresh: Fresh


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a free seat (T16). The one that fills the table starts the match with ``fresh``."""

    player: str
    name: str
    fresh: Fresh


@dataclass(frozen=True, slots=True)
class Act:
    """A game action of a player, as it came: ``action`` is JSON of the game's own form.

    ``id`` is the client's; a resend under it counts once (T10). ``match`` and ``ply`` say for
    which position it is meant.
    """

    player: str
    id: str
    match: str
    ply: int
    action: object


Command: TypeAlias = Create | Sit | Act
