"""What a game is to the rest of the house: the one contract.

A game is a set of pure functions over immutable values. It keeps no clock, does no I/O and
draws nothing itself: where it needs chance its state *asks* (:class:`Ask`) and the house *gives*
the answer, so that the same code plays a live table, a record and a simulation.

The way through a match::

    step = game.start(options)          # or play_on(game, step, chance) to answer every ask
    game.asks(state)                    # what chance must give now, or None
    game.give(state, answer)            # -> Step
    game.to_act(state)                  # the seats that may act now
    game.legal(state, seat)             # every legal action of a seat
    game.apply(state, seat, action)     # -> Step, or raises Refusal and changes nothing
    game.view(state, viewer)            # what a seat (or None, a spectator) may know
    game.outcome(state)                 # None while the match runs

Seats are numbers from 0. Nothing here assumes two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from engine.statistics import Statistic

Seat: TypeAlias = int
Viewer: TypeAlias = int | None
"""A seat, or ``None``: a spectator."""

Json: TypeAlias = dict[str, Any]
Options: TypeAlias = Mapping[str, int]
"""What the creator of a table picked, complete and checked: ``{"target": 75}``."""

Line: TypeAlias = Json | str
"""A line of the record: an object opens a hand, a string is a play or turn of that hand."""

Reason: TypeAlias = Literal["points", "resigned", "time", "left"]
"""Why a match ended. (``void`` is the table's word: no game decides it.)"""


class Refusal(Exception):
    """The rules say no. Nothing has changed.

    ``code`` names the refusal for a catalogue of texts, ``rule`` is the number of the rule that
    refuses (``"G11"``), ``values`` fill the text: plain strings and numbers.
    """

    def __init__(self, code: str, rule: str, **values: str | int) -> None:
        super().__init__(code, rule, values)
        self.code = code
        self.rule = rule
        self.values = values

    def __str__(self) -> str:
        told = ", ".join(f"{key} {value}" for key, value in self.values.items())
        return f"{self.code} ({self.rule})" + (f": {told}" if told else "")

    def to_json(self) -> Json:
        """``{"code": "must_lay", "rule": "G11", "values": {}}``."""
        return {"code": self.code, "rule": self.rule, "values": dict(self.values)}


class Unreadable(ValueError):
    """An action, option, state or line that is not of the game's form. Says what and why."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a state wants of chance.

    ``hand`` counts from 1; ``label`` names the stream of that hand (``tiles``, ``opening|0``,
    ``roll|3``: spec of fairness 6, 7). A *shuffle* of ``size`` is answered with a permutation of
    ``range(size)``, *dice* of ``size`` with so many numbers 1 to 6. Where ``ordered`` is false the
    rules do not care for the order of the numbers, and a record need not keep it.
    """

    hand: int
    label: str
    kind: Literal["shuffle", "dice"]
    size: int
    ordered: bool = True


class Chance(Protocol):
    """Where answers come from: a committed chain, a seed, a record."""

    def answer(self, ask: Ask, /) -> tuple[int, ...]:
        """The answer to ``ask``; the same for the same ask, always."""
        ...


class Event(Protocol):
    """Something that happened; a small frozen value."""

    @property
    def audience(self) -> frozenset[Seat] | None:
        """The seats that may know of it; ``None``: everybody."""
        ...


S = TypeVar("S")
A = TypeVar("A")


class Step(NamedTuple, Generic[S]):
    """What one action or one answer of chance led to.

    ``lines`` are the lines it adds to the record, in order. They hold what is hidden, so they
    are for the house alone until the match is over.
    """

    state: S
    events: tuple[Event, ...] = ()
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: the winning seats, why, and the score by seat."""

    winners: tuple[Seat, ...]
    reason: Reason
    score: tuple[int, ...]


class Game(Protocol[S, A]):
    """A rule set of a game. Every method is pure; states and actions are immutable."""

    @property
    def name(self) -> str:
        """``"domino"``, ``"nardi"``."""
        ...

    @property
    def rules(self) -> str:
        """The rule set: ``"georgian"``, ``"short"``."""
        ...

    @property
    def choices(self) -> Mapping[str, tuple[int, ...]]:
        """What a table's creator may pick, by option: ``{"target": (75, 175, 255, 355)}``."""
        ...

    def seats(self, options: Options) -> int:
        """How many seats a match with these options has."""
        ...

    def start(self, options: Options) -> Step[S]:
        """A match before its first hand. Its state asks chance for that hand."""
        ...

    def asks(self, state: S) -> Ask | None:
        """What must be given before anybody can act; ``None``: nothing."""
        ...

    def give(self, state: S, answer: tuple[int, ...]) -> Step[S]:
        """Chance's answer to :meth:`asks`. Raises :class:`Refusal` if it is no such answer."""
        ...

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that may act now; empty while chance is asked and when all is over."""
        ...

    def legal(self, state: S, seat: Seat) -> tuple[A, ...]:
        """Every legal action of a seat, in a fixed order; empty if it may not act."""
        ...

    def takes_back(self, action: A) -> bool:
        """Whether an action only undoes one before it: a player who just wants to get on leaves
        it out."""
        ...

    def apply(self, state: S, seat: Seat, action: A) -> Step[S]:
        """The action carried out. Raises :class:`Refusal`, changing nothing."""
        ...

    def fallback(self, state: S, seat: Seat) -> A:
        """What the server plays when a seat's time is out (T7, N24): legal, sensible, and the
        same for the same view of that seat."""
        ...

    def concede(self, state: S, seat: Seat, reason: Reason) -> Step[S]:
        """The match ends at once against ``seat``; the score stays as it stands (G30, N20)."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """The end of the match, or ``None``."""
        ...

    def score(self, state: S) -> tuple[int, ...]:
        """The points of the match so far, by seat."""
        ...

    def move(self, state: S) -> int:
        """The number of the move under way, growing through the match. A move is what a clock
        counts (T6): all draws and the tile, the roll and all checkers. Another number: the move
        has ended, also where the same seat moves again."""
        ...

    def hand(self, state: S) -> int:
        """The number of the hand under way, from 1: the hands that chance has been asked for."""
        ...

    def view(self, state: S, viewer: Viewer) -> Json:
        """All that ``viewer`` may know, as plain JSON, and nothing else (T11). For a seat that
        may act it holds the legal actions with what each would give."""
        ...

    def open_view(self, state: S, viewer: Viewer) -> Json:
        """:meth:`view` of a match that is over, with all that was hidden laid open and without
        legal actions: the same keys, so that the same boards draw it, and where something was
        hidden keys of its own beside them. Where the state stands between two hands it shows the
        hand that ended, as it lay."""
        ...

    def action_to_json(self, action: A) -> Json: ...

    def action_from_json(self, value: object) -> A:
        """Raises :class:`Unreadable`."""
        ...

    def state_to_json(self, state: S) -> Json:
        """The whole state, secrets included: for the store alone."""
        ...

    def state_from_json(self, value: Json) -> S:
        """Raises :class:`Unreadable`."""
        ...

    def event_to_json(self, event: Event) -> Json:
        """``{"event": NAME, …}``. Whom it is for stays with the event."""
        ...

    def event_from_json(self, value: Json) -> Event:
        """Raises :class:`Unreadable`."""
        ...

    @property
    def lines_key(self) -> str:
        """Under which key a hand of the record keeps its plays or turns."""
        ...

    def check_hand(self, hand: Json) -> None:
        """Raises :class:`Unreadable` unless ``hand`` has a recorded hand's keys and types."""
        ...

    def recorded(self, hand: Json, ask: Ask) -> tuple[int, ...] | None:
        """What a recorded hand answers to ``ask``; ``None``: the record goes no further.
        Raises :class:`Refusal` where what it holds cannot be what chance gave."""
        ...

    def read_line(self, state: S, line: str) -> tuple[Seat, tuple[A, ...]]:
        """A play or turn of the record as a seat and its actions in ``state``. Raises
        :class:`Unreadable` or :class:`Refusal`."""
        ...

    def shows(self, action: A) -> bool:
        """Whether an action of a recorded line is seen on the board by itself; one that is not
        is shown together with the action before it."""
        ...

    def rows(self, state: S, line: str | None, events: tuple[Event, ...]) -> list[Json]:
        """The rows that a replay prints for a line of the record and the events it led to (spec
        of the record), without ``hand`` and ``n``; ``state`` is the one after it. ``line`` is
        ``None`` for what chance alone brought about. The row of a hand's end has the key
        ``end``."""
        ...

    @property
    def counters(self) -> tuple[str, ...]:
        """The names of this game's own figures of a seat (:mod:`engine.figures`)."""
        ...

    def count(self, state: S, events: tuple[Event, ...]) -> Iterable[tuple[Seat, str, int]]:
        """What events add to the figures: seat, one of :attr:`counters`, how much. ``state`` is
        the one after them."""
        ...

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """What is told of a player, made of figures that were added up (:mod:`engine.statistics`),
        in the order in which it is told."""
        ...

    @property
    def chances(self) -> Mapping[str, Mapping[str, Fraction]]:
        """How likely each thing is that chance can give, by table; every table sums to 1. The
        same for all options."""
        ...

    def given(self, state: S, ask: Ask, answer: tuple[int, ...]) -> Iterable[tuple[str, str]]:
        """As what an answer of chance to ``state`` is counted: tables and keys of
        :attr:`chances`. Raises :class:`Refusal` if it is no answer."""
        ...


def play_on(game: Game[S, A], step: Step[S], chance: Chance) -> Step[S]:
    """``step`` with every ask that follows from it answered by ``chance``."""
    while (ask := game.asks(step.state)) is not None:
        more = game.give(step.state, chance.answer(ask))
        step = Step(more.state, step.events + more.events, step.lines + more.lines)
    return step
