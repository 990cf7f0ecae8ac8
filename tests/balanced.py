"""A site behind its real balancer, on the loopback: names, processes, and players who come in by
the front door."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import ssl
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
from websockets.asyncio.client import ClientConnection, connect

from app.web.identity import COOKIE
from tests.app.browsers import Browser
from tests.app.houses import eventually
from tests.app.server import COMPILED, PATIENCE, ROOT, UNHURRIED, Server
from tests.services.redis import free_port

HAPROXY = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
OPENSSL = shutil.which("openssl")
CONFIGURATION = ROOT / "deploy" / "haproxy.cfg"
TOKEN = "a token for tests alone"


class Names(asyncio.DatagramProtocol):
    """A name server that knows one name: all processes there are."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        end = 12
        while data[end]:
            end += data[end] + 1
        question = data[12 : end + 5]
        (kind,) = struct.unpack("!H", data[end + 1 : end + 3])
        found = self.addresses if kind == 1 else []
        head = data[:2] + struct.pack("!HHHHH", 0x8580, 1, len(found), 0, 0)
        rows = [
            b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 1, 4) + bytes(map(int, each.split(".")))
            for each in found
        ]
        assert self._transport is not None
        self._transport.sendto(head + question + b"".join(rows), addr)


class Process:
    """One app process, on an address of its own and the port that all have."""

    def __init__(self, host: str, port: int, log: Path, environment: dict[str, str]) -> None:
        self.host = host
        self.origin = f"http://{host}:{port}"
        self._log = log
        self._command = [sys.executable, "-m", "app", "--host", host, "--port", str(port)]
        self._environment = environment
        self._http = httpx.Client(timeout=PATIENCE, verify=False)
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start, and wait until it is ready."""
        await asyncio.to_thread(self._launch)

        async def ready() -> bool | None:
            try:
                answer = await asyncio.to_thread(self._http.get, self.origin + "/readyz")
            except httpx.TransportError:
                return None
            return True if answer.status_code == 200 else None

        await eventually(ready)

    def _launch(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log
            )

    def end(self, number: signal.Signals) -> int:
        """End it, however."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(number)
        return process.wait(PATIENCE)

    def figure(self, name: str) -> float:
        """One of its figures."""
        bearer = {"authorization": f"Bearer {TOKEN}"}
        text = self._http.get(self.origin + "/metrics", headers=bearer).text
        lines = [line.rpartition(" ") for line in text.splitlines()]
        return sum(float(value) for found, _, value in lines if found == name)


class Guest(Browser):
    """A player who comes through the balancer."""

    def __init__(self, host: str, trust: ssl.SSLContext) -> None:
        super().__init__(cast("Server", SimpleNamespace(host=host, origin=f"https://{host}")))
        self.http = httpx.Client(timeout=PATIENCE, verify=trust)
        self._trust = trust

    async def socket(self, path: str, **more: Any) -> ClientConnection:
        del more
        return await connect(
            f"wss://{self.server.host}{path}",
            ssl=self._trust,
            origin=cast("Any", self.server.origin),
            additional_headers={} if self.cookie is None else {"cookie": f"{COOKIE}={self.cookie}"},
            compression=None,
            open_timeout=PATIENCE,
            ping_interval=None,
            close_timeout=0.2,
        )


class Balanced:
    """A whole site: its front door, its processes, and who knows their names."""

    def __init__(self, host: str, trust: ssl.SSLContext, processes: list[Process]) -> None:
        self.host = host
        self.origin = f"https://{host}"
        self.trust = trust
        self.processes = processes
        self.names = Names()
        self._http = httpx.Client(timeout=PATIENCE, verify=trust)

    def guest(self) -> Guest:
        """A newcomer."""
        return Guest(self.host, self.trust)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._http.get(self.origin + path, headers=headers)

    def know(self, processes: Iterable[Process]) -> None:
        """From now on these are all."""
        self.names.addresses = [each.host for each in processes]

    async def serves(self) -> None:
        """Wait until somebody answers."""

        async def answers() -> bool | None:
            try:
                answer = await asyncio.to_thread(self.get, "/healthz")
            except httpx.TransportError:
                return None
            return True if answer.status_code == 200 else None

        await eventually(answers)


def certificate(folder: Path) -> Path:
    """A certificate of our own making, with its key. Returns the folder that holds it."""
    assert OPENSSL is not None
    made, key, kept = folder / "made", folder / "key", folder / "certs"
    kept.mkdir()
    subprocess.run(
        [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", key, "-out", made],
        check=True, capture_output=True,
    )  # fmt: skip
    (kept / "site.pem").write_text(made.read_text() + key.read_text())
    return kept


@asynccontextmanager
async def balanced(folder: Path, redis_url: str, database_url: str) -> AsyncIterator[Balanced]:
    """Two processes of a site that is migrated, behind the balancer with its own configuration."""
    assert HAPROXY is not None
    certs = await asyncio.to_thread(certificate, folder)
    port, door, plain = free_port(), free_port(), free_port()
    host = f"127.0.0.1:{door}"
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("EZO_")},
        **UNHURRIED,
        **COMPILED,
        "EZO_REDIS_URL": redis_url,
        "EZO_DATABASE_URL": database_url,
        "EZO_SECRET_KEY": "a key for tests alone",
        "EZO_ORIGINS": f"https://{host}",
        "EZO_METRICS_TOKEN": TOKEN,
        "EZO_LOG_LEVEL": "warning",
    }
    processes = [Process(f"127.0.0.{n}", port, folder / f"{n}.log", environment) for n in (2, 3)]
    trust = ssl.create_default_context(cafile=str(certs / "site.pem"))
    site = Balanced(host, trust, processes)
    loop = asyncio.get_running_loop()
    names, _ = await loop.create_datagram_endpoint(lambda: site.names, ("127.0.0.1", 0))
    at = names.get_extra_info("sockname")[1]
    balancer = None
    try:
        await asyncio.gather(*(each.start() for each in processes))
        site.know(processes)
        balancer = await asyncio.to_thread(
            _balancer,
            folder / "balancer.log",
            environment
            | {
                "EZO_APP": f"app.example:{port}",
                "EZO_DNS": f"127.0.0.1:{at}",
                "EZO_HTTP": f"127.0.0.1:{plain}",
                "EZO_HTTPS": host,
                "EZO_CERTS": str(certs),
            },
        )
        await site.serves()
        yield site
    finally:
        if balancer is not None:
            balancer.kill()
            balancer.wait()
        for each in processes:
            each.end(signal.SIGKILL)
        names.close()


def _balancer(log: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    assert HAPROXY is not None
    with log.open("ab") as out:
        return subprocess.Popen(
            [HAPROXY, "-db", "-f", CONFIGURATION], env=environment, stdout=out, stderr=out
        )
