"""Keeping and finding what has ended. Keeping twice is keeping once."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from sqlalchemy import Select, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import computers, db, receipts
from app.history import lists, stats
from app.history.counted import Counted, Counter
from app.history.forgetting import NOBODY, deleted, forget, nameless
from app.history.lists import Cursor, HeadToHead, Summary, Wanted
from app.history.schema import figures, given, match_seats, matches, voids, winnings
from app.history.stats import Sample, Stats, Whose
from engine.game import Json

log = logging.getLogger(__name__)


class HistoryError(Exception):
    """The history is away: nothing was kept or read."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match (T14). Times are of the calendar, in milliseconds since 1970. ``digest``
    stands for all of it that does not depend on when it was kept; ``coins``: what it has moved,
    by seat, in all zero; ``public``: of a table that everybody could see."""

    id: str
    table_id: str
    game: str
    rules: str
    options: dict[str, int]
    players: list[str]
    names: list[str]
    started_at: int
    ended_at: int
    reason: str
    winners: list[int]
    score: list[int]
    digest: str
    record: Json = field(repr=False)
    stake: int = 0
    coins: list[int] = field(default_factory=list)
    public: bool = True

    def __post_init__(self) -> None:
        if not self.coins:  # a free table moves none
            object.__setattr__(self, "coins", [0] * len(self.players))


@dataclass(frozen=True, slots=True)
class CameToNothing:
    """A handshake that came to nothing, and why (T12)."""

    match: str
    table_id: str
    cause: str
    seats: list[int]
    at: int


class History:
    """What has ended, in a database that is prepared. Every method raises :class:`HistoryError`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._counter = Counter()

    async def keep(self, finished: Finished) -> None:
        """Keep a match with what it counts. One that is there already must be the same, else there
        is an alarm."""
        counts = await self._counter.count(finished.id, finished.record)
        try:
            async with db.writing(self._engine, HistoryError) as connection:
                kept = await _without_names(connection, finished)
                same = ("digest", "stake", "coins")
                if await receipts.once(connection, matches, asdict(kept), same):
                    await _keep_beside(connection, kept, counts)
        except receipts.OtherContentError:
            log.error("ALARM: match %s is kept with other content", finished.id)  # noqa: TRY400

    async def keep_void(self, void: CameToNothing) -> None:
        """Keep a handshake that came to nothing; the same for the same match."""
        try:
            async with db.writing(self._engine, HistoryError) as connection:
                same = ("table_id", "cause", "seats")
                await receipts.once(connection, voids, asdict(void), same)
        except receipts.OtherContentError:
            log.error("ALARM: void match %s is kept with other content", void.match)  # noqa: TRY400

    async def match(self, match: str) -> Finished | None:
        """A finished match, or ``None``."""
        wanted = [matches.c[each.name] for each in fields(Finished)]
        row = await self._one(match, select(*wanted).where(matches.c.id == match))
        return None if row is None else Finished(*row)

    async def void(self, match: str) -> CameToNothing | None:
        """A handshake that came to nothing, or ``None``."""
        wanted = [voids.c[each.name] for each in fields(CameToNothing)]
        row = await self._one(match, select(*wanted).where(voids.c.match == match))
        return None if row is None else CameToNothing(*row)

    async def played(self, player: str, limit: int = 50) -> list[str]:
        """The ids of the matches that a player has finished, the latest first."""
        of_player = select(match_seats.c.match_id).where(match_seats.c.player == player)
        order = (match_seats.c.ended_at.desc(), match_seats.c.match_id.desc())
        async with db.reading(self._engine, HistoryError) as connection:
            rows = await connection.execute(of_player.order_by(*order).limit(limit))
            return list(rows.scalars())

    async def of(
        self,
        player: str,
        wanted: Wanted | None = None,
        before: Cursor | None = None,
        limit: int = 50,
    ) -> list[Summary]:
        """Matches of a player, the latest first: those before ``before`` in that order, a hundred
        at most."""
        async with db.reading(self._engine, HistoryError) as connection:
            return await lists.of(connection, player, wanted or Wanted(), before, limit)

    async def between(
        self, one: str, two: str, game: str | None = None, rules: str | None = None
    ) -> HeadToHead:
        """What two players have made of each other, in all games or in one."""
        async with db.reading(self._engine, HistoryError) as connection:
            return await lists.between(connection, one, two, game, rules)

    async def stats(self, whose: Whose, since: int | None = None) -> Stats:
        """A player's matches added up: all, or those that ended at ``since`` or later."""
        async with db.reading(self._engine, HistoryError) as connection:
            return await stats.stats(connection, whose, since)

    async def months(self, whose: Whose, now: int, count: int = 12) -> list[tuple[str, Stats]]:
        """The same by month, up to that of ``now``, the latest first: ``2026-11`` and its sums."""
        async with db.reading(self._engine, HistoryError) as connection:
            return await stats.months(connection, whose, now, count)

    async def course(self, whose: Whose, limit: int = 50) -> list[Sample]:
        """A player's last matches with their figures, the latest first."""
        async with db.reading(self._engine, HistoryError) as connection:
            return await stats.course(connection, whose, limit)

    async def tables(self, player: str, limit: int = 20) -> list[str]:
        """The tables of a player's last matches, each once."""
        wanted = (
            select(matches.c.table_id)
            .join(match_seats, match_seats.c.match_id == matches.c.id)
            .where(match_seats.c.player == player)
            .order_by(match_seats.c.ended_at.desc(), match_seats.c.match_id.desc())
            .limit(limit)
        )
        async with db.reading(self._engine, HistoryError) as connection:
            return list(dict.fromkeys((await connection.execute(wanted)).scalars()))

    async def forget(self, player: str) -> None:
        """Take the name of a player who is deleted out of all matches. Doing it twice is doing it
        once; after :class:`HistoryError` it has to be done again."""
        after: Cursor | None = None
        while True:
            async with db.writing(self._engine, HistoryError) as connection:
                after = await forget(connection, player, after)
            if after is None:
                return

    async def _one(self, match: str, query: Select[Any]) -> tuple[Any, ...] | None:
        # Whatever stands in a request's path is asked for here; some of it no database takes.
        if not match.isprintable():
            return None
        async with db.reading(self._engine, HistoryError) as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else tuple(row)


