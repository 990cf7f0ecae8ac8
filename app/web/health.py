"""What is asked by whoever runs the site: does it serve, is it ready, how does it do."""

from __future__ import annotations

import hmac

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from app.ops.ready import Verdict
from app.web.forms import PageError
from app.web.site import site_of

router = APIRouter()
READ = ["GET", "HEAD"]


@router.api_route("/healthz", methods=READ)
async def healthz() -> Response:
    """Whether the server serves at all: if not, start it again."""
    return PlainTextResponse("ok\n")


@router.api_route("/readyz", methods=READ)
async def readyz(request: Request) -> Response:
    """Whether players should be sent here: 200 ``ready`` or ``degraded`` (with what is away), 503
    ``starting``, ``migrations``, ``store`` (away for longer than a moment) or ``stopping``."""
    verdict: Verdict = await site_of(request).watch.ready.verdict()
    body: dict[str, object] = {"status": verdict.state}
    if verdict.away:
        body["away"] = list(verdict.away)
    return JSONResponse(body, 200 if verdict.wanted else 503)


@router.api_route("/metrics", methods=READ)
async def figures(request: Request) -> Response:
    """The figures, for who has the token. For all others there is nothing here."""
    site = site_of(request)
    token = site.settings.metrics_token
    said = request.headers.get("authorization", "").encode()
    wanted = None if token is None else b"Bearer " + token.get_secret_value().encode()
    if wanted is None or not hmac.compare_digest(said, wanted):
        raise PageError(404, "not_found")
    return Response(await site.watch.figures(), media_type=CONTENT_TYPE_PLAIN_0_0_4)
