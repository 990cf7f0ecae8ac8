"""What goes into Redis and comes out of it, as bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from app.live.redis.keys import Shard
from app.live.redis.wire import Command
from app.live.store import KEPT, Save, SeatState, Told
from app.table.events import Entry, RecordLine
from engine.game import Json

OPEN_FIRST: Final = 1 << 50
"""More than any time a table was made at."""

_encode = msgspec.json.encode
decode: Final = msgspec.json.decode


class _Telling(msgspec.Struct, array_like=True):
    """A save as watchers are told of it; its number comes beside it."""

    table: str
    version: int
    first: int
    players: tuple[str | None, ...]
    frames: dict[int, str]


_pack: Final = msgspec.msgpack.Encoder().encode
_telling: Final = msgspec.msgpack.Decoder(_Telling).decode


def saving(save: Save, shard: Shard, process: str) -> Command:
    """The arguments of the save script."""
    entries = save.entries
    place, listing = _listing(save)
    return (
        save.expected,
        b"" if save.gone else save.version,
        b"" if save.gone else _encode(save.state),
        entries[-1].number if entries else b"",
        b"" if save.due is None or save.gone else save.due,
        place,
        listing,
        _indexed(save),
        save.match or b"",
        _encode([_line(line) for line in save.lines]) if save.lines and not save.gone else b"",
        _told(save),
        process,
        shard.channels(),
        KEPT,
        save.table,
        *(() if save.gone else map(_entry, entries)),
    )


def told(message: bytes) -> Told:
    """What a watcher was told."""
    number, _, rest = message.partition(b" ")
    each = _telling(rest)
    last = int(number)
    return Told(each.table, each.version, each.first or last + 1, last, each.players, each.frames)


def entries_of(pieces: Iterable[bytes], after: int) -> tuple[Entry, ...]:
    """Entries as they were kept, those with numbers above ``after``."""
    return tuple(
        Entry(number, event, None if audience is None else frozenset(audience))
        for number, audience, event in map(decode, pieces)
        if number > after
    )


def lines_of(pieces: Iterable[bytes]) -> tuple[RecordLine, ...]:
    """The lines of a record from its pieces."""
    return tuple(RecordLine(*line) for piece in pieces for line in decode(piece))


def seats_of(members: Iterable[bytes]) -> dict[str, SeatState]:
    """By table, from ``table NUL state``."""
    seats: dict[str, SeatState] = {}
    for table, state in sorted(member.decode().split("\0") for member in members):
        seats[table] = "playing" if state == "playing" else "waiting"
    return seats


def _entry(entry: Entry) -> bytes:
    audience = None if entry.audience is None else sorted(entry.audience)
    return _encode([entry.number, audience, entry.event])


def _line(line: RecordLine) -> list[Any]:
    return [line.line, line.ms, line.auto]


def _listing(save: Save) -> tuple[bytes | int, bytes]:
    """Its place in the lobby, the first the lowest, and its listing."""
    listing: Json | None = save.listing
    if listing is None or save.gone:
        return b"", b""
    place = listing["made_at"] + (OPEN_FIRST if listing["status"] == "open" else 0)
    return -place, _encode(listing)


def _indexed(save: Save) -> bytes:
    if save.gone or not (save.seats or save.processes):
        return b""
    seats = [f"{player}\0{save.table}\0{state}" for player, state in sorted(save.seats.items())]
    return _pack([seats, [f"{process}\0{save.table}" for process in sorted(save.processes)]])


def _told(save: Save) -> bytes:
    first = save.entries[0].number if save.entries and not save.gone else 0
    return _pack([save.table, save.version, first, save.players, save.frames])
