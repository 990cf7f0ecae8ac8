"""The port of live tables: what any store of them must do.

Written so that a cluster can do it too: a save touches one table, its log, and the due, lobby,
seat and mark indexes of that table's shard, in one script; what spans tables is only read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from app.live.sitetime import Beat
from app.table.events import Entry, RecordLine
from engine.game import Json

SeatState: TypeAlias = Literal["waiting", "playing"]
"""What a player does at a table (T16)."""

LEASE_MS: Final = 5_000
"""So long a due table is left to the worker that leased it; so long, too, a process counts as
alive after it said so."""
FAILURES: Final = 5
"""A table that was leased so often without a save is left alone for longer and longer."""
LONGEST_MS: Final = 300_000
"""The longest that it is left alone."""


class StoreError(Exception):
    """The store could not do it and nothing was saved."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as loaded: the version a save must name, and its JSON."""

    version: int
    state: Json = field(repr=False)


@dataclass(frozen=True, slots=True)
class Save:
    """One atomic step: everything of it stands, or nothing.

    ``expected`` is the version loaded (0: there must be none yet), ``version`` the new one.
    ``entries`` go to the table's log, ``lines`` to the record of ``match``. ``due`` is the site
    time in milliseconds at which the table must be looked at again. ``listing`` is its entry in
    the lobby; ``None``: it is not listed. ``seats``: what its players do here, for those whom it
    keeps. ``processes``: whose connections its seats count. ``gone``: the table is deleted, with
    its log, its records and all index entries. ``beat``: the site clock's, at the save.
    """

    table: str
    expected: int
    version: int
    state: Json = field(repr=False)
    entries: tuple[Entry, ...] = ()
    match: str | None = None
    lines: tuple[RecordLine, ...] = field(default=(), repr=False)
    due: int | None = None
    listing: Json | None = None
    seats: Mapping[str, SeatState] = field(default_factory=dict)
    processes: frozenset[str] = frozenset()
    gone: bool = False
    beat: Beat | None = None


class Store(Protocol):
    """Tables, their logs and running records. Any number of processes may share one."""

    async def load(self, table: str) -> Stored | None:
        """The last saved version; ``None``: there is no such table."""
        ...

    async def save(self, save: Save) -> bool:
        """Whether it was saved, for good: ``False`` if the version was not the expected one.

        Raises :class:`StoreError` if it is known that nothing was saved.
        """
        ...

    async def log(self, table: str, after: int) -> tuple[Entry, ...]:
        """The entries with numbers above ``after``, in order."""
        ...

    async def record(self, match: str) -> tuple[RecordLine, ...]:
        """The lines of a match so far, in order. They hold what is hidden."""
        ...

    async def listed(self, limit: int) -> tuple[Json, ...]:
        """The lobby: listings with status ``open`` first, then the others, the last made first."""
        ...

    async def seats_of(self, player: str) -> Mapping[str, SeatState]:
        """By table: where a player waits or plays (T16)."""
        ...

    # What falls due.

    async def lease_due(self, now: int, limit: int) -> tuple[str, ...]:
        """Tables whose due time has come, the earliest first, left to the caller alone for
        :data:`LEASE_MS` of site time. Only a save sets a new due time: a table whose caller dies
        or fails comes again, after :data:`FAILURES` times less and less often."""
        ...

    async def next_due(self) -> int | None:
        """The earliest site time at which :meth:`lease_due` has something."""
        ...

    async def stuck(self) -> Mapping[str, int]:
        """By table: how often those were leased in vain that are left alone for longer."""
        ...

    # Processes, whose connections count as long as they live.

    async def renew(self, process: str) -> None:
        """The process lives, for :data:`LEASE_MS` of the store's own time from now on."""
        ...

    async def lapsed(self) -> Mapping[str, frozenset[str]]:
        """Processes that have not said in time that they live, or have been forgotten, and the
        tables that still hold marks of theirs."""
        ...

    async def forget(self, process: str) -> None:
        """Nothing is expected of the process any more."""
        ...

    # The site clock.

    async def beat(self) -> Beat | None:
        """The last beat of any process; ``None``: the site has never served."""
        ...

    async def save_beat(self, beat: Beat) -> None:
        """The site serves. A beat of an earlier site time than the last changes nothing."""
        ...

    async def close(self) -> None:
        """Finish what was asked for, then let go."""
        ...
