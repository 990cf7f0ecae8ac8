"""How much one connection may say."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

RATE: Final = 20.0
"""Messages a second."""
BURST: Final = 40
"""Messages at once, after a while of silence."""


class Bucket:
    """A token bucket: :meth:`take` says whether one message more is within bounds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tokens = float(BURST)
        self._at = clock()

    def take(self) -> bool:
        now = self._clock()
        self._tokens = min(BURST, self._tokens + (now - self._at) * RATE)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
