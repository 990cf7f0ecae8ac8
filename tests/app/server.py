"""The real server as a process of its own, for tests that knock on its doors or kill it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, Self

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0
MANY = "100000/minute"
UNHURRIED = {
    "EZO_ADDRESS_SOCKETS": "100000",
    "EZO_MESSAGE_RATE": "10000",
    "EZO_MESSAGE_BURST": "10000",
    "EZO_TABLE_RATE": MANY,
    "EZO_TABLE_ADDRESS_RATE": MANY,
    "EZO_SIT_RATE": MANY,
    "EZO_SIT_ADDRESS_RATE": MANY,
    "EZO_QUICK_RATE": MANY,
    "EZO_QUICK_ADDRESS_RATE": MANY,
    "EZO_NAME_RATE": MANY,
    "EZO_NAME_ADDRESS_RATE": MANY,
    "EZO_REGISTER_RATE": MANY,
    "EZO_REGISTER_ADDRESS_RATE": MANY,
    "EZO_SIGN_IN_RATE": MANY,
    "EZO_SIGN_IN_ADDRESS_RATE": MANY,
    "EZO_SIGN_IN_NAME_RATE": MANY,
    "EZO_API_ADDRESS_RATE": MANY,
    "EZO_SOCKET_ADDRESS_RATE": MANY,
}
"""Scripted players are faster than people, and all at one address."""
COMPILED = {
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / f"ezo-compiled-{os.getuid()}"),
}
"""A server that is started often need not compile all of itself each time."""


class Server:
    """A server on a data folder; a port of 0 takes any, and a restart takes the same again."""

    def __init__(self, data: Path, port: int = 0, **environment: str) -> None:
        self.data = data
        self.port = port
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def start(self) -> Self:
        """Start and wait until it listens: it says so in its first line."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "app", "--port", str(self.port), "--data", str(self.data)],
            cwd=ROOT,
            env={k: v for k, v in os.environ.items() if not k.startswith("EZO_")}
            | UNHURRIED
            | COMPILED
            | self._environment,
            stdout=subprocess.PIPE,
            stderr=self._log(),
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("Ezo is open at http://127.0.0.1:"), self.log() or line
        self.port = int(line.rstrip("/\n").rpartition(":")[2])
        return self

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop and wait. Returns its exit status: that it was asked to."""
        return self._end(signal.SIGTERM)

    def wait(self) -> int:
        """Wait until it has ended by itself. Returns its exit status."""
        return self._ended()

    def log(self) -> str:
        """All that it has complained of."""
        return self._log_path().read_text()

    def _end(self, sign: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(sign)
        return self._ended()

    def _ended(self) -> int:
        assert self._process is not None
        status = self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return status

    def _log_path(self) -> Path:
        return self.data.with_suffix(".log")

    def _log(self) -> IO[str]:
        return self._log_path().open("a")

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self.kill()
