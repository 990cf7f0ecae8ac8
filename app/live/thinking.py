"""Computer players at live tables: asked by what their seat sees, and answering with a command."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from app.bots.asked import Asked, NoAnswerError
from app.live.service import LiveTables
from app.ops import metrics
from app.table.commands import Act
from app.table.decision import Refused
from app.table.match import THINK_MS
from app.table.playing import bots_to_act
from app.table.table import Table
from engine.game import Json, Seat

log = logging.getLogger(__name__)

Choose = Callable[[Asked, float], Awaitable[Json]]
"""What a computer player plays, within so many seconds. Raises :class:`NoAnswerError`."""

LEAST: Final = 0.05
"""Seconds that are worth asking for."""
LATE: Final = frozenset({"stale", "not_running", "time_is_up"})
"""How a table refuses what comes after it has moved on."""


class Thinking:
    """Sees to it that the computer players of due tables move. ``choose`` asks them."""

    def __init__(self, tables: LiveTables, choose: Choose) -> None:
        self._tables = tables
        self._choose = choose
        self._under_way: set[tuple[str, int]] = set()

    async def see_to(self, table: Table) -> None:
        """Have the computer player move whose turn it is at a table that is due, if there is one.
        If it does not, the table plays for it. Raises like :meth:`LiveTables.handle`."""
        match = table.match
        now = self._tables.clock.now()
        if match is None or match.bot_at is None or now < match.bot_at:
            return
        within = (match.bot_at + THINK_MS - now) / 1000
        seat = next(iter(bots_to_act(table)), None)
        asking = (match.id, match.ply)
        if seat is None or within < LEAST or asking in self._under_way:
            return
        self._under_way.add(asking)
        try:
            await self._move(table, seat, match.id, match.ply, within)
        finally:
            self._under_way.discard(asking)

    async def _move(self, table: Table, seat: Seat, match_id: str, ply: int, within: float) -> None:
        bot, told = table.sitter(seat), asked(table, seat)
        try:
            with metrics.THOUGHT.labels(told.level).time():
                action = await self._choose(told, within)
        except NoAnswerError as error:
            metrics.UNANSWERED.labels(told.level).inc()
            # The table plays in its place; operators have the figure, and no line a move.
            log.info("a computer player did not answer: %s", error)
            return
        # No client can make this id: it holds a colon. Asked twice, it counts once.
        act = Act(bot.player, f"bot:{match_id}:{ply}", match_id, ply, action)
        answer = await self._tables.handle(table.id, act)
        if isinstance(answer, Refused) and answer.code not in LATE:
            log.error("a computer player was refused: %s", answer.code)


def asked(table: Table, seat: Seat) -> Asked:
    """What the computer player at a seat is told: what a person there would see, and no more."""
    game, match, bot = table.game, table.match, table.sitter(seat).bot
    assert match is not None
    assert bot is not None
    actions = game.legal(match.state, seat)
    legal = tuple(game.action_to_json(each) for each in actions if not game.takes_back(each))
    view = game.view(match.state, seat)
    return Asked(game.name, game.rules, bot, view, legal, secrets.randbits(64))