async def _without_names(connection: AsyncConnection, finished: Finished) -> Finished:
    """The match without the names of those who were deleted while it waited to be kept."""
    gone = await deleted(connection, finished.players)
    if not gone:
        return finished
    named = zip(finished.players, finished.names, strict=True)
    names = [NOBODY if player in gone else name for player, name in named]
    return replace(finished, names=names, record=nameless(finished.record, names))


async def _keep_beside(
    connection: AsyncConnection, finished: Finished, counts: Counted | None
) -> None:
    """What stands beside a match: its seats, what it counts, and what its coins add up to."""
    same = {"game": finished.game, "rules": finished.rules, "ended_at": finished.ended_at}
    computer = computers.any_of(finished.players)
    seats = [
        {
            "match_id": finished.id,
            "seat": seat,
            "player": player,
            "reason": finished.reason,
            "won": seat in finished.winners,
            "points": finished.score[seat],
            "stake": finished.stake,
            "coins": finished.coins[seat],
            "computer": computer,
            **same,
        }
        for seat, player in enumerate(finished.players)
    ]
    await connection.execute(insert(match_seats), seats)
    await _add_winnings(connection, finished)
    whole = {"match_id": finished.id, "game": finished.game, "rules": finished.rules}
    await connection.execute(insert(given).values(**whole, counts=counts and counts.given))
    if counts is None or computer:  # what is told of players, they have shown against players
        return
    by_seat = [
        {
            "match_id": finished.id,
            "seat": seat,
            "name": name,
            "player": finished.players[seat],
            "value": value,
            **same,
        }
        for seat, named in enumerate(counts.figures)
        for name, value in named.items()
    ]
    if by_seat:
        await connection.execute(insert(figures), by_seat)


async def _add_winnings(connection: AsyncConnection, finished: Finished) -> None:
    if not finished.public:  # coins handed on among friends win nobody a place
        return
    moved = zip(finished.players, finished.coins, strict=True)
    # In one order: nobody waits in a circle for whom they have played with elsewhere.
    rows = [
        {
            "player": player,
            "game": finished.game,
            "rules": finished.rules,
            "coins": coins,
            "matches": 1,
        }
        for player, coins in sorted(moved)
        if coins
    ]
    if rows:
        won = db.insert(connection, winnings).values(rows)
        more = {
            "coins": winnings.c.coins + won.excluded.coins,
            "matches": winnings.c.matches + 1,
        }
        key = [winnings.c.player, winnings.c.game, winnings.c.rules]
        await connection.execute(won.on_conflict_do_update(index_elements=key, set_=more))
