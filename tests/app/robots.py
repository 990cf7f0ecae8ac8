"""Players who keep playing whatever happens to the server: they come back by themselves, with the
number they have seen, and send their unanswered command again under the same id."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tests.app.browsers import Browser, Seat

GONE = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError)


class Robot:
    """One player of one table. ``acted`` is called with every accepted command; ``up`` is set
    while the server is."""

    def __init__(
        self,
        browser: Browser,
        table: str,
        rng: random.Random,
        up: asyncio.Event,
        acted: Callable[[dict[str, Any]], None],
    ) -> None:
        self.browser = browser
        self.table = table
        self.rng = rng
        self.up = up
        self.acted = acted
        self.last: dict[str, Any] = {}
        self.number = 0
        self.lines = 0
        self.notices: list[dict[str, Any]] = []
        self.unanswered: dict[str, Any] | None = None
        self.accepted: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}

    @property
    def end(self) -> dict[str, Any]:
        """The end of the match as everybody is told it at once: what is known only when the match
        is kept comes to some of them after they have gone."""
        ended = self.last["ended"]
        return {name: ended[name] for name in ("winners", "reason", "score", "at")}

    async def run(self) -> None:
        """Play until the match has ended."""
        while self.last.get("status") != "ended":
            await self.up.wait()
            try:
                await self._line()
            except GONE:
                await asyncio.sleep(0.05)  # with a little jitter of its own: the machine's

    async def _line(self) -> None:
        """One connection, for as long as it lives."""
        socket = await self.browser.connect(self.table)
        seat = Seat(socket, self.table, self.browser.numbers)
        seat.number = self.number
        try:
            await self._play(seat)
        finally:
            self.last, self.number = seat.table or self.last, seat.number
            await seat.close()

    async def _play(self, seat: Seat) -> None:
        frame = await seat.hello(self.number or None)
        self.lines += 1
        if frame.get("notice") is not None:
            self.notices.append(frame["notice"])
        self._nothing_is_lost(seat)
        if self.accepted:  # the last acknowledged one, once more: it has its first answer
            command, answer = list(self.accepted.values())[-1]
            again = await seat.answer_to(command)
            assert again == answer, (command, again, answer)
        if self.unanswered is not None:
            await self._send(seat, self.unanswered)
        while seat.table["status"] != "ended":
            wanted = self._next(seat)
            if wanted is None:
                await seat.hear()
            else:
                await self._send(seat, wanted)

    def _nothing_is_lost(self, seat: Seat) -> None:
        """Whatever was acknowledged is there."""
        for command, answer in self.accepted.values():
            assert seat.number >= answer["number"]
            if command["type"] == "act":
                assert seat.table["ply"] > command["ply"]

    async def _send(self, seat: Seat, command: dict[str, Any]) -> None:
        self.unanswered = command
        answer = await seat.answer_to(command)
        self.unanswered = None
        if answer["type"] == "accepted":
            self.accepted[command["id"]] = (command, answer)
            self.acted(command)
        else:
            # Somebody else's change came in between, or the server played: look again.
            assert answer["code"] in {"stale", "not_paused", "not_running", "hand_paused"}, answer

    def _next(self, seat: Seat) -> dict[str, Any] | None:
        table, you = seat.table, seat.table["you"]
        if table["status"] == "handshake":
            return seat.step()
        if table["status"] != "running":
            return None
        if table["pause"] is not None:
            return None if table["pause"]["ready"][you] else seat.command("ready")
        return seat.pick(self.rng) if seat.legal else None
