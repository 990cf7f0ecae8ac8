"""A table: who sits, what is played, how it stands. One immutable value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from app.table.changed import changed
from app.table.clock import ClockSettings
from app.table.match import Handshake, Match, VoidCause
from app.table.seat import Sitter
from engine.game import Game, Json, Seat, Viewer

AnyGame: TypeAlias = Game[Any, Any]
Games: TypeAlias = Callable[[str, str], AnyGame]
"""``(name, rules) -> Game``; raises ``Unreadable`` for what there is not."""

Status: TypeAlias = Literal["open", "funding", "handshake", "running", "ended", "closed"]
"""The states of T15. ``closed``: nobody will sit down here any more."""
OutgoingKind: TypeAlias = Literal["fund", "cancel", "playing", "ended", "void"]
ClosedCause: TypeAlias = Literal["host_left", "host_away", "expired"]

UNLISTED_MS: Final = 60_000
AWAY_MS: Final = 600_000
"""A waiting table whose host has been away so long is not listed, and closed (T16)."""
LINK_MS: Final = 24 * 3_600_000
"""How long an invite link is good (T1)."""
KEPT_MS: Final = 3_600_000
"""So long a table is kept when its match is over and nobody is there, and when it is closed."""


@dataclass(frozen=True, slots=True)
class Void:
    """A handshake that came to nothing: which, why, and on whose seats."""

    match: str
    cause: VoidCause
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Something that must happen outside the table, safe to do twice: ``kind`` and what it needs.
    ``id`` is unique within the table; ``retry_at`` is when to try (again)."""

    id: int
    kind: OutgoingKind
    payload: Json = field(repr=False)
    retry_at: int
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table. ``version`` grows by one with every save; ``number`` is that of the last event,
    from 1 without gaps. ``at``: site time of the last change, which no later one lies before.
    ``left``: seats whose player has left after the start. ``wants``: seats that want a rematch;
    ``wins``: the running series."""

    id: str
    game: AnyGame = field(repr=False)
    options: Mapping[str, int]
    clock: ClockSettings
    public: bool
    seats: tuple[Sitter | None, ...]
    made_at: int
    stake: int = 0
    status: Status = "open"
    listed: bool = False
    funding: tuple[str, int] | None = None
    handshake: Handshake | None = None
    match: Match | None = None
    left: frozenset[Seat] = frozenset()
    wants: frozenset[Seat] = frozenset()
    wins: tuple[int, ...] = ()
    void: Void | None = None
    closed: ClosedCause | None = None
    closed_at: int | None = None
    outbox: tuple[Outgoing, ...] = ()
    sent: int = 0
    at: int = 0
    version: int = 0
    number: int = 0

    def seat_of(self, player: str | None) -> Viewer:
        """The seat of a player; ``None``: they watch."""
        for seat, sitter in enumerate(self.seats):
            if sitter is not None and sitter.player == player:
                return seat
        return None

    def sitter(self, seat: Seat) -> Sitter:
        """Who sits on a seat that is taken."""
        found = self.seats[seat]
        assert found is not None
        return found

    def taken(self) -> tuple[Seat, ...]:
        """The seats that are taken."""
        return tuple(seat for seat, sitter in enumerate(self.seats) if sitter is not None)

    def people(self) -> tuple[Seat, ...]:
        """The seats that persons have taken."""
        return tuple(seat for seat, x in enumerate(self.seats) if x is not None and x.bot is None)

    def bots(self) -> frozenset[Seat]:
        """The seats that computer players have taken."""
        return frozenset(s for s, x in enumerate(self.seats) if x is not None and x.bot is not None)

    def free_seat(self) -> Seat | None:
        """The first free seat, or ``None``."""
        return next((s for s, x in enumerate(self.seats) if x is None), None)

    def match_id(self) -> str | None:
        """The match that runs or ran here, or that the handshake is for."""
        if self.match is not None:
            return self.match.id
        return None if self.handshake is None else self.handshake.match

    def host(self) -> Seat | None:
        """Who waits here longest: the creator while they sit, else the next."""
        return next(iter(self.people()), None)

    def with_sitter(self, seat: Seat, sitter: Sitter | None) -> Table:
        """The same table with somebody else (or nobody) on a seat."""
        return changed(self, seats=(*self.seats[:seat], sitter, *self.seats[seat + 1 :]))
