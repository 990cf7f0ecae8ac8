"""What a command led to, and the draft that it is made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from app.table.changed import changed
from app.table.events import Entry, RecordLine
from app.table.match import Match
from app.table.seat import Sitter
from app.table.table import Outgoing, OutgoingKind, Table
from engine.game import Json, Seat, Step


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command stands; ``number`` is that of the last event it led to."""

    number: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing changed. ``rule`` is the number of the rule that refuses, ``""`` for none."""

    code: str
    rule: str
    values: dict[str, str | int] = field(default_factory=dict)


Answer: TypeAlias = Accepted | Refused


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command led to.

    ``table`` is the very table handed in if nothing is to be saved. Without ``entries`` nothing
    has changed that anybody is told. ``lines`` belong to the
    record of ``match``. ``due`` is the site time at which something falls due by itself, the
    earliest of all; ``None``: nothing does. ``gone``: the table is to be forgotten.
    """

    table: Table | None
    answer: Answer
    entries: tuple[Entry, ...] = ()
    match: str | None = None
    lines: tuple[RecordLine, ...] = field(default=(), repr=False)
    due: int | None = None
    gone: bool = False


class Draft:
    """A table while a command changes it: the next table, and the events, record lines and
    outgoing entries gathered on the way. It lives for one command only."""

    def __init__(self, table: Table, now: int) -> None:
        self.before = table
        self.table = table
        self.now = now
        self.events: list[tuple[Json, frozenset[Seat] | None]] = []
        self.lines: list[RecordLine] = []
        self.gone = False

    def change(self, **fields: Any) -> None:
        """Other values for some fields of the table."""
        self.table = changed(self.table, **fields)

    def change_match(self, **fields: Any) -> None:
        """Other values for some fields of the match."""
        self.table = changed(self.table, match=changed(self.match, **fields))

    @property
    def match(self) -> Match:
        """The match that runs or ran here."""
        assert self.table.match is not None
        return self.table.match

    def sit(self, seat: Seat, sitter: Sitter | None) -> None:
        """Somebody else, or nobody, on a seat."""
        self.table = self.table.with_sitter(seat, sitter)

    def tell(self, event: str, audience: frozenset[Seat] | None = None, **fields: Any) -> None:
        """An event of the table."""
        self.events.append(({"event": event, **fields}, audience))

    def tell_game(self, step: Step[Any]) -> None:
        """The events of a step of the game."""
        game = self.table.game
        self.events += [(game.event_to_json(event), event.audience) for event in step.events]

    def send(self, kind: OutgoingKind, **payload: Any) -> None:
        """An entry of the outbox, to be carried out at once."""
        entry = Outgoing(self.table.sent + 1, kind, payload, self.now)
        self.change(outbox=(*self.table.outbox, entry), sent=self.table.sent + 1)
