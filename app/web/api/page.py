"""The page for people who write programs: which calls there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.web.answers import page
from app.web.api.description import DESCRIPTION

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Call:
    """A call as the page shows it; its words are ``api.call.NAME``."""

    name: str
    path: str
    query: tuple[str, ...]


CALLS: Final = tuple(
    Call(
        methods["get"]["operationId"],
        path,
        tuple(x["name"] for x in methods["get"].get("parameters", ()) if x["in"] == "query"),
    )
    for path, methods in DESCRIPTION["paths"].items()
)


@router.api_route("/api", methods=["GET", "HEAD"])
async def api_page(request: Request) -> Response:
    """All calls of the JSON API, made from its description."""
    return await page(request, "api.html", calls=CALLS)
