"""Rating matches, each once, and reading what came of it."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import Row, Select, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app import days, db, receipts
from app.players.schema import players
from app.ratings.model import ESTABLISHED, Skill, after
from app.ratings.schema import rating_changes, ratings

log = logging.getLogger(__name__)


class RatingsError(Exception):
    """The ratings are away: nothing was rated or read."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has ended. ``players`` by seat; ``winners`` are seats, none of a void match;
    ``at``: when it ended, in milliseconds since 1970."""

    match: str
    game: str
    rules: str
    players: Sequence[str]
    winners: Collection[int]
    at: int
    public: bool


@dataclass(frozen=True, slots=True)
class Change:
    """What a match has made of a seat's rating, as it is shown. ``provisional``: of few matches,
    this one included."""

    match: str
    seat: int
    player: str
    game: str
    rules: str
    won: bool
    before: int
    after: int
    provisional: bool
    at: int


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating for a rule set of a game, as it is shown, from so many matches."""

    player: str
    game: str
    rules: str
    shown: int
    matches: int
    provisional: bool
    updated_at: int


_CHANGE: Final = tuple(rating_changes.c[name] for name in Change.__slots__)
_RATING: Final = (
    ratings.c.player,
    ratings.c.game,
    ratings.c.rules,
    ratings.c.shown,
    ratings.c.matches,
    ~ratings.c.established,
    ratings.c.updated_at,
)


class Ratings:
    """The ratings, in a database that is prepared. Every method raises :class:`RatingsError`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def rate(self, played: Played) -> tuple[Change, ...] | None:
        """What a match makes of its seats' ratings; asked again, what it made of them then.

        ``None``, and nothing is kept: the match is not rated. Rated are public matches that
        somebody has won and somebody lost, between players who are all registered. One that was
        rated with other content is an alarm, ``None``, and changes nothing.
        """
        if not _counts(played):
            return None
        try:
            async with db.writing(self._engine, RatingsError) as connection:
                kept = await _kept(connection, played.match)
                if not kept and await _registered(connection, played.players):
                    await _rate(connection, played, await _locked(connection, played))
                    kept = await _kept(connection, played.match)
                _check(kept, played)
                return kept or None
        except receipts.OtherContentError:
            log.error("ALARM: match %s is rated with other content", played.match)  # noqa: TRY400
            return None

    async def of(self, player: str) -> list[Rating]:
        """A player's ratings, by game and rules."""
        mine = select(*_RATING).where(ratings.c.player == player)
        rows = await self._read(mine.order_by(ratings.c.game, ratings.c.rules))
        return [Rating(*row) for row in rows]

    async def rating(self, player: str, game: str, rules: str) -> Rating | None:
        """A player's rating for a rule set of a game; ``None``: never rated."""
        query = select(*_RATING).where(*_key(player, game, rules))
        rows = await self._read(query)
        return Rating(*rows[0]) if rows else None

    async def changes(self, match: str) -> tuple[Change, ...] | None:
        """What a match has made of the ratings, by seat; ``None``: it is not rated."""
        return (await self.changes_of([match])).get(match)

    async def changes_of(self, matches: Collection[str]) -> dict[str, tuple[Change, ...]]:
        """The same of many matches; those that are not rated are missing."""
        query = select(*_CHANGE).where(rating_changes.c.match.in_(sorted(set(matches))))
        rows = await self._read(query.order_by(rating_changes.c.match, rating_changes.c.seat))
        found: dict[str, tuple[Change, ...]] = {}
        for row in rows:
            change = Change(*row)
            found[change.match] = (*found.get(change.match, ()), change)
        return found

    async def course(self, player: str, game: str, rules: str, limit: int = 50) -> list[Change]:
        """A player's last changes in a rule set of a game, the latest first."""
        c = rating_changes.c
        mine = select(*_CHANGE).where(c.player == player, c.game == game, c.rules == rules)
        rows = await self._read(mine.order_by(c.at.desc(), c.match.desc()).limit(limit))
        return [Change(*row) for row in rows]

    async def _read(self, query: Select[Any]) -> list[Any]:
        async with db.reading(self._engine, RatingsError) as connection:
            return list(await connection.execute(query))


