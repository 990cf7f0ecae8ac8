"""The port of live tables: what any store of them must do.

Written so that a cluster can do it too: a save touches one table, its log, and the due, lobby,
seat and mark indexes of that table's shard, in one script; what spans tables is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from app.live.seeking import Seeking
from app.live.sitetime import Beat
from app.table.events import Entry, RecordLine
from engine.game import Json, Seat

SeatState: TypeAlias = Literal["waiting", "playing"]
"""What a player does at a table (T16)."""

LEASE_MS: Final = 5_000
"""So long a due table is left to the worker that leased it, a player to who holds them, and a
process counts as alive after it said so."""
KEPT: Final = 256
"""At least so many of a table's last events are kept in its log."""
FAILURES: Final = 5
"""A table that was leased so often without a save is left alone for longer and longer."""
LONGEST_MS: Final = 300_000
"""The longest that it is left alone."""


class StoreError(Exception):
    """The store could not do it."""


class UnknownError(StoreError):
    """The store did not answer: what was asked may have been done, or may yet be."""


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
    its log, its records and all index entries.

    Processes other than the saver that watch the table are told of it: who sits (``players``, by
    seat), and the frames of those seats that have connections elsewhere.
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
    players: tuple[str | None, ...] = ()
    frames: Mapping[Seat, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Told:
    """Another process has saved a table: its version, the numbers of its first and last new event
    (``first`` is above ``number`` if there was none), who sits, and the frames that came along."""

    table: str
    version: int
    first: int
    number: int
    players: tuple[str | None, ...]
    frames: Mapping[Seat, str] = field(repr=False)


class Store(Protocol):
    """Tables, their logs and running records. Any number of processes may share one. Everything
    raises :class:`StoreError`.

    ``process`` names the process that this store works for. ``told`` is called with every save
    by another process of a table that is watched, in the order of the saves; ``missed`` when some
    may have been missed. Whoever cares for them sets them.
    """

    process: str
    told: Callable[[Told], None]
    missed: Callable[[], None]

    async def load(self, table: str) -> Stored | None:
        """The last saved version; ``None``: there is no such table."""
        ...

    async def save(self, save: Save) -> bool:
        """Whether it was saved, for good: ``False`` if the version was not the expected one.

        Raises :class:`StoreError` if it is known that nothing was saved, and
        :class:`UnknownError` if it is not known. It is never tried twice.
        """
        ...

    async def log(self, table: str, after: int) -> tuple[Entry, ...]:
        """The entries with numbers above ``after``, in order, of the last :data:`KEPT` at
        least."""
        ...

    async def record(self, table: str, match: str) -> tuple[RecordLine, ...]:
        """The lines of a table's match so far, in order. They hold what is hidden."""
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

    async def armed(self, limit: int) -> tuple[str, ...]:
        """Tables at which something falls due by itself, the earliest first: all but ended ones
        that wait for nothing but their players. For operators."""
        ...

    # What other processes do.

    async def watch(self, table: str) -> None:
        """From now on ``told`` is called with what others save of the table."""
        ...

    async def unwatch(self, table: str) -> None:
        """No more. What is not watched does no harm."""
        ...

    async def numbers(self, tables: Collection[str]) -> Mapping[str, int]:
        """The number of the last event of each of these tables that there is. They are watched
        from now on, whatever had become of that."""
        ...

    def hold(self, players: Collection[str]) -> AbstractAsyncContextManager[None]:
        """While it is entered, nobody else of the site holds any of these players (T16), for
        :data:`LEASE_MS` at most."""
        ...

    @property
    def seeking(self) -> Seeking:
        """Who seeks an opponent."""
        ...

    # The site's time, and processes, whose connections count as long as they live.

    async def beat(self, *, alone: bool = False) -> Beat:
        """The site serves, and this process lives for :data:`LEASE_MS` of the store's own time
        from now on. Moves site time on like :func:`advance`; after an outage every process that
        was alive before it counts as alive for as long again."""
        ...

    async def lapsed(self) -> Mapping[str, frozenset[str]]:
        """Processes that have not said in time that they live, or have been forgotten, and the
        tables that still hold marks of theirs."""
        ...

    async def forget(self, process: str) -> None:
        """Nothing is expected of the process any more."""
        ...

    async def close(self) -> None:
        """Finish what was asked for, then let go. The process counts as gone."""
        ...
