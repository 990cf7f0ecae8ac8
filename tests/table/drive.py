"""A table driven step by step, at times that a test names."""

from __future__ import annotations

import json
from typing import Any

from app.table import codec, views
from app.table.clock import ClockSettings
from app.table.commands import (
    Act,
    Command,
    Connected,
    Create,
    Delivered,
    Fresh,
    Hash,
    Lost,
    Reveal,
    Sit,
    Tick,
)
from app.table.decision import Accepted, Answer, Decision, Refused
from app.table.handle import handle
from app.table.match import Match
from app.table.table import AnyGame, Table
from engine import games
from engine.chance import sha256
from engine.game import Json, Seat
from tests.app.pebbles import PebbleGame

GAMES: dict[tuple[str, str], AnyGame] = {(game.name, game.rules): game for game in games.GAMES}
GAMES["pebbles", "plain"] = PebbleGame()

DOMINO = games.game("domino", "georgian")
NARDI = games.game("nardi", "short")
PEBBLES = GAMES["pebbles", "plain"]
CLOCK = ClockSettings(move_ms=30_000, reserve_ms=120_000, absence_ms=60_000)
NAMES = ("ანა", "ბექა", "გია")


def fresh(n: int = 1) -> Fresh:
    return Fresh(f"match-{n}", sha256(bytes([n])))


def number(seat: Seat) -> bytes:
    return sha256(b"number" + bytes([seat]))


class Driver:
    """One table and the site's clock, ``now``. What is stored goes through JSON at every step."""

    def __init__(self, game: AnyGame = DOMINO, *, public: bool = True, stake: int = 0) -> None:
        self.game = game
        self.now = 1_000_000
        self.table: Table | None = None
        self.last = Decision(None, Refused("", ""))
        self.events: list[Json] = []
        self.commands = 0
        options = {name: values[0] for name, values in game.choices.items()}
        self.seats = game.seats(options)
        self.create = Create(
            "t", game, options, CLOCK, public, "p0", NAMES[0], stake=stake, funds="covers"
        )

    def do(self, command: Command) -> Answer:
        self.last = handle(self.table, command, self.now)
        if self.last.gone:
            self.table = None
        elif self.last.table is not None and self.last.table is not self.table:
            stored = json.loads(json.dumps(codec.to_json(self.last.table)))
            self.table = codec.from_json(stored, lambda name, rules: GAMES[name, rules])
            assert self.table == self.last.table
        self.events += [entry.event for entry in self.last.entries]
        return self.last.answer

    def ok(self, command: Command) -> None:
        answer = self.do(command)
        assert isinstance(answer, Accepted), answer

    def no(self, command: Command) -> str:
        """The code of a refusal, which has changed nothing."""
        before = self.table
        answer = self.do(command)
        assert isinstance(answer, Refused), answer
        assert self.table is before
        assert not self.last.entries
        return answer.code

    def names(self) -> list[str]:
        """The names of the events of the last decision."""
        return [entry.event["event"] for entry in self.last.entries]

    def id(self) -> str:
        self.commands += 1
        return f"command-{self.commands}"

    @property
    def there(self) -> Table:
        assert self.table is not None
        return self.table

    def status(self) -> str:
        """The table's state of T15."""
        return self.there.status

    def paused(self) -> bool:
        """Whether the next hand waits for a look at the last."""
        return self.match.pause_until is not None

    @property
    def match(self) -> Match:
        assert self.there.match is not None
        return self.there.match

    def view(self, viewer: Seat | None = None) -> Json:
        return views.table_view(self.there, viewer, self.now)

    # ── the usual ways ────────────────────────────────────────────────────────────────────────

    def open(self) -> Driver:
        """Made, with the host connected."""
        self.ok(self.create)
        self.ok(Connected("p0", "a.0"))
        return self

    def fill(self, n: int = 1) -> Driver:
        """Everybody sits and is connected."""
        for seat in range(1, self.seats):
            self.ok(Sit(f"p{seat}", NAMES[seat], fresh(n), funds="covers"))
            self.ok(Connected(f"p{seat}", f"a.{seat}"))
        return self

    def hash(self, seat: Seat, n: int = 1, of: bytes | None = None) -> Hash:
        return Hash(f"p{seat}", self.id(), f"match-{n}", sha256(of or number(seat)))

    def reveal(self, seat: Seat, n: int = 1, busy: frozenset[str] = frozenset()) -> Reveal:
        return Reveal(f"p{seat}", self.id(), f"match-{n}", number(seat), busy)

    def shake(self, n: int = 1) -> Driver:
        for seat in range(self.seats):
            self.ok(self.hash(seat, n))
        for seat in range(self.seats):
            self.ok(self.reveal(seat, n))
        return self

    def running(self) -> Driver:
        return self.open().fill().shake()

    def on_turn(self) -> Seat:
        (seat,) = self.game.to_act(self.match.state)
        return seat

    def act(self, action: Any = None, lag: int = 0, seat: Seat | None = None) -> Act:
        seat = self.on_turn() if seat is None else seat
        if action is None:
            action = self.game.fallback(self.match.state, seat)
        sent = self.game.action_to_json(action)
        return Act(f"p{seat}", self.id(), self.match.id, self.match.ply, sent, lag)

    def wait(self, ms: int) -> None:
        self.now += ms

    def due_in(self) -> int | None:
        """When the table wants to be looked at, from now."""
        return None if self.last.due is None else self.last.due - self.now

    def tick(self) -> None:
        self.do(Tick())

    def to_due(self) -> None:
        """Time goes on to the next due time of the table itself, and the worker looks."""
        if self.there.outbox:
            self.ok(Delivered(frozenset(entry.id for entry in self.there.outbox)))
        assert self.last.due is not None
        self.now = max(self.now, self.last.due)
        self.tick()

    def gone(self, seat: Seat) -> None:
        """All connections of a seat are lost."""
        self.ok(Lost(frozenset(self.there.sitter(seat).marks)))

    def carried_out(self) -> list[Json]:
        """What stands in the outbox."""
        return [{"kind": entry.kind, **entry.payload} for entry in self.there.outbox]
