"""Everything that was ever saved, in the order of the saves, as Redis itself wrote it down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hiredis
import msgspec

from app.live.redis.keys import CLOCK

_decode = msgspec.json.decode
_TABLE = re.compile(rb"ezo:\{\d\d\}:t:(.+)")
_LOG = re.compile(rb"ezo:\{\d\d\}:log:(.+)")


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a table's log. ``audience``: the seats that may know it; ``None``: everybody."""

    number: int
    audience: frozenset[int] | None
    event: dict[str, Any]

    def told(self, seat: int | None) -> dict[str, Any]:
        """The event as a viewer may know it (T11): in full, or its bare number."""
        if self.audience is None or seat in self.audience:
            return {**self.event, "number": self.number}
        return {"number": self.number}


@dataclass(slots=True)
class Saved:
    """A table as it was saved: the ``order`` counts through all tables."""

    order: int
    table: str
    version: int
    number: int
    raw: bytes
    events: list[Event] = field(default_factory=list)

    def read(self) -> dict[str, Any]:
        """The whole table, secrets included."""
        read: dict[str, Any] = _decode(self.raw)
        return read


@dataclass(frozen=True, slots=True)
class Past:
    """``beats``: when any process beat, by Redis' own clock, in seconds since 1970."""

    saves: list[Saved]
    beats: list[float]


def past_of(folder: Path) -> Past:
    """All that a Redis' folder tells. It need not run any more."""
    saves: list[Saved] = []
    beats: list[float] = []
    last: dict[str, Saved] = {}
    for command in _commands(folder):
        name = command[0].upper()
        if name == b"HSET" and (found := _TABLE.fullmatch(command[1])):
            fields = dict(zip(command[2::2], command[3::2], strict=True))
            if b"s" not in fields:  # what is indexed comes apart
                continue
            table = found[1].decode()
            saved = Saved(len(saves), table, int(fields[b"v"]), int(fields[b"n"]), fields[b"s"])
            saves.append(saved)
            last[table] = saved
        elif name == b"HSET" and command[1] == CLOCK:
            beats.append(int(command[command.index(b"seen") + 1]) / 1000)
        elif name == b"RPUSH" and (found := _LOG.fullmatch(command[1])):
            for piece in command[2:]:
                number, audience, event = _decode(piece)
                seats = None if audience is None else frozenset(audience)
                last[found[1].decode()].events.append(Event(number, seats, event))
    return Past(saves, beats)


def _commands(folder: Path) -> Iterator[list[bytes]]:
    files = sorted(
        (folder / "appendonlydir").glob("*.aof"), key=lambda path: int(path.name.split(".")[2])
    )
    for path in files:
        reader = hiredis.Reader(notEnoughData=...)
        # Between commands stand notes of the time, a line each.
        reader.feed(re.sub(rb"(?m)^#TS:\d+\r\n", b"", path.read_bytes()))
        while (command := reader.gets()) is not ...:
            yield command