def _counts(played: Played) -> bool:
    seats = range(len(played.players))
    return (
        played.public
        and len(set(played.players)) == len(played.players)
        and set(played.winners) < set(seats)
        and bool(played.winners)
    )


def _key(player: str, game: str, rules: str) -> tuple[Any, ...]:
    return (ratings.c.player == player, ratings.c.game == game, ratings.c.rules == rules)


async def _kept(connection: AsyncConnection, match: str) -> tuple[Change, ...]:
    query = select(*_CHANGE).where(rating_changes.c.match == match).order_by(rating_changes.c.seat)
    return tuple(Change(*row) for row in await connection.execute(query))


def _check(kept: Sequence[Change], played: Played) -> None:
    """Raises :class:`receipts.OtherContentError` if something else was rated under this match."""
    rated = [(each.player, each.won, each.game, each.rules) for each in kept]
    wanted = [
        (player, seat in played.winners, played.game, played.rules)
        for seat, player in enumerate(played.players)
    ]
    if kept and rated != wanted:
        raise receipts.OtherContentError


async def _registered(connection: AsyncConnection, who: Collection[str]) -> bool:
    # Locked: whoever deletes an account meanwhile waits, and finds all that is to be forgotten.
    query = select(players.c.kind).where(players.c.id.in_(sorted(who))).order_by(players.c.id)
    kinds = (await connection.execute(query.with_for_update(read=True))).scalars().all()
    return list(kinds) == ["registered"] * len(who)


async def _locked(connection: AsyncConnection, played: Played) -> dict[str, Row[Any]]:
    """The seats' ratings by player, which nobody else can change any more: in one order, so that
    nobody waits in a circle. Who has none gets that of a newcomer."""
    new = Skill()
    fresh = [
        {
            "player": player,
            "game": played.game,
            "rules": played.rules,
            "mu": new.mu,
            "sigma": new.sigma,
            "shown": new.shown,
            "matches": 0,
            "established": False,
            "week": 0,
            "gained": 0,
            "week_matches": 0,
            "updated_at": played.at,
        }
        for player in sorted(played.players)
    ]
    await connection.execute(db.insert(connection, ratings).values(fresh).on_conflict_do_nothing())
    mine = (
        ratings.c.player.in_(sorted(played.players)),
        ratings.c.game == played.game,
        ratings.c.rules == played.rules,
    )
    query = select(ratings).where(*mine).order_by(ratings.c.player).with_for_update()
    return {row.player: row for row in await connection.execute(query)}


async def _rate(
    connection: AsyncConnection, played: Played, before: Mapping[str, Row[Any]]
) -> None:
    """Rate a match whose ratings are locked, unless somebody else has done it meanwhile."""
    had = [before[player] for player in played.players]
    skills = after([Skill(row.mu, row.sigma) for row in had], played.winners)
    same = ("player", "game", "rules", "won")
    for seat, (row, skill) in enumerate(zip(had, skills, strict=True)):
        change = Change(
            match=played.match,
            seat=seat,
            player=row.player,
            game=played.game,
            rules=played.rules,
            won=seat in played.winners,
            before=row.shown,
            after=skill.shown,
            provisional=row.matches + 1 < ESTABLISHED,
            at=played.at,
        )
        if not await receipts.once(connection, rating_changes, asdict(change), same):
            return
        await connection.execute(
            update(ratings)
            .where(*_key(row.player, played.game, played.rules))
            .values(
                mu=skill.mu,
                sigma=skill.sigma,
                shown=skill.shown,
                matches=row.matches + 1,
                established=not change.provisional,
                updated_at=max(played.at, row.updated_at),
                **_week(row, change),
            )
        )


def _week(row: Row[Any], change: Change) -> dict[str, int]:
    """What the week's board has to know. A match that is rated late changes no later week."""
    week = days.monday(change.at)
    if week < row.week:
        return {}
    gained = change.after - change.before
    if week > row.week:
        return {"week": week, "gained": gained, "week_matches": 1}
    return {"gained": row.gained + gained, "week_matches": row.week_matches + 1}
