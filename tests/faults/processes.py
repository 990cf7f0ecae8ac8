"""The site under test: real processes, a real Redis and a real Postgres, and all ways to break
them. Whatever happens to the tests, none of them stays behind."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from app import db
from app.ledger.ledger import Ledger
from tests.app.server import COMPILED, ROOT, UNHURRIED
from tests.faults.timeline import Timeline
from tests.faults.web import GONE, ask
from tests.services.postgres import Postgres
from tests.services.redis import Redis, free_port

PATIENCE = 60.0
# Ends the group of the processes, and Redis, however their owner ends: then its input closes.
WATCH = 'cat >/dev/null; kill -KILL $(cat "$1"); kill -KILL 0'


@dataclass(frozen=True, slots=True)
class Uses:
    """What a process takes of the machine: open files, threads, and memory in bytes."""

    files: int
    threads: int
    memory: int


class App:
    """One process of the site, on a port of its own."""

    def __init__(self, index: int, tree: Path, log: Path, environment: dict[str, str]) -> None:
        self.index = index
        self.port = free_port()
        self.log = log
        self.starts = 0
        self.failed_starts = 0
        self.at_rest: Uses | None = None
        self.statuses: list[int] = []
        self._tree = tree
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self, group: int) -> None:
        """Start it, as often as it takes until it serves: it may find no Redis."""
        deadline = time.monotonic() + PATIENCE
        while True:
            self._launch(group)
            while self._process is not None and self._process.poll() is None:
                if await self._serves():
                    self.at_rest = self.at_rest or self.uses()
                    return
                if time.monotonic() > deadline:
                    raise RuntimeError(f"process {self.index} did not start, see {self.log}")
                await asyncio.sleep(0.05)
            if time.monotonic() > deadline:
                raise RuntimeError(f"process {self.index} does not start, see {self.log}")
            self.failed_starts += 1
            await asyncio.sleep(0.3)

    def _launch(self, group: int) -> None:
        self.starts += 1
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "app", "--port", str(self.port)],
                cwd=self._tree,
                env={k: v for k, v in os.environ.items() if not k.startswith("EZO_")}
                | UNHURRIED
                | COMPILED
                | self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=group,
            )

    async def _serves(self) -> bool:
        try:
            return (await ask(self.origin, "GET", "/healthz", patience=2)).status == 200
        except GONE:
            return False

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    async def ended(self) -> int:
        """Wait for its end. Returns its exit status."""
        assert self._process is not None
        status = await asyncio.to_thread(self._process.wait, PATIENCE)
        self._process = None
        self.statuses.append(status)
        return status

    def end(self) -> None:
        """At once, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def uses(self) -> Uses:
        """What it takes now."""
        assert self._process is not None
        of = Path(f"/proc/{self._process.pid}")
        if not of.exists():  # no such system
            return Uses(0, 0, 0)
        status = dict(
            line.split(":\t", 1)
            for line in (of / "status").read_text().splitlines()
            if ":\t" in line
        )
        memory = int(status["VmRSS"].split()[0]) * 1024
        return Uses(len(list((of / "fd").iterdir())), int(status["Threads"]), memory)


class Place:
    """All that the site stands on, and its processes. ``tree``: which copy of it is run."""

    def __init__(self, processes: int, tree: Path = ROOT) -> None:
        self.key = secrets.token_hex(16)
        self.token = secrets.token_hex(16)
        self.timeline = Timeline()
        self.folder = Path(tempfile.mkdtemp(prefix="ezo-faults-"))
        self._pid = self.folder / "redis.pid"
        # Nothing that was ever saved leaves the file: it is read when all is over.
        self.redis = Redis(
            *("--auto-aof-rewrite-percentage", "0", "--pidfile", str(self._pid)),
            *("--aof-use-rdb-preamble", "no", "--aof-timestamp-enabled", "yes"),
        )
        self.postgres = Postgres()
        self.database = ""
        self.apps: list[App] = []
        self._tree = tree
        self._processes = processes
        self._watch: subprocess.Popen[bytes] | None = None

    async def open(self) -> None:
        """Start everything."""
        self._watch = self._watching()
        await asyncio.to_thread(self.redis.start)
        await asyncio.to_thread(self.postgres.start)
        self.database = await asyncio.to_thread(self.postgres.create, "ezo_faults")
        engine = db.deployed(self.database)
        try:
            await db.upgrade(engine)
        finally:
            await db.close(engine)
        environment = {
            "EZO_REDIS_URL": self.redis.url,
            "EZO_DATABASE_URL": self.database,
            "EZO_SECRET_KEY": self.key,
            "EZO_METRICS_TOKEN": self.token,
            "EZO_RATES": "0",
            "EZO_SOCKETS": "2000",
            "EZO_ADDRESS_SOCKETS": "2000",
        }
        self.apps = [
            App(index, self._tree, self.folder / f"process-{index}.log", environment)
            for index in range(self._processes)
        ]
        await asyncio.gather(*(self.start(app) for app in self.apps))

    def _watching(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["sh", "-c", WATCH, "watch", str(self._pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )

    async def grant(self, coins: dict[str, int]) -> None:
        """Give players their first coins, as the site's own operator does."""
        engine = db.deployed(self.database)
        try:
            ledger = Ledger(engine)
            for player, amount in coins.items():
                await ledger.grant(player, amount, f"start:{player}", "faults")
        finally:
            await db.close(engine)

    async def start(self, app: App) -> None:
        assert self._watch is not None
        await app.start(self._watch.pid)
        self.timeline.app(app.index, up=True)

    def origins(self) -> list[str]:
        return [app.origin for app in self.apps]

    def logs(self) -> dict[str, str]:
        """All that each process has written."""
        return {app.log.stem: app.log.read_text("utf-8", "replace") for app in self.apps}

    def close(self) -> None:
        """End everything, whatever state it is in. Closing twice does no harm."""
        for app in self.apps:
            app.end()
        self.redis.close()
        self.postgres.remove()
        if self._watch is not None:
            self._watch.kill()
            self._watch.communicate()
            self._watch = None
        with suppress(OSError):
            shutil.rmtree(self.folder)
