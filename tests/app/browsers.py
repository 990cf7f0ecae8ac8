"""Players as their browsers are to the server: a cookie jar, forms, and a socket at a table."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from app.web.identity import COOKIE
from tests.app.server import PATIENCE, Server

PROTOCOL = 2


class Browser:
    """One player's cookies, and the numbers that their browser keeps through a reload."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.http = httpx.Client(timeout=PATIENCE)
        self.numbers: dict[str, bytes] = {}

    def get(self, path: str) -> httpx.Response:
        return self.http.get(self.server.origin + path)

    def post(self, path: str, form: dict[str, str], origin: str | None = None) -> httpx.Response:
        headers = {"origin": self.server.origin if origin is None else origin}
        return self.http.post(self.server.origin + path, data=form, headers=headers)

    def make_table(self, game: str, rules: str, **options: str) -> str:
        """The id of a new table."""
        form = {"game": game, "rules": rules, "clock": "slow", **options}
        answer = self.post("/tables", form)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rpartition("/")[2]

    def sit(self, table: str) -> None:
        assert self.post(f"/t/{table}/sit", {}).status_code == 303

    @property
    def cookie(self) -> str | None:
        return self.http.cookies.get(COOKIE)

    async def open(self, table: str, seen: int | None = None) -> Seat:
        """A socket at a table, greeted."""
        seat = Seat(await self.connect(table), table, self.numbers)
        seat.number = seen or 0
        await seat.hello(seen)
        return seat

    async def connect(self, table: str, **more: Any) -> ClientConnection:
        return await self.socket(f"/ws/t/{table}", **more)

    async def socket(self, path: str, **more: Any) -> ClientConnection:
        headers = {} if self.cookie is None else {"cookie": f"{COOKIE}={self.cookie}"}
        given = {"origin": self.server.origin, "headers": headers} | more
        return await connect(
            f"ws://{self.server.host}{path}",
            origin=given["origin"],
            additional_headers=given["headers"],
            compression=None,
            open_timeout=PATIENCE,
            ping_interval=None,
            close_timeout=0.2,
        )


class Line:
    """A socket that answers pings at once, as a browser does, and keeps all other frames."""

    def __init__(self, socket: ClientConnection, *, answering: bool = True) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []
        self._answering = answering
        self._queue: asyncio.Queue[dict[str, Any] | ConnectionClosed] = asyncio.Queue()
        self._pump = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while True:
                frame: dict[str, Any] = json.loads(await self.socket.recv())
                if frame["type"] != "ping":
                    self._queue.put_nowait(frame)
                elif self._answering:
                    with suppress(ConnectionClosed):  # what came before the end is still to be read
                        await self.say({"type": "pong", "n": frame["n"]})
        except ConnectionClosed as closed:
            self._queue.put_nowait(closed)

    async def say(self, message: object) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next frame, taken in. Raises ``ConnectionClosed``."""
        async with asyncio.timeout(PATIENCE):
            frame = await self._queue.get()
        if isinstance(frame, ConnectionClosed):
            self._queue.put_nowait(frame)
            raise frame
        self.frames.append(frame)
        self.take(frame)
        return frame

    def take(self, frame: dict[str, Any]) -> None:
        """Whatever a frame means."""

    async def until(self, kind: str) -> dict[str, Any]:
        """The next frame of a kind; all before it are taken in too."""
        while (frame := await self.hear())["type"] != kind:
            pass
        return frame

    async def closed(self) -> tuple[int | None, str]:
        """With which code and reason the socket ends; what comes before is taken in."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            frame = closed.rcvd
            return (None, "") if frame is None else (frame.code, frame.reason)

    async def close(self) -> None:
        await self.socket.close()
        await self._pump


