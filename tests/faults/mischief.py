"""What players and their networks do that they should not, at moments that the seed picks."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from tests.faults.tab import Tab

if TYPE_CHECKING:
    from tests.faults.chair import Chair

AWAY = 95.0
"""Longer than the seconds of a move, the reserve and the countdown of an absence together (T8)."""


class Mischief:
    """Of one player at one table. ``wrong``: ids of commands that must be refused."""

    def __init__(self, chair: Chair) -> None:
        self.wrong: set[str] = set()
        self._chair = chair
        self._done: list[dict[str, Any]] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._vanished = False
        self._seen: str | None = None
        self._tried: set[str] = set()

    def accepted(self, command: dict[str, Any]) -> None:
        """A command has its answer."""
        self._done = [*self._done, command][-6:]

    def saw(self, tab: Tab) -> None:
        """The table has changed."""
        if tab.table["ended"] is not None:
            self._seen = tab.table["match"]

    def other_main(self) -> None:
        """The tab that plays is not there: another one takes over."""
        chair = self._chair
        chair.main = next((tab for tab in chair.tabs if tab.fresh), chair.main)

    def slow(self) -> None:
        """The player plays no more: asleep before the screen, or gone."""
        if self._chair.habit == "vanish" and not self._vanished:
            self._vanished = True
            self._start(self._vanish())

    async def _vanish(self) -> None:
        for tab in self._chair.tabs:
            tab.away.clear()
            await tab.close()
        # Whoever ends the run brings them back.
        for _ in range(int(AWAY)):
            if self._chair.crowd.phase == "hurry":
                break
            await self._chair.crowd.rest(1)
        for tab in self._chair.tabs:
            tab.away.set()

    async def after(self, tab: Tab, command: dict[str, Any]) -> None:
        """A command has just gone out on a tab."""
        chair = self._chair
        if chair.habit in ("tidy", "wait") or chair.crowd.phase == "hurry":
            return
        if command["id"] in self._tried:  # sent again: once is enough
            return
        self._tried.add(command["id"])
        counts = chair.crowd.journal.counts
        rng = chair.choices(tab.table, command["type"])
        what = rng.random()
        others = [each for each in chair.tabs if each is not tab and each.fresh]
        if what < 0.05:
            counts["doubled commands"] += 1
            await tab.command(command)
        elif what < 0.12 and others:
            counts["doubled commands"] += 1
            counts["doubled at two processes"] += 1
            await rng.choice(others).command(command)
        elif what < 0.14 and self._done:
            counts["long-answered commands sent again"] += 1
            await tab.command(rng.choice(self._done))
        elif what < 0.16 and command["type"] == "act" and command["ply"] > 0:
            counts["commands for an old ply"] += 1
            old = {**command, "id": secrets.token_hex(8), "ply": rng.randrange(command["ply"])}
            self.wrong.add(old["id"])
            await tab.command(old)
        elif what < 0.172:
            tab.cut()
        elif what < 0.176:
            tab.stall(rng.uniform(1.0, 11.0))
        elif what < 0.18 and others:
            counts["tabs changed"] += 1
            chair.main = rng.choice(others)
        elif what < 0.20:
            self._start(self._page(rng.randrange(7), rng.randrange(64)))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _page(self, which: int, process: int) -> None:
        """Pages that show what they may: asked for in the middle of a match."""
        chair = self._chair
        table, match = chair.id, chair.main.table["match"]
        cookie, player = chair.who.cookie, chair.who.id
        past = self._seen or match
        request = chair.crowd.request
        match which:
            case 0:
                await request(player, process, "GET", f"/t/{table}", cookie=cookie)
            case 1:
                await request(None, process, "GET", f"/t/{table}")
            case 2:
                await request(None, process, "GET", "/metrics")
            case 3:
                await request(player, process, "GET", f"/m/{past}", cookie=cookie)
            case 4:
                await request(None, process, "GET", f"/m/{match}/record.json")
            case 5:
                await request(player, process, "GET", "/", cookie=cookie)
            case _:
                chair.crowd.journal.counts["sat down twice"] += 1
                form: dict[str, str] = {}
                await request(player, process, "POST", f"/t/{table}/sit", form=form, cookie=cookie)

    async def settle(self) -> None:
        """Wait for what is under way."""
        if self._tasks:
            await asyncio.wait(self._tasks)
