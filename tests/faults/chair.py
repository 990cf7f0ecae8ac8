"""One player at one table, with all their tabs: plays as the server offers, sends what is not
answered again under the same id, and misbehaves now and then."""

from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
import time
from contextlib import suppress
from typing import Any, Literal, TypeAlias

from tests.faults.crowd import Crowd
from tests.faults.journal import Who
from tests.faults.mischief import Mischief
from tests.faults.tab import Tab

Habit: TypeAlias = Literal["play", "wait", "tidy", "sleep", "vanish"]
"""``wait``: sits at an open table. ``tidy``: leaves whatever there is. ``sleep``: stops playing in
the first match and loses on time. ``vanish``: is gone in it, and loses by absence."""
SAID = ("action", "tile", "end", "from", "die")
EXPECTED = frozenset(
    {
        *("stale", "not_paused", "not_running", "hand_paused", "no_handshake", "hash_known"),
        *("number_known", "not_ended", "opponent_left", "playing_elsewhere", "not_seated"),
        *("table_closed", "hashes_first", "match_over", "not_your_turn", "unknown_table"),
        *("cannot_cover", "met_enough", "ledger_away", "hash_taken"),
    }
)
"""What the command of somebody who sees an older table may be refused with."""


class Chair:
    """A player at a table until :attr:`over`."""

    def __init__(
        self,
        crowd: Crowd,
        who: Who,
        table: str,
        round_: int,
        *,
        habit: Habit,
        processes: list[int],
    ) -> None:
        self.crowd = crowd
        self.who = who
        self.id = table
        self.habit = habit
        self.over = asyncio.Event()
        self.give_up = False
        self.matches = 0
        self.ended: set[str] = set()
        self.first = ""
        self._round = round_
        self._match: str | None = None
        self._unanswered: dict[str, Any] | None = None
        self._said_on: int | None = None
        self._refused_at: tuple[int, float] | None = None
        self._wake = asyncio.Event()
        rng = crowd.rng(who.name, round_, habit)
        self.tabs = [
            Tab(crowd, table, who, process, random.Random(rng.random()), took=self._took)
            for process in processes
        ]
        self.main = self.tabs[0]
        self._mischief = Mischief(self)

    async def run(self) -> None:
        """Sit there until nothing more is to be done."""
        tasks = [asyncio.create_task(tab.run()) for tab in self.tabs]
        tasks.append(asyncio.create_task(self._play()))
        over = asyncio.create_task(self.over.wait())
        try:
            await asyncio.wait((*tasks, over), return_when=asyncio.FIRST_COMPLETED)
        finally:
            over.cancel()
            for tab in self.tabs:
                await tab.finish()
            tasks[-1].cancel()
            for task in tasks:
                with suppress(asyncio.CancelledError):
                    await task
            await self._mischief.settle()

    # What comes in.

    def _took(self, tab: Tab, frame: dict[str, Any]) -> None:
        counts = self.crowd.journal.counts
        match frame["type"]:
            case "accepted" | "refused":
                self._answered(frame)
            case "error" if frame["code"] == "unknown_table":
                self.over.set()
            case "error":
                counts[f"errors: {frame['code']}"] += 1
            case _:
                self._mischief.saw(tab)
        self._wake.set()

    def _answered(self, frame: dict[str, Any]) -> None:
        counts, command = self.crowd.journal.counts, self._unanswered
        if frame["type"] == "refused":
            counts[f"refused: {frame['code']}"] += 1
            if frame["code"] not in EXPECTED and frame["id"] not in self._mischief.wrong:
                self.crowd.journal.odd.append(f"{self.who.id} at {self.id}: {frame}")
        if command is None or frame["id"] != command["id"]:
            return
        self._unanswered = None
        if frame["type"] == "refused":
            self._refused_at = (self.main.number, time.monotonic())
            if command["type"] == "leave" and frame["code"] == "table_closed":
                self.over.set()
            return
        counts[f"accepted: {command['type']}"] += 1
        self._mischief.accepted(command)
        if command["type"] == "leave":
            self.over.set()

    # What goes out.

    async def _play(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    await self._wake.wait()
            self._wake.clear()
            tab = self.main
            if not tab.fresh or tab.line is None:
                self._mischief.other_main()
                continue
            if self._unanswered is None:
                wanted = self._next(tab.table)
                if wanted is None or self._just_refused(tab):
                    continue
                await self.crowd.rest(self._think(tab.table))
                wanted = self._next(tab.table)
                if wanted is None or not tab.fresh or self._unanswered is not None:
                    self._wake.set()
                    continue
                self._unanswered, self._said_on = wanted, None
            line = tab.line
            if line is not None and self._said_on != line.id:
                if self._said_on is not None:
                    self.crowd.journal.counts["commands sent again"] += 1
                self._said_on = line.id
                await tab.command(self._unanswered)
                await self._mischief.after(tab, self._unanswered)

    def _just_refused(self, tab: Tab) -> bool:
        """Nothing is asked for again before anything has changed, or a second has passed."""
        if self._refused_at is None:
            return False
        number, at = self._refused_at
        return number == tab.number and time.monotonic() < at + 1

    def choices(self, table: dict[str, Any], what: str = "") -> random.Random:
        """The same choices at the same ply of the player's same match."""
        return self.crowd.rng(
            self.who.name, self._round, self.matches, table["ply"], table["status"], what
        )

    def _think(self, table: dict[str, Any]) -> float:
        if self.habit == "tidy" or self.crowd.phase == "hurry":
            return 0.0
        return self.choices(table).uniform(0.3, 1.7) * self.crowd.pace

    def _next(self, table: dict[str, Any]) -> dict[str, Any] | None:
        """What this player wants now."""
        you = table["you"]
        if you is None or table["status"] == "closed":
            self.over.set()
            return None
        going = self.habit == "tidy" or self.give_up or self.crowd.phase == "hurry"
        match table["status"]:
            case "open":
                waits = self.habit == "wait" and not going and self.crowd.phase == "play"
                return None if waits else self._command("leave")
            case "funding":
                return None
            case "handshake":
                return self._shake(table, you)
            case "running":
                return self._move(table, you, going=going)
            case "ended":
                return self._after(table, you, going=going)
        raise AssertionError(table["status"])

    def _command(self, kind: str, **values: Any) -> dict[str, Any]:
        match = self.main.table["match"]
        return {"type": kind, "id": secrets.token_hex(8), "match": match, **values}

    def _shake(self, table: dict[str, Any], you: int) -> dict[str, Any] | None:
        shake = table["handshake"]
        if shake["done"][you]:
            return None
        if self.choices(table).random() < 0.03 and self.matches:
            return self._command("leave")
        number = self.who.numbers.setdefault(table["match"], secrets.token_bytes(32))
        if shake["step"] == "hash":
            return self._command("hash", hash=hashlib.sha256(number).hexdigest())
        return self._command("reveal", number=number.hex())

    def _move(self, table: dict[str, Any], you: int, *, going: bool) -> dict[str, Any] | None:
        if table["match"] != self._match:
            self._match = table["match"]
            self.matches += 1
            self.first = self.first or table["match"]
        if self.habit == "tidy" and self.crowd.phase == "play":
            self.over.set()  # somebody plays there
            return None
        if going:
            return self._command("resign")
        plan = self.crowd.rng(self.who.name, self._round, self.matches, "plan")
        gives_up = plan.choices(("", "resign", "leave"), (84, 12, 4))[0]
        if gives_up and table["ply"] >= plan.randrange(4, 70) and self.habit == "play":
            return self._command(gives_up)
        if table["pause"] is not None:
            return None if table["pause"]["ready"][you] else self._command("ready")
        slow = self.habit in ("sleep", "vanish") and table["match"] == self.first
        if slow and table["ply"] >= 6:
            self._mischief.slow()
            return None
        legal = table["view"].get("legal") or []
        if not legal:
            return None
        action = _picked(self.choices(table), legal)
        return self._command("act", ply=table["ply"], action=action)

    def _after(self, table: dict[str, Any], you: int, *, going: bool) -> dict[str, Any] | None:
        if table["match"] not in self.ended:
            self.ended.add(table["match"])
            self.crowd.journal.counts["matches seen to their end"] += 1
        rematch = table["rematch"]
        again = self.choices(table).random() < 0.6
        if going or self.crowd.phase != "play" or not rematch["possible"] or not again:
            return self._command("leave")
        return None if rematch["wants"][you] else self._command("rematch", want=True)


def _picked(rng: random.Random, legal: list[dict[str, Any]]) -> dict[str, Any]:
    """An offered action, as it is sent. Nardi players hurry home, so that matches end."""
    offered = [each for each in legal if each["action"] != "take_back" or rng.random() < 0.02]
    moves = [each for each in offered if each["action"] == "move"]
    if moves and rng.random() < 0.7:
        action = max(moves, key=lambda each: 25 if each["from"] == "bar" else each["from"])
    else:
        action = rng.choice(offered or legal)
    return {key: action[key] for key in SAID if key in action}
