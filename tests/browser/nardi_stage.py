"""A nardi table whose page is real and whose server is the engine with chosen boards and dice."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from engine.game import Json, Refusal, Step
from engine.nardi import GAME, State
from engine.nardi.actions import Action

NOW = 1_800_000_000_000


class Stage:
    """Plays the server for a page that is at a table already; ``dice`` are the rolls to come."""

    def __init__(
        self,
        page: Page,
        state: State,
        dice: Sequence[tuple[int, int]] = (),
        *,
        seat: int | None = 0,
        names: tuple[str, str] = ("ნინო", "გიორგი"),
    ) -> None:
        self.page = page
        self.state = state
        self.acts: list[Json] = []
        self.held = False
        """Nothing that the page asks for is answered."""
        self._dice = list(dice)
        self._seat = seat
        self._names = names
        self._number = 1
        self._ply = 7
        self._paused = False
        self._line: WebSocketRoute | None = None
        page.route_web_socket(re.compile("/ws/t/"), self._join)
        page.reload()
        page.locator(".board.nardi:not([aria-busy])").wait_for()

    @property
    def actions(self) -> list[Json]:
        """What the page has asked for, in order."""
        return [act["action"] for act in self.acts]

    def act(self, action: Action) -> None:
        """What the other player does."""
        assert self.state.seat is not None
        self._tell(self._apply(self.state.seat, action))

    def deal(self) -> None:
        """The pause is over."""
        self._paused = False
        self._tell(self._answered(Step(self.state)))

    def show(self, state: State) -> None:
        """Another position, as after a line that was lost."""
        self.state = state
        self._ply += 1
        self._number += 1
        self._tell(self._snapshot())

    def resume(self) -> None:
        """What was held back is answered."""
        self._answer(self.acts[-1])

    def _snapshot(self) -> Json:
        return {
            "type": "snapshot",
            "number": self._number,
            "table": self.table(),
            "notice": None,
        }

    def _apply(self, seat: int, action: Action) -> Json:
        self._ply += 1
        return self._answered(GAME.apply(self.state, seat, action))

    def _answered(self, step: Step[State]) -> Json:
        """The events of a step, and of the dice that it asks for."""
        events = list(step.events)
        state = step.state
        ended = any(GAME.event_to_json(event)["event"] == "hand_ended" for event in events)
        self._paused = ended and state.outcome is None
        while GAME.asks(state) is not None and not self._paused:
            step = GAME.give(state, self._dice.pop(0))
            state = step.state
            events += step.events
        self.state = state
        told = [GAME.event_to_json(event) for event in events]
        if not told:
            told = [{}]
        for event in told:
            self._number += 1
            event["number"] = self._number
        return {
            "type": "change",
            "number": self._number,
            "events": told,
            "table": self.table(),
        }

    def _tell(self, message: Json) -> None:
        assert self._line is not None
        self._line.send(json.dumps(message))

    def _join(self, line: WebSocketRoute) -> None:
        self._line = line
        line.on_message(self._hear)

    def _hear(self, frame: str | bytes) -> None:
        message: dict[str, Any] = json.loads(frame)
        if message["type"] == "hello":
            self._tell(self._snapshot())
        elif message["type"] == "act":
            self.acts.append(message)
            if not self.held:
                self._answer(message)

    def _answer(self, message: Json) -> None:
        assert self._seat is not None
        assert message["ply"] == self._ply
        try:
            change = self._apply(self._seat, GAME.action_from_json(message["action"]))
        except Refusal as refusal:
            self._ply -= 1
            self._tell({"type": "refused", "id": message["id"], **refusal.to_json()})
            return
        self._tell({"type": "accepted", "id": message["id"], "number": change["number"]})
        self._tell(change)

    def table(self) -> Json:
        """TABLE of docs/protocol.md."""
        outcome = self.state.outcome
        clock = {
            "reserve_ms": 120_000,
            "since": None,
            "move_until": None,
            "until": None,
            "absence_until": None,
            "timeouts": 0,
        }
        running = {**clock, "since": NOW, "move_until": NOW + 25_000, "until": NOW + 145_000}
        return {
            "id": "staged",
            "game": "nardi",
            "rules": "short",
            "options": {"points": self.state.target},
            "now": NOW,
            "public": True,
            "stake": 0,
            "pot": 0,
            "clock": {"move_ms": 30_000, "reserve_ms": 120_000, "absence_ms": 60_000},
            "status": "ended" if outcome else "running",
            "seats": [{"name": name, "present": True, "absent_at": None} for name in self._names],
            "you": self._seat,
            "host": 0,
            "match": "m" * 22,
            "ply": self._ply,
            "handshake": None,
            "fairness": None,
            "clocks": [running if seat in GAME.to_act(self.state) else clock for seat in range(2)],
            "pause": {"until": NOW + 8000, "ready": [False, False]} if self._paused else None,
            "ended": None
            if outcome is None
            else {
                "winners": list(outcome.winners),
                "reason": outcome.reason,
                "score": list(outcome.score),
                "at": NOW,
                "coins": None,
            },
            "rematch": {"wants": [False, False], "wins": [1, 0], "possible": True},
            "void": None,
            "closed": None,
            "view": GAME.view(self.state, self._seat),
        }
