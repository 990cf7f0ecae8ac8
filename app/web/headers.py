"""What every answer carries, and what no request may exceed."""

from __future__ import annotations

from collections.abc import Awaitable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATH = 512
"""Bytes of a path that are read; longer ones are answered with 414."""

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

_ALWAYS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    # Not no-referrer: under that a browser hides the Origin of our own forms, too.
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}


def secure(headers: MutableHeaders) -> None:
    """Add what every answer carries. What says nothing about caching is not to be kept. A file
    brings a policy of its own, which allows nothing at all, and needs no word about pages."""
    if "content-security-policy" in headers:
        headers["x-content-type-options"] = "nosniff"
        return
    for name, value in _ALWAYS.items():
        headers[name] = value
    headers.setdefault("cache-control", "no-store")


class SecureHeaders:
    """ASGI middleware around everything, faults included."""

    def __init__(self, app: ASGIApp, calls: str, too_long: ASGIApp) -> None:
        """``too_long`` answers what is too long and begins with ``calls``."""
        self._app = app
        self._calls = calls.encode()
        self._too_long = too_long

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        # A socket keeps nothing of this for as long as it lives.
        if scope["type"] == "http":
            return self._answer(scope, receive, send)
        return self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                secure(MutableHeaders(scope=message))
            await send(message)

        path: bytes = scope.get("raw_path") or b""
        if len(path) > PATH and path.startswith(self._calls):
            await self._too_long(scope, receive, secured)
            return
        if len(path) > PATH:
            await secured({"type": "http.response.start", "status": 414, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        await self._app(scope, receive, secured)
