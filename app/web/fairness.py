"""What chance gave over all finished matches, for everybody to see (T12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app import i18n
from app.history.bands import Band
from app.web.answers import page
from app.web.pages import READ
from app.web.render import language_of
from app.web.site import site_of

router = APIRouter()

WIDTH: Final = 200
"""Of the picture of a row."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: what came up, how often it did and should have, and where its picture has
    the band and both marks, from 0 to :data:`WIDTH`."""

    name: str
    band: Band
    low: int
    high: int
    seen: int
    expected: int


@router.api_route("/fairness", methods=READ)
async def fairness(request: Request) -> Response:
    """The report of the day; in words where there is none yet."""
    report = await site_of(request).fairness.latest()
    language = language_of(request)
    return await page(
        request,
        "fairness.html",
        report=report,
        rule_sets=[]
        if report is None
        else [
            (
                each,
                {name: _lines(language, name, bands) for name, bands in each.tables.items()},
            )
            for each in report.chances
            if each.matches
        ],
        width=WIDTH,
    )


def _lines(language: i18n.Language, table: str, bands: dict[str, Band]) -> list[Line]:
    widest = max((max(band.high, band.seen) for band in bands.values()), default=1.0) or 1.0

    def at(share: float) -> int:
        return round(share / widest * WIDTH)

    return [
        Line(
            _name(language, table, key),
            band,
            at(band.low),
            at(band.high),
            at(band.seen),
            at(band.expected),
        )
        for key, band in bands.items()
    ]


def _name(language: i18n.Language, table: str, key: str) -> str:
    """What came up, in words where it has any: else it is a tile or a number."""
    word = f"chances.key.{table}.{key}"
    known = word in i18n.CATALOGUES[language]
    return i18n.text(language, word) if known else key
