"""What a player's matches of a game tell, with its plots: values for a template to put in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from app.history.stats import Stats, Whose
from app.ratings.ratings import Change, Rating
from app.table.table import AnyGame
from app.web import plots
from app.web.plots import Box, Column
from app.web.site import Site
from engine.statistics import Luck, Mean, Share, Statistic

ENOUGH: Final = 5
"""From so many matches on there is something to tell."""
LAST: Final = 50
"""So many matches make the line of a rating."""

Luckily: TypeAlias = Literal["far_less", "less", "usual", "more", "far_more"]

MONTHS: Final = Box(4, 16, 312, 84)
SHARE: Final = Box(1, 1, 318, 14)
SCALE: Final = Box(12, 0, 296, 24)
LINE: Final = Box(40, 10, 270, 84)
MARKS: Final = tuple((each, plots.on_scale(each, SCALE)) for each in (-2, -1, 0, 1, 2))
"""Standard deviations that a scale has a mark for, and where."""


@dataclass(frozen=True, slots=True)
class Month:
    """A month's column: ``11.2026``, and what it stands for."""

    name: str
    matches: int
    wins: int
    column: Column


@dataclass(frozen=True, slots=True)
class Course:
    """How a rating has gone: from before the first of so many matches until after the last."""

    first: int
    last: int
    low: int
    high: int
    matches: int
    path: str
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Told:
    """A statistic of a game and what it is made of. Of a share there is ``filled``, of a mean the
    ``months`` in which there is one, of luck how it is called and where it stands ``at``."""

    name: str
    kind: Literal["share", "mean", "luck"]
    value: float
    of: int
    over: int
    filled: float = 0.0
    months: tuple[tuple[str, float, Column], ...] = ()
    luckily: Luckily | None = None
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Figures:
    """What is shown of a player for a game. ``early``: too few matches yet for all but the
    numbers; ``played``: of the months, the oldest first."""

    game: str
    rules: str
    rating: Rating | None
    stats: Stats
    early: bool
    months: tuple[Month, ...] = ()
    told: tuple[Told, ...] = ()
    course: Course | None = None

    @property
    def means(self) -> tuple[Told, ...]:
        """The statistics that there are by month."""
        return tuple(each for each in self.told if each.kind == "mean")

    @property
    def rows(self) -> list[tuple[Month, list[float | None]]]:
        """Months in which there was a match, the latest first, with the :attr:`means` in them."""
        known = [{name: value for name, value, _ in each.months} for each in self.means]
        return [
            (month, [each.get(month.name) for each in known])
            for month in reversed(self.months)
            if month.matches
        ]


async def figures_of(site: Site, player: str, now: int) -> list[Figures]:
    """Of every game that a player has played. Raises ``HistoryError``, ``RatingsError``."""
    ratings = {(each.game, each.rules): each for each in await site.ratings.of(player)}
    found = []
    for game in site.games:
        whose = Whose(player, game.name, game.rules)
        stats = await site.history.stats(whose)
        rating = ratings.get((game.name, game.rules))
        if stats.matches < ENOUGH:
            if stats.matches or rating:
                found.append(Figures(game.name, game.rules, rating, stats, early=True))
            continue
        months = (await site.history.months(whose, now))[::-1]
        changes = await site.ratings.course(player, game.name, game.rules, LAST)
        found.append(
            Figures(
                game.name,
                game.rules,
                rating,
                stats,
                early=False,
                months=by_month(months),
                told=told(game, stats, months),
                course=course(changes),
            )
        )
    return found


def by_month(months: Sequence[tuple[str, Stats]]) -> tuple[Month, ...]:
    """Matches and wins, by month."""
    made = plots.columns([(stats.matches, stats.wins) for _, stats in months], MONTHS)
    return tuple(
        Month(_month(name), stats.matches, stats.wins, column)
        for (name, stats), column in zip(months, made, strict=True)
    )


def course(changes: Sequence[Change]) -> Course | None:
    """The line of a rating from its changes, the latest first; ``None``: of too few of them."""
    if len(changes) < ENOUGH:
        return None
    values = [changes[-1].before, *(each.after for each in reversed(changes))]
    places = plots.line(values, LINE)
    return Course(
        first=values[0],
        last=values[-1],
        low=min(values),
        high=max(values),
        matches=len(changes),
        path=plots.path(places),
        end=places[-1],
    )


def told(game: AnyGame, stats: Stats, months: Sequence[tuple[str, Stats]]) -> tuple[Told, ...]:
    """A game's statistics; those of which nothing can be told yet are missing."""
    every = (_told(each, stats.sums, months) for each in game.statistics)
    return tuple(each for each in every if each is not None)


def called(strays: float) -> Luckily:
    """Luck in a word: within one standard deviation is what everybody has."""
    if abs(strays) < 1:
        return "usual"
    if strays > 0:
        return "more" if strays < 2 else "far_more"
    return "less" if strays > -2 else "far_less"


def _told(
    statistic: Statistic, sums: dict[str, int], months: Sequence[tuple[str, Stats]]
) -> Told | None:
    value = statistic.value(sums)
    if value is None:
        return None
    of, over = sums.get(statistic.of, 0), sums[statistic.over]
    match statistic:
        case Share(name=name):
            return Told(name, "share", value, of, over, filled=plots.filled(value, SHARE))
        case Mean(name=name):
            return Told(name, "mean", value, of, over, months=_means(statistic, months))
        case Luck(name=name):
            strays = statistic.strays(sums) or 0.0
            at = plots.on_scale(strays, SCALE)
            return Told(name, "luck", value, of, over, luckily=called(strays), at=at)


def _means(
    mean: Mean, months: Sequence[tuple[str, Stats]]
) -> tuple[tuple[str, float, Column], ...]:
    values = [mean.value(stats.sums) for _, stats in months]
    made = plots.columns([(value or 0.0, 0.0) for value in values], MONTHS)
    return tuple(
        (_month(name), value, column)
        for (name, _), value, column in zip(months, values, made, strict=True)
        if value is not None
    )


def _month(name: str) -> str:
    year, month = name.split("-")
    return f"{month}.{year}"
