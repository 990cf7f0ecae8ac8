"""What must happen outside a table, carried out; doing it twice is doing it once."""

from __future__ import annotations

import hashlib
import json

from app.history.history import CameToNothing, Finished, History
from app.live.service import LiveTables
from app.live.store import Store
from app.table.record import document
from app.table.table import Outgoing, Table
from engine.game import Json


class NoCarrierError(Exception):
    """Nobody here does that."""


class Outbox:
    """The carriers of a table's outgoing entries. Whatever they raise, the entry stays and is
    tried again."""

    def __init__(self, tables: LiveTables, store: Store, history: History) -> None:
        self._tables = tables
        self._store = store
        self._history = history

    async def carry(self, table: Table, entry: Outgoing) -> None:
        """Carry out one entry of a table."""
        match entry.kind:
            case "playing":
                await self._playing(table, entry)
            case "ended":
                await self._ended(table, entry.payload)
            case "void":
                await self._void(table, entry.payload)
            case "fund" | "cancel":  # no table with a stake can be made yet
                raise NoCarrierError(entry.kind)

    async def _playing(self, table: Table, entry: Outgoing) -> None:
        """A match has started: its players wait nowhere else any more (T16)."""
        # No client can make this id: it holds a colon.
        leave = f"playing:{table.id}:{entry.id}"
        for player in entry.payload["players"]:
            await self._tables.free_elsewhere(table.id, player, leave)

    async def _ended(self, table: Table, end: Json) -> None:
        """A match has ended: it is kept with its record (T14)."""
        lines = await self._store.record(table.id, end["match"])
        in_site_time = document(table.game, table.options, lines, end)
        offset = self._tables.clock.calendar()
        finished = Finished(
            id=end["match"],
            table_id=table.id,
            game=table.game.name,
            rules=table.game.rules,
            options=dict(table.options),
            players=end["players"],
            names=end["names"],
            started_at=end["started_at"] + offset,
            ended_at=end["ended_at"] + offset,
            reason=end["reason"],
            winners=end["winners"],
            score=end["score"],
            # The calendar may say otherwise the second time, after an outage.
            digest=_digest([table.id, end, in_site_time]),
            record=document(table.game, table.options, lines, end, offset),
        )
        await self._history.keep(finished)

    async def _void(self, table: Table, void: Json) -> None:
        """A handshake that came to nothing is kept with its cause (T12)."""
        at = self._tables.clock.now() + self._tables.clock.calendar()
        kept = CameToNothing(void["match"], table.id, void["cause"], list(void["seats"]), at)
        await self._history.keep_void(kept)


def _digest(content: object) -> str:
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()
