"""What can be asked of a table. Randomness, and what other tables and the ledger say, comes with
the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from app.table.clock import ClockSettings
from app.table.coins import Funds
from app.table.match import Rated
from app.table.table import AnyGame


@dataclass(frozen=True, slots=True)
class Fresh:
    """What a match needs that must be new and unguessable: its id, and the last element of its
    chain (32 bytes)."""

    match: str
    last: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What a player does at other tables: how many they wait at, and whether a match of theirs
    runs (T16)."""

    waiting: int = 0
    playing: bool = False


@dataclass(frozen=True, slots=True)
class Bot:
    """A computer player of a level, by the id and name that it has at a table."""

    player: str
    name: str
    level: str


@dataclass(frozen=True, slots=True)
class Create:
    """Make a table (T1) and take its first seat. ``stake``: coins of each seat, 0 for a free table
    (T3). ``funds``: whether the player covers them (T4). ``bots`` take the seats after the first;
    if they fill the table, that leads to a match with ``fresh``."""

    table: str
    game: AnyGame = field(repr=False)
    options: Mapping[str, int]
    clock: ClockSettings
    public: bool
    player: str
    name: str
    elsewhere: Elsewhere = Elsewhere()
    stake: int = 0
    funds: Funds = "away"
    bots: tuple[Bot, ...] = ()
    fresh: Fresh | None = None


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a free seat (T16). The one that fills the table leads to a match with ``fresh``.
    ``funds``: whether the player covers the table's stake (T4); ``apart``: whether they and
    somebody who sits there do not meet."""

    player: str
    name: str
    fresh: Fresh
    elsewhere: Elsewhere = Elsewhere()
    funds: Funds = "away"
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Hash:
    """Handshake: the SHA-256 of a seat's number (fairness 2)."""

    player: str
    id: str
    match: str
    hash: bytes


@dataclass(frozen=True, slots=True)
class Reveal:
    """Handshake: the number itself. ``busy``: players of this table whose match runs at another;
    no match begins with them (T16)."""

    player: str
    id: str
    match: str
    number: bytes = field(repr=False)
    busy: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Act:
    """A game action of a player, as it came: ``action`` is JSON of the game's own form.

    ``id`` is the client's; a resend under it counts once (T10). ``match`` and ``ply`` say for
    which position it is meant. ``lag``: milliseconds of network delay, measured by the server.
    """

    player: str
    id: str
    match: str
    ply: int
    action: object
    lag: int = 0


@dataclass(frozen=True, slots=True)
class Ready:
    """No need to wait for the next hand."""

    player: str
    id: str
    match: str


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the match up (T13)."""

    player: str
    id: str
    match: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table: freely before the match, losing it while it runs (T13). ``match`` is the
    match (or handshake) it is meant for, ``None``: there was none. ``freed``: the site frees a
    seat of somebody whose match has begun elsewhere (T16), whatever goes on here but a match."""

    player: str
    id: str
    match: str | None = None
    freed: bool = False


@dataclass(frozen=True, slots=True)
class Rematch:
    """Want another match, or no more (T13). The last to agree leads to it, with ``fresh``.
    ``funds``: whether the player covers the table's stake (T4)."""

    player: str
    id: str
    match: str
    want: bool
    fresh: Fresh
    elsewhere: Elsewhere = Elsewhere()
    funds: Funds = "away"


@dataclass(frozen=True, slots=True)
class Connected:
    """A connection of a player came; ``mark`` names it, once and for all."""

    player: str
    mark: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Connections that are gone: by name, or all of a process that is (``PROCESS.``)."""

    marks: frozenset[str] = frozenset()
    process: str | None = None


@dataclass(frozen=True, slots=True)
class Forget:
    """A player is deleted: their name goes from a table where they have played."""

    player: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Look at what has fallen due."""


@dataclass(frozen=True, slots=True)
class Funded:
    """The ledger has taken the stakes of a match."""

    match: str


@dataclass(frozen=True, slots=True)
class Unfunded:
    """The ledger has not: these players cannot cover it."""

    match: str
    players: frozenset[str]


@dataclass(frozen=True, slots=True)
class Settled:
    """A match that has ended is settled and kept (T14): the coins that it has moved, by seat,
    ``None`` at a free table, and what it has made of the ratings, ``None`` if it is not rated."""

    match: str
    coins: tuple[int, ...] | None
    ratings: tuple[Rated, ...] | None = None


@dataclass(frozen=True, slots=True)
class Void:
    """An operator voids the match that runs or is about to (T5). ``by`` names who it is."""

    by: str
    match: str


@dataclass(frozen=True, slots=True)
class Retry:
    """An operator wants what waits in the outbox to be tried now."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """Entries of the outbox that were carried out."""

    ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class Undelivered:
    """Entries of the outbox that could not be carried out now."""

    ids: frozenset[int]


Numbered: TypeAlias = Hash | Reveal | Act | Ready | Resign | Leave | Rematch
"""Commands of a player at a seat, with an id that counts once."""

Unnumbered: TypeAlias = (
    Sit
    | Connected
    | Lost
    | Forget
    | Tick
    | Funded
    | Unfunded
    | Settled
    | Void
    | Retry
    | Delivered
    | Undelivered
)
"""Commands that may come twice without harm as they are."""

Command: TypeAlias = Create | Numbered | Unnumbered
