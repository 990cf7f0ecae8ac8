"""Nothing acknowledged is lost, no coin moves twice, no clock is unfair, whatever dies when: the
short run. ``./dev faults`` is the long one."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.server import ROOT
from tests.faults.checks import CHECKS
from tests.faults.report import counters, failure, schedule_of
from tests.faults.run import Plan, run
from tests.faults.schedule import LENGTHS

PLAN = Plan(seed=2, seconds=32, players=24, pace=0.15, finish=5)
PATIENCE = 180


def test_nothing_is_lost_whatever_dies_when() -> None:
    began = time.monotonic()
    said = []
    evidence = asyncio.run(run(PLAN, lambda what: said.append((time.monotonic() - began, what))))
    print(*(f"{at:6.1f} s  {what}" for at, what in said), sep="\n")
    print(schedule_of(PLAN.faults()), counters(evidence), sep="\n")
    failures = [
        failure(evidence, check.__name__, complaints)
        for check in CHECKS
        if (complaints := check(evidence))
    ]
    assert not failures, "\n\n".join(failures)
    counts = evidence.journal.counts
    assert {kind for kind in LENGTHS if counts[f"fault: {kind}"]} == set(LENGTHS)
    # It has been a run: matches were played and paid, and it was not calm.
    for what in ("accepted: act", "doubled commands", "commands sent again", "reconnects"):
        assert counts[what] >= 20, what
    assert {row["game"] for row in evidence.books.matches.values()} == {"domino", "nardi"}
    assert any(row["state"] == "paid" for row in evidence.books.escrow.values())
    assert len(evidence.timeline.outages) >= 3


def _started(folder: Path) -> dict[int, bytes]:
    """The command lines of processes whose environment names a folder."""
    found = {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            said, environment = (each / "cmdline").read_bytes(), (each / "environ").read_bytes()
        except OSError:
            continue
        if str(folder).encode() in environment:
            found[int(each.name)] = said
    return found


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_however_a_run_is_ended_it_leaves_no_process(how: signal.Signals, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    command = [sys.executable, "-m", "tests.faults", "--seconds", "60", "--players", "4"]
    out = tmp_path / "said"
    with out.open("wb") as said:
        running = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "FAULTS_MARK": str(tmp_path)},
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        _until(lambda: any(b"\0-m\0app\0" in said for said in _started(tmp_path).values()))
        assert running.poll() is None, out.read_text()
        running.send_signal(how)
        running.wait(PATIENCE)
        _until(lambda: not _started(tmp_path))
    finally:
        running.kill()
        running.wait()
        left = _started(tmp_path)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
    assert left == {}


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > deadline:
            return
        time.sleep(0.1)
