"""The one place that makes what a viewer is told (T11). Nothing else shows a table to anybody."""

from __future__ import annotations

from collections.abc import Sequence

from app.table.events import Entry
from app.table.table import Table
from engine.game import Json, Viewer


def table_view(table: Table, viewer: Viewer) -> Json:
    """The table as ``viewer`` may see it: TABLE of ``docs/protocol.md``."""
    match = table.match
    return {
        "id": table.id,
        "game": table.game.name,
        "rules": table.game.rules,
        "options": dict(table.options),
        "status": table.status,
        "seats": [None if x is None else {"name": x.name} for x in table.seats],
        "you": viewer,
        "match": None if match is None else match.id,
        "ply": 0 if match is None else match.ply,
        "view": None if match is None else table.game.view(match.state, viewer),
    }


def snapshot(table: Table, viewer: Viewer) -> Json:
    """All of the table at its present number: where a viewer starts from."""
    return {"type": "snapshot", "number": table.number, "table": table_view(table, viewer)}


def told(entry: Entry, viewer: Viewer) -> Json:
    """An event as ``viewer`` may know it: in full, or its bare number."""
    if entry.audience is None or viewer in entry.audience:
        return {"number": entry.number, **entry.event}
    return {"number": entry.number}


def change(table: Table, entries: Sequence[Entry], viewer: Viewer) -> Json:
    """One saved change, with the table after it. ``entries`` are not empty."""
    return {
        "type": "change",
        "number": entries[-1].number,
        "events": [told(entry, viewer) for entry in entries],
        "table": table_view(table, viewer),
    }
