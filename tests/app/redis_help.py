"""What tests of the Redis store need: ears, and a line that can lose what comes back."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Callable
from typing import Self

from app.live.redis.store import RedisStore
from app.live.store import Store, Told


class Ears:
    """All that stores were told or have missed, and a way to wait for it."""

    def __init__(self) -> None:
        self._told: dict[int, list[Told]] = {}
        self._missed: dict[int, int] = {}
        self._came = asyncio.Event()

    def listen(self, store: RedisStore) -> None:
        told = self._told.setdefault(id(store), [])
        self._missed[id(store)] = 0

        def hear(each: Told) -> None:
            told.append(each)
            self._came.set()

        def miss() -> None:
            self._missed[id(store)] += 1
            self._came.set()

        store.told = hear
        store.missed = miss

    async def heard(self, store: Store, n: int) -> list[Told]:
        """What it was told, once it was told so often."""
        await self._until(lambda: len(self._told[id(store)]) >= n)
        return list(self._told[id(store)])

    async def missed(self, store: Store, n: int = 1) -> None:
        """Wait until it has missed something so often."""
        await self._until(lambda: self._missed[id(store)] >= n)

    async def _until(self, so: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not so():
                self._came.clear()
                await self._came.wait()


class Line:
    """A line to a server. What is asked passes; told so, it loses the next answer and breaks, or
    says something else instead. While it is ``away`` nobody gets through."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        self.port = port
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self.loses = False
        self.away = False
        self.lost = 0
        self.says = b""
        self.made = 0
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        scheme = "rediss" if self._tls else "redis"
        self.url = f"{scheme}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()

    def cut(self) -> None:
        """Break all that there is."""
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, asked: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        self.made += 1
        if self.away:
            answers.transport.abort()
            return
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        both = {answers, writer}
        self._writers |= both
        await asyncio.gather(
            self._pump(asked, writer, loses=False), self._pump(reader, answers, loses=True)
        )
        for each in both:
            each.transport.abort()
        self._writers -= both

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, loses: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                if loses and self.loses:
                    self.loses = False
                    self.lost += 1
                    break
                if loses and self.says:
                    data, self.says = self.says, b""
                writer.write(data)
        writer.transport.abort()


Opener = Callable[..., Awaitable[RedisStore]]
