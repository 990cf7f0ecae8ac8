"""Scripted players, many in one process: ``python -m benchmarks.load_players`` reads what to do as
JSON from its first line of input, says ``ready`` when all sit, begins at ``go``, ends at ``end``,
and reports after each as one line of JSON."""

from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
import sys
import time
from typing import Any, NamedTuple

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from app.ops import garbage
from app.web.identity import COOKIE, Identities, Player
from app.ws.messages import PROTOCOL

GAMES = (
    {"game": "domino", "rules": "georgian", "target": "355"},
    {"game": "nardi", "rules": "short", "points": "7"},
)
AT_ONCE = 16
"""Tables that are set up at the same time."""


class Plan(msgspec.Struct):
    """``origins``: where the seats of a table connect, one for each seat; tables take turns with
    the rows. ``every``: seconds between two moves of a table. ``floor``: players of the floor."""

    origins: list[list[str]]
    tables: int
    every: float
    key: str
    seed: int
    floor: bool = False


class Report(msgspec.Struct):
    """``late``: milliseconds from sending a move to both having it, sorted. ``moves`` were
    acknowledged and seen by both; ``other`` are all other commands."""

    moves: int
    other: int
    late: list[float]
    errors: list[str]


_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class Tally:
    """What has happened since it was made."""

    def __init__(self) -> None:
        self.moves = 0
        self.other = 0
        self.late: list[float] = []
        self.errors: list[str] = []

    def report(self) -> Report:
        return Report(self.moves, self.other, sorted(self.late), self.errors[:20])


class Answer(NamedTuple):
    """Where a sent move is: its id, and when it went out."""

    id: str
    sent: float


async def post(origin: str, path: str, form: dict[str, str], cookie: str) -> str:
    """A form, sent as a browser does; where it leads."""
    host = origin.removeprefix("http://")
    name, _, port = host.rpartition(":")
    body = "&".join(f"{key}={value}" for key, value in form.items())
    reader, writer = await asyncio.open_connection(name, int(port))
    writer.write(
        f"POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nconnection: close\r\n"
        f"cookie: {COOKIE}={cookie}\r\ncontent-type: application/x-www-form-urlencoded\r\n"
        f"content-length: {len(body)}\r\n\r\n{body}".encode()
    )
    answer = (await reader.read()).decode()
    writer.close()
    status = answer.split(" ", 2)[1]
    if status != "303":
        raise RuntimeError(f"{path}: {status}")
    headers = answer.partition("\r\n\r\n")[0].split("\r\n")
    return next(h.partition(": ")[2] for h in headers if h.lower().startswith("location:"))


async def socket(address: str, origin: str, cookie: str | None = None) -> ClientConnection:
    headers = {} if cookie is None else {"cookie": f"{COOKIE}={cookie}"}
    return await connect(
        address,
        origin=origin,  # type: ignore[arg-type]
        additional_headers=headers,
        compression=None,
        ping_interval=None,
        open_timeout=60,
        max_queue=None,
    )


class Seat:
    """One player's socket at a table."""

    def __init__(self, game: Game, place: int, origin: str, cookie: str) -> None:
        self.game = game
        self.place = place
        self.origin = origin
        self.cookie = cookie
        self.number = 0
        self.table: dict[str, Any] = {}
        self.line: ClientConnection | None = None
        self.secret = secrets.token_bytes(32)
        self.handed = ""

    async def run(self, table: str) -> None:
        address = f"{self.origin.replace('http', 'ws', 1)}/ws/t/{table}"
        self.line = await socket(address, self.origin, self.cookie)
        await self.say({"type": "hello", "protocol": PROTOCOL, "seen": None})
        while True:
            frame = _decode(await self.line.recv())
            match frame["type"]:
                case "ping":
                    await self.say({"type": "pong", "n": frame["n"]})
                case "snapshot" | "change":
                    self.number, self.table = frame["number"], frame["table"]
                    await self.game.seen(self)
                case "accepted":
                    self.game.accepted(frame)
                case _:
                    self.game.tally.errors.append(f"{frame['type']} {frame.get('code')}")

    async def say(self, message: dict[str, Any]) -> None:
        assert self.line is not None
        await self.line.send(_encode(message).decode())

    async def command(self, kind: str, **values: Any) -> str:
        id_ = secrets.token_hex(8)
        await self.say({"type": kind, "id": id_, "match": self.table["match"], **values})
        return id_


