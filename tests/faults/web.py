"""Requests and sockets as browsers make them, without waiting for ever for anything."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from app.web.identity import COOKIE

GONE = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, EOFError, TimeoutError)
"""How it shows that nobody is there, or is no more."""
PATIENCE = 8.0


class OddError(OSError):
    """An answer that is none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request is answered with."""

    status: int
    location: str | None
    body: str


async def ask(
    origin: str,
    method: str,
    path: str,
    *,
    form: dict[str, str] | None = None,
    cookie: str | None = None,
    headers: dict[str, str] | None = None,
    patience: float = PATIENCE,
) -> Answer:
    """One request on a connection of its own. Raises one of :data:`GONE`."""
    async with asyncio.timeout(patience):
        return await _ask(origin, method, path, form=form, cookie=cookie, headers=headers or {})


async def _ask(
    origin: str,
    method: str,
    path: str,
    *,
    form: dict[str, str] | None,
    cookie: str | None,
    headers: dict[str, str],
) -> Answer:
    host = origin.removeprefix("http://")
    name, _, port = host.rpartition(":")
    body = "" if form is None else urlencode(form)
    said = {"host": host, "connection": "close", **headers}
    if form is not None:
        said |= {"origin": origin, "content-type": "application/x-www-form-urlencoded"}
        said["content-length"] = str(len(body))
    if cookie is not None:
        said["cookie"] = f"{COOKIE}={cookie}"
    head = "".join(f"{key}: {value}\r\n" for key, value in said.items())
    reader, writer = await asyncio.open_connection(name, int(port))
    try:
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n{body}".encode())
        raw = await reader.read()
    finally:
        writer.close()
    top, gap, rest = raw.partition(b"\r\n\r\n")
    lines = top.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if not gap or len(words) < 2:
        raise OddError("the answer was cut off")
    location = next((x[10:] for x in lines if x.lower().startswith("location: ")), None)
    return Answer(int(words[1]), location, rest.decode("utf-8", "replace"))


async def socket(origin: str, path: str, cookie: str | None) -> ClientConnection:
    """A socket. Raises one of :data:`GONE`."""
    return await connect(
        f"ws{origin.removeprefix('http')}{path}",
        origin=origin,  # type: ignore[arg-type]
        additional_headers={} if cookie is None else {"cookie": f"{COOKIE}={cookie}"},
        compression=None,
        ping_interval=None,
        open_timeout=PATIENCE,
        close_timeout=0.5,
        max_size=None,
    )


def cut(line: ClientConnection) -> None:
    """The network goes in the middle of a frame: half of one is sent, and nothing more."""
    with suppress(RuntimeError):  # the other side may have ended it meanwhile
        line.transport.write(b"\x81\xfe\x01\x00\x01\x02\x03\x04" + b"half of a frame")
    line.transport.abort()
