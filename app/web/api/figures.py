"""A player's figures in a rule set, and the way of their rating."""

from __future__ import annotations

from app.history.stats import Stats, Whose
from app.web.api.values import GAME, MATCH, MOMENT, Told, told
from app.web.site import Site
from engine.figures import COMMON

_SOME = dict.fromkeys([*COMMON, *GAME.counters], 7)


class Sums(Told):
    """Matches added up; void ones are left out."""

    matches: int = told("Matches", 12)
    wins: int = told("Matches won", 7)
    counted: int = told("Matches that the figures come from", 12)
    sums: dict[str, int] = told("The figures added up, by name", _SOME)


class Month(Told):
    """The same of a month."""

    month: str = told("The month in Tbilisi", "2026-11")
    played: Sums = told("What was played in it")


class Point(Told):
    """A match of a plot."""

    match: str = told("Its id", MATCH)
    ended_at: int = told("When it ended, ms since 1970", MOMENT)
    won: bool = told("Whether it was won", True)
    figures: dict[str, int] = told("Its figures by name; none, if it was not counted", _SOME)


class RatingPoint(Told):
    """A rated match of the rating's way."""

    match: str = told("Its id", MATCH)
    at: int = told("When it ended, ms since 1970", MOMENT)
    before: int = told("The rating before", 1500)
    after: int = told("The rating after", 1605)


class Figures(Told):
    """A player's matches of a rule set in figures."""

    all: Sums = told("All matches")
    months: list[Month] = told("The last twelve months, the latest first")
    course: list[Point] = told("The last fifty matches, the latest first")
    rating: list[RatingPoint] = told("The last fifty rated matches, the latest first")


async def figures(site: Site, whose: Whose, now: int) -> Figures:
    """The figures. Raises :class:`HistoryError`, :class:`RatingsError`."""
    history = site.history
    changes = await site.ratings.course(whose.player, whose.game, whose.rules)
    return Figures(
        all=_sums(await history.stats(whose)),
        months=[
            Month(month=name, played=_sums(each)) for name, each in await history.months(whose, now)
        ],
        course=[
            Point(match=each.match, ended_at=each.ended_at, won=each.won, figures=each.values)
            for each in await history.course(whose)
        ],
        rating=[
            RatingPoint(match=each.match, at=each.at, before=each.before, after=each.after)
            for each in changes
        ],
    )


def _sums(stats: Stats) -> Sums:
    return Sums(
        matches=stats.matches, wins=stats.wins, counted=stats.counted, sums=dict(stats.sums)
    )