class Game:
    """One table of the site, and its players."""

    def __init__(self, plan: Plan, n: int, identities: Identities) -> None:
        self.rng = random.Random(plan.seed * 100_003 + n)
        self.form = GAMES[n % len(GAMES)]
        origins = plan.origins[n % len(plan.origins)]
        cookies = [
            identities.write(Player(f"load-{plan.seed}-{n}-{place}", f"Player {place}"))
            for place in range(len(origins))
        ]
        self.seats = [
            Seat(self, i, o, c) for i, (o, c) in enumerate(zip(origins, cookies, strict=True))
        ]
        self.tally = Tally()
        self.every = plan.every
        self.running = asyncio.Event()
        self.over = asyncio.Event()
        self.pending: Answer | None = None
        self.number: int | None = None
        self.ended = False

    async def open(self, tasks: list[asyncio.Task[Any]]) -> None:
        host, *others = self.seats
        form = {**self.form, "clock": "slow", "public": "0"}
        table = (await post(host.origin, "/tables", form, host.cookie)).rpartition("/")[2]
        for seat in others:
            await post(seat.origin, f"/t/{table}/sit", {}, seat.cookie)
        tasks += [asyncio.create_task(seat.run(table)) for seat in self.seats]
        await asyncio.wait_for(self.running.wait(), 120)

    async def seen(self, seat: Seat) -> None:
        table = seat.table
        if table["status"] == "running":
            self.running.set()
        if self.ended:
            if table["status"] == "ended":
                self.over.set()
            return
        if self.pending is not None and self.number is not None:
            self._both()
        step = f"{table['match']} {(table['handshake'] or {}).get('step')}"
        if table["status"] == "handshake" and seat.handed != step:
            shake = table["handshake"]
            if not shake["done"][seat.place]:
                seat.handed = step
                self.tally.other += 1
                if shake["step"] == "hash":
                    await seat.command("hash", hash=hashlib.sha256(seat.secret).hexdigest())
                else:
                    await seat.command("reveal", number=seat.secret.hex())
        elif table["status"] == "ended" and not table["rematch"]["wants"][seat.place]:
            if seat.handed != f"{table['match']} rematch":
                seat.handed = f"{table['match']} rematch"
                self.tally.other += 1
                await seat.command("rematch", want=True)
        elif table["pause"] is not None and not table["pause"]["ready"][seat.place]:
            pause = f"{table['match']} {table['pause']['until']}"
            if seat.handed != pause:
                seat.handed = pause
                self.tally.other += 1
                await seat.command("ready")

    def accepted(self, frame: dict[str, Any]) -> None:
        if self.pending is not None and frame["id"] == self.pending.id:
            self.number = frame["number"]
            self._both()

    def _both(self) -> None:
        assert self.pending is not None
        assert self.number is not None
        if all(seat.number >= self.number for seat in self.seats):
            self.tally.moves += 1
            self.tally.late.append((time.perf_counter() - self.pending.sent) * 1000)
            self.pending = self.number = None

    async def close(self) -> None:
        """Resign: whoever only went would leave work to the servers for minutes."""
        self.ended = True
        if self.running.is_set() and self.seats[0].table["status"] == "running":
            await self.seats[0].command("resign")
            await asyncio.wait_for(self.over.wait(), 30)

    async def play(self) -> None:
        """A move every so often, whoever's it is."""
        at = time.perf_counter() + self.rng.random() * self.every
        while not self.ended:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            at += self.every
            if self.pending is not None:
                if time.perf_counter() - self.pending.sent > 10:
                    self.tally.errors.append("no answer for ten seconds")
                    self.pending = self.number = None
                continue
            for seat in self.seats:
                view = seat.table["view"] or {}
                legal = [each for each in view.get("legal", []) if each["action"] != "take_back"]
                if legal and seat.number == max(each.number for each in self.seats):
                    action = dict(self.rng.choice(legal))
                    action.pop("sum", None)
                    action.pop("points", None)
                    sent = time.perf_counter()
                    id_ = secrets.token_hex(8)
                    self.pending = Answer(id_, sent)
                    await seat.say(
                        {
                            "type": "act",
                            "id": id_,
                            "match": seat.table["match"],
                            "ply": seat.table["ply"],
                            "action": action,
                        }
                    )
                    break


