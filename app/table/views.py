"""The one place that makes what a viewer is told (T11). Nothing else shows a table to anybody."""

from __future__ import annotations

from collections.abc import Sequence

from app.table import coins
from app.table.clock import ClockSettings, SeatClock
from app.table.events import Entry
from app.table.match import Match
from app.table.seat import Sitter
from app.table.table import Table
from engine.game import Json, Viewer


def table_view(table: Table, viewer: Viewer, now: int) -> Json:
    """The table as ``viewer`` may see it at site time ``now``: TABLE of ``docs/protocol.md``."""
    match, settings = table.match, table.clock
    seats = range(len(table.seats))
    return {
        "id": table.id,
        "game": table.game.name,
        "rules": table.game.rules,
        "options": dict(table.options),
        "now": now,
        "public": table.public,
        **_coins(table),
        "clock": {
            "move_ms": settings.move_ms,
            "reserve_ms": settings.reserve_ms,
            "absence_ms": settings.absence_ms,
        },
        "status": table.status,
        "seats": [None if x is None else _sitter(x) for x in table.seats],
        "you": viewer,
        "host": table.host(),
        "match": table.match_id(),
        "ply": 0 if match is None else match.ply,
        "handshake": _handshake(table),
        "fairness": None if match is None else _fairness(match),
        "clocks": None
        if match is None
        else [_clock(match.clocks[seat], settings) for seat in seats],
        "pause": None
        if match is None or match.pause_until is None
        else {"until": match.pause_until, "ready": [seat in match.ready for seat in seats]},
        "ended": None if match is None else _ended(match),
        "rematch": {
            "wants": [seat in table.wants for seat in seats],
            "wins": list(table.wins or (0,) * len(table.seats)),
            "possible": table.status == "ended" and not table.left,
        },
        "void": None
        if table.void is None
        else {
            "match": table.void.match,
            "cause": table.void.cause,
            "seats": list(table.void.seats),
        },
        "closed": table.closed,
        "view": None if match is None else table.game.view(match.state, viewer),
    }


def _sitter(sitter: Sitter) -> Json:
    return {
        "name": sitter.name,
        "bot": sitter.bot,
        "present": sitter.present,
        "absent_at": sitter.absent_at,
    }


def _coins(table: Table) -> Json:
    """What each seat stakes and what the winner gets of it (T4); 0 at a free table."""
    return {"stake": table.stake, "pot": coins.pot(table.stake, len(table.seats))}


def _handshake(table: Table) -> Json | None:
    shake = table.handshake
    if shake is None or table.status != "handshake":
        return None
    handed_on = shake.step == "reveal"
    return {
        "step": shake.step,
        "until": shake.until,
        "commitment": shake.commitment.hex(),
        "hashes": [each.hex() if each is not None and handed_on else None for each in shake.hashes],
        "done": list(shake.done()),
    }


def _fairness(match: Match) -> Json:
    """What both players may check by now (T12): never a secret of a hand that still runs."""
    return {
        "match": match.id,
        "commitment": match.commitment.hex(),
        "hashes": [each.hex() for each in match.hashes],
        "numbers": [each.hex() for each in match.numbers],
        "secrets": [each.hex() for each in match.secrets],
    }


def _clock(clock: SeatClock, settings: ClockSettings) -> Json:
    return {
        "reserve_ms": clock.reserve_ms,
        "since": clock.since,
        "move_until": clock.move_until(settings),
        "until": clock.until(settings),
        "absence_until": clock.absence_until(),
        "timeouts": clock.timeouts,
    }


def _ended(match: Match) -> Json | None:
    ended = match.ended
    if ended is None:
        return None
    return {
        "winners": list(ended.winners),
        "reason": ended.reason,
        "score": list(ended.score),
        "at": ended.at,
        "kept": ended.kept,
        "coins": None if ended.coins is None else list(ended.coins),
        "ratings": None
        if ended.ratings is None
        else [
            {"before": each.before, "after": each.after, "provisional": each.provisional}
            for each in ended.ratings
        ],
    }


def told(entry: Entry, viewer: Viewer) -> Json:
    """An event as ``viewer`` may know it: in full, or its bare number."""
    if entry.audience is None or viewer in entry.audience:
        # A game's event may have a number of its own; the table's counts.
        return {**entry.event, "number": entry.number}
    return {"number": entry.number}


def snapshot(table: Table, viewer: Viewer, now: int, notice: Json | None = None) -> Json:
    """All of the table at its present number: where a viewer starts from."""
    return {
        "type": "snapshot",
        "number": table.number,
        "table": table_view(table, viewer, now),
        "notice": notice,
    }


def change(table: Table, entries: Sequence[Entry], viewer: Viewer, now: int) -> Json:
    """One saved change, with the table after it. ``entries`` are not empty."""
    return {
        "type": "change",
        "number": entries[-1].number,
        "events": [told(entry, viewer) for entry in entries],
        "table": table_view(table, viewer, now),
    }


def listing(table: Table) -> Json | None:
    """The table's line in the lobby; ``None``: it is not listed."""
    if not table.listed:
        return None
    match = table.match
    return {
        "id": table.id,
        "game": table.game.name,
        "rules": table.game.rules,
        "options": dict(table.options),
        **_coins(table),
        "clock": {"move_ms": table.clock.move_ms, "reserve_ms": table.clock.reserve_ms},
        "status": "open" if table.status == "open" else "running",
        "seats": [None if x is None else x.name for x in table.seats],
        "score": None if match is None else list(table.game.score(match.state)),
        "made_at": table.made_at,
    }
