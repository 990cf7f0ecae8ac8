"""Errors of pages in browsers, told to the log: what failed and where, and nothing of whom."""

from __future__ import annotations

import logging
import re
from typing import Annotated, Final

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from app.ops import metrics
from app.web.forms import PageError, read_body

router = APIRouter()
log = logging.getLogger(__name__)

_TOLD: Final = 120
_TILE: Final = re.compile(r"\b\d-\d\b")
_TOKEN: Final = re.compile(r"[\w-]{12,}")
"""Whatever is so long may be an id, an invite or a name."""


class Fault(BaseModel):
    """An error that nobody caught in a page: its words, the file of ours it came from, and the
    kind of page. An address of a table or a match is not told: it is an invite."""

    model_config = ConfigDict(extra="forbid", strict=True)

    message: Annotated[str, Field(max_length=1_000)]
    file: Annotated[str, Field(max_length=200, pattern=r"^(/static/[\w./-]*)?$")]
    line: Annotated[int, Field(ge=0, le=1_000_000)]
    column: Annotated[int, Field(ge=0, le=1_000_000)]
    page: Annotated[str, Field(pattern=r"^[a-z-]{0,20}$")]


@router.post("/faults")
async def fault(request: Request) -> Response:
    """A page tells of an error."""
    try:
        told = Fault.model_validate_json(await read_body(request, "application/json"))
    except ValidationError:
        raise PageError(422, "form") from None
    metrics.FAULTS.inc()
    where = told.model_dump(exclude={"message"})
    log.warning("a page failed: %s", _plain(told.message), extra={"told": where})
    return Response(status_code=204)


def _plain(message: str) -> str:
    """What an error says without anything that could be somebody's.

    >>> _plain("no tile 6-6 for ნინო at 0123456789abcdef01234567")
    'no tile … for  at …'
    """
    said = "".join(each for each in message if each.isascii() and each.isprintable())
    return _TOKEN.sub("…", _TILE.sub("…", said))[:_TOLD]
