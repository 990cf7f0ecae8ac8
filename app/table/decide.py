"""``handle``: the one place where anything is decided about a table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, assert_never

from app.table.commands import Act, Command, Create, Fresh, Sit
from app.table.events import Entry, match_started, opened, seated
from app.table.table import AnyGame, Match, Sitter, Table
from engine.chance import Seeded
from engine.game import Json, Line, Refusal, Seat, Step, Unreadable, play_on


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

    ``table`` is the very table handed in if nothing is to be saved. ``lines`` belong to the
    record of ``table.match``. ``due`` is the site time at which something falls due by itself,
    the earliest of all; ``None``: nothing does.
    """

    table: Table | None
    answer: Answer
    entries: tuple[Entry, ...] = ()
    lines: tuple[Line, ...] = field(default=(), repr=False)
    due: float | None = None


def handle(table: Table | None, command: Command, now: float) -> Decision:
    """Decide a command about ``table`` (``None``: there is none of that id) at site time ``now``.

    Pure: the same arguments give the same decision.
    """
    if isinstance(command, Create):
        return _create(table, command, now)
    if table is None:
        return Decision(None, Refused("unknown_table", ""))
    match command:
        case Sit():
            return _sit(table, command)
        case Act():
            return _act(table, command)
        case _:
            assert_never(command)


def _create(table: Table | None, command: Create, now: float) -> Decision:
    if table is not None:
        return Decision(table, Refused("table_exists", "T1"))
    choices = command.game.choices
    if command.options.keys() != choices.keys() or any(
        value not in choices[key] for key, value in command.options.items()
    ):
        return Decision(None, Refused("bad_options", "T1"))
    options = dict(command.options)
    table = Table(
        id=command.table,
        game=command.game,
        options=options,
        seats=(None,) * command.game.seats(options),
        made=now,
    ).with_sitter(0, Sitter(command.player, command.name))
    return _started(table, [(opened(0, command.name), None)], command.fresh)


def _sit(table: Table, command: Sit) -> Decision:
    if table.seat_of(command.player) is not None:
        # One seat per player and table: asking again is not asking for another.
        return Decision(table, Accepted(table.number))
    seat = table.free_seat()
    if seat is None:
        return Decision(table, Refused("taken", "T16"))
    table = table.with_sitter(seat, Sitter(command.player, command.name))
    return _started(table, [(seated(seat, command.name), None)], command.fresh)


def _act(table: Table, command: Act) -> Decision:
    seat = table.seat_of(command.player)
    sitter = None if seat is None else table.seats[seat]
    if seat is None or sitter is None:
        return Decision(table, Refused("not_seated", "T16"))
    if (before := sitter.answered(command.id)) is not None:
        return Decision(table, Accepted(before.number))
    match = table.match
    if match is None:
        return Decision(table, Refused("not_running", "T15"))
    if command.match != match.id:
        return Decision(table, Refused("stale", "T10"))
    if table.status != "running":
        return Decision(table, Refused("not_running", "T15"))
    if command.ply != match.ply:
        return Decision(table, Refused("stale", "T10"))
    game = table.game
    try:
        action = game.action_from_json(command.action)
        step = game.apply(match.state, seat, action)
    except Unreadable:
        # What was sent is not told back: it is the sender's own and may be anything.
        return Decision(table, Refused("unreadable", ""))
    except Refusal as refusal:
        return Decision(table, Refused(refusal.code, refusal.rule, dict(refusal.values)))
    step = play_on(game, step, Seeded(match.seed))
    played = replace(match, state=step.state, ply=match.ply + 1)
    table = replace(table, match=played, status=_status(game, step))
    decision = _changed(table, _told(game, step), step.lines)
    # A refusal needs no memory: the same act at the same ply is refused again, later it is stale.
    number = decision.entries[-1].number
    assert decision.table is not None
    known = decision.table.with_sitter(seat, sitter.remember(command.id, number))
    return replace(decision, table=known, answer=Accepted(number))


_Events: TypeAlias = list[tuple[Json, frozenset[Seat] | None]]


def _started(table: Table, events: _Events, fresh: Fresh) -> Decision:
    """The change that these events are, with the match's start if no seat is left free."""
    if table.free_seat() is not None:
        return _changed(table, events)
    game = table.game
    step = play_on(game, game.start(table.options), Seeded(fresh.seed))
    match = Match(fresh.match, fresh.seed, step.state)
    table = replace(table, match=match, status=_status(game, step))
    events = [*events, (match_started(match.id), None), *_told(game, step)]
    return _changed(table, events, step.lines)


def _status(game: AnyGame, step: Step[Any]) -> Any:
    return "running" if game.outcome(step.state) is None else "ended"


def _told(game: AnyGame, step: Step[Any]) -> _Events:
    return [(game.event_to_json(event), event.audience) for event in step.events]


def _changed(table: Table, events: _Events, lines: tuple[Line, ...] = ()) -> Decision:
    """The table one version on, with these events numbered after its last."""
    if not events:
        # Every change has a number, so that every viewer can tell that they have seen it.
        raise AssertionError(f"{table.game.name}: an action must lead to an event")
    first = table.number + 1
    entries = tuple(Entry(first + i, event, who) for i, (event, who) in enumerate(events))
    number = entries[-1].number
    table = replace(table, version=table.version + 1, number=number)
    return Decision(table, Accepted(number), entries, lines)
