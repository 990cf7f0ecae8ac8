"""Players as their browsers are to the server: a cookie jar, forms, and a socket at a table."""

from __future__ import annotations

import json
import random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from app.web.identity import COOKIE
from tests.app.server import PATIENCE, Server


class Browser:
    """One player's cookies."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.http = httpx.Client(timeout=PATIENCE)

    def get(self, path: str) -> httpx.Response:
        return self.http.get(self.server.origin + path)

    def post(self, path: str, form: dict[str, str], origin: str | None = None) -> httpx.Response:
        headers = {"origin": self.server.origin if origin is None else origin}
        return self.http.post(self.server.origin + path, data=form, headers=headers)

    def make_table(self, game: str, rules: str, **options: str) -> str:
        """The id of a new table."""
        answer = self.post("/tables", {"game": game, "rules": rules, **options})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rpartition("/")[2]

    def sit(self, table: str) -> None:
        assert self.post(f"/t/{table}/sit", {}).status_code == 303

    @property
    def cookie(self) -> str | None:
        return self.http.cookies.get(COOKIE)

    async def open(self, table: str, seen: int | None = None) -> Seat:
        """A socket at a table, greeted."""
        seat = Seat(await self.connect(table), table)
        await seat.hello(seen)
        return seat

    async def connect(self, table: str, **more: Any) -> ClientConnection:
        headers = {} if self.cookie is None else {"cookie": f"{COOKIE}={self.cookie}"}
        given = {"origin": self.server.origin, "headers": headers} | more
        return await connect(
            self.server.socket(table),
            origin=given["origin"],
            additional_headers=given["headers"],
            compression=None,
            open_timeout=PATIENCE,
        )


class Seat:
    """A socket, and the table as it was last told of."""

    def __init__(self, socket: ClientConnection, table: str) -> None:
        self.socket = socket
        self.id = table
        self.number = 0
        self.table: dict[str, Any] = {}
        self.frames: list[dict[str, Any]] = []

    async def say(self, message: object) -> None:
        await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next frame, taken in."""
        frame: dict[str, Any] = json.loads(await self.socket.recv())
        self.frames.append(frame)
        if frame["type"] == "snapshot":
            self.number, self.table = frame["number"], frame["table"]
        elif frame["type"] == "change":
            numbers = [event["number"] for event in frame["events"]]
            assert numbers == list(range(self.number + 1, frame["number"] + 1))
            self.number, self.table = frame["number"], frame["table"]
        return frame

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

    async def hello(self, seen: int | None = None) -> None:
        await self.say({"type": "hello", "protocol": 1, "seen": seen})
        await self.until("snapshot")

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
        return {
            "type": "act",
            "id": f"{rng.getrandbits(64):016x}",
            "match": self.table["match"],
            "ply": self.table["ply"],
            "action": action,
        }

    async def play(self, rng: random.Random) -> dict[str, Any]:
        """One offered action, accepted. Returns the command."""
        command = self.pick(rng)
        await self.say(command)
        while (frame := await self.hear()).get("id") != command["id"]:
            pass
        assert frame["type"] == "accepted", frame
        return command
