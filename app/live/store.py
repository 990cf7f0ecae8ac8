"""The port of live tables: what any store of them must do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from app.table.events import Entry
from engine.game import Json, Line


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
    time in seconds at which the table must be looked at again. ``listing`` is its entry in the
    lobby; ``None``: it is not listed.
    """

    table: str
    expected: int
    version: int
    state: Json = field(repr=False)
    entries: tuple[Entry, ...] = ()
    match: str | None = None
    lines: tuple[Line, ...] = field(default=(), repr=False)
    due: float | None = None
    listing: Json | None = None


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

    async def record(self, match: str) -> tuple[Line, ...]:
        """The lines of a match so far, in order. They hold what is hidden."""
        ...

    async def due(self, now: float, limit: int) -> tuple[str, ...]:
        """Tables whose due time has come, the earliest first; at most ``limit``."""
        ...

    async def listed(self) -> tuple[Json, ...]:
        """The lobby: the listing of every listed table."""
        ...

    async def close(self) -> None:
        """Finish what was asked for, then let go."""
        ...
