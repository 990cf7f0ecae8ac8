"""The throw-away Postgres goes away, however its owner does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.services.postgres import Postgres

ROOT = Path(__file__).parents[2]
OWNER = """
import sys
from tests.services.postgres import Postgres
server = Postgres()
server.start()
server.create("some")
print(server._server.pid, server._folder, flush=True)
sys.stdin.readline()
"""


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL, None])
def test_it_is_gone_with_its_owner(end: signal.Signals | None) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert owner.stdout is not None
    pid, folder = owner.stdout.readline().split()
    assert runs(int(pid))
    if end is not None:
        owner.send_signal(end)
    owner.communicate("\n")
    deadline = time.monotonic() + 60
    while runs(int(pid)) or Path(folder).exists():
        assert time.monotonic() < deadline, "it is still there"
        time.sleep(0.05)


def test_a_given_server_is_asked_for_other_databases_and_never_ended() -> None:
    given = Postgres("postgresql://ezo:word@host:5433/first?sslmode=require")
    assert given.url("other") == "postgresql://ezo:word@host:5433/other?sslmode=require"
    given.start()
    for tamper in (given.kill, given.suspend, given.resume):
        with pytest.raises(RuntimeError, match="of our own"):
            tamper()
    given.remove()
