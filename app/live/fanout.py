"""Who watches which table in this process, and what goes to them: each change once, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import msgspec

from app.live.outgoing import QUEUE, Frames, frame
from app.live.store import Told
from app.table import views
from app.table.events import Entry
from app.table.table import Table
from engine.game import Json, Seat, Viewer


class _At(msgspec.Struct):
    now: int


class _Dated(msgspec.Struct):
    """What of a frame says when it was made."""

    table: _At


_dated: Final = msgspec.json.Decoder(_Dated).decode


class Offer(Protocol):
    """A saved change as it is offered to viewers: its events are ``first`` to ``number``."""

    @property
    def first(self) -> int: ...

    @property
    def number(self) -> int: ...

    def seat_of(self, player: str | None) -> Viewer:
        """The seat that a player has after the change."""
        ...

    def frame_for(self, viewer: Viewer) -> str | None:
        """The frame for a viewer; ``None``: it is not here."""
        ...


class Change:
    """A change that this process knows, told at site time ``now``. Its frame is encoded once for
    every seat, and once for all watchers."""

    __slots__ = ("_entries", "_frames", "_now", "_table", "first", "number")

    def __init__(self, table: Table, entries: Sequence[Entry], now: int) -> None:
        self._table = table
        self._entries = entries
        self._now = now
        self._frames: dict[Viewer, str] = {}
        self.first = entries[0].number
        self.number = entries[-1].number

    def seat_of(self, player: str | None) -> Viewer:
        """The seat that a player has after the change."""
        return self._table.seat_of(player)

    def frame_for(self, viewer: Viewer) -> str:
        """The frame for a viewer."""
        if viewer not in self._frames:
            self._frames[viewer] = frame(
                views.change(self._table, self._entries, viewer, self._now)
            )
        return self._frames[viewer]


class Relayed:
    """A change that another process has saved, with the frames that came along."""

    __slots__ = ("_told", "first", "number")

    def __init__(self, told: Told) -> None:
        self._told = told
        self.first = told.first
        self.number = told.number

    def seat_of(self, player: str | None) -> Viewer:
        """The seat that a player has after the change."""
        seats = enumerate(self._told.players)
        return next((s for s, x in seats if x is not None and x == player), None)

    def frame_for(self, viewer: Viewer) -> str | None:
        """The frame for a viewer, if it came along."""
        return None if viewer is None else self._told.frames.get(viewer)

    def decided_at(self) -> int | None:
        """The site time of the decision, as the frames say it; ``None``: none came along."""
        for text in self._told.frames.values():
            return _dated(text).table.now
        return None


class Subscription(Frames):
    """One viewer of one table, and the frames on their way to them.

    Changes are held back until :meth:`begin` says what the viewer has: who subscribes first and
    loads then misses nothing, and gets nothing twice. ``seated`` is called whenever the viewer
    has come to a seat that they had not had before.
    """

    def __init__(
        self,
        table: str,
        player: str | None,
        seated: Callable[[Seat], None] = lambda _: None,
        limit: int = QUEUE,
    ) -> None:
        super().__init__(limit)
        self.table = table
        self.player = player
        self._seated = seated
        self._seat: Viewer = None
        self._held: list[Offer] | None = []
        self._number = 0

    @property
    def number(self) -> int | None:
        """The last event that the viewer has been sent; ``None``: they wait for a beginning."""
        return self._number if self._held is None else None

    def hold(self) -> None:
        """Hold changes back again, until the next :meth:`begin`."""
        if self._held is None:
            self._held = []

    def begin(
        self, table: Table, now: int, notice: Json | None = None, missed: Sequence[Entry] = ()
    ) -> bool:
        """Send a table as loaded, then every held change that it lacks. ``missed``: the entries
        that lead a viewer who has all before them to this table; none: a snapshot. Whether
        nothing lacks after that."""
        viewer = table.seat_of(self.player)
        self._number = table.number
        if missed:
            self.send(frame(views.change(table, missed, viewer, now)))
        else:
            self.send(frame(views.snapshot(table, viewer, now, notice)))
        self._sits(viewer)
        held, self._held = self._held or [], None
        whole = True
        for change in held:
            whole = self.offer(change) and whole
        return whole

    def offer(self, change: Offer) -> bool:
        """A change that was saved. ``False``: something before it lacks, or its frame is not
        here, and nothing was sent."""
        if self._held is not None:
            self._held.append(change)
            if len(self._held) > self._limit:
                self.overflow()
            return True
        if change.number <= self._number:
            return True
        viewer = change.seat_of(self.player)
        text = change.frame_for(viewer) if change.first <= self._number + 1 else None
        if text is None:
            return False
        self._number = change.number
        self.send(text, timed=True)
        self._sits(viewer)
        return True

    def _sits(self, viewer: Viewer) -> None:
        before, self._seat = self._seat, viewer
        if viewer is not None and viewer != before:
            self._seated(viewer)


class Fanout:
    """The subscriptions of this process, by table."""

    def __init__(self) -> None:
        self._by_table: dict[str, set[Subscription]] = {}

    def subscribe(
        self, table: str, player: str | None, seated: Callable[[Seat], None] = lambda _: None
    ) -> Subscription:
        """A viewer from now on: subscribe first, load then, and :meth:`Subscription.begin`."""
        subscription = Subscription(table, player, seated)
        self._by_table.setdefault(table, set()).add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Nothing more for this one. Leaving twice does no harm."""
        viewers = self._by_table.get(subscription.table, set())
        viewers.discard(subscription)
        if not viewers:
            self._by_table.pop(subscription.table, None)

    def all(self) -> tuple[Subscription, ...]:
        """Every viewer in this process."""
        return tuple(each for viewers in self._by_table.values() for each in viewers)

    def of(self, table: str) -> tuple[Subscription, ...]:
        """Every viewer of a table in this process."""
        return tuple(self._by_table.get(table, ()))

    def tables(self) -> frozenset[str]:
        """The tables that have viewers in this process."""
        return frozenset(self._by_table)

    def tell(self, change: Offer, table: str) -> bool:
        """Hand a saved change to every viewer of its table. Never waits. Whether all have it."""
        whole = True
        for subscription in self.of(table):
            whole = subscription.offer(change) and whole
        return whole
