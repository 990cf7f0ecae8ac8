"""What the scripted players saw and said, word for word: nothing is thrown away before it is
checked."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import msgspec

_decode = msgspec.json.Decoder().decode


@dataclass(slots=True)
class Line:
    """One socket at a table. ``player``: whose cookie it has; ``None``: nobody's. ``seen``: what
    its ``hello`` said. ``ended``: how it ended, as far as the player knows."""

    id: int
    table: str
    player: str | None
    process: int
    seen: int | None
    opened: float
    closed: float | None = None
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that came on a line, at ``at`` of the own steady clock."""

    at: float
    line: int
    raw: str

    def read(self) -> dict[str, Any]:
        """The frame as JSON."""
        read: dict[str, Any] = _decode(self.raw)
        return read


@dataclass(frozen=True, slots=True)
class Said:
    """A command that went out on a line. The same command may go out often."""

    at: float
    line: int
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """A page as somebody got it; ``player``: whose cookie was sent."""

    at: float
    player: str | None
    path: str
    status: int
    body: str


@dataclass(slots=True)
class Who:
    """A player: ``numbers`` are their own, by match (T12). ``slow``: they may lose on time."""

    id: str
    name: str
    cookie: str
    coins: int
    slow: bool = False
    numbers: dict[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class Journal:
    """All of one run."""

    lines: dict[int, Line] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    odd: list[str] = field(default_factory=list)
    """What no player should ever meet."""
    _last: int = 0

    def open(self, table: str, player: str | None, process: int, seen: int | None) -> Line:
        """A new line."""
        self._last += 1
        line = Line(self._last, table, player, process, seen, time.monotonic())
        self.lines[line.id] = line
        return line

    def close(self, line: Line, how: str) -> None:
        line.closed = time.monotonic()
        line.ended = how

    def came(self, line: Line, raw: str) -> None:
        self.frames.append(Frame(time.monotonic(), line.id, raw))

    def went(self, line: Line, message: dict[str, Any]) -> None:
        self.said.append(Said(time.monotonic(), line.id, message))

    def page(self, player: str | None, path: str, status: int, body: str) -> None:
        self.pages.append(Page(time.monotonic(), player, path, status, body))
