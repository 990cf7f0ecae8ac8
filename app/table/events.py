"""What a table's log holds: events of the table itself and of its game, with their audience."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.game import Json, Seat


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered event of a table as plain JSON ``{"event": NAME, …}``.

    ``audience`` are the seats that may know it; ``None``: everybody.
    """

    number: int
    event: Json = field(repr=False)
    audience: frozenset[Seat] | None = None


def opened(seat: Seat, name: str) -> Json:
    """The table was made by who sits on ``seat``."""
    return {"event": "opened", "seat": seat, "name": name}


def seated(seat: Seat, name: str) -> Json:
    """Somebody sat down."""
    return {"event": "seated", "seat": seat, "name": name}


def match_started(match: str) -> Json:
    """All seats are taken and the match runs (T15)."""
    return {"event": "match_started", "match": match}
