"""Sitting down, leaving, coming and going, rematches, and a table's end (T1, T13, T16)."""

from __future__ import annotations

from app.table import coins, playing, shaking
from app.table.changed import changed
from app.table.commands import Connected, Create, Elsewhere, Lost, Rematch, Sit
from app.table.decision import Draft
from app.table.seat import Sitter
from app.table.table import UNLISTED_MS, ClosedCause, Table
from engine.game import Refusal, Seat

WAITING = 3
"""At so many tables a player may wait at once (T16)."""


def may_wait(elsewhere: Elsewhere) -> None:
    """T16: three tables to wait at, one match at a time."""
    if elsewhere.playing:
        raise Refusal("playing_elsewhere", "T16")
    if elsewhere.waiting >= WAITING:
        raise Refusal("too_many_tables", "T16", most=WAITING)


def create(command: Create, now: int) -> Draft:
    """A new table with its creator on the first seat. Raises :class:`Refusal`."""
    choices = command.game.choices
    if command.options.keys() != choices.keys() or any(
        value not in choices[key] for key, value in command.options.items()
    ):
        raise Refusal("bad_options", "T1")
    coins.may_stake(command.stake)
    if command.bots and command.stake:
        raise Refusal("no_coins_with_bots", "T3")
    may_wait(command.elsewhere)
    coins.may_play(command.stake, command.funds)
    options = dict(command.options)
    if len(command.bots) >= command.game.seats(options):
        raise Refusal("bad_options", "T1")
    table = Table(
        command.table,
        command.game,
        options,
        command.clock,
        command.public,
        (None,) * command.game.seats(options),
        now,
        command.stake,
    )
    draft = Draft(table, now)
    draft.sit(0, Sitter(command.player, command.name, now))
    draft.tell("opened", seat=0, name=command.name)
    for seat, bot in enumerate(command.bots, start=1):
        draft.sit(seat, Sitter(bot.player, bot.name, None, bot=bot.level))
        draft.tell("seated", seat=seat, name=bot.name)
    if command.fresh is not None and draft.table.free_seat() is None:
        shaking.begin(draft, command.fresh)
    return draft


def sit(draft: Draft, command: Sit) -> None:
    """The first free seat; the last one leads to a match."""
    table = draft.table
    if table.seat_of(command.player) is not None:
        return  # one seat per player and table: asking again is not asking for another
    if table.status == "closed":
        raise Refusal("table_closed", "T16")
    seat = table.free_seat()
    if seat is None or table.status != "open":
        raise Refusal("taken", "T16")
    if command.apart:
        raise Refusal("apart", "T16")
    may_wait(command.elsewhere)
    coins.may_play(table.stake, command.funds)
    draft.sit(seat, Sitter(command.player, command.name, draft.now))
    draft.tell("seated", seat=seat, name=command.name)
    if draft.table.free_seat() is None:
        shaking.begin(draft, command.fresh)


def leave(draft: Draft, seat: Seat) -> None:
    """Freely before the match, losing it while it runs, and no rematch after it (T13). A table
    that nobody waits at any more is closed with the decision."""
    match draft.table.status:
        case "open":
            draft.sit(seat, None)
            draft.tell("unseated", seat=seat, cause="left")
        case "funding" | "handshake":
            shaking.came_to_nothing(draft, "left", (seat,))
        case "running":
            gone(draft, seat)
            playing.concede(draft, seat, "left")
        case "ended":
            gone(draft, seat)
        case "closed":
            raise Refusal("table_closed", "T16")


def gone(draft: Draft, seat: Seat) -> None:
    """A player has left a match that had begun: the seat keeps its name, and wants nothing."""
    if seat in draft.table.left:
        return
    draft.change(left=draft.table.left | {seat}, wants=draft.table.wants - {seat})
    draft.tell("left", seat=seat)


def forget(draft: Draft, player: str) -> None:
    """A player who has played here is deleted. While anything is on they cannot be."""
    seat = draft.table.seat_of(player)
    if seat is None or draft.table.status not in ("ended", "closed"):
        return
    gone(draft, seat)
    draft.sit(seat, changed(draft.table.sitter(seat), name=""))
    draft.tell("forgotten", seat=seat)


def rematch(draft: Draft, seat: Seat, command: Rematch) -> None:
    """Same table, same seats, another match, once all want it (T13)."""
    table = draft.table
    if table.status != "ended" or table.match is None:
        raise Refusal("not_ended", "T13")
    if table.match.id != command.match:
        raise Refusal("stale", "T10")
    if table.left:
        raise Refusal("opponent_left", "T13")
    if command.want and command.elsewhere.playing:
        raise Refusal("playing_elsewhere", "T16")
    if command.want:
        coins.may_play(table.stake, command.funds)
    wants = table.wants | {seat} if command.want else table.wants - {seat}
    if wants == table.wants:
        return
    draft.change(wants=wants)
    draft.tell("rematch_wanted", seat=seat, want=command.want)
    if len(wants | table.bots()) == len(table.seats):  # a computer player is always game
        shaking.begin(draft, command.fresh)


def connected(draft: Draft, command: Connected) -> None:
    """A connection more. Present is who has any (T8)."""
    seat = draft.table.seat_of(command.player)
    if seat is None or draft.table.status == "closed":
        return
    sitter = draft.table.sitter(seat)
    if command.mark in sitter.marks:
        return
    draft.sit(seat, sitter.with_mark(command.mark))
    if not sitter.present:
        draft.tell("present", seat=seat)
        _clock(draft, seat, present=True)


def lost(draft: Draft, command: Lost) -> None:
    """Connections that are gone, wherever they sat."""
    for seat in draft.table.taken():
        sitter = draft.table.sitter(seat)
        of_process = () if command.process is None else sitter.marks
        marks = command.marks | {
            mark for mark in of_process if mark.startswith(f"{command.process}.")
        }
        if marks.isdisjoint(sitter.marks):
            continue
        after = sitter.without_marks(marks, draft.now)
        draft.sit(seat, after)
        if not after.present:
            draft.tell("absent", seat=seat)
            _clock(draft, seat, present=False)


def _clock(draft: Draft, seat: Seat, *, present: bool) -> None:
    """An absence begins or ends on a seat of a match (T8)."""
    if draft.table.status != "running":
        return
    clocks = list(draft.match.clocks)
    clock = clocks[seat]
    clocks[seat] = clock.came() if present else clock.went(draft.table.clock, draft.now)
    draft.change_match(clocks=tuple(clocks))


def close(draft: Draft, cause: ClosedCause) -> None:
    """Nobody will sit down here any more."""
    draft.change(status="closed", closed=cause, closed_at=draft.now, listed=False)
    draft.tell("table_closed", cause=cause)


def listed(table: Table, now: int) -> bool:
    """Whether the lobby shows the table: public, and running or waiting with a host who is there
    (T16)."""
    if not table.public:
        return False
    if table.status in ("funding", "handshake", "running"):
        return True
    host = table.host()
    if table.status != "open" or host is None:
        return False
    away = table.sitter(host).absent_at
    return away is None or now - away < UNLISTED_MS