class Seat(Line):
    """A socket at a table, and the table as it was last told of."""

    def __init__(
        self,
        socket: ClientConnection,
        table: str,
        numbers: dict[str, bytes] | None = None,
        *,
        answering: bool = True,
    ) -> None:
        super().__init__(socket, answering=answering)
        self.id = table
        self.number = 0
        self.table: dict[str, Any] = {}
        self._numbers = {} if numbers is None else numbers

    def take(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "snapshot":
            self.number, self.table = frame["number"], frame["table"]
        elif frame["type"] == "change":
            told = [event["number"] for event in frame["events"]]
            assert told == list(range(self.number + 1, frame["number"] + 1)), (
                self.number,
                frame["events"],
                frame["number"],
            )
            self.number, self.table = frame["number"], frame["table"]

    async def hello(self, seen: int | None = None) -> dict[str, Any]:
        """Say hello; what it is answered with."""
        await self.say({"type": "hello", "protocol": PROTOCOL, "seen": seen})
        while (frame := await self.hear())["type"] not in {"snapshot", "change"}:
            pass
        return frame

    async def table_is(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Listen until the table is as wanted."""
        while not wanted(self.table):
            await self.hear()

    async def ask(self, kind: str, **values: Any) -> dict[str, Any]:
        """A command for the present match, and its answer."""
        return await self.answer_to(self.command(kind, **values))

    def command(self, kind: str, **values: Any) -> dict[str, Any]:
        match = {"match": self.table["match"]}
        return {"type": kind, "id": secrets.token_hex(8), **match, **values}

    async def answer_to(self, command: dict[str, Any]) -> dict[str, Any]:
        await self.say(command)
        while (frame := await self.hear()).get("id") != command["id"]:
            pass
        # Where others have saved in between, the answer may come before what it speaks of.
        while frame["type"] == "accepted" and self.number < frame["number"]:
            await self.hear()
        return frame

    async def accepted(self, kind: str, **values: Any) -> None:
        answer = await self.ask(kind, **values)
        assert answer["type"] == "accepted", answer

    def step(self) -> dict[str, Any] | None:
        """What this seat's browser sends by itself in the handshake as it stands, if anything."""
        shake, you = self.table["handshake"], self.table["you"]
        if shake is None or you is None or shake["done"][you]:
            return None
        match = self.table["match"]
        number = self._numbers.setdefault(match, secrets.token_bytes(32))
        if shake["step"] == "hash":
            return self.command("hash", hash=hashlib.sha256(number).hexdigest())
        return self.command("reveal", number=number.hex())

    @property
    def legal(self) -> list[dict[str, Any]]:
        """The legal actions that the view offers, as they are sent; none out of turn."""
        view = self.table["view"] or {}
        return [action for action in view.get("legal", []) if action["action"] != "take_back"]

    def pick(self, rng: random.Random) -> dict[str, Any]:
        """A command for one of the offered actions."""
        action = dict(rng.choice(self.legal))
        for shown in ("sum", "points"):
            action.pop(shown, None)
        return self.command("act", ply=self.table["ply"], action=action)

    async def play(self, rng: random.Random) -> dict[str, Any]:
        """One offered action, accepted. Returns the command."""
        command = self.pick(rng)
        answer = await self.answer_to(command)
        assert answer["type"] == "accepted", answer
        return command


async def level(seats: Sequence[Seat]) -> None:
    """Every seat has heard of all that any has heard of."""
    newest = max(seat.number for seat in seats)
    for seat in seats:
        while seat.number < newest:
            await seat.hear()


async def shake(seats: Sequence[Seat]) -> None:
    """The handshake, until the match runs."""
    for _ in ("hash", "reveal"):
        for seat in seats:
            command = seat.step()
            assert command is not None
            answer = await seat.answer_to(command)
            assert answer["type"] == "accepted", answer
        await level(seats)
    assert [seat.table["status"] for seat in seats] == ["running"] * len(seats)


async def started(browsers: Sequence[Browser], game: str, rules: str, **options: str) -> list[Seat]:
    """The browsers' seats at a new table whose match has just begun."""
    table = browsers[0].make_table(game, rules, **options)
    for browser in browsers[1:]:
        browser.sit(table)
    seats = [await browser.open(table) for browser in browsers]
    await level(seats)
    await shake(seats)
    return seats


async def move(seats: Sequence[Seat], rng: random.Random) -> tuple[Seat, dict[str, Any]] | None:
    """The next action of a running match, whoever's it is; ``None``: only a pause went by."""
    await level(seats)
    if seats[0].table["pause"] is not None:
        for seat in seats:
            await seat.accepted("ready")
        await level(seats)
        return None
    mover = next(seat for seat in seats if seat.legal)
    return mover, await mover.play(rng)


async def play_out(seats: Sequence[Seat], rng: random.Random) -> None:
    """Random play to the end."""
    while seats[0].table["status"] == "running":
        await move(seats, rng)
        await level(seats)
