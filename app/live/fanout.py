"""Who watches which table in this process, and what goes to them: each change once, in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

import msgspec

from app.table import views
from app.table.events import Entry
from app.table.table import Table
from engine.game import Json, Viewer

QUEUE = 256
"""Frames that may wait for one viewer. Whoever reads more slowly is let go, and comes back to a
snapshot."""

_encoder = msgspec.json.Encoder()


def frame(message: Json) -> str:
    """A message as the text of one frame."""
    return _encoder.encode(message).decode()


class Change:
    """One saved change. Its frame is encoded once for every seat, and once for all watchers."""

    __slots__ = ("_entries", "_frames", "_table", "first", "number")

    def __init__(self, table: Table, entries: Sequence[Entry]) -> None:
        self._table = table
        self._entries = entries
        self._frames: dict[Viewer, str] = {}
        self.first = entries[0].number
        self.number = entries[-1].number

    def frame_for(self, player: str | None) -> str:
        """The frame for a player, by the seat they have after the change."""
        viewer = self._table.seat_of(player)
        if viewer not in self._frames:
            self._frames[viewer] = frame(views.change(self._table, self._entries, viewer))
        return self._frames[viewer]


class TooSlowError(Exception):
    """A viewer's queue overflowed: frames were dropped, so nothing more may follow."""


class Subscription:
    """One viewer of one table, and the frames on their way to them.

    Changes are held back until :meth:`begin` says what the snapshot holds: who subscribes first
    and loads then misses nothing, and gets nothing twice.
    """

    def __init__(self, table: str, player: str | None, limit: int = QUEUE) -> None:
        self.table = table
        self.player = player
        self._limit = limit
        self._frames: deque[str] = deque()
        self._held: list[Change] | None = []
        self._number = 0
        self._overflowed = False
        self._finished = False
        self._ready = asyncio.Event()

    def hold(self) -> None:
        """Hold changes back again, until the next :meth:`begin`."""
        if self._held is None:
            self._held = []

    def begin(self, table: Table) -> None:
        """Send the snapshot of a table as loaded, then every held change that it lacks."""
        self._number = table.number
        self.send(frame(views.snapshot(table, table.seat_of(self.player))))
        held, self._held = self._held or [], None
        for change in held:
            self.offer(change)

    def offer(self, change: Change) -> None:
        """A change that was saved."""
        if self._held is not None:
            self._held.append(change)
            self._overflowed |= len(self._held) > self._limit
            if self._overflowed:
                self._ready.set()
        elif change.number > self._number:
            self._number = change.number
            self.send(change.frame_for(self.player))

    def send(self, text: str) -> None:
        """A frame for this viewer alone, after all that is on its way already."""
        self._overflowed |= len(self._frames) >= self._limit
        if not self._overflowed:
            self._frames.append(text)
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
                return self._frames.popleft()
            if self._finished:
                return None
            self._ready.clear()
            await self._ready.wait()


class Fanout:
    """The subscriptions of this process, by table."""

    def __init__(self) -> None:
        self._by_table: dict[str, set[Subscription]] = {}

    def subscribe(self, table: str, player: str | None) -> Subscription:
        """A viewer from now on: subscribe first, load then, and :meth:`Subscription.begin`."""
        subscription = Subscription(table, player)
        self._by_table.setdefault(table, set()).add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Nothing more for this one. Leaving twice does no harm."""
        viewers = self._by_table.get(subscription.table, set())
        viewers.discard(subscription)
        if not viewers:
            self._by_table.pop(subscription.table, None)

    def tell(self, change: Change, table: str) -> None:
        """Hand a saved change to every viewer of its table. Never waits."""
        for subscription in tuple(self._by_table.get(table, ())):
            subscription.offer(change)
