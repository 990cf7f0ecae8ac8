"""Replays of finished matches, made once: such a match never changes."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import msgspec

from app.history.history import Finished
from app.table.replays import HandLine, hands
from engine.export import export
from engine.frames import From
from engine.game import Unreadable
from engine.record import read
from engine.walk import Refused

log = logging.getLogger(__name__)

MOST: Final = 16 << 20
"""Bytes of packed replays that are kept, the latest asked for."""
FILES: Final = 200
"""Files of other programs that are kept."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A match seen from one side: its hands in short, and the answer for each of them, JSON in
    gzip."""

    hands: tuple[HandLine, ...]
    packed: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        return sum(len(each) for each in self.packed) + 100 * (len(self.packed) + 1)


class Replays:
    """The replays last asked for. One is made at a time, beside the loop, so that nothing played
    meanwhile waits for it, and so that many who ask for the same have it made once."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, From], Replay] = OrderedDict()
        self._size = 0
        self._files: OrderedDict[tuple[str, ...], str] = OrderedDict()
        self._making = asyncio.Lock()

    async def of(self, match: Finished, viewer: From) -> Replay:
        """The replay of a match from a seat that it has, or from above. Without hands where its
        record cannot be played: that raises an alarm."""
        key = (match.id, viewer)
        if key not in self._kept:
            async with self._making:
                if key not in self._kept:
                    self._keep(key, await asyncio.to_thread(_made, match, viewer))
        self._kept.move_to_end(key)
        return self._kept[key]

    def _keep(self, key: tuple[str, From], replay: Replay) -> None:
        self._kept[key] = replay
        self._size += replay.size
        while self._size > self._most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._size -= oldest.size

    async def exported(self, match: Finished, form: str) -> str:
        """The match as a file of another program. Raises :class:`Unreadable` for a form that it
        cannot be had in, and for a record that cannot be played."""
        # Names are in it, and one of them may be taken out.
        key = (match.id, form, *match.names)
        if key not in self._files:
            async with self._making:
                if key not in self._files:
                    try:
                        made = await asyncio.to_thread(lambda: export(read(match.record), form))
                    except Refused as wrong:
                        raise Unreadable(str(wrong)) from None
                    self._files[key] = made
                    while len(self._files) > FILES:
                        self._files.popitem(last=False)
        self._files.move_to_end(key)
        return self._files[key]


def _made(match: Finished, viewer: From) -> Replay:
    lines: list[HandLine] = []
    packed: list[bytes] = []
    try:
        for hand in hands(read(match.record), viewer):
            answer = {"match": match.id, "from": viewer, "hand": hand.line.number}
            body = msgspec.json.encode({**answer, "frames": hand.frames})
            lines.append(hand.line)
            packed.append(gzip.compress(body, 6, mtime=0))
    except (Refused, Unreadable) as wrong:
        log.error("ALARM: match %s cannot be replayed: %s", match.id, wrong)  # noqa: TRY400
    return Replay(tuple(lines), tuple(packed))
