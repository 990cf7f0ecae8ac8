"""The lobby: the open and running tables that everybody may see, as they change (T1, T16)."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from app.live.outgoing import Frames, frame
from app.live.store import Store, StoreError
from engine.game import Json

log = logging.getLogger(__name__)

SHOWN = 100
"""So many tables at most."""
EVERY = 1.0
"""Seconds between two frames."""
LOOK = 2.0
"""Seconds after which it is looked at in any case: another process may have changed it."""
QUEUE = 16
"""Frames that may wait for a visitor."""


class Lobby:
    """Feeds its visitors the list of tables, the present one at once and the next ones as they
    come, at most one a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._visitors: set[Frames] = set()
        self._changed = asyncio.Event()
        self._last: str | None = None

    async def tables(self) -> list[Json]:
        """The list as it is. Raises :class:`StoreError`."""
        return list(await self._store.listed(SHOWN))

    def changed(self) -> None:
        """Something of the list may have changed."""
        self._changed.set()

    async def enter(self) -> Frames:
        """A visitor from now on, with the list on its way. Raises :class:`StoreError`."""
        text = await self._frame()
        visitor = Frames(QUEUE)
        visitor.send(text)
        self._visitors.add(visitor)
        if text != self._last:
            # Not all have the same now: the next look is told in any case.
            self._last = None
            self._changed.set()
        return visitor

    def leave(self, visitor: Frames) -> None:
        """Nothing more for this one. Leaving twice does no harm."""
        self._visitors.discard(visitor)

    async def tell(self) -> None:
        """Tell the visitors, if there is anything new. Raises :class:`StoreError`."""
        self._changed.clear()
        if not self._visitors:
            self._last = None
            return
        text = await self._frame()
        if text == self._last:
            return
        self._last = text
        for visitor in tuple(self._visitors):
            visitor.send(text)

    async def run(self) -> None:
        """Tell until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK):
                    await self._changed.wait()
            try:
                await self.tell()
            except StoreError as error:
                log.warning("the lobby cannot be read: %s", error)
                self._changed.set()
            await asyncio.sleep(EVERY)

    async def _frame(self) -> str:
        return frame({"type": "lobby", "tables": await self.tables()})
