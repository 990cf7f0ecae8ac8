"""A site in miniature under a virtual clock: one table, scripted players on bad lines, a worker,
a store that only keeps JSON, and whatever goes wrong."""

from __future__ import annotations

import heapq
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from app.live.sitetime import Reckoning, SiteClock, advance, beat_of
from app.table import codec, views
from app.table.clock import PRESETS
from app.table.commands import (
    Act,
    Command,
    Connected,
    Create,
    Delivered,
    Fresh,
    Hash,
    Leave,
    Lost,
    Ready,
    Rematch,
    Resign,
    Reveal,
    Sit,
    Tick,
    Undelivered,
)
from app.table.decision import Accepted, Answer, Decision
from app.table.events import Entry, RecordLine
from app.table.handle import handle
from app.table.table import AnyGame, Table
from engine import games
from engine.chance import sha256
from engine.game import Json

START = 1_700_000_000_000


@dataclass(frozen=True)
class Faults:
    """How bad things are; chances from 0 to 1."""

    lost: float = 0.05
    doubled: float = 0.05
    late_ms: int = 900
    drop: float = 0.01
    slow: float = 0.02
    vanish: float = 0.002
    restart: float = 0.002
    outage: float = 0.0005
    second_tab: float = 0.2
    reload: float = 0.15
    resign: float = 0.0005


class Sim:
    """The site: ``stored`` is all that outlives a restart."""

    def __init__(self, game: AnyGame, options: dict[str, int], seed: int, faults: Faults) -> None:
        self.game = game
        self.options = options
        self.rng = random.Random(seed)
        self.faults = faults
        self.wall = START
        self.clock = SiteClock(lambda: self.wall)
        self.reckoning: Reckoning | None = None
        self.beat()
        self.stored: str | None = None
        self.version = 0
        self.due: int | None = None
        self.entries: list[Entry] = []
        self.lines: dict[str, list[RecordLine]] = {}
        self.ended: list[Json] = []
        self.voids: list[Json] = []
        self.gone = False
        self.process = 1
        self.marks = 0
        self.queue: list[tuple[int, int, Callable[[], None]]] = []
        self.sequence = 0
        self.players = [Player(self, f"player-{n}") for n in range(game.seats(options))]
        self.cache: Table | None = None
        self.watch: Callable[[Table | None, Command, Decision, int], None] = lambda *_: None

    # ── time ──────────────────────────────────────────────────────────────────────────────────

    def later(self, ms: float, work: Callable[[], None]) -> None:
        self.sequence += 1
        heapq.heappush(self.queue, (self.wall + int(ms), self.sequence, work))

    def step(self) -> None:
        """The next thing that happens: a message, a client's thought, or something due."""
        due = None if self.due is None else self.wall + self.clock.wait_ms(self.due)
        if self.queue and (due is None or self.queue[0][0] <= due):
            self.advance(self.queue[0][0])
            _, _, work = heapq.heappop(self.queue)
            work()
        elif due is not None:
            # A worker is never there to the millisecond.
            self.advance(due + self.rng.randrange(80))
            self.work()
        roll = self.rng.random()
        if roll < self.faults.restart:
            self.restart(self.rng.randrange(300, 4_000))
        elif roll < self.faults.restart + self.faults.outage:
            self.restart(self.rng.randrange(60_000, 600_000))

    def advance(self, wall: int) -> None:
        """The wall clock goes on; the site beats every second meanwhile."""
        while self.wall < wall:
            self.wall = min(wall, self.wall + 1_000)
            self.beat()

    def beat(self, *, alone: bool = False) -> None:
        """The site serves."""
        self.reckoning = advance(self.reckoning, self.wall, alone=alone)
        self.clock.take(beat_of(self.reckoning), self.wall)

    def restart(self, ms: int) -> None:
        """The process is killed, and another starts after a while. Memory is gone, sockets are
        dead, site time stood still."""
        self.beat()
        before = self.clock.now()
        self.cache = None
        self.wall += ms
        self.clock = SiteClock(lambda: self.wall)
        self.beat(alone=True)
        assert self.clock.now() == before
        for player in self.players:
            player.cut()
        self.command(Lost(process=f"p{self.process}"))
        self.process += 1

    # ── the house ─────────────────────────────────────────────────────────────────────────────

    def load(self) -> Table | None:
        if self.cache is not None and self.rng.random() < 0.5:
            return self.cache
        return None if self.stored is None else codec.from_json(json.loads(self.stored), games_of)

    def fresh(self) -> Fresh:
        return Fresh(self.rng.randbytes(12).hex(), self.rng.randbytes(32))

    def command(self, command: Command, at: int | None = None) -> Answer:
        now = self.clock.now() if at is None else at
        table = self.load()
        decision = handle(table, command, now)
        self.watch(table, command, decision, now)
        if decision.gone:
            self.gone, self.due, self.stored, self.cache = True, None, None, None
            return decision.answer
        if decision.table is None or decision.table is table:
            return decision.answer
        assert decision.table.version == self.version + 1
        self.version += 1
        for entry in decision.entries:
            assert entry.number == len(self.entries) + 1
            self.entries.append(entry)
        assert decision.table.number == len(self.entries)
        self.stored = json.dumps(codec.to_json(decision.table))
        self.cache = decision.table
        self.due = decision.due
        if decision.lines:
            assert decision.match is not None
            self.lines.setdefault(decision.match, []).extend(decision.lines)
        if decision.entries:
            for player in self.players:
                player.told(decision.table)
        return decision.answer

    def work(self) -> None:
        """What the worker does with a table that is due: time, then the outbox."""
        self.command(Tick())
        table = self.load()
        if table is None:
            return
        now = self.clock.now()
        ready = [entry for entry in table.outbox if entry.retry_at <= now]
        if not ready:
            return
        if self.rng.random() < 0.2:  # the receiver is away
            self.command(Undelivered(frozenset(entry.id for entry in ready)))
            return
        for entry in ready:
            if entry.kind == "ended" and entry.payload not in self.ended:
                self.ended.append(entry.payload)
            if entry.kind == "void" and entry.payload not in self.voids:
                self.voids.append(entry.payload)
        if self.rng.random() < 0.9:  # else it was done, and the process died before it said so
            self.command(Delivered(frozenset(entry.id for entry in ready)))
        else:
            self.command(Undelivered(frozenset(entry.id for entry in ready)))


