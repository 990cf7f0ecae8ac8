"""Tables whose page is real and whose server is the test: states of the engine, told as the site
tells them."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

from playwright.sync_api import Page, WebSocketRoute

from app.table import views
from app.table.clock import ClockSettings, SeatClock
from app.table.match import Ended, Match
from app.table.seat import Sitter
from app.table.table import Table
from engine import games
from engine.chance import Chain, sha256
from engine.domino.state import State as Domino
from engine.game import Game, Json, Outcome, Refusal, Step, Viewer
from engine.nardi import State as Nardi

S = TypeVar("S", Domino, Nardi)

NOW: Final = 1_800_000_000_000
CHAIN: Final = Chain(sha256(b"gallery"))
DOMINO: Final = games.game("domino", "georgian")
NARDI: Final = games.game("nardi", "short")

PLAIN: Final = ("ნინო", "გიორგი")

FRESH: Final = SeatClock(120_000, 60_000)
RUNNING: Final = SeatClock(120_000, 60_000, since=NOW)

Clocks = tuple[SeatClock, SeatClock]


def table(
    state: Domino | Nardi,
    name: str,
    names: Sequence[str] = PLAIN,
    clocks: Clocks | None = None,
    *,
    away: int | None = None,
    stake: int = 0,
    move_ms: int = 30_000,
    wants: frozenset[int] = frozenset(),
    **match: Any,
) -> Table:
    """A table at which a match has come so far. ``away``: who is not there; ``wants``: who asks
    for a rematch."""
    domino = isinstance(state, Domino)
    game = DOMINO if domino else NARDI
    target = state.open.target if isinstance(state, Domino) else state.target
    acting = game.to_act(state)
    if clocks is None:
        first, second = [RUNNING if seat in acting else FRESH for seat in range(2)]
        clocks = (first, second)
    return Table(
        id="staged",
        game=game,
        options={"target" if domino else "points": target},
        clock=ClockSettings(move_ms),
        public=True,
        seats=tuple(
            Sitter(f"player-{seat}", name, NOW - 1_000)
            if away == seat
            else Sitter(f"player-{seat}", name, None, ("p.1",))
            for seat, name in enumerate(names)
        ),
        made_at=NOW,
        stake=stake,
        status="ended" if match.get("ended") else "running",
        match=Match(
            id=name.ljust(22, "-"),
            chain=CHAIN,
            commitment=CHAIN.commitment,
            hashes=(b"", b""),
            numbers=(b"", b""),
            started_at=NOW,
            clocks=clocks,
            state=state,
            **{"ply": 7, **match},
        ),
        wins=(1, 0),
        wants=wants,
    )


def as_told(made: Table, viewer: Viewer) -> Json:
    """TABLE as the viewer gets it. What could be checked is left out: it is made up."""
    return {**views.table_view(made, viewer, NOW), "fairness": None}


class Line(ABC):
    """The server's end of the lines of one page, which is at a table already."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._lines: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/t/"), self._join)

    def tell(self, message: Json) -> None:
        """On the last line; nothing before there is one."""
        if self._lines:
            self._lines[-1].send(json.dumps(message))

    @abstractmethod
    def hear(self, message: Json) -> None:
        """What the page says."""

    def _join(self, line: WebSocketRoute) -> None:
        self._lines.append(line)
        line.on_message(lambda frame: self.hear(json.loads(frame)))


class Stage(Line, Generic[S]):
    """Plays the server, and the other player, for a page that is at a table already. ``chance``:
    its answers to come."""

    game: ClassVar[Game[Any, Any]]

    def __init__(
        self,
        page: Page,
        state: S,
        chance: Sequence[tuple[int, ...]] = (),
        *,
        seat: int | None = 0,
        names: Sequence[str] = PLAIN,
        stake: int = 0,
    ) -> None:
        super().__init__(page)
        self.state: S = state
        self.said: list[str] = []
        """The types of all messages of the page."""
        self.acts: list[Json] = []
        self.held = False
        """Nothing that the page asks for is answered."""
        self._chance = list(chance)
        self._seat = seat
        self._names = names
        self._stake = stake
        self._number = 1
        self._ply = 7
        self._paused = False
        page.reload()
        page.locator(".board:not([aria-busy])").wait_for()

    @property
    def actions(self) -> list[Json]:
        """What the page has asked for, in order."""
        return [act["action"] for act in self.acts]

    def act(self, action: Any) -> None:
        """What the other player does."""
        (seat,) = self.game.to_act(self.state)
        assert seat != self._seat
        self.tell(self._apply(seat, action))

    def answer(self) -> None:
        """What was held is answered."""
        self.held = False
        self._answer(self.acts[-1])

    def refuse(self, code: str) -> None:
        """What was held is refused."""
        self.held = False
        told = {"code": code, "rule": "", "values": {}}
        self.tell({"type": "refused", "id": self.acts[-1]["id"], **told})

    def deal(self) -> None:
        """The pause is over."""
        self._paused = False
        self.tell(self._change(Step(self.state)))

    def show(self, state: S) -> None:
        """Another position, as after a line that was lost."""
        self.state = state
        self._ply += 1
        self._number += 1
        self.tell(self._snapshot())

    def table(self) -> Json:
        """TABLE of docs/protocol.md."""
        outcome = self.game.outcome(self.state)
        made = table(
            self.state,
            "staged",
            self._names,
            stake=self._stake,
            ply=self._ply,
            pause_until=NOW + 8_000 if self._paused else None,
            ended=outcome and _ended(outcome),
        )
        return as_told(made, self._seat)

    def hear(self, message: Json) -> None:
        """A hello is greeted, an action answered unless it is held."""
        self.said.append(message["type"])
        if message["type"] == "hello":
            self.tell(self._snapshot())
        elif message["type"] == "act":
            self.acts.append(message)
            if not self.held:
                self._answer(message)

    def _answer(self, message: Json) -> None:
        assert self._seat is not None
        assert message["ply"] == self._ply
        try:
            change = self._apply(self._seat, self.game.action_from_json(message["action"]))
        except Refusal as refusal:
            self.tell({"type": "refused", "id": message["id"], **refusal.to_json()})
            return
        self.tell({"type": "accepted", "id": message["id"], "number": change["number"]})
        self.tell(change)

    def _apply(self, seat: int, action: Any) -> Json:
        step = self.game.apply(self.state, seat, action)
        self._ply += 1
        return self._change(step)

    def _change(self, step: Step[Any]) -> Json:
        """The message of a step, with whatever chance gives after it."""
        events = list(step.events)
        ended = any(self.game.event_to_json(event)["event"] == "hand_ended" for event in events)
        self._paused = ended and self.game.outcome(step.state) is None
        while not self._paused and self.game.asks(step.state) is not None:
            step = self.game.give(step.state, self._chance.pop(0))
            events += step.events
        self.state = step.state
        told = [
            self.game.event_to_json(event)
            for event in events
            if event.audience is None or self._seat in event.audience
        ]
        return self._told(told or [{}])

    def _told(self, events: list[Json]) -> Json:
        for event in events:
            self._number += 1
            event["number"] = self._number
        return {"type": "change", "number": self._number, "events": events, "table": self.table()}

    def _snapshot(self) -> Json:
        table = self.table()
        return {"type": "snapshot", "number": self._number, "table": table, "notice": None}


def _ended(outcome: Outcome) -> Ended:
    return Ended(outcome.winners, outcome.reason, outcome.score, NOW)
