"""A name for every request, for its logs and its answer."""

from __future__ import annotations

import logging
from time import perf_counter

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.ops import context, metrics

log = logging.getLogger(__name__)

HEADER = "x-request-id"
_KEY = "ezo.request"


class Requests:
    """ASGI middleware: names requests and sockets, says the name in ``X-Request-Id``, counts
    pages, and logs those that failed. A name that a client sends means nothing."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        # Every request is a task of its own: what is set here is set for it alone, and stays for
        # whoever logs its fault further out.
        name = scope[_KEY] = context.new_request()
        context.REQUEST.set(name)
        began = perf_counter()

        async def named(message: Message) -> None:
            if message["type"] in {"http.response.start", "websocket.accept"}:
                MutableHeaders(scope=message)[HEADER] = name
            if message["type"] == "http.response.start":
                _answered(scope, message["status"], perf_counter() - began)
            await send(message)

        try:
            await self._app(scope, receive, named)
        except Exception:
            # Its answer is made further out; its trace is logged there, under the same name.
            if scope["type"] == "http":
                _answered(scope, 500, perf_counter() - began)
            raise


def name_of(connection: HTTPConnection) -> str:
    """The name of a request; empty, if it never got one."""
    return str(connection.scope.get(_KEY, ""))


async def about(connection: HTTPConnection) -> None:
    """A dependency of every route with a table: whoever logs can say which."""
    table_id = connection.path_params.get("table_id")
    if table_id is not None:
        context.TABLE.set(table_id)


def _answered(scope: Scope, status: int, seconds: float) -> None:
    metrics.REQUESTS.labels(f"{status // 100}xx").inc()
    route = getattr(scope.get("route"), "path", "none")  # never the path: it may hold an invite
    told = {
        "method": scope["method"],
        "route": route,
        "status": status,
        "ms": round(seconds * 1000),
    }
    level = logging.WARNING if status >= 500 and status != 503 else logging.DEBUG
    log.log(level, "answered", extra={"told": told})
