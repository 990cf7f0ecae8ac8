"""What falls due by itself at a table, and when: its one next due time."""

from __future__ import annotations

from app.table import playing, seating, shaking
from app.table.decision import Draft
from app.table.match import THINK_MS
from app.table.table import AWAY_MS, KEPT_MS, LINK_MS, UNLISTED_MS, Table


def next_due(table: Table) -> int | None:
    """The earliest of clock, absence, handshake, pause, host's absence, expiry and outbox."""
    times = [entry.retry_at for entry in table.outbox]
    own = _own(table)
    if own is not None:
        times.append(own)
    return min(times, default=None)


def _own(table: Table) -> int | None:
    """The earliest that the table itself looks at."""
    match table.status:
        case "open":
            host = table.host()
            away = None if host is None else table.sitter(host).absent_at
            expires = table.made_at + LINK_MS
            if away is None:
                return expires
            return min(expires, away + (UNLISTED_MS if table.listed else AWAY_MS))
        case "funding":
            return None if table.funding is None else table.funding[1]
        case "handshake":
            return None if table.handshake is None else table.handshake.until
        case "running":
            assert table.match is not None
            if table.match.pause_until is not None:
                return table.match.pause_until
            dues = [clock.due(table.clock) for clock in table.match.clocks]
            dues.append(table.match.bot_at)
            return min((due for due in dues if due is not None), default=None)
        case "ended":
            return _kept_until(table)
        case "closed":
            # What waits in its outbox has times of its own, and keeps it.
            if table.closed_at is None or table.outbox:
                return None
            return table.closed_at + KEPT_MS


def _kept_until(table: Table) -> int | None:
    """When an ended table is closed: an hour after the last player went."""
    sitters = [table.sitter(seat) for seat in table.people()]
    if any(sitter.present for sitter in sitters):
        return None
    ended = table.match.ended if table.match is not None else None
    since = [ended.at if ended is not None else table.made_at]
    since += [sitter.absent_at for sitter in sitters if sitter.absent_at is not None]
    return max(since) + KEPT_MS


def tick(draft: Draft) -> None:
    """All that has fallen due by now, one after the other, until nothing more has."""
    while not draft.gone and (due := _own(draft.table)) is not None and due <= draft.now:
        before = draft.table
        _fall_due(draft)
        if draft.table is before:
            return


def _fall_due(draft: Draft) -> None:
    table = draft.table
    match table.status:
        case "open":
            host = table.host()
            away = None if host is None else table.sitter(host).absent_at
            if draft.now >= table.made_at + LINK_MS:
                seating.close(draft, "expired")
            elif away is not None and draft.now >= away + AWAY_MS:
                seating.close(draft, "host_away")
            elif table.listed:
                draft.change(listed=False)
        case "funding":
            # The stakes are cancelled, the host waits on, and the others may sit down again.
            shaking.came_to_nothing(draft, "ledger_away", shaking.guests(table))
        case "handshake":
            shaking.timed_out(draft)
        case "running":
            _running(draft)
        case "ended":
            seating.close(draft, "expired")
        case "closed":
            if not table.outbox:
                draft.gone = True


def _running(draft: Draft) -> None:
    match = draft.match
    if match.pause_until is not None:
        playing.next_hand(draft)
        return
    for seat, clock in enumerate(match.clocks):
        due = clock.due(draft.table.clock)
        if due is not None and due <= draft.now:
            playing.timed_out(draft, seat)
            return
    # Until then its move is awaited, which is a command like any other.
    if match.bot_at is not None and draft.now >= match.bot_at + THINK_MS:
        playing.in_place_of(draft, next(iter(playing.bots_to_act(draft.table))))
