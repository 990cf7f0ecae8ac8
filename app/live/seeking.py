"""The port of quick match: who seeks an opponent, in the whole site (one seeker a player).

All of it carries one tag in a cluster, so that one script sees every pool.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

LEASE_MS: Final = 5_000
"""So long a seeker waits whose process says nothing, and so long who has left finds their place
again. In the store's own time."""
LEARNED_MS: Final = 30_000
"""So long it can be learned what has become of a seeker."""
MOST: Final = 10_000
"""So many seek at once in the whole site."""
POOL: Final = 200
"""So many of a pool are seen at once, those who have waited longest."""
AVOIDED: Final = 500
"""So many players at most whom a seeker will not meet."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """One try of a player to find somebody: another tab's has another token."""

    player: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Seeker:
    """Who seeks. ``pool`` names what they want to play: who names the same may meet. ``rating``:
    ``None``, if they have none. ``since``: they wait since this site time. ``blocked``: players
    whom they will not meet."""

    ticket: Ticket
    pool: str
    name: str
    since: int
    rating: float | None = None
    blocked: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def player(self) -> str:
        """Whose ticket it is."""
        return self.ticket.player


@dataclass(frozen=True, slots=True)
class Waiting:
    """They wait, since that site time."""

    since: int


@dataclass(frozen=True, slots=True)
class Paired:
    """They are to play at this table, which is there, or is being made."""

    table: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Turned:
    """They were not let in at the table that they were paired for, and wait no more."""

    code: str


Gone: TypeAlias = Literal["elsewhere", "lapsed"]
"""Another tab seeks in their place; nothing is known of them (any more)."""

State: TypeAlias = Waiting | Paired | Turned | Gone


class Seeking(Protocol):
    """Who seeks. Each of these is one step that stands or does not, and may be taken twice
    without harm. Everything raises :class:`StoreError`."""

    async def seek(self, seeker: Seeker, past: str | None = None) -> Waiting | Paired:
        """From now on this ticket is the one of its player.

        Who waited for the same within the lease keeps their ``since``. Who was paired stays so,
        unless it was for the table ``past``, of which it is known that it comes to nothing.
        Raises :class:`StoreError` if :data:`MOST` seek.
        """
        ...

    async def beat(self, tickets: Collection[Ticket]) -> Mapping[Ticket, State]:
        """These are still here: those who wait do so for a lease more. What is the case with
        each."""
        ...

    async def seekers(self, pool: str) -> tuple[Seeker, ...]:
        """Those who wait, the longest first, :data:`POOL` at most."""
        ...

    async def pair(self, tickets: Collection[Ticket], table: str) -> bool:
        """All of these are paired for the table, if every one of them still waits; else none."""
        ...

    async def part(
        self, table: str, back: Collection[Ticket], turned: Mapping[Ticket, str]
    ) -> None:
        """Of those who are paired for the table, some wait again as before, and others are turned
        away, each with a code."""
        ...

    async def unseek(self, ticket: Ticket) -> None:
        """The ticket waits no more and is met by nobody. If its player comes back for the same
        within the lease, they find their place again. Who is paired stays so."""
        ...
