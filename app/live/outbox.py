"""What must happen outside a table, carried out; doing it twice is doing it once."""

from __future__ import annotations

import hashlib
import json
import logging

from app import computers
from app.history.history import CameToNothing, Finished, History
from app.ledger.ledger import Ledger
from app.ledger.values import Cancelled, Short, Staked
from app.live.service import LiveTables
from app.live.store import Store
from app.players.players import Players
from app.ratings.ratings import Played, Ratings
from app.table.commands import Funded, Settled, Unfunded
from app.table.match import Rated
from app.table.record import document
from app.table.table import Outgoing, Table
from engine.game import Json

log = logging.getLogger(__name__)


class Outbox:
    """The carriers of a table's outgoing entries. Whatever they raise, the entry stays and is
    tried again; they may be carried out in any order, and by several at once."""

    def __init__(
        self,
        tables: LiveTables,
        store: Store,
        history: History,
        ledger: Ledger,
        players: Players,
        *,
        ratings: Ratings,
    ) -> None:
        self._tables = tables
        self._store = store
        self._history = history
        self._ledger = ledger
        self._players = players
        self._ratings = ratings

    async def carry(self, table: Table, entry: Outgoing) -> None:
        """Carry out one entry of a table."""
        match entry.kind:
            case "fund":
                await self._fund(table, entry.payload)
            case "cancel":
                await self._ledger.cancel(entry.payload["match"], table.id)
            case "playing":
                await self._playing(table, entry)
            case "ended":
                await self._ended(table, entry.payload)
            case "void":
                await self._void(table, entry.payload)

    async def _fund(self, table: Table, asked: Json) -> None:
        """The stakes are taken, and the table is told (T15)."""
        match_id = asked["match"]
        if table.funding is None or table.funding[0] != match_id:
            return  # it has been told, or has moved on: then a cancel sees to the stakes
        match await self._ledger.stake(match_id, table.id, asked["players"], asked["stake"]):
            case Staked():
                await self._tables.handle(table.id, Funded(match_id))
            case Short(players):
                await self._tables.handle(table.id, Unfunded(match_id, players))
            case Cancelled():
                pass  # the table has moved on meanwhile

    async def _playing(self, table: Table, entry: Outgoing) -> None:
        """A match has started: its players wait nowhere else any more (T16)."""
        # No client can make this id: it holds a colon.
        leave = f"playing:{table.id}:{entry.id}"
        for player in entry.payload["players"]:
            await self._tables.free_elsewhere(table.id, player, leave)

    async def _ended(self, table: Table, end: Json) -> None:
        """A match has ended: its coins are moved (T4), it is kept with its record, and
        rated (T14)."""
        _tell_operator(end)
        offset = self._tables.clock.calendar()
        coins = await self._coins(table, end)
        for player, name in zip(end["players"], end["names"], strict=True):
            if computers.level_of(player) is not None:
                continue  # nobody whom one gets to know
            # They were met when they sat down, unless the database was away; a name that they
            # have taken since then is the better one.
            if await self._players.find(player) is None:
                await self._players.meet(player, name, end["started_at"] + offset)
        lines = await self._store.record(table.id, end["match"])
        in_site_time = document(table.game, table.options, lines, end)
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
            stake=table.stake,
            coins=coins,
            public=table.public,
        )
        await self._history.keep(finished)
        rated = await self._rated(table, finished)
        moved = tuple(coins) if table.stake else None
        await self._tables.handle(table.id, Settled(end["match"], moved, rated))

    async def _rated(self, table: Table, finished: Finished) -> tuple[Rated, ...] | None:
        """What a match has made of its seats' ratings. Whatever was done first stands."""
        played = Played(
            match=finished.id,
            game=finished.game,
            rules=finished.rules,
            players=finished.players,
            winners=finished.winners,
            at=finished.ended_at,
            public=table.public,
        )
        changes = await self._ratings.rate(played)
        if changes is None:
            return None
        return tuple(Rated(each.before, each.after, each.provisional) for each in changes)

    async def _coins(self, table: Table, end: Json) -> list[int]:
        """The coins that a match has moved, by seat. Whatever was done first stands."""
        if not table.stake:
            return [0] * len(table.seats)
        match_id, winners = end["match"], end["winners"]
        if winners:
            moved = await self._ledger.pay(match_id, winners)
        else:  # T5
            moved = await self._ledger.refund(match_id) or [0] * len(table.seats)
        return moved

    async def _void(self, table: Table, void: Json) -> None:
        """A handshake that came to nothing is kept with its cause (T12)."""
        _tell_operator(void)
        at = self._tables.clock.now() + self._tables.clock.calendar()
        kept = CameToNothing(void["match"], table.id, void["cause"], list(void["seats"]), at)
        await self._history.keep_void(kept)


def _tell_operator(payload: Json) -> None:
    """What an operator has voided stands in the log, too: not the table, whose id is an invite."""
    if "by" in payload:
        log.info("match %s was voided by %s", payload["match"], payload["by"])


def _digest(content: object) -> str:
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()
