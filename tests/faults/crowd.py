"""What all players of a run share: where the site is, what they write down, and when it ends."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tests.faults.journal import Journal
from tests.faults.web import GONE, Answer, ask

Phase: TypeAlias = Literal["play", "finish", "hurry"]
"""``finish``: no new matches. ``hurry``: those that run are resigned."""


@dataclass(slots=True)
class Crowd:
    """``pace``: seconds that a player thinks, about. ``token`` reads the figures."""

    seed: int
    origins: list[str]
    token: str
    pace: float
    journal: Journal = field(default_factory=Journal)
    phase: Phase = "play"

    def rng(self, *what: object) -> random.Random:
        """The same choices for the same seed, whatever came when."""
        return random.Random("/".join(map(str, (self.seed, *what))))

    def origin(self, process: int) -> str:
        return self.origins[process % len(self.origins)]

    async def request(
        self,
        player: str | None,
        process: int,
        method: str,
        path: str,
        *,
        form: dict[str, str] | None = None,
        cookie: str | None = None,
    ) -> Answer | None:
        """A request, written down; ``None``: nobody answered."""
        headers = {"authorization": f"Bearer {self.token}"} if path == "/metrics" else None
        origin = self.origin(process)
        try:
            answer = await ask(origin, method, path, form=form, cookie=cookie, headers=headers)
        except GONE:
            self.journal.counts["requests without an answer"] += 1
            return None
        self.journal.page(player, path, answer.status, answer.body)
        return answer

    async def rest(self, seconds: float) -> None:
        """Players take their time, and longer while nothing works."""
        await asyncio.sleep(seconds)
