"""What a move costs beside a floor in the same run: ``python -m benchmarks load [options]``.

Scripted players of both games over real sockets, real Redis (append-only file, every write synced)
and real Postgres. The floor is `load_floor.py`. In each round, one after the other and at the same
rate: the floor; both players of a table on one process; on two; tables split between two. The
figures are the medians of the rounds' ratios. CPU is that of all server processes together,
beats and workers included, less nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec
from redis import Redis as Client

from app import db
from benchmarks.load_players import Plan, Report
from tests.services.postgres import Postgres
from tests.services.redis import Redis

ROOT = Path(__file__).parents[1]
KEY = secrets.token_hex(16)
TICKS = os.sysconf("SC_CLK_TCK")
WARM = 3.0
"""Seconds before anything is counted."""


class Process:
    """A server in a process of its own."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("EZO_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            cwd=ROOT,
            env=kept | environment,
            stdout=subprocess.DEVNULL,
        )

    def cpu(self) -> float:
        """Seconds of CPU so far."""
        stat = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / TICKS

    def memory(self) -> int:
        """Bytes of its own."""
        rollup = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text("ascii")
        lines = (line.split() for line in rollup.splitlines())
        return sum(int(p[1]) * 1024 for p in lines if p[0] in {"Private_Clean:", "Private_Dirty:"})

    def check(self) -> None:
        """Raises :class:`RuntimeError` if it has ended: whoever listens there is another."""
        if self._process.poll() is not None:
            raise RuntimeError("a server has ended; is another one at its port?")

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(30)


class Crowd:
    """Players in a process of their own."""

    def __init__(self, plan: Plan) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.load_players"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._write(msgspec.json.encode(plan))
        self._expect(b"ready")

    def go(self) -> None:
        """Begin, or count anew."""
        self._write(b"go")
        self._expect(b"going")

    def tell(self) -> Report:
        """What has happened since."""
        self._write(b"tell")
        return msgspec.json.decode(self._line(), type=Report)

    def end(self) -> None:
        self._write(b"end")
        self._process.wait(60)

    def _write(self, line: bytes) -> None:
        pipe: IO[bytes] | None = self._process.stdin
        assert pipe is not None
        pipe.write(line + b"\n")
        pipe.flush()

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def _expect(self, word: bytes) -> None:
        said = self._line().strip()
        if said != word:
            raise RuntimeError(f"the players said {said!r}, not {word!r}")


@dataclass(frozen=True)
class Figures:
    """``cpu``: microseconds of all servers for one move; ``p99``: milliseconds until both have
    it; ``rate``: moves a second."""

    cpu: float
    p99: float
    rate: float


@dataclass(frozen=True)
class Site:
    """All servers of a run. ``ways``: by name, where the seats of a table connect."""

    redis: str
    servers: Sequence[Process]
    floor: Process
    ways: dict[str, list[list[str]]]

    def processes(self, way: str) -> Sequence[Process]:
        return [self.floor] if way == "floor" else self.servers


@contextmanager
def site(first_port: int) -> Iterator[Site]:
    """Redis, Postgres, two processes of the site and the floor."""
    with ExitStack() as closing:
        redis, postgres = Redis(), Postgres()
        for service in (redis, postgres):
            service.start()
            closing.callback(service.stop)
        postgres.create("load")
        url = postgres.url("load")
        asyncio.run(_migrate(url))
        environment = {
            "EZO_REDIS_URL": redis.url,
            "EZO_DATABASE_URL": url,
            "EZO_SECRET_KEY": KEY,
            "EZO_SOCKETS": "20000",
            "EZO_ADDRESS_SOCKETS": "20000",
            "EZO_MESSAGE_RATE": "10000",
            "EZO_MESSAGE_BURST": "10000",
            "EZO_RATES": "off",
            "EZO_LOG_LEVEL": "error",
        }
        ports = [first_port, first_port + 1, first_port + 2]
        servers = [Process("app", "--port", str(port), **environment) for port in ports[:2]]
        floor = Process("benchmarks.load_floor", str(ports[2]), redis.url)
        for process in (*servers, floor):
            closing.callback(process.end)
        a, b, f = (f"http://127.0.0.1:{port}" for port in ports)
        for port in ports:
            _wait_for(port)
        for process in (*servers, floor):
            process.check()
        ways = {"floor": [[f, f]], "one": [[a, a]], "two": [[a, b]], "split": [[a, a], [b, b]]}
        yield Site(redis.url, servers, floor, ways)


async def _migrate(url: str) -> None:
    engine = db.deployed(url)
    await db.upgrade(engine)
    await engine.dispose()


def _wait_for(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"nobody listens on port {port}")


