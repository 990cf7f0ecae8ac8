"""The engine's command line, called in this process with the streams of a real one."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from engine.__main__ import main


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def rows(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def run(*arguments: str, stdin: bytes | str = b"") -> Ran:
    """``python -m engine`` with these arguments."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    # As wide as a terminal without a locale: nothing but ASCII may be printed.
    printed, complained = io.BytesIO(), io.BytesIO()
    out = io.TextIOWrapper(printed, encoding="ascii", write_through=True)
    err = io.TextIOWrapper(
        complained, encoding="ascii", errors="backslashreplace", write_through=True
    )
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = main(list(arguments))
    finally:
        sys.stdin = before
    return Ran(status, printed.getvalue().decode("ascii"), complained.getvalue().decode("ascii"))


def no_record(ran: Ran) -> bool:
    """Whether it ended as for a file that is no record: one line, status 2."""
    return ran.status == 2 and ran.err.endswith("\n") and ran.err.count("\n") == 1
