"""Two players who meet at one table after the other, with somebody who watches."""

from __future__ import annotations

import asyncio
import random
import re

from tests.faults.chair import Chair, Habit
from tests.faults.crowd import Crowd
from tests.faults.journal import Who
from tests.faults.tab import Tab
from tests.faults.web import Answer

TRIES = 40


class Pair:
    """``form``: what their tables are like. ``habits`` by player."""

    def __init__(
        self,
        crowd: Crowd,
        number: int,
        players: tuple[Who, Who],
        form: dict[str, str],
        habits: tuple[Habit, Habit] = ("play", "play"),
    ) -> None:
        self.crowd = crowd
        self.number = number
        self.players = players
        self.form = form
        self.habits = habits
        self.round = 0
        self._free = False

    async def live(self) -> None:
        """Table after table, until no more matches are to begin."""
        while self.crowd.phase == "play":
            self.round += 1
            rng = self.crowd.rng("pair", self.number, self.round)
            table = await self._table(rng)
            if table is None:
                await self.crowd.rest(rng.uniform(0.5, 2.5))
            else:
                await self._sit_at(table, rng)

    async def _table(self, rng: random.Random) -> str | None:
        """A table at which both sit; ``None``: it came to nothing."""
        host, guest = self.players if rng.random() < 0.5 else reversed(self.players)
        # Who has been told that there are no coins to play for plays without.
        form = {**self.form, "stake": "0"} if self._free else self.form
        self._free = False
        made = await self._post(host, rng, "/tables", form)
        if made is None or made.status != 303 or made.location is None:
            # It may have been made: the answer was lost.
            self._free = made is not None
            await tidy(self.crowd, host, self.round)
            return None
        table: str = made.location.rpartition("/")[2]
        for _ in range(TRIES):
            sit = f"/t/{table}/sit"
            if rng.random() < 0.2:
                answers = await asyncio.gather(*(self._post(guest, rng, sit, {}) for _ in range(2)))
                sat = next((each for each in answers if each is not None), None)
            else:
                sat = await self._post(guest, rng, sit, {})
            if sat is not None and sat.status in (303, 404, 409, 503):
                if sat.status == 303:
                    return table
                self._free = True
                break
            await self.crowd.rest(0.3)
        await tidy(self.crowd, host, self.round)
        await tidy(self.crowd, guest, self.round)
        return None

    async def _post(
        self, who: Who, rng: random.Random, path: str, form: dict[str, str]
    ) -> Answer | None:
        process = rng.randrange(64)
        return await self.crowd.request(who.id, process, "POST", path, form=form, cookie=who.cookie)

    async def _sit_at(self, table: str, rng: random.Random) -> None:
        first = rng.randrange(64)
        chairs = []
        for place, (who, habit) in enumerate(zip(self.players, self.habits, strict=True)):
            # Players of one table are on different processes; some have another tab open.
            processes = [first + place] + ([first + place + 1] if rng.random() < 0.4 else [])
            chairs.append(
                Chair(self.crowd, who, table, self.round, habit=habit, processes=processes)
            )
        beside = [asyncio.create_task(each.run()) for each in await self._waiting(rng)]
        watcher = Tab(
            self.crowd, table, None, first + 1, random.Random(rng.random()), took=lambda *_: None
        )
        watching = asyncio.create_task(watcher.run())
        try:
            await asyncio.gather(*(chair.run() for chair in chairs))
        finally:
            await watcher.finish()
            await watching
            for each in self._beside:
                each.give_up = True
            await asyncio.gather(*beside)

    async def _waiting(self, rng: random.Random) -> list[Chair]:
        """Some also wait at another table meanwhile: that seat is freed (T16)."""
        self._beside: list[Chair] = []
        if rng.random() < 0.3:
            who = rng.choice(self.players)
            form = {"game": "nardi", "rules": "short", "points": "1", "public": "1"}
            made = await self._post(who, rng, "/tables", form)
            if made is not None and made.status == 303 and made.location is not None:
                table = made.location.rpartition("/")[2]
                chair = Chair(
                    self.crowd, who, table, self.round, habit="wait", processes=[rng.randrange(64)]
                )
                self._beside.append(chair)
                self.crowd.journal.counts["waited elsewhere too"] += 1
        return self._beside


async def tidy(crowd: Crowd, who: Who, round_: int) -> None:
    """Leave every table that the site leads a player back to."""
    for attempt in range(10 * TRIES):
        home = await crowd.request(who.id, attempt, "GET", "/", cookie=who.cookie)
        if home is not None and home.status == 200:
            break
        await crowd.rest(0.3)
    else:
        crowd.journal.odd.append(f"{who.id} could not see the first page")
        return
    nav = re.search(r'<nav class="own".*?</nav>', home.body, re.DOTALL)
    for table in re.findall(r'href="/t/([\w-]+)"', nav.group(0) if nav else ""):
        crowd.journal.counts["tables left behind and left"] += 1
        await Chair(crowd, who, table, round_, habit="tidy", processes=[attempt]).run()
