"""The server of one process, and how it ends: without losing anybody anything."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from types import FrameType
from typing import Final

import uvicorn

from app.ops import garbage

log = logging.getLogger(__name__)

LOOK: Final = 0.1
"""Seconds between two looks for a second signal."""


class Server(uvicorn.Server):
    """Told to stop (SIGTERM, SIGINT) it says so by ``stopping`` at once, so that no more players
    are sent here, and still serves for ``drain`` seconds. Then it takes no more connections,
    closes sockets with 1012, lets what is under way end, and closes the house. ``opened`` is
    called once it serves; not ``started``: it could not, and the house has said why."""

    def __init__(
        self,
        config: uvicorn.Config,
        opened: Callable[[], None],
        stopping: Callable[[], None],
        drain: float,
    ) -> None:
        super().__init__(config)
        self._opened = opened
        self._stopping = stopping
        self._drain = drain

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal has come."""
        self._stopping()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the house and serve."""
        try:
            await super().startup(sockets)
        except SystemExit:  # with which status a process ends is not the library's to say
            self.should_exit = True
        if self.started:
            garbage.calm()
            self._opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End in order."""
        self._stopping()
        log.info("stopping")
        # A second signal from the keyboard ends it at once.
        for _ in range(round(self._drain / LOOK)):
            if self.force_exit:
                break
            await asyncio.sleep(LOOK)
        await super().shutdown(sockets)
        log.info("stopped")
