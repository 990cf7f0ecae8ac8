"""Asking a database that may be away, by those who go on without its answer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

AGAIN_S: Final = 2.0
"""So long after it failed it is not asked again."""
GLANCE_S: Final = 0.5
"""So long whoever asks waits for an answer."""


class NotSeenError(Exception):
    """It is not known now."""


class Glance:
    """Questions to something that raises ``errors`` while it is away. ``otherwise`` says in the log
    what is done then."""

    def __init__(
        self,
        errors: tuple[type[Exception], ...],
        otherwise: str,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._errors = errors
        self._otherwise = otherwise
        self._steady = steady
        self._failed_at: float | None = None
        self._asked: set[asyncio.Task[Any]] = set()

    async def at(self, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The answer, if it is soon known. Raises :class:`NotSeenError`."""
        if self._failed_at is not None and self._steady() - self._failed_at < AGAIN_S:
            raise NotSeenError
        task = asyncio.create_task(question())
        self._asked.add(task)
        task.add_done_callback(self._answered)
        # It is not called off: letting go of a server that hangs would take long, too.
        await asyncio.wait({task}, timeout=GLANCE_S)
        if not task.done():
            self._fails()
            raise NotSeenError
        try:
            answer = task.result()
        except self._errors:
            self._fails()
            raise NotSeenError from None
        self._failed_at = None
        return answer

    async def close(self) -> None:
        """Wait for what was asked."""
        await asyncio.gather(*self._asked, return_exceptions=True)

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._asked.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked may have gone: nobody need look at it

    def _fails(self) -> None:
        if self._failed_at is None:
            log.warning("%s: the database is away", self._otherwise)
        self._failed_at = self._steady()
