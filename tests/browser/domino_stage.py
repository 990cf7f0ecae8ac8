"""A domino table whose page is real and whose server is the engine with a chosen deal."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from engine.domino import GAME
from engine.domino.state import State
from engine.domino.tiles import BY_NAME, NAMES
from engine.game import Json, Refusal, Step

NOW = 1_800_000_000_000
NAMED = ("ნინო", "გიორგი")


def dealt(first: str, second: str, bazaar: str = "", *, target: int = 75) -> Step[State]:
    """A match begun with these tiles of the seats, and these first in the bazaar."""
    order = f"{first} {second} {bazaar}".split()
    order += [name for name in NAMES if name not in order]
    step = GAME.start({"target": target})
    return GAME.give(step.state, tuple(BY_NAME[name] for name in order))


def played(step: Step[State], moves: Iterable[str]) -> State:
    """After these moves of whoever's turn it is: ``6-6``, ``4-6 L``, ``draw``."""
    state = step.state
    for move in moves:
        state = GAME.apply(state, GAME.to_act(state)[0], GAME.action_from_json(action(move))).state
    return state


def played_on(state: State, tiles: int, seed: int = 1) -> State:
    """After random moves, with so many tiles on the table."""
    chance = random.Random(seed)
    while len(GAME.view(state, None)["placed"]) < tiles:
        (seat,) = GAME.to_act(state)
        state = GAME.apply(state, seat, chance.choice(GAME.legal(state, seat))).state
        assert GAME.asks(state) is None
    return state


def action(move: str) -> Json:
    if move == "draw":
        return {"action": "draw"}
    tile, _, end = move.partition(" ")
    return {"action": "lay", "tile": tile, "end": end or None}


class Stage:
    """Plays the server for one page, which is at a table already."""

    def __init__(self, page: Page, state: State, *, seat: int | None = 0, stake: int = 0) -> None:
        self.page = page
        self.state = state
        self.acts: list[Json] = []
        self.held = False
        """Nothing that the page asks for is answered."""
        self._seat = seat
        self._stake = stake
        self._number = 1
        self._ply = 7
        self._paused = False
        self._given: list[str] = []
        self._lines: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/t/"), self._join)
        page.reload()
        page.locator(".board.domino").wait_for()

    @property
    def actions(self) -> list[Json]:
        """What the page has asked for, in order."""
        return [act["action"] for act in self.acts]

    def move(self, move: str) -> None:
        """What the other player does."""
        (seat,) = GAME.to_act(self.state)
        assert seat != self._seat
        self._tell(self._apply(seat, GAME.action_from_json(action(move))))

    def answer(self) -> None:
        """What was held is answered."""
        self.held = False
        self._hear(json.dumps(self.acts.pop()))

    def refuse(self, code: str) -> None:
        """What was held is refused."""
        self.held = False
        self._tell(
            {
                "type": "refused",
                "id": self.acts[-1]["id"],
                "code": code,
                "rule": "",
                "values": {},
            }
        )

    def give(self, tiles: str) -> None:
        """The page is told of more tiles in its own hand, wherever they come from."""
        self._given += tiles.split()
        self._number += 1
        change = {"type": "change", "number": self._number, "events": [{"number": self._number}]}
        self._tell({**change, "table": self.table()})

    def _apply(self, seat: int, made: Any) -> Json:
        step = GAME.apply(self.state, seat, made)
        self._ply += 1
        self.state = step.state
        told = [
            GAME.event_to_json(event)
            for event in step.events
            if event.audience is None or self._seat in event.audience
        ]
        ended = any(event["event"] == "hand_ended" for event in told)
        self._paused = ended and GAME.outcome(self.state) is None
        for event in told:
            self._number += 1
            event["number"] = self._number
        return {"type": "change", "number": self._number, "events": told, "table": self.table()}

    def _tell(self, message: Json) -> None:
        self._lines[-1].send(json.dumps(message))

    def _join(self, line: WebSocketRoute) -> None:
        self._lines.append(line)
        line.on_message(self._hear)

    def _hear(self, frame: str | bytes) -> None:
        message: dict[str, Any] = json.loads(frame)
        if message["type"] == "hello":
            table = self.table()
            self._tell({"type": "snapshot", "number": self._number, "table": table, "notice": None})
        if message["type"] != "act":
            return
        self.acts.append(message)
        if self.held:
            return
        assert self._seat is not None
        assert message["ply"] == self._ply
        try:
            change = self._apply(self._seat, GAME.action_from_json(message["action"]))
        except Refusal as refusal:
            self._tell({"type": "refused", "id": message["id"], **refusal.to_json()})
            return
        self._tell({"type": "accepted", "id": message["id"], "number": change["number"]})
        self._tell(change)

    def table(self) -> Json:
        """TABLE of docs/protocol.md."""
        view = GAME.view(self.state, self._seat)
        view["tiles"] = view["tiles"] + self._given
        outcome = GAME.outcome(self.state)
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
            "game": "domino",
            "rules": "georgian",
            "options": {"target": view["target"]},
            "now": NOW,
            "public": True,
            "stake": self._stake,
            "pot": 2 * self._stake,
            "clock": {"move_ms": 30_000, "reserve_ms": 120_000, "absence_ms": 60_000},
            "status": "ended" if outcome else "running",
            "seats": [{"name": name, "present": True, "absent_at": None} for name in NAMED],
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
            "view": view,
        }