class Echo:
    """One table of the floor: the player on turn sends, and gets it back."""

    def __init__(self, plan: Plan, n: int, identities: Identities) -> None:
        del identities
        self.rng = random.Random(plan.seed * 100_003 + n)
        self.origins = plan.origins[n % len(plan.origins)]
        self.name = f"{plan.seed}-{n}"
        self.every = plan.every
        self.tally = Tally()
        self.lines: list[ClientConnection] = []
        self.ended = False

    async def open(self, tasks: list[asyncio.Task[Any]]) -> None:
        del tasks
        for place, origin in enumerate(self.origins):
            address = f"{origin.replace('http', 'ws', 1)}/ws/{self.name}-{place}"
            self.lines.append(await socket(address, origin))

    async def close(self) -> None:
        """Send no more."""
        self.ended = True

    async def play(self) -> None:
        at = time.perf_counter() + self.rng.random() * self.every
        turn = 0
        text = _encode({"type": "act", "id": "0" * 16, "match": "0" * 24, "ply": 1}).decode()
        while not self.ended:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            at += self.every
            line = self.lines[turn % len(self.lines)]
            turn += 1
            sent = time.perf_counter()
            await line.send(text)
            await line.recv()
            self.tally.moves += 1
            self.tally.late.append((time.perf_counter() - sent) * 1000)


async def main() -> None:
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    plan = msgspec.json.decode(await lines.readline(), type=Plan)
    make = Echo if plan.floor else Game
    identities = Identities(plan.key)
    tables = [make(plan, n, identities) for n in range(plan.tables)]
    tasks: list[asyncio.Task[Any]] = []
    at_once = asyncio.Semaphore(AT_ONCE)

    async def open_one(table: Game | Echo) -> None:
        async with at_once:
            await table.open(tasks)

    await asyncio.gather(*(open_one(table) for table in tables))
    # A search for garbage among the players would be measured as the servers' delay.
    garbage.calm()
    print("ready", flush=True)
    playing: list[asyncio.Task[Any]] = []
    while True:
        word = (await lines.readline()).decode().strip()
        if word == "go":
            for table in tables:
                table.tally = Tally()
            if not playing:
                playing = [asyncio.create_task(table.play()) for table in tables]
            print("going", flush=True)
        elif word == "tell":
            whole = Tally()
            for table in tables:
                whole.moves += table.tally.moves
                whole.other += table.tally.other
                whole.late += table.tally.late
                whole.errors += table.tally.errors
            for task in (*tasks, *playing):
                if task.done() and not task.cancelled():
                    whole.errors.append(repr(task.exception()))
            print(msgspec.json.encode(whole.report()).decode(), flush=True)
        else:
            break
    await asyncio.gather(*(table.close() for table in tables))
    for task in (*tasks, *playing):
        task.cancel()
    await asyncio.gather(*tasks, *playing, return_exceptions=True)


if __name__ == "__main__":
    uvloop.run(main())
