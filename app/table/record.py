"""The record of a match that has ended, from its lines and what the table said at its end (T14)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from app.table.events import RecordLine
from app.table.table import AnyGame
from engine.game import Json, Options
from engine.record import FORMAT


def document(
    game: AnyGame, options: Options, lines: Iterable[RecordLine], end: Json, offset_ms: int = 0
) -> Json:
    """match-record/1 with times a play (``ms``) and the plays of the server (``auto``).

    ``end`` is the payload of the table's outgoing ``ended``; ``offset_ms`` makes times of the
    calendar of site times.
    """
    hands: list[Json] = []
    for each in lines:
        if isinstance(each.line, str):
            hand = hands[-1]
            if each.auto:
                hand.setdefault("auto", []).append(len(hand[game.lines_key]))
            hand[game.lines_key].append(each.line)
            hand["ms"].append(each.ms)
        else:
            hands.append({**each.line, game.lines_key: [], "ms": []})
    winners = end["winners"]
    return {
        "format": FORMAT,
        "game": game.name,
        "rules": game.rules,
        "options": dict(options),
        "match": end["match"],
        "started": _time(end["started_at"] + offset_ms),
        "ended": _time(end["ended_at"] + offset_ms),
        "players": list(end["names"]),
        "hands": hands,
        "fairness": end["fairness"],
        "end": {"winner": winners[0] if winners else None, "reason": end["reason"]},
    }


def _time(ms: int) -> str:
    """RFC 3339, in UTC, to the millisecond."""
    moment = datetime.fromtimestamp(ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
