"""Getting to know who plays here (T2), without anybody waiting for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from app.live.sitetime import wall_ms
from app.players.players import Players, PlayersError

log = logging.getLogger(__name__)

MOST: Final = 1_000
"""So many wait to be met at most. Who is left out is met with their next action, or when their
match is kept."""


class Newcomers:
    """Meets the players of this process, one after the other. ``wall`` reads a clock in
    milliseconds since 1970."""

    def __init__(self, players: Players, wall: Callable[[], int] = wall_ms) -> None:
        self._players = players
        self._wall = wall
        self._waiting: dict[str, str] = {}
        self._met: asyncio.Task[None] | None = None

    def meet(self, player: str, name: str) -> None:
        """Somebody acts, under a name. Nothing is waited for, and it may come to nothing."""
        if len(self._waiting) < MOST:
            self._waiting[player] = name
        if self._met is None or self._met.done():
            self._met = asyncio.create_task(self._meet())

    async def settle(self) -> None:
        """Wait until all have been met who wait for it."""
        if self._met is not None:
            await self._met

    async def _meet(self) -> None:
        while self._waiting:
            player = next(iter(self._waiting))
            name = self._waiting.pop(player)
            try:
                await self._players.meet(player, name, self._wall())
            except PlayersError as error:
                log.warning("players are not met now: %s", error)
                self._waiting.clear()
