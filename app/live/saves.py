"""What one decision about a table saves, index entries and all."""

from __future__ import annotations

from collections.abc import Mapping

from app.live.store import Save, SeatState
from app.table import codec, views
from app.table.decision import Decision
from app.table.table import Status, Table
from engine.game import Seat

_DOES: dict[Status, SeatState] = {
    "open": "waiting",
    "funding": "waiting",
    "handshake": "waiting",
    "running": "playing",
}


def save_of(before: Table | None, decision: Decision, frames: Mapping[Seat, str]) -> Save:
    """The save of a decision that changes a table. ``frames``: those for other processes."""
    table = decision.table
    assert table is not None
    if decision.gone:
        return Save(table.id, table.version, table.version, {}, gone=True)
    return Save(
        table=table.id,
        expected=0 if before is None else before.version,
        version=table.version,
        state=codec.to_json(table),
        entries=decision.entries,
        match=decision.match,
        lines=decision.lines,
        due=decision.due,
        listing=views.listing(table),
        seats=_seats(table),
        processes=_processes(table),
        players=tuple(None if x is None else x.player for x in table.seats),
        frames=frames,
    )


def _seats(table: Table) -> dict[str, SeatState]:
    """What its players do here (T16); nothing, once all is over."""
    does = _DOES.get(table.status)
    if does is None:
        return {}
    return {table.sitter(seat).player: does for seat in table.people()}


def _processes(table: Table) -> frozenset[str]:
    """The processes that have connections of its seats."""
    sitters = [sitter for sitter in table.seats if sitter is not None]
    return frozenset(mark.rpartition(".")[0] for sitter in sitters for mark in sitter.marks)


def relayed_seats(table: Table, process: str) -> tuple[Seat, ...]:
    """The seats that have connections in other processes than this one."""
    own = f"{process}."
    return tuple(
        seat
        for seat in table.taken()
        if any(not mark.startswith(own) for mark in table.sitter(seat).marks)
    )
