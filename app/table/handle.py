"""``handle``: the one place where anything is decided about a table."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from app.table import due, playing, seating, shaking
from app.table.commands import (
    Act,
    Command,
    Connected,
    Create,
    Delivered,
    Forget,
    Funded,
    Hash,
    Leave,
    Lost,
    Numbered,
    Ready,
    Rematch,
    Resign,
    Retry,
    Reveal,
    Settled,
    Sit,
    Tick,
    Undelivered,
    Unfunded,
    Unnumbered,
    Void,
)
from app.table.decision import Accepted, Decision, Draft, Refused
from app.table.events import Entry
from app.table.match import Match
from app.table.table import Outgoing, OutgoingKind, Table
from engine.game import Refusal, Seat, Unreadable

RETRY_MS = 1_000
RETRY_MOST_MS = 60_000
"""An outbox entry is tried again after a second, then after twice as long each time."""


def handle(table: Table | None, command: Command, now: int) -> Decision:
    """Decide a command about ``table`` (``None``: there is none of that id) at site time ``now``.

    Pure: the same arguments give the same decision.
    """
    if table is None and not isinstance(command, Create):
        return Decision(None, Refused("unknown_table", ""))
    # A frame is stamped when it is read; what was read later may have been saved before it.
    now = now if table is None else max(now, table.at)
    if table is not None and isinstance(command, Numbered):
        known = _known(table, command)
        if known is not None:
            return Decision(table, known, due=due.next_due(table))
    try:
        draft = _draft(table, command, now)
    except Unreadable:
        # What was sent is not told back: it is the sender's own and may be anything.
        return _unchanged(table, Refused("unreadable", ""))
    except Refusal as refusal:
        return _unchanged(table, Refused(refusal.code, refusal.rule, dict(refusal.values)))
    return _decision(draft, table, command)


def _unchanged(table: Table | None, refused: Refused) -> Decision:
    return Decision(table, refused, due=None if table is None else due.next_due(table))


def _known(table: Table, command: Numbered) -> Accepted | Refused | None:
    """The answer to a command of a player at a seat that needs no new decision."""
    seat = table.seat_of(command.player)
    if seat is None:
        if isinstance(command, Leave):
            return Accepted(table.number)  # gone already: a resend, or unseated meanwhile
        return Refused("not_seated", "T16")
    before = table.sitter(seat).answered(command.id)
    return None if before is None else Accepted(before.number)


def _draft(table: Table | None, command: Command, now: int) -> Draft:
    """The command carried out. Raises :class:`Refusal` or :class:`Unreadable`."""
    if table is None or isinstance(command, Create):
        if table is not None or not isinstance(command, Create):
            raise Refusal("table_exists", "T1")
        return seating.create(command, now)
    draft = Draft(table, now)
    if isinstance(command, Numbered):
        seat = table.seat_of(command.player)
        assert seat is not None
        _seated(draft, seat, command)
    else:
        _unseated(draft, command)
    return draft


def _unseated(draft: Draft, command: Unnumbered) -> None:
    """What does not come from a seat: newcomers, connections, time, and what is outside."""
    match command:
        case Sit():
            seating.sit(draft, command)
        case Connected():
            seating.connected(draft, command)
        case Lost():
            seating.lost(draft, command)
        case Forget():
            seating.forget(draft, command.player)
        case Tick():
            due.tick(draft)
        case Void():
            _void(draft, command)
        case Funded():
            _funded(draft, command)
        case Unfunded():
            _unfunded(draft, command)
        case Settled():
            _settled(draft, command)
        case Delivered() | Undelivered() | Retry():
            _outbox(draft, command)
        case _:
            assert_never(command)


def _outbox(draft: Draft, command: Delivered | Undelivered | Retry) -> None:
    """What became of the entries of the outbox."""
    before = draft.table.outbox
    match command:
        case Delivered():
            after = tuple(entry for entry in before if entry.id not in command.ids)
        case Undelivered():
            after = tuple(_later(entry, command.ids, draft.now) for entry in before)
        case Retry():
            after = tuple(replace(entry, retry_at=draft.now) for entry in before)
    if after != before:
        draft.change(outbox=after)


def _seated(draft: Draft, seat: Seat, command: Numbered) -> None:
    """A command of a player at a seat."""
    match command:
        case Hash():
            shaking.give_hash(draft, seat, command.match, command.hash)
        case Reveal():
            shaking.give_number(draft, seat, command.match, command.number, command.busy)
        case Act():
            match = _running(draft, command.match)
            if command.ply != match.ply:
                raise Refusal("stale", "T10")
            action = draft.table.game.action_from_json(command.action)
            playing.apply(draft, seat, action, command.lag)
        case Ready():
            _ready(draft, seat, command)
        case Resign():
            _running(draft, command.match)
            playing.concede(draft, seat, "resigned")
        case Leave():
            if command.freed:
                if draft.table.status in ("open", "funding", "handshake"):
                    seating.leave(draft, seat)
                return
            if command.match != draft.table.match_id():
                raise Refusal("stale", "T10")
            seating.leave(draft, seat)
        case Rematch():
            seating.rematch(draft, seat, command)
        case _:
            assert_never(command)


def _running(draft: Draft, match_id: str) -> Match:
    """The match that the command is meant for, if it runs."""
    match = draft.table.match
    if match is None:
        raise Refusal("not_running", "T15")
    if match.id != match_id:
        raise Refusal("stale", "T10")
    if draft.table.status != "running":
        raise Refusal("not_running", "T15")
    return match


def _ready(draft: Draft, seat: Seat, command: Ready) -> None:
    """The next hand is dealt as soon as every seat has seen the last."""
    match = _running(draft, command.match)
    if match.pause_until is None:
        raise Refusal("not_paused", "T6")
    ready = match.ready | {seat}
    if ready == match.ready:
        return
    draft.change_match(ready=ready)
    draft.tell("ready", seat=seat)
    if len(ready) == len(draft.table.seats):
        playing.next_hand(draft)


def _answered(draft: Draft, kind: OutgoingKind, match: str) -> None:
    """An answer of the ledger: what asked for it goes in the same save, and is not asked again."""
    outbox = draft.table.outbox
    rest = tuple(each for each in outbox if (each.kind, each.payload.get("match")) != (kind, match))
    if rest != outbox:
        draft.change(outbox=rest)


def _funded(draft: Draft, command: Funded) -> None:
    _answered(draft, "fund", command.match)
    if draft.table.funding is not None and draft.table.funding[0] == command.match:
        shaking.funded(draft)


def _unfunded(draft: Draft, command: Unfunded) -> None:
    _answered(draft, "fund", command.match)
    table = draft.table
    if table.funding is None or table.funding[0] != command.match:
        return
    seats = tuple(seat for seat in table.taken() if table.sitter(seat).player in command.players)
    shaking.came_to_nothing(draft, "unfunded", seats)


def _settled(draft: Draft, command: Settled) -> None:
    _answered(draft, "ended", command.match)
    match = draft.table.match
    if match is None or match.id != command.match or match.ended is None:
        return  # another match is on, and this one is history
    if match.ended.kept:
        return
    after = replace(match.ended, kept=True, coins=command.coins, ratings=command.ratings)
    draft.change_match(ended=after)
    draft.tell("settled", match=match.id)


def _void(draft: Draft, command: Void) -> None:
    """Whatever comes first stands: a match that has ended is not voided any more (T5)."""
    table = draft.table
    if table.status not in ("funding", "handshake", "running"):
        raise Refusal("not_running", "T15")
    if table.match_id() != command.match:
        raise Refusal("stale", "T10")
    if table.status == "running":
        playing.void(draft, command.by)
    else:
        shaking.came_to_nothing(draft, "voided", shaking.guests(table), command.by)


def _later(entry: Outgoing, ids: frozenset[int], now: int) -> Outgoing:
    if entry.id not in ids:
        return entry
    wait = min(RETRY_MS << min(entry.tries, 16), RETRY_MOST_MS)
    return replace(entry, tries=entry.tries + 1, retry_at=now + wait)


def _decision(draft: Draft, table: Table | None, command: Command) -> Decision:
    """The draft as a decision: events numbered, answer remembered, due time set."""
    if draft.gone:
        return Decision(draft.table, Accepted(draft.table.number), gone=True)
    if draft.table.status == "open" and not draft.table.people():
        seating.close(draft, "host_left")
    listed = seating.listed(draft.table, draft.now)
    if listed != draft.table.listed:
        draft.change(listed=listed)
    first = draft.table.number + 1
    entries = tuple(Entry(first + i, event, who) for i, (event, who) in enumerate(draft.events))
    number = entries[-1].number if entries else draft.table.number
    if table is not None and isinstance(command, Numbered):
        seat = draft.table.seat_of(command.player)
        if seat is not None:
            draft.sit(seat, draft.table.sitter(seat).remember(command.id, number))
    if draft.table is table:
        return Decision(table, Accepted(number), due=due.next_due(draft.table))
    draft.change(version=draft.table.version + 1, number=number, at=draft.now)
    match = draft.table.match
    return Decision(
        draft.table,
        Accepted(number),
        entries,
        None if match is None else match.id,
        tuple(draft.lines),
        due.next_due(draft.table),
    )
