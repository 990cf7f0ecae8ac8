"""The floor: the least that a live table on Redis can cost. A bare FastAPI WebSocket route that for
each message runs one compare-and-set script on a state of 2 KB, which also publishes it, and echoes
the message. ``python -m benchmarks.load_floor PORT REDIS_URL``."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI
from redis.asyncio import BlockingConnectionPool, Redis
from starlette.websockets import WebSocket, WebSocketDisconnect

STATE = b"x" * 2_000
SAVE = """
if (redis.call('HGET', KEYS[1], 'v') or '0') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[2], 's', ARGV[3])
redis.call('SPUBLISH', KEYS[2], ARGV[3])
return 1
"""


def app_of(url: str) -> FastAPI:
    """The application on that Redis."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = BlockingConnectionPool.from_url(url, max_connections=50, timeout=30)
        redis = Redis(connection_pool=pool)
        app.state.sha = await redis.script_load(SAVE)
        app.state.redis = redis
        yield
        await redis.aclose()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)

    @app.websocket("/ws/{table}")
    async def echo(socket: WebSocket, table: str) -> None:
        await socket.accept()
        redis, sha = app.state.redis, app.state.sha
        keys = (f"floor:{{{table}}}:t", f"floor:{{{table}}}:c")
        version = int(await redis.hget(keys[0], "v") or 0)
        try:
            while True:
                text = await socket.receive_text()
                saved = await redis.evalsha(sha, 2, *keys, version, version + 1, STATE)
                assert saved == 1
                version += 1
                await socket.send_text(text)
        except WebSocketDisconnect:
            return

    return app


def main() -> None:
    port, url = int(sys.argv[1]), sys.argv[2]
    uvicorn.run(
        app_of(url),
        host="127.0.0.1",
        port=port,
        loop="uvloop",
        http="h11",
        ws="websockets-sansio",
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        access_log=False,
        log_level="error",
    )


if __name__ == "__main__":
    main()
