"""What a command says: one record a line, ``name=value`` with spaces between."""

from __future__ import annotations

import json
from datetime import UTC, datetime


def record(**fields: object) -> str:
    """A line. ``None`` is ``-``; a text that would not stand for itself is quoted as in JSON."""
    return " ".join(f"{name}={_plain(value)}" for name, value in fields.items())


def _plain(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        safe = value.isprintable() and value not in {"", "-"} and not set(value) & set(' "=')
        return value if safe else json.dumps(value, ensure_ascii=not value.isprintable())
    if isinstance(value, bool | int):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def time(ms: int) -> str:
    """A moment of the calendar, in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat("T", "seconds").replace("+00:00", "Z")
