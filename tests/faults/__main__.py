"""``./dev faults``: the site is played on while everything under it is killed, and checked from
outside afterwards."""

from __future__ import annotations

import argparse
import asyncio
import pickle
import signal
import sys
import time
from pathlib import Path

from tests.app.server import ROOT
from tests.faults.checks import CHECKS
from tests.faults.report import counters, failure, schedule_of
from tests.faults.run import Plan, run


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="faults",
        description=__doc__,
        epilog="One seed gives the same faults at the same moments and the same choices of the"
        " players. What chance deals, and who comes first, differs.",
    )
    parser.add_argument("--seconds", type=float, default=180.0, help="of play (180)")
    parser.add_argument("--seed", type=int, default=None, help="of faults and choices")
    parser.add_argument("--players", type=int, default=48, help="how many, even (48)")
    parser.add_argument("--processes", type=int, default=2, help="of the site, at least 2 (2)")
    parser.add_argument("--pace", type=float, default=0.25, help="seconds a move, about (0.25)")
    parser.add_argument("--app", type=Path, default=ROOT, help="another copy of the site")
    parser.add_argument("--keep", type=Path, help="file for all that is known of a failed run")
    given = parser.parse_args()
    seed = int(time.time()) % 100_000 if given.seed is None else given.seed
    plan = Plan(
        seed, given.seconds, given.players, given.processes, pace=given.pace, tree=given.app
    )
    began = time.monotonic()

    def said(what: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {what}", flush=True)

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end in order
    print(f"seed {seed}\n{schedule_of(plan.faults())}", flush=True)
    evidence = asyncio.run(run(plan, said))
    print(counters(evidence), flush=True)
    failed = False
    for check in CHECKS:
        complaints = check(evidence)
        said(f"{check.__name__}: {'ok' if not complaints else f'{len(complaints)} complaints'}")
        if complaints:
            failed = True
            print(failure(evidence, check.__name__, complaints), flush=True)
    if failed and given.keep is not None:
        given.keep.write_bytes(pickle.dumps(evidence))
    if failed:
        print(f"FAILED with seed {seed}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
