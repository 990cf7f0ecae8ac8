"""What a form may hold, and whether it is ours."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from app.web.origin import form_is_own
from app.web.site import site_of

BODY = 8 * 1024
"""Bytes of a form that are read."""
FIELDS = 16


class PageError(Exception):
    """The request cannot be answered with its page: a status, and which text says why."""

    def __init__(self, status: int, key: str, back: str = "/") -> None:
        super().__init__(status, key)
        self.status = status
        self.key = key
        self.back = back


async def read_body(request: Request, kind: str) -> bytes:
    """What a page of ours sends, of one kind of content. Raises :class:`PageError`."""
    if not form_is_own(request, site_of(request).settings.origins):
        raise PageError(403, "origin")
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY:
                raise PageError(413, "too_large")
    except ClientDisconnect:  # in the middle of it: nobody reads the answer
        raise PageError(400, "form") from None
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and said != kind:
        raise PageError(415, "form")
    return body


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form from a page of ours. Raises :class:`PageError`."""
    body = await read_body(request, "application/x-www-form-urlencoded")
    try:
        fields = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS)
    except ValueError:
        raise PageError(422, "form") from None
    if len(dict(fields)) != len(fields):
        raise PageError(422, "form")
    return dict(fields)