def games_of(name: str, rules: str) -> AnyGame:
    return games.game(name, rules)


@dataclass
class Socket:
    """A connection: what the player's browser and the site each think of it."""

    mark: str
    alive: bool = True
    number: int = 0


@dataclass
class Player:
    """A browser (or two tabs of it) and the person before it."""

    sim: Sim
    name: str
    numbers: dict[str, bytes] = field(default_factory=dict)
    hashes: dict[str, list[Any]] = field(default_factory=dict)
    sockets: list[Socket] = field(default_factory=list)
    table: Table | None = None
    waiting: dict[str, Command] = field(default_factory=dict)
    thinking: set[tuple[str | None, int]] = field(default_factory=set)
    away: bool = False
    rematches: int = 0
    played: int = 0

    def seat(self) -> int | None:
        return None if self.table is None else self.table.seat_of(self.name)

    # ── the line ──────────────────────────────────────────────────────────────────────────────

    def connect(self) -> None:
        sim = self.sim
        if self.away or sim.gone:
            return
        sim.marks += 1
        socket = Socket(f"p{sim.process}.{sim.marks}")
        self.sockets.append(socket)
        sim.command(Connected(self.name, socket.mark))
        self.see(socket, sim.load())
        for command in list(self.waiting.values()):  # unanswered: again, under the same id
            self.send(command)

    def cut(self) -> None:
        """All sockets are dead, and the browser comes back by itself."""
        for socket in self.sockets:
            socket.alive = False
        self.sockets.clear()
        self.sim.later(self.sim.rng.randrange(200, 8_000), self.connect)

    def drop(self, most_ms: int = 20_000) -> None:
        """One socket is gone; the site learns of it within ten seconds."""
        sim = self.sim
        if not self.sockets:
            return
        socket = self.sockets.pop(sim.rng.randrange(len(self.sockets)))
        socket.alive = False
        sim.later(
            sim.rng.randrange(10_000), lambda: void(sim.command(Lost(frozenset({socket.mark}))))
        )
        if not self.sockets:
            long = sim.rng.random() < 0.1
            sim.later(sim.rng.randrange(300, 400_000 if long else most_ms), self.connect)

    def told(self, table: Table) -> None:
        """A change goes out on every socket, late, and in the order it happened."""
        for socket in list(self.sockets):
            self.sim.later(self.sim.rng.randrange(20, 60), partial(self.see, socket, table))

    def see(self, socket: Socket, table: Table | None) -> None:
        if not socket.alive or table is None or table.number <= socket.number:
            return
        socket.number = table.number
        if self.table is None or table.number >= self.table.number:
            self.table = table
        self.react()

    def send(self, command: Any) -> None:
        """To the site, if the line lets it; again every three seconds until it is answered."""
        sim, faults = self.sim, self.sim.faults
        self.waiting[command.id] = command
        copies = 0 if sim.rng.random() < faults.lost else 1
        copies += sim.rng.random() < faults.doubled
        if not self.sockets:
            copies = 0
        for _ in range(copies):
            sim.later(sim.rng.randrange(10, faults.late_ms), lambda: self.arrive(command))
        sim.later(3_000, lambda: self.again(command))

    def again(self, command: Any) -> None:
        if command.id in self.waiting and self.sockets:
            self.send(command)

    def arrive(self, command: Any) -> None:
        answer = self.sim.command(command)
        if self.sim.rng.random() >= self.sim.faults.lost:
            self.sim.later(20, lambda: self.answered(command, answer))

    def answered(self, command: Any, answer: Answer) -> None:
        if self.waiting.pop(command.id, None) is None:
            return
        if not isinstance(answer, Accepted):
            self.thinking.clear()  # refused: it dies, and the player looks again
        elif isinstance(command, Leave):
            self.away = True
            for _ in range(len(self.sockets)):
                self.drop()
        self.react()

    def id(self) -> str:
        return self.sim.rng.randbytes(8).hex()

    # ── the person ────────────────────────────────────────────────────────────────────────────

    def react(self) -> None:
        table, seat = self.table, self.seat()
        if table is None or seat is None or self.waiting:
            return
        shake, match = table.handshake, table.match
        if table.status == "handshake" and shake is not None:
            self.shake(shake.match, seat)
        elif table.status == "running" and match is not None:
            if match.pause_until is not None:
                if seat not in match.ready and self.sim.rng.random() < 0.7:
                    self.think(("ready", match.begun), Ready(self.name, self.id(), match.id))
            elif seat in table.game.to_act(match.state):
                self.move(table, seat)
        elif table.status == "ended" and match is not None:
            self.after(table, seat)

    def shake(self, match: str, seat: int) -> None:
        table, sim = self.table, self.sim
        assert table is not None
        shake = table.handshake
        assert shake is not None
        number = self.numbers.setdefault(match, sim.rng.randbytes(32))
        if sim.rng.random() < sim.faults.reload:  # the page is loaded again: numbers are kept
            self.drop(4_000)
        if shake.step == "hash" and shake.hashes[seat] is None:
            self.send(Hash(self.name, self.id(), match, sha256(number)))
        elif shake.step == "reveal" and shake.numbers[seat] is None:
            self.hashes[match] = list(shake.hashes)
            self.send(Reveal(self.name, self.id(), match, number))

    def think(self, key: Any, command: Any) -> None:
        """Sends it after a while, once."""
        sim = self.sim
        if key in self.thinking:
            return
        self.thinking.add(key)
        slow = sim.rng.random() < sim.faults.slow
        pause = sim.rng.randrange(20_000, 200_000) if slow else sim.rng.randrange(300, 4_000)

        def act() -> None:
            if key not in self.thinking or self.away:
                return
            if self.waiting:
                sim.later(1_000, act)
            else:
                self.send(command)

        sim.later(pause, act)

    def move(self, table: Table, seat: int) -> None:
        sim, match = self.sim, table.match
        assert match is not None
        if sim.rng.random() < sim.faults.resign:
            self.send(Resign(self.name, self.id(), match.id))
            return
        if sim.rng.random() < sim.faults.vanish:
            self.away = True
            for _ in range(len(self.sockets)):
                self.drop()
            return
        if sim.rng.random() < sim.faults.drop:
            self.drop()
            return
        legal = table.game.legal(match.state, seat)
        action = (
            table.game.fallback(match.state, seat)
            if sim.rng.random() < 0.8
            else sim.rng.choice(legal)
        )
        sent = table.game.action_to_json(action)
        lag = sim.rng.randrange(700)
        command = Act(self.name, self.id(), match.id, match.ply, sent, lag)
        self.think((match.id, match.ply), command)

    def after(self, table: Table, seat: int) -> None:
        match = table.match
        assert match is not None
        if seat in table.wants and not table.left:
            return
        if not table.left and self.rematches and self.sim.rng.random() < 0.5:
            self.rematches -= 1
            self.send(Rematch(self.name, self.id(), match.id, True, self.sim.fresh()))
            self.sim.later(600_000, lambda: self.give_up(match.id))
        else:
            self.think(("leave", match.id), Leave(self.name, self.id(), match.id))

    def give_up(self, match: str) -> None:
        """Nobody agreed to a rematch."""
        table = self.table
        if table is not None and table.match is not None and table.match.id == match:
            self.think(("leave", match), Leave(self.name, self.id(), match))


