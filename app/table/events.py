"""What a table's log holds: events of the table itself and of its game, with their audience."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.game import Json, Line, Seat


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered event of a table as plain JSON ``{"event": NAME, …}``.

    ``audience`` are the seats that may know it; ``None``: everybody.
    """

    number: int
    event: Json = field(repr=False)
    audience: frozenset[Seat] | None = None


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A line of the match's record as it was made: how many milliseconds a play or turn took, and
    whether the server played it (T7). It holds what is hidden."""

    line: Line = field(repr=False)
    ms: int = 0
    auto: bool = False
