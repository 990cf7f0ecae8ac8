"""Frames on their way to one connection: bounded, in order."""

from __future__ import annotations

import asyncio
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
        # A list, though taken from its front: nearly all are empty nearly always, and an empty
        # deque takes ten times the memory.
        self._frames: list[tuple[str, float | None]] = []
        self._overflowed = False
        self._finished = False
        self._waiter: asyncio.Future[None] | None = None

    def send(self, text: str, *, timed: bool = False) -> None:
        """A frame, after all that is on its way already. ``timed``: it counts how long it
        takes."""
        if len(self._frames) >= self._limit:
            self.overflow()
        if not self._overflowed:
            self._frames.append((text, perf_counter() if timed else None))
        self._wake()

    def overflow(self) -> None:
        """More came than could wait."""
        self._overflowed = True
        self._wake()

    def finish(self) -> None:
        """Nothing more will come: :meth:`next` ends after what is on its way."""
        self._finished = True
        self._wake()

    async def next(self) -> str | None:
        """The next frame to send, ``None`` after the last; for one taker. Raises
        :class:`TooSlowError` once any was dropped."""
        while True:
            if self._overflowed:
                raise TooSlowError
            if self._frames:
                text, self.since = self._frames.pop(0)
                return text
            if self._finished:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
