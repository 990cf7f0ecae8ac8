"""The heartbeat of one socket: pings, the delay of the line, and whether it is still alive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from app.live.outgoing import frame
from app.ws import messages

REMEMBERED: Final = 8
"""Round trips that the delay is judged by. The shortest counts: a client that answers late now
and then gains nothing by it."""


class SilentError(Exception):
    """No answer for too long: the line is dead."""


class Heart:
    """Pings every ``every_ms`` and gives up after ``silent_ms`` without an answer. The delay is
    measured here alone: nothing that a client says about time is believed."""

    def __init__(
        self,
        send: Callable[[str], None],
        every_ms: int,
        silent_ms: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._send = send
        self._every = every_ms / 1000
        self._silent = silent_ms / 1000
        self._clock = clock
        self._sent: dict[int, float] = {}
        self._trips: tuple[float, ...] = ()
        self._heard = clock()
        self._n = 0
        self._timer: asyncio.TimerHandle | None = None

    def ping(self) -> None:
        """Send the next ping. Raises :class:`SilentError` if the line is dead."""
        if self.left() <= 0:
            raise SilentError
        self._n += 1
        self._sent[self._n] = self._clock()
        self._send(frame(messages.ping(self._n)))

    def pong(self, n: int) -> None:
        """An answer. One to no ping that was sent says nothing."""
        sent = self._sent.pop(n, None)
        if sent is None:
            return
        self._heard = self._clock()
        self._trips = (*self._trips, self._heard - sent)[-REMEMBERED:]
        self._sent = {each: at for each, at in self._sent.items() if each > n}

    def left(self) -> float:
        """Seconds until the line counts as dead."""
        return self._heard + self._silent - self._clock()

    def lag_ms(self) -> int:
        """The delay of the line one way, in milliseconds, as measured; 0 while nothing is."""
        return round(min(self._trips) * 500) if self._trips else 0

    def start(self, silent: Callable[[], None]) -> None:
        """Beat from now on; ``silent`` is called once, when the line is dead."""
        try:
            self.ping()
        except SilentError:
            silent()
            return
        # Never asleep beyond the moment at which the line counts as dead.
        wait = max(0, min(self._every, self.left()))
        self._timer = asyncio.get_running_loop().call_later(wait, self.start, silent)

    def stop(self) -> None:
        """Beat no more."""
        if self._timer is not None:
            self._timer.cancel()
