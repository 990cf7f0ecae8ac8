"""How late the event loop gets to what is to do: the first sign of a process at its limit."""

from __future__ import annotations

import asyncio
from typing import Final

from app.ops import metrics

EVERY: Final = 0.25
"""Seconds between two looks."""


async def watch_loop() -> None:
    """Look until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        metrics.LOOP.observe(max(0.0, loop.time() - due))
