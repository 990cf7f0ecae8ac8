"""Where Redis is and how to be let in, as its URL says."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio import Connection, SSLConnection
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import parse_url
from redis.exceptions import RedisError

from app.live.store import StoreError

TIMEOUT: Final = 3.0
"""Seconds until a connection counts as dead that cannot be made, or does not answer."""
PORT: Final = 6_379

_KNOWN: Final = frozenset({"username", "password", "db"})
_OURS: Final[dict[str, Any]] = {
    # Version 3 would show every message in the log of whoever looks closely.
    "protocol": 2,
    "socket_timeout": TIMEOUT,
    "socket_connect_timeout": TIMEOUT,
    "driver_info": None,
}


def place_of(url: str) -> ClusterNode:
    """The server at ``redis://[user:password@]host[:port][/database]``, or ``rediss://`` with TLS
    and redis-py's ``ssl_…`` options, like ``?ssl_ca_certs=FILE`` or ``?ssl_cert_reqs=none``.
    Raises :class:`StoreError`, which does not repeat it."""
    options = _options(url)
    if options is None:
        raise StoreError("the URL of Redis must be redis://HOST… or rediss://HOST…")
    host = options["host"]
    try:
        place = ClusterNode(
            host,
            options.get("port", PORT),
            connection_class=options.get("connection_class", Connection),
            **{k: v for k, v in options.items() if k in _KNOWN or k.startswith("ssl_")},
            **_OURS,
        )
        # It looks up "localhost" by itself, but it is the name that a certificate holds.
        place.connection_kwargs["host"] = host
        trial = place.connection_class(**place.connection_kwargs)
        if isinstance(trial, SSLConnection):
            trial.ssl_context.get()
    except (OSError, RedisError, TypeError, ValueError):
        raise StoreError("the options in the URL of Redis cannot be used") from None
    return place


def options_of(place: ClusterNode) -> dict[str, Any]:
    """How other servers of the same cluster let in."""
    options = {k: v for k, v in place.connection_kwargs.items() if k not in {"host", "port"}}
    return {**options, "connection_class": place.connection_class}


def _options(url: str) -> dict[str, Any] | None:
    try:
        options: dict[str, Any] = {**parse_url(url)}
        path = urlsplit(url).path.strip("/")
    except ValueError:
        return None
    return options if options.get("host") and ("db" in options or not path) else None
