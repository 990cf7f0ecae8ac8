"""Frames on their way to one connection: bounded, in order."""

from __future__ import annotations

import asyncio
from collections import deque
from time import perf_counter

import msgspec

from engine.game import Json

QUEUE = 256
"""Frames that may wait for one connection. Whoever reads more slowly is let go, and comes back."""

_encoder = msgspec.json.Encoder()


def frame(message: Json) -> str:
    """A message as the text of one frame."""
    return _encoder.encode(message).decode()


class TooSlowError(Exception):
    """A queue overflowed: frames were dropped, so nothing more may follow."""


class Frames:
    """The frames for one connection. Putting never waits; taking does."""

    def __init__(self, limit: int = QUEUE) -> None:
        self.since: float | None = None
        """Since when the frame that was taken last had been on its way, if it is timed."""
        self._limit = limit
        self._frames: deque[tuple[str, float | None]] = deque()
        self._overflowed = False
        self._finished = False
        self._ready = asyncio.Event()

    def send(self, text: str, *, timed: bool = False) -> None:
        """A frame, after all that is on its way already. ``timed``: it counts how long it
        takes."""
        if len(self._frames) >= self._limit:
            self.overflow()
        if not self._overflowed:
            self._frames.append((text, perf_counter() if timed else None))
        self._ready.set()

    def overflow(self) -> None:
        """More came than could wait."""
        self._overflowed = True
        self._ready.set()

    def finish(self) -> None:
        """Nothing more will come: :meth:`next` ends after what is on its way."""
        self._finished = True
        self._ready.set()

    async def next(self) -> str | None:
        """The next frame to send, ``None`` after the last. Raises :class:`TooSlowError` once any
        was dropped."""
        while True:
            if self._overflowed:
                raise TooSlowError
            if self._frames:
                text, self.since = self._frames.popleft()
                return text
            if self._finished:
                return None
            self._ready.clear()
            await self._ready.wait()
