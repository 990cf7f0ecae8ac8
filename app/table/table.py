"""A table: who sits, what is played, how it stands. One immutable value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from engine.game import Game, Seat, Viewer

AnyGame: TypeAlias = Game[Any, Any]
Games: TypeAlias = Callable[[str, str], AnyGame]
"""``(name, rules) -> Game``; raises ``Unreadable`` for what there is not."""

Status: TypeAlias = Literal["open", "running", "ended"]
"""The states of T15 that there are so far."""

ANSWERS = 32
"""So many of a player's last saved commands are remembered. An older one is stale by its ply."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A saved command: its id and the number of the last event it led to (T10)."""

    id: str
    number: int


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat: player id, name to show, and the last commands saved for them."""

    player: str
    name: str
    answers: tuple[Answered, ...] = ()

    def answered(self, command_id: str) -> Answered | None:
        """The first answer to a command id, if it was saved."""
        return next((a for a in reversed(self.answers) if a.id == command_id), None)

    def remember(self, command_id: str, number: int) -> Sitter:
        """The same sitter with one more answer; the oldest is forgotten beyond :data:`ANSWERS`."""
        answers = (*self.answers, Answered(command_id, number))[-ANSWERS:]
        return replace(self, answers=answers)


@dataclass(frozen=True, slots=True)
class Match:
    """A match at a table. ``ply`` counts its game actions and nothing else (spec of pitfalls:
    an opponent's coming and going refuses nobody's move)."""

    id: str
    seed: bytes = field(repr=False)
    state: Any = field(repr=False)
    ply: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table. ``version`` grows by one with every save; ``number`` is that of the last event,
    from 1 without gaps; ``made`` is site time in seconds."""

    id: str
    game: AnyGame = field(repr=False)
    options: Mapping[str, int]
    seats: tuple[Sitter | None, ...]
    made: float
    status: Status = "open"
    match: Match | None = None
    version: int = 0
    number: int = 0

    def seat_of(self, player: str | None) -> Viewer:
        """The seat of a player; ``None``: they watch."""
        return next((s for s, x in enumerate(self.seats) if x and x.player == player), None)

    def free_seat(self) -> Seat | None:
        """The first free seat, or ``None``."""
        return next((s for s, x in enumerate(self.seats) if x is None), None)

    def with_sitter(self, seat: Seat, sitter: Sitter) -> Table:
        """The same table with somebody (else, or changed) on a seat."""
        return replace(self, seats=(*self.seats[:seat], sitter, *self.seats[seat + 1 :]))
