"""``python -m app``: one server on one address."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import uvicorn

from app import db
from app.ground import LASTING, TABLES
from app.live.folder import DataFolder, FolderError
from app.live.sqlite import prepare
from app.live.store import StoreError
from app.main import create_app, stop
from app.ops import logs
from app.ops.server import Server
from app.settings import Settings, SettingsError, read_settings
from app.ws.messages import FRAME

WRONG, FAILED = 2, 1

HEADERS = 32 * 1024
"""Bytes of a request line with its headers."""
GRACE = 3
"""Seconds for requests and sockets to end by themselves when the server does."""
UNREAD_MS = 20_000
"""After so long without an answer to what was sent, or to what could not be sent, the system ends
a connection: also of a client that keeps it open and reads nothing."""


class _PortError(Exception):
    """Nobody can listen there."""


def _bind(host: str, port: int) -> socket.socket:
    """A listening place for the server. Raises :class:`_PortError`."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, proto)
        try:
            # A server started again at once finds its old connections still closing.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # taken over by every accepted connection
                bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
            bound.bind(address)
            bound.listen(2048)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        raise _PortError(error.strerror or str(error)) from None
    except UnicodeError:
        raise _PortError("no such host") from None
    return bound


def _address(host: str, port: int) -> str:
    """What to open in a browser."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104
    if ":" in shown and not shown.startswith("["):
        shown = f"[{shown}]"
    return f"http://{shown}:{port}/"


def _open_at(address: str) -> None:
    print(f"Ezo is open at {address}", flush=True)


def _serve(settings: Settings, folder: DataFolder | None, bound: socket.socket) -> int:
    logs.set_up(
        settings.log or ("json" if settings.deployed else "text"),
        settings.log_level or ("info" if settings.deployed else "warning"),
    )
    app = create_app(settings, folder)
    server = Server(
        uvicorn.Config(
            app,
            loop="uvloop",
            # Unlike the faster one it bounds what a request may say before its body.
            http="h11",
            h11_max_incomplete_event_size=HEADERS,
            ws="websockets-sansio",
            ws_max_size=FRAME,
            # The socket's own messages find dead lines, and measure the delay.
            ws_ping_interval=None,
            ws_ping_timeout=None,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=GRACE,
            # Whom to believe about an address is ours to say.
            proxy_headers=False,
            lifespan="on",
            log_config=None,
            # A path holds the table's id, and whoever has that has the invite.
            access_log=False,
            # What strangers send that is no HTTP is not worth a line each.
            log_level="error",
            server_header=False,
        ),
        opened=partial(_open_at, _address(settings.host, bound.getsockname()[1])),
        stopping=partial(stop, app),
        drain=settings.drain,
    )
    # Stopped from the keyboard it says so again, once all is closed in order.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[bound])
    return 0 if server.started else FAILED


def _listen(settings: Settings, folder: DataFolder | None) -> int:
    with closing(_bind(settings.host, settings.port)) as bound:
        return _serve(settings, folder, bound)


def _failed(line: str, status: int = FAILED) -> int:
    print(f"ezo: {line}", file=sys.stderr)
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop. Returns the exit status: 2 for a wrong setting."""
    parser = argparse.ArgumentParser(prog="ezo", description="A yard for domino and nardi.")
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", help="port to listen on (8000; 0: any that is free)")
    parser.add_argument("--data", type=Path, help="folder that keeps the tables (./data)")
    given = parser.parse_args(arguments)
    os.umask(0o077)  # what is kept is for nobody else
    try:
        settings = read_settings(host=given.host, port=given.port, data=given.data)
    except SettingsError as error:
        return _failed(str(error), WRONG)
    try:
        if settings.deployed:
            return _listen(settings, None)
        with closing(DataFolder(settings.data)) as folder:
            folder.secret("cookie.key")
            prepare(folder.path / TABLES)
            db.check(folder.path / LASTING)
            return _listen(settings, folder)
    except (FolderError, StoreError, db.DatabaseError) as error:
        return _failed(str(error))
    except _PortError as error:
        return _failed(f"cannot listen on {settings.host} port {settings.port}: {error}")


if __name__ == "__main__":
    sys.exit(main())