def measure(at: Site, way: str, tables: int, every: float, seconds: float) -> Figures:
    """One way, for so many seconds."""
    plan = Plan(at.ways[way], tables, every, KEY, secrets.randbelow(10**9), way == "floor")
    crowd = Crowd(plan)
    try:
        crowd.go()
        time.sleep(WARM)
        crowd.go()
        servers = at.processes(way)
        began, before = time.monotonic(), [server.cpu() for server in servers]
        time.sleep(seconds)
        spent = sum(server.cpu() for server in servers) - sum(before)
        took = time.monotonic() - began
        report = crowd.tell()
    finally:
        crowd.end()
    if report.errors:
        raise RuntimeError(f"{way}: {report.errors[0]}")
    p99 = report.late[int(len(report.late) * 0.99)]
    return Figures(spent / report.moves * 1e6, p99, report.moves / took)


def moves(at: Site, rounds: int, tables: int, every: float, seconds: float) -> None:
    """CPU and delay of a move, as ratios to the floor."""
    found: dict[str, list[Figures]] = {way: [] for way in at.ways}
    for n in range(rounds):
        for way in at.ways:
            found[way].append(measure(at, way, tables, every, seconds))
        said = ", ".join(
            f"{way} {f[-1].cpu:.0f} µs p99 {f[-1].p99:.1f} ms" for way, f in found.items()
        )
        print(f"round {n + 1}: {said}", flush=True)

    def median(values: Iterator[float]) -> float:
        return statistics.median(values)

    floor = found["floor"]
    print(f"rate: {median(f.rate for f in found['two']):.0f} moves a second")
    for way in ("one", "two", "split"):
        cpu = median(a.cpu / b.cpu for a, b in zip(found[way], floor, strict=True))
        p99 = median(a.p99 / b.p99 for a, b in zip(found[way], floor, strict=True))
        print(f"{way:6} CPU a move {cpu:.2f} times the floor, p99 {p99:.2f} times")
    both = median(a.cpu / b.cpu for a, b in zip(found["split"], found["one"], strict=True))
    print(f"split  CPU a move {both:.2f} times that of one process")


def memory(at: Site, connections: int) -> None:
    """Bytes a connection: seated at a running table, and an idle one of the floor."""
    each: dict[str, float] = {}
    state = 0.0
    for way in ("floor", "one"):
        server = at.processes(way)[0]
        plan = Plan(at.ways[way], 8, 0.5, KEY, secrets.randbelow(10**9), way == "floor")
        warm = Crowd(plan)
        warm.go()
        time.sleep(WARM)
        before = server.memory()
        plan = Plan(
            at.ways[way], connections // 2, 3_600, KEY, secrets.randbelow(10**9), way == "floor"
        )
        crowd = Crowd(plan)
        time.sleep(WARM)
        each[way] = (server.memory() - before) / connections
        if way == "one":
            client = Client.from_url(at.redis)
            keys = client.scan_iter(match="*:t:*", count=1000)
            state = statistics.mean(float(client.hstrlen(key, "s")) for key in keys)
        crowd.end()
        warm.end()
    ratio = each["one"] / (each["floor"] + state)
    print(
        f"memory a connection: floor {each['floor'] / 1024:.1f} KiB, a table's state"
        f" {state / 1024:.1f} KiB, seated {each['one'] / 1024:.1f} KiB: {ratio:.2f} times both"
    )


def soak(at: Site, players: int, seconds: float) -> None:
    """Many players for long, each moving every five seconds; then the floor at the same rate."""
    p99 = {}
    for way, lasts in (("split", seconds), ("floor", min(seconds, 120.0))):
        servers = at.processes(way)
        crowd = Crowd(Plan(at.ways[way], players // 2, 2.5, KEY, 7, way == "floor"))
        crowd.go()
        time.sleep(10)
        crowd.go()
        began = time.monotonic()
        seen: list[str] = []
        while time.monotonic() - began < lasts:
            time.sleep(lasts / 10)
            seen.append("+".join(f"{server.memory() / 2**20:.0f}" for server in servers))
        report = crowd.tell()
        crowd.end()
        p99[way] = report.late[int(len(report.late) * 0.99)]
        print(
            f"{way}: {players} players, {time.monotonic() - began:.0f} s, {report.moves} moves,"
            f" {len(report.errors)} errors {report.errors[:3]}, p99 {p99[way]:.1f} ms,"
            f" memory {' '.join(seen)} MiB",
            flush=True,
        )
    print(f"p99 {p99['split'] / p99['floor']:.2f} times the floor's")


def main(arguments: Sequence[str] = ()) -> int:
    parser = argparse.ArgumentParser(prog="bench load")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--every", type=float, default=0.25, help="seconds between a table's moves")
    parser.add_argument("--seconds", type=float, default=12, help="that each way is measured")
    parser.add_argument("--connections", type=int, default=1_000, help="for the memory")
    parser.add_argument("--soak", type=float, default=0, help="seconds of the long run")
    parser.add_argument("--players", type=int, default=2_000, help="of the long run")
    parser.add_argument("--port", type=int, default=8_410, help="the first of three")
    given = parser.parse_args(arguments)
    with site(given.port) as at:
        if given.connections:  # first: of processes that have done nothing else yet
            memory(at, given.connections)
        if given.rounds:
            moves(at, given.rounds, given.tables, given.every, given.seconds)
        if given.soak:
            soak(at, given.players, given.soak)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
