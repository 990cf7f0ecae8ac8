"""Where a request comes from: forms and sockets are taken from the site's own pages only."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

_PORTS = {"http": ":80", "https": ":443", "ws": ":80", "wss": ":443"}


def _place(scheme: str, netloc: str) -> str:
    return netloc.lower().removesuffix(_PORTS.get(scheme, ""))


def is_own(origin: str, connection: HTTPConnection, allowed: Sequence[str]) -> bool:
    """Whether ``origin`` (or a whole address) is one of ``allowed``, or the host asked if none is
    named. The scheme is not compared with the connection's: a proxy may have ended TLS."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        return False
    if allowed:
        return f"{parts.scheme}://{parts.netloc}".lower() in allowed
    host = connection.headers.get("host", "")
    return _place(parts.scheme, parts.netloc) == _place(parts.scheme, host)


def form_is_own(connection: HTTPConnection, allowed: Sequence[str]) -> bool:
    """Whether a form comes from a page of ours. A browser always says, so silence is a no."""
    said = connection.headers.get("origin") or connection.headers.get("referer")
    return said is not None and is_own(said, connection, allowed)


def socket_is_own(connection: HTTPConnection, allowed: Sequence[str]) -> bool:
    """Whether a socket may be opened. No Origin at all means no browser, hence nobody's cookie
    taken by a foreign page: that is let in."""
    said = connection.headers.get("origin")
    return said is None or is_own(said, connection, allowed)


def public_origin(connection: HTTPConnection, allowed: Sequence[str]) -> str:
    """How others reach the site: ``https://host``. Of ``allowed`` the one that was asked, else
    the first; the host that was asked if none is named."""
    asked = f"{connection.url.scheme}://{connection.url.netloc}".lower()
    return asked if not allowed or asked in allowed else allowed[0]
