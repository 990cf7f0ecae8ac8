"""Finished matches as they are told, with handles in the place of ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from app import computers
from app.history.history import Finished
from app.history.lists import Summary
from app.ratings.ratings import Change
from app.table.match import EndReason
from app.web.api.persons import handles
from app.web.api.values import GAME, HANDLE, MATCH, MOMENT, OPTIONS, Told, told
from app.web.site import Site

AnyMatch: TypeAlias = Finished | Summary


class RatingChange(Told):
    """What a match has made of a rating."""

    before: int = told("The rating before", 1500)
    after: int = told("The rating after", 1605)
    provisional: bool = told("Whether it comes of few matches, this one included", True)


class PlayedSeat(Told):
    """A seat of a finished match."""

    name: str = told("The name at that time; empty: the player is deleted", "ნინო")
    handle: str | None = told("The handle; null: a guest, or deleted", HANDLE)
    bot: str | None = told("The level of a computer player; null: a person", None)
    won: bool = told("Whether this seat has won; of a void match none has", True)
    points: int = told("The points of the match", 80)
    coins: int = told("The coins that the match has moved; 0 at a free table", 100)
    rating: RatingChange | None = told("What became of the rating; null: the match is not rated")


class PlayedMatch(Told):
    """A finished match."""

    id: str = told("Its id; it has a page at `/m/{id}`", MATCH)
    game: str = told("The game", GAME.name)
    rules: str = told("The rule set", GAME.rules)
    options: dict[str, int] = told("What the table's creator picked", OPTIONS)
    reason: EndReason = told(
        "Why it ended: points, given up, out of time, left, or void: nobody has won", "points"
    )
    stake: int = told("What each seat staked; 0 at a free table", 100)
    started_at: int = told("When it began, ms since 1970", MOMENT - 600_000)
    ended_at: int = told("When it ended, ms since 1970", MOMENT)
    seats: list[PlayedSeat] = told("The seats in their order")


async def played(site: Site, matches: Sequence[AnyMatch]) -> list[PlayedMatch]:
    """Matches as they are told. Raises :class:`PlayersError`, :class:`RatingsError`."""
    known = await handles(site, {player for each in matches for player in each.players})
    changes = await site.ratings.changes_of([each.id for each in matches])
    return [_played(each, known, changes.get(each.id, ())) for each in matches]


def _played(match: AnyMatch, known: dict[str, str], changes: Sequence[Change]) -> PlayedMatch:
    by_seat = {each.seat: each for each in changes}
    return PlayedMatch(
        id=match.id,
        game=match.game,
        rules=match.rules,
        options=match.options,
        reason=cast("EndReason", match.reason),
        stake=match.stake,
        started_at=match.started_at,
        ended_at=match.ended_at,
        seats=[
            PlayedSeat(
                name=match.names[seat],
                handle=known.get(player),
                bot=computers.level_of(player),
                won=seat in match.winners,
                points=match.score[seat],
                coins=match.coins[seat],
                rating=_change(by_seat.get(seat)),
            )
            for seat, player in enumerate(match.players)
        ],
    )


def _change(change: Change | None) -> RatingChange | None:
    if change is None:
        return None
    return RatingChange(before=change.before, after=change.after, provisional=change.provisional)
