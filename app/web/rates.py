"""How often anybody may do what costs something: make tables, sit down, seek an opponent, take
names, open sockets.

Counted per player where there is one, and per address (of IPv6: per network), in windows that
begin with the first try. Deployed the counts are in Redis, the same for all processes; while it
is away, and embedded, each process counts for itself.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter

from app.ops import metrics
from app.settings import Settings
from app.web.proxies import group_of

log = logging.getLogger(__name__)

Kind: TypeAlias = Literal[
    "table",
    "sit",
    "quick",
    "seek",
    "name",
    "register",
    "sign_in",
    "guess",
    "slow",
    "fault",
    "api",
    "socket",
]

AGAIN: Final = 5.0
"""Seconds after a failure until Redis is asked again."""
PATIENCE: Final = 1.0
"""Seconds that Redis may take."""


Opened: TypeAlias = tuple[Storage, Callable[[], Awaitable[None]]]
"""Counts, and how to let go of them."""


@dataclass(frozen=True, slots=True)
class _Limits:
    player: RateLimitItem | None
    address: RateLimitItem | None


class Rates:
    """The counts of one process, or through ``storage`` those of all."""

    def __init__(
        self, settings: Settings, storage: Callable[[], Awaitable[Opened]] | None = None
    ) -> None:
        self._on = settings.rates
        self._limits: dict[Kind, _Limits] = {
            "table": _Limits(parse(settings.table_rate), parse(settings.table_address_rate)),
            "sit": _Limits(parse(settings.sit_rate), parse(settings.sit_address_rate)),
            "quick": _Limits(parse(settings.quick_rate), parse(settings.quick_address_rate)),
            "seek": _Limits(parse("60/minute"), parse(settings.socket_address_rate)),
            "name": _Limits(parse(settings.name_rate), parse(settings.name_address_rate)),
            "register": _Limits(
                parse(settings.register_rate), parse(settings.register_address_rate)
            ),
            # By the name that is tried: from one address, and from wherever it is.
            "sign_in": _Limits(parse(settings.sign_in_rate), parse(settings.sign_in_address_rate)),
            "guess": _Limits(parse(settings.sign_in_name_rate), None),
            "slow": _Limits(parse("1/5minutes"), None),
            "fault": _Limits(None, parse(settings.fault_address_rate)),
            "api": _Limits(None, parse(settings.api_address_rate)),
            "socket": _Limits(None, parse(settings.socket_address_rate)),
        }
        self._own = FixedWindowRateLimiter(MemoryStorage())
        self._storage = storage
        self._shared: FixedWindowRateLimiter | None = None
        self._close: Callable[[], Awaitable[None]] | None = None
        self._reaching = asyncio.Lock()
        self._away_until = -math.inf

    async def hit(self, kind: Kind, player: str | None, address: str) -> int:
        """Count a try. 0: it is within bounds; else the seconds after which it is again."""
        if not self._on:
            return 0
        limits = self._limits[kind]
        wait = 0
        if limits.address is not None:
            wait = await self._counted(limits.address, kind, "address", group_of(address))
        if wait == 0 and limits.player is not None and player is not None:
            wait = await self._counted(limits.player, kind, "player", player)
        if wait:
            metrics.TOO_OFTEN.labels(kind).inc()
        return wait

    async def close(self) -> None:
        """Let go of Redis."""
        if self._close is not None:
            await self._close()

    async def _counted(self, item: RateLimitItem, *whose: str) -> int:
        # Counts are kept beside the tables for a while: they need not say whose they are.
        *kinds, who = whose
        key = (*kinds, hashlib.sha256(who.encode()).hexdigest()[:24])
        if self._storage is not None and time.monotonic() >= self._away_until:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await _hit(await self._reached(), item, key)
            except Exception as error:  # noqa: BLE001 - nothing of it may cost a player the page
                self._away_until = time.monotonic() + AGAIN
                log.warning("rates are counted here alone: %s", type(error).__name__)
        return await _hit(self._own, item, key)

    async def _reached(self) -> FixedWindowRateLimiter:
        async with self._reaching:
            if self._shared is None:
                assert self._storage is not None
                storage, self._close = await self._storage()
                self._shared = FixedWindowRateLimiter(storage)
            return self._shared


async def _hit(limiter: FixedWindowRateLimiter, item: RateLimitItem, key: tuple[str, ...]) -> int:
    if await limiter.hit(item, *key):
        return 0
    ends = (await limiter.get_window_stats(item, *key)).reset_time
    return max(1, math.ceil(ends - time.time()))


def rates_of(settings: Settings) -> Rates:
    """The rates of a process, as the settings say."""
    if settings.redis_url is None:
        return Rates(settings)
    # Here, before anybody plays: it takes a while. An embedded house starts sooner without.
    from app.web.counts import in_redis  # noqa: PLC0415

    url = settings.redis_url.get_secret_value()
    return Rates(settings, lambda: in_redis(url))
