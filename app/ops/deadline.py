"""How long closing may take, all of it together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

log = logging.getLogger(__name__)

CLOSING: Final = 3.0
"""Seconds for what is under way when a process ends. What is cut off then is safe to do again,
and another process, or the next one, does."""


class Deadline:
    """Begins with :meth:`start`; without that, with the first thing that is waited for."""

    def __init__(self, seconds: float = CLOSING) -> None:
        self._seconds = seconds
        self._until: float | None = None

    def start(self) -> None:
        """From now on."""
        self._until = asyncio.get_running_loop().time() + self._seconds

    async def within(self, end: Callable[[], Awaitable[None]]) -> None:
        """Wait for an end, until the deadline."""
        if self._until is None:
            self.start()
        try:
            async with asyncio.timeout_at(self._until):
                await end()
        except TimeoutError:
            log.warning("not all that was under way has ended in time")
