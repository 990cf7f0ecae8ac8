"""The processes in which computer players think, apart from the loop that serves everybody."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.connection import wait
from typing import Final, Self

from app.bots.asked import Asked, NoAnswerError, answer
from app.bots.policies import ready
from engine.game import Json

log = logging.getLogger(__name__)

WAITING: Final = 256
"""So many may be asked at once; whoever is asked beyond that has no answer."""
STUCK: Final = 20.0
"""Seconds after which a process that was given something to think about is held to hang. Longer
than anybody waits for an answer: one that still loads what it thinks with would else be ended every
time, and on a busy machine none ever be ready."""


class Pool:
    """So many processes as ``workers`` says, begun when they are first asked. One that dies or
    hangs is replaced: what was asked meanwhile is asked once more. ``think`` is what they do, a
    function of a module."""

    def __init__(self, workers: int, think: Callable[[Asked], Json] = answer) -> None:
        self._workers = workers
        self._think = think
        self._executor: ProcessPoolExecutor | None = None
        self._free = asyncio.Semaphore(workers)
        self._asked = 0
        self._closed = False

    async def choose(self, asked: Asked, within: float) -> Json:
        """What a computer player plays, after ``within`` seconds at most. Raises
        :class:`NoAnswerError`."""
        if not self._workers:  # a table may have been made when there were some
            raise NoAnswerError("none think here")
        if self._asked >= WAITING:
            raise NoAnswerError("too many wait")
        self._asked += 1
        try:
            async with asyncio.timeout(within):
                return await self._choose(asked)
        except TimeoutError:
            raise NoAnswerError("too late") from None
        finally:
            self._asked -= 1

    def warm(self, game: str, rules: str) -> None:
        """Begin the processes, if there are none, and have one make ready for a rule set: it will
        be asked soon. Waits for nothing, and may come to nothing."""
        if not self._workers:
            return
        with suppress(BrokenExecutor, RuntimeError, NoAnswerError):
            self._begun().submit(ready, game, rules).add_done_callback(_heard)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the processes; what they were asked has no answer."""
        self._closed = True
        executor, self._executor = self._executor, None
        if executor is not None:
            _end(executor)

    async def _choose(self, asked: Asked) -> Json:
        for _ in range(2):
            # Who waits too long in here has kept no process busy, and need not end any.
            await self._free.acquire()
            try:
                executor = self._begun()
                future = executor.submit(self._think, asked)
            except (BrokenExecutor, RuntimeError):  # it broke, or was ended for another's sake
                self._free.release()
                self._replace(executor)
                continue
            except BaseException:
                self._free.release()
                raise
            self._busy(executor, future)
            try:
                return await asyncio.wrap_future(future)
            except BrokenExecutor:
                self._replace(executor)
        raise NoAnswerError("the processes do not live")

    def _busy(self, executor: ProcessPoolExecutor, future: Future[Json]) -> None:
        """A process thinks, until it is done or held to hang, whoever still waits for it."""
        loop = asyncio.get_running_loop()
        hangs = loop.call_later(STUCK, self._replace, executor)

        def done() -> None:
            hangs.cancel()
            self._free.release()

        def heard(_: Future[Json]) -> None:
            with suppress(RuntimeError):  # the loop has ended before
                loop.call_soon_threadsafe(done)

        future.add_done_callback(heard)

    def _begun(self) -> ProcessPoolExecutor:
        if self._closed:
            raise NoAnswerError("the house is closed")
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._workers,
                # A fork of a process with threads may hang, and would hold its sockets.
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_begin,
            )
        return self._executor

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        if self._executor is broken:
            log.warning("the processes of the computer players are begun anew")
            self._executor = None
            _end(broken)


def _heard(done: Future[None]) -> None:
    """Whatever comes of it, whoever is asked next finds out."""
    if not done.cancelled():
        done.exception()


def _end(executor: ProcessPoolExecutor) -> None:
    # It has no public way to end a process that thinks on before Python 3.14.
    processes = list((executor._processes or {}).values())  # noqa: SLF001
    # What waits is not cancelled: it breaks with the processes, and is asked again.
    executor.shutdown(wait=False)
    for process in processes:
        process.kill()


def _begin() -> None:
    """In each process: its parent alone ends it, and it does not outlive that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_with, args=(parent.sentinel,), daemon=True).start()


def _with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)
