"""The clock and the ends of a match worked out a second time, from what was saved."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.table.commands import Act, Command, Leave, Resign, Tick
from app.table.decision import Decision
from app.table.table import Table

SLACK_MS = 700
"""A deadline acts 500 ms late, and the worker comes a little later still."""


@dataclass
class Referee:
    """Watches one table. Told of every decision it keeps its own clocks, by the words of T6 to T8,
    and objects where the table's say otherwise."""

    move_since: dict[int, int] = field(default_factory=dict)
    reserve: dict[int, int] = field(default_factory=dict)
    absence_left: dict[int, int] = field(default_factory=dict)
    absence_since: dict[int, int] = field(default_factory=dict)
    timeouts: dict[int, int] = field(default_factory=dict)
    move: int | None = None
    match: str | None = None
    reasons: list[str] = field(default_factory=list)

    def __call__(
        self, before: Table | None, command: Command, decision: Decision, now: int
    ) -> None:
        table = decision.table
        if table is None or table is before or decision.gone:
            return
        names = [entry.event["event"] for entry in decision.entries]
        if table.match is not None and table.match.id != self.match:
            self._begin(table)
        if before is None or self.match is None:
            return
        if "auto" in names:
            self._auto(before, command, decision, now)
        if "ended" in names:
            self._ended(before, table, command, decision, now)
        self._follow(before, table, command, names, now)

    def _begin(self, table: Table) -> None:
        assert table.match is not None
        seats = range(len(table.seats))
        self.match = table.match.id
        self.move_since, self.absence_since = {}, {}
        self.reserve = dict.fromkeys(seats, table.clock.reserve_ms)
        self.absence_left = dict.fromkeys(seats, table.clock.absence_ms)
        self.timeouts = dict.fromkeys(seats, 0)
        self.move = None

    def _used_up(self, table: Table, seat: int, now: int) -> bool:
        """Whether move time and reserve of a seat are used up, and the delay with them."""
        taken = now - self.move_since[seat]
        return taken >= table.clock.move_ms + self.reserve[seat] + 500

    def _auto(self, before: Table, command: Command, decision: Decision, now: int) -> None:
        assert isinstance(command, Tick)
        for entry in decision.entries:
            if entry.event["event"] != "auto":
                continue
            seat = entry.event["seat"]
            assert before.sitter(seat).present
            assert self._used_up(before, seat, now)
            self.timeouts[seat] += 1
            assert self.timeouts[seat] < 3

    def _ended(
        self, before: Table, table: Table, command: Command, decision: Decision, now: int
    ) -> None:
        assert table.match is not None
        ended = table.match.ended
        assert ended is not None
        self.reasons.append(ended.reason)
        loser = next(seat for seat in range(len(table.seats)) if seat not in ended.winners)
        match ended.reason:
            case "points":
                outcome = table.game.outcome(table.match.state)
                assert outcome is not None
                assert outcome.winners == ended.winners
            case "resigned":
                assert isinstance(command, Resign)
                assert table.seat_of(command.player) == loser
            case "time":
                assert before.sitter(loser).present
                assert self._used_up(before, loser, now)
                assert self.timeouts[loser] == 2  # this is the third in a row
            case "left" if isinstance(command, Leave):
                assert table.seat_of(command.player) == loser
            case "left":
                assert isinstance(command, Tick)
                assert not before.sitter(loser).present
                assert self._used_up(before, loser, now)
                gone = now - self.absence_since[loser]
                assert gone >= self.absence_left[loser]
            case other:
                raise AssertionError(other)

    def _follow(
        self, before: Table, table: Table, command: Command, names: list[str], now: int
    ) -> None:
        match = table.match
        if match is None:
            return
        playing = match.ended is None and match.pause_until is None
        on_turn = table.game.to_act(match.state) if playing else ()
        move = table.game.move(match.state)
        for seat in list(self.move_since):
            if move == self.move and seat in on_turn:
                continue
            self._stop(table, seat, command, now)
        for seat in on_turn:
            if seat not in self.move_since:
                self.move_since[seat] = now
        self.move = move
        self._absences(before, table, on_turn, now)
        for seat, clock in enumerate(match.clocks):
            assert clock.since == self.move_since.get(seat), (names, seat)
            assert clock.reserve_ms == self.reserve[seat], (names, seat)

    def _stop(self, table: Table, seat: int, command: Command, now: int) -> None:
        own = isinstance(command, Act) and table.seat_of(command.player) == seat
        lag = min(command.lag, 500) if isinstance(command, Act) and own else 0
        over = now - self.move_since.pop(seat) - lag - table.clock.move_ms
        self.reserve[seat] = max(0, self.reserve[seat] - max(0, over))
        if own:
            self.timeouts[seat] = 0

    def _absences(self, before: Table, table: Table, on_turn: tuple[int, ...], now: int) -> None:
        for seat in range(len(table.seats)):
            was, sitter = before.seats[seat], table.sitter(seat)
            counted = seat in on_turn and not sitter.present
            if was is not None and was.present and not sitter.present:
                self.absence_left[seat] = table.clock.absence_ms
                self.absence_since.pop(seat, None)
            if counted and seat not in self.absence_since:
                self.absence_since[seat] = now
            elif not counted and seat in self.absence_since:
                since = self.absence_since.pop(seat)
                if not sitter.present:
                    self.absence_left[seat] -= now - since
