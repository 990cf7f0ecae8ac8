"""The style guide: every component, in both languages and themes, with the longest texts."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app import i18n
from app.web.pages import READ
from app.web.site import site_of

router = APIRouter()


@router.api_route("/styleguide", methods=READ)
async def styleguide(request: Request) -> Response:
    """For who builds the site: nothing links here."""
    return site_of(request).pages.page(
        request, "styleguide.html", texts={name: i18n.CATALOGUES[name] for name in i18n.LANGUAGES}
    )