def void(_: object) -> None:
    """A value that nobody wants."""


def play(
    game: AnyGame,
    options: dict[str, int],
    seed: int,
    faults: Faults,
    watch: Callable[[Sim], Callable[[Table | None, Command, Decision, int], None]] | None = None,
) -> Sim:
    """A table from its making until nothing happens there any more."""
    sim = Sim(game, options, seed, faults)
    if watch is not None:
        sim.watch = watch(sim)
    first, *others = sim.players
    clock = PRESETS[sim.rng.choice(sorted(PRESETS))]
    made = Create("table", game, options, clock, True, first.name, first.name)
    assert isinstance(sim.command(made), Accepted)
    first.connect()
    for player in others:
        sim.later(sim.rng.randrange(5_000), partial(join, sim, player))
    for player in sim.players:
        player.rematches = sim.rng.randrange(2)
        if sim.rng.random() < faults.second_tab:
            sim.later(sim.rng.randrange(20_000), player.connect)
    steps = 0
    while not sim.gone and (sim.queue or sim.due is not None):
        sim.step()
        steps += 1
        assert steps < 100_000, "the table lives for ever"
    return sim


def join(sim: Sim, player: Player) -> None:
    sim.command(Sit(player.name, player.name, sim.fresh()))
    player.connect()


def frames(sim: Sim, table: Table) -> list[tuple[int | None, str]]:
    """What each seat and a spectator would be sent of a table."""
    viewers: list[int | None] = [*range(len(table.seats)), None]
    now = sim.clock.now()
    return [(viewer, json.dumps(views.snapshot(table, viewer, now))) for viewer in viewers]
