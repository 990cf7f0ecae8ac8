"""Where Redis is and how to be let in, as its URL says."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from app.live.redis.wire import Access, Address
from app.live.store import StoreError

PORT: Final = 6_379


@dataclass(frozen=True, slots=True)
class Source:
    """What a URL says."""

    address: Address
    access: Access


def source_of(url: str) -> Source:
    """``redis://[user:password@]host[:port][/database]``, or ``rediss://`` with TLS and
    ``?ssl_ca_certs=FILE`` or ``?ssl_cert_reqs=none``. Raises :class:`StoreError`, which does not
    repeat it."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORT
        database = int(parts.path.strip("/") or 0)
    except ValueError:
        parts, port, database = SplitResult("", "", "", "", ""), PORT, 0
    if parts.scheme not in {"redis", "rediss"} or not parts.hostname:
        raise StoreError("the URL of Redis must be redis://HOST… or rediss://HOST…")
    username = unquote(parts.username) if parts.username else None
    password = None if parts.password is None else unquote(parts.password)
    tls = _tls(parts.query) if parts.scheme == "rediss" else None
    return Source(Address(parts.hostname, port), Access(username, password, database, tls))


def _tls(query: str) -> ssl.SSLContext:
    options = parse_qs(query)
    try:
        tls = ssl.create_default_context(cafile=options.get("ssl_ca_certs", [None])[0])
    except OSError:
        raise StoreError("ssl_ca_certs in the URL of Redis cannot be read") from None
    if options.get("ssl_cert_reqs") == ["none"]:
        tls.check_hostname = False
        tls.verify_mode = ssl.CERT_NONE
    return tls
