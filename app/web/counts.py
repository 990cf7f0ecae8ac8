"""Counts of who comes how often, in Redis, the same for all processes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlsplit

from limits.aio.storage import RedisClusterStorage, RedisStorage, Storage
from redis.asyncio import Redis

PATIENCE: Final = 1.0
"""Seconds that Redis may take to connect, or to answer."""


async def in_redis(url: str) -> tuple[Storage, Callable[[], Awaitable[None]]]:
    """The counts at ``url``, on one Redis or on the cluster that it is a node of, and how to let
    go of them. Raises what Redis raises."""
    options: dict[str, Any] = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
    async with Redis.from_url(url, **options) as asked:
        clustered = (await asked.info("cluster")).get("cluster_enabled") == 1
    options |= {"implementation": "redispy", "key_prefix": "ezo:rate"}
    if clustered:
        parts = urlsplit(url)
        place = parts.netloc if parts.port else f"{parts.netloc}:6379"
        if parts.scheme == "rediss":
            options["ssl"] = True
        storage: RedisStorage = RedisClusterStorage(f"async+redis+cluster://{place}", **options)
    else:
        storage = RedisStorage(f"async+{url}", **options)
    bridge: Any = storage.bridge
    return storage, bridge.get_connection().aclose
