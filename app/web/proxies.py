"""Who is really asking, and how, where proxies stand before the server."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import ASGIApp, Receive, Scope, Send

_SCHEMES = {
    "http": {b"http": "http", b"https": "https"},
    "websocket": {b"http": "ws", b"https": "wss", b"ws": "ws", b"wss": "wss"},
}


class Proxies:
    """ASGI middleware around everything. A peer that is one of ``trusted`` (addresses or networks)
    is believed about the last hop, the one it saw itself: the last entry of ``X-Forwarded-For``
    and of ``X-Forwarded-Proto``. What stands before them anybody may have written."""

    def __init__(self, app: ASGIApp, trusted: Iterable[str]) -> None:
        self._app = app
        self._networks = tuple(ip_network(each) for each in trusted)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        schemes = _SCHEMES.get(scope["type"])
        client = scope.get("client")
        if schemes is not None and client and _within(client[0], self._networks):
            said = _last(scope, b"x-forwarded-for")
            address = None if said is None else _address(said.decode("latin-1"))
            if address is not None:
                scope["client"] = (address, 0)
            scheme = schemes.get(_last(scope, b"x-forwarded-proto") or b"")
            if scheme is not None:
                scope["scheme"] = scheme
        # Not waited for here: a socket keeps nothing of this for as long as it lives.
        return self._app(scope, receive, send)


def group_of(address: str) -> str:
    """Whose an address is, for counting: whoever has one of IPv6 has the whole /64."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(IPv6Network((parsed, 64), strict=False))
    return address


@lru_cache(maxsize=1024)
def _within(host: str, networks: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in networks)


def _last(scope: Scope, wanted: bytes) -> bytes | None:
    """The last entry of a header, over all its lines."""
    values = [value for name, value in scope["headers"] if name == wanted]
    return values[-1].rpartition(b",")[2].strip() if values else None


def _address(said: str) -> str | None:
    try:
        return str(ip_address(said))
    except ValueError:
        return None
