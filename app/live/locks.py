"""Locks by name, within one process."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class Locks:
    """A lock a name, for as long as somebody holds or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __getitem__(self, name: str) -> asyncio.Lock:
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock
