"""Who watches which table in this process, and what goes to them: each change once, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.live.outgoing import QUEUE, Frames, frame
from app.table import views
from app.table.events import Entry
from app.table.table import Table
from engine.game import Json, Seat, Viewer


class Change:
    """One saved change, told at site time ``now``. Its frame is encoded once for every seat, and
    once for all watchers."""

    __slots__ = ("_entries", "_frames", "_now", "_table", "number")

    def __init__(self, table: Table, entries: Sequence[Entry], now: int) -> None:
        self._table = table
        self._entries = entries
        self._now = now
        self._frames: dict[Viewer, str] = {}
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
        self._held: list[Change] | None = []
        self._number = 0

    def hold(self) -> None:
        """Hold changes back again, until the next :meth:`begin`."""
        if self._held is None:
            self._held = []

    def begin(
        self, table: Table, now: int, notice: Json | None = None, missed: Sequence[Entry] = ()
    ) -> None:
        """Send a table as loaded, then every held change that it lacks. ``missed``: the entries
        that lead a viewer who has all before them to this table; none: a snapshot."""
        viewer = table.seat_of(self.player)
        self._number = table.number
        if missed:
            self.send(frame(views.change(table, missed, viewer, now)))
        else:
            self.send(frame(views.snapshot(table, viewer, now, notice)))
        self._sits(viewer)
        held, self._held = self._held or [], None
        for change in held:
            self.offer(change)

    def offer(self, change: Change) -> None:
        """A change that was saved."""
        if self._held is not None:
            self._held.append(change)
            if len(self._held) > self._limit:
                self.overflow()
        elif change.number > self._number:
            self._number = change.number
            viewer = change.seat_of(self.player)
            self.send(change.frame_for(viewer))
            self._sits(viewer)

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

    def tell(self, change: Change, table: str) -> None:
        """Hand a saved change to every viewer of its table. Never waits."""
        for subscription in tuple(self._by_table.get(table, ())):
            subscription.offer(change)
