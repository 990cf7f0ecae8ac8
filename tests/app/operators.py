"""An operator at the command line, in this process: commands as they are typed."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
from collections.abc import Mapping

import pytest

from app.operator.__main__ import main


def word(environment: Mapping[str, str], *arguments: str) -> tuple[int, str, str]:
    """A command given in an environment: its status, what it says, and what it complains of. It
    runs a loop of its own, so that no other may run here."""
    out, err = io.StringIO(), io.StringIO()
    mask = os.umask(0)
    os.umask(mask)
    with pytest.MonkeyPatch.context() as patched, contextlib.ExitStack() as after:
        after.callback(os.umask, mask)  # a process of its own takes it along
        for name in [each for each in os.environ if each.startswith("EZO_")]:
            patched.delenv(name)
        for name, value in environment.items():
            patched.setenv(name, value)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = main(list(arguments))
            except SystemExit as wrong:
                status = int(wrong.code or 0)
    return status, out.getvalue(), err.getvalue()


async def typed(environment: Mapping[str, str], *arguments: str) -> tuple[int, str, str]:
    """The same beside a running loop."""
    return await asyncio.to_thread(word, environment, *arguments)
