"""The call about what chance gave (T12)."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request

from app.history.fairness import Report
from app.web.api.calls import SHORT, Calls
from app.web.api.values import GAME, MOMENT, Told, told
from app.web.site import site_of

CALLS = Calls("fairness")


class Frequency(Told):
    """How often something came, beside how often it may be expected to."""

    count: int = told("So often it came", 170)
    trials: int = told("Of so many times", 1000)
    seen: float = told("The frequency that was seen", 0.17)
    expected: float = told("The one that is expected", 0.1667)
    low: float = told("From here on 99 of 100 such counts lie", 0.1358)
    high: float = told("Up to here", 0.1975)
    inside: bool = told("Whether what was seen is between the two", True)


class Chances(Told):
    """What chance gave in the matches of a rule set."""

    game: str = told("The game", GAME.name)
    rules: str = told("The rule set", GAME.rules)
    matches: int = told("Matches that were counted", 120)
    tables: dict[str, dict[str, Frequency]] = told(
        "By table and key how often it came",
        {
            "faces": {
                "1": {
                    "count": 170,
                    "trials": 1000,
                    "seen": 0.17,
                    "expected": 0.1667,
                    "low": 0.1358,
                    "high": 0.1975,
                    "inside": True,
                }
            }
        },
    )


class Day(Told):
    """Handshakes of a day that came to nothing."""

    day: str = told("The day in Tbilisi", "2026-11-30")
    voids: dict[str, int] = told("How many, by cause", {"no_hash": 1})


class ChanceReport(Told):
    """The report of a day."""

    day: str = told("The day in Tbilisi", "2026-11-30")
    at: int = told("When it was made, ms since 1970", MOMENT)
    matches: int = told("All matches that had ended by then", 240)
    chances: list[Chances] = told("What chance gave, by game and rule set")
    voids: dict[str, int] = told("Handshakes that came to nothing, by cause", {"no_hash": 3})
    days: list[Day] = told("The same for the last thirty days, the latest first")


class Latest(Told):
    """The latest report, if there is any."""

    report: ChanceReport | None = told("The report; null: nothing has ended here yet")


@CALLS.get("/fairness", "What chance gave", Latest, keep=SHORT)
async def fairness(request: Request) -> Latest:
    """The latest public report on chance over all finished matches, made once a day."""
    found = await site_of(request).fairness.latest()
    return Latest(report=None if found is None else _report(found))


def _report(report: Report) -> ChanceReport:
    return ChanceReport(
        day=report.day,
        at=report.at,
        matches=report.matches,
        chances=[
            Chances(
                game=each.game,
                rules=each.rules,
                matches=each.matches,
                tables={
                    table: {
                        key: Frequency(**asdict(band), inside=band.inside)
                        for key, band in keys.items()
                    }
                    for table, keys in each.tables.items()
                },
            )
            for each in report.chances
        ],
        voids=report.voids,
        days=[Day(day=day, voids=causes) for day, causes in report.days],
    )
