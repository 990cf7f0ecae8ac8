"""A match at play: its start, actions, hands, clocks and end (T6–T8, T13, T15)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.table.clock import FORFEIT, LAG, LATE, SeatClock
from app.table.decision import Draft
from app.table.events import RecordLine
from app.table.match import PACE_MS, PAUSE_MS, STEP_MS, Ended, EndReason, Handshake, Match
from app.table.table import Table
from engine.game import Reason, Refusal, Seat, Step


def start(draft: Draft, shaken: Handshake) -> None:
    """The save that holds every number is the one that deals (T15)."""
    table = draft.table
    numbers = tuple(number for number in shaken.numbers if number is not None)
    hashes = tuple(each for each in shaken.hashes if each is not None)
    settings = table.clock
    clock = SeatClock(settings.reserve_ms, settings.absence_ms)
    game = table.game
    first = game.start(table.options)
    match = Match(
        shaken.match,
        shaken.chain,
        shaken.commitment,
        hashes,
        numbers,
        draft.now,
        (clock,) * len(table.seats),
        first.state,
        line_at=draft.now,
    )
    draft.change(status="running", handshake=None, match=match, wants=frozenset(), void=None)
    draft.tell("match_started", match=shaken.match, numbers=[each.hex() for each in numbers])
    draft.send("playing", players=[table.sitter(seat).player for seat in table.people()])
    _chance(draft)
    _start_clocks(draft)


def apply(draft: Draft, seat: Seat, action: Any, lag: int = 0, *, auto: bool = False) -> None:
    """One action of a seat, with all that follows from it. Raises :class:`Refusal`."""
    game, match = draft.table.game, draft.match
    if match.pause_until is not None:
        raise Refusal("hand_paused", "T6")
    if not auto and _too_late(draft, seat, lag):
        raise Refusal("time_is_up", "T7")
    move = game.move(match.state)
    step = game.apply(match.state, seat, action)
    draft.change_match(ply=match.ply + 1)
    _take(draft, step, auto=auto)
    _chance(draft, auto=auto)
    _clocks(draft, move, lag, None if auto else seat)


def _too_late(draft: Draft, seat: Seat, lag: int) -> bool:
    """Whether move time and reserve were used up before the action came, and the delay with them:
    then the server plays this move, also where it still waits for an absent player's return."""
    until = draft.match.clocks[seat].until(draft.table.clock)
    return until is not None and draft.now - min(max(lag, 0), LAG) > until + LATE


def _take(draft: Draft, step: Step[Any], *, auto: bool = False) -> None:
    """A step of the game: its state, events and lines, and the match's end if it is that."""
    match = draft.match
    draft.tell_game(step)
    for line in step.lines:
        ms = draft.now - match.line_at if isinstance(line, str) else 0
        draft.lines.append(RecordLine(line, ms, auto and isinstance(line, str)))
    if step.lines:
        draft.change_match(line_at=draft.now)
    draft.change_match(state=step.state)
    outcome = draft.table.game.outcome(step.state)
    if outcome is not None:
        end(draft, outcome.winners, outcome.reason)


def _chance(draft: Draft, *, auto: bool = False) -> None:
    """Answers what the game asks of chance; a new hand only after a look at the last one."""
    game = draft.table.game
    while draft.match.ended is None and (ask := game.asks(draft.match.state)) is not None:
        match = draft.match
        if ask.hand > match.begun:
            if match.begun and match.pause_until is None:
                _hand_over(draft)
                return
            if ask.hand > match.chain.length:  # fairness 1
                void(draft)
                return
            draft.change_match(
                begun=ask.hand,
                secret=match.chain.secret(ask.hand),
                pause_until=None,
                ready=frozenset(),
            )
        _take(draft, game.give(draft.match.state, draft.match.answer(ask)), auto=auto)


def _hand_over(draft: Draft) -> None:
    """A hand has ended and the match goes on: its secret is out (fairness 8), and everybody gets
    a look."""
    until = draft.now + PAUSE_MS
    _reveal(draft)
    draft.change_match(pause_until=until, ready=draft.table.bots(), bot_at=None)
    draft.tell("pause", until=until)


def _reveal(draft: Draft) -> None:
    """The secret of the last hand begun, unless it is out already (fairness 8, 9)."""
    match = draft.match
    if len(match.secrets) < match.begun:
        draft.tell("hand_secret", hand=match.begun, secret=match.secret.hex())
        draft.change_match(secrets=(*match.secrets, match.secret))


def next_hand(draft: Draft) -> None:
    """The look is over."""
    _chance(draft)
    draft.change_match(line_at=draft.now)
    _start_clocks(draft)


def _start_clocks(draft: Draft) -> None:
    match = draft.match
    if match.ended is not None or match.pause_until is not None:
        return
    on_turn = draft.table.game.to_act(match.state)
    clocks = tuple(
        clock.start(draft.now, draft.table.sitter(seat).present)
        if seat in on_turn and clock.since is None
        else clock
        for seat, clock in enumerate(match.clocks)
    )
    draft.change_match(clocks=clocks)
    _call_bots(draft, PACE_MS)


def bots_to_act(table: Table) -> tuple[Seat, ...]:
    """The computer players whose move it is."""
    match = table.match
    if match is None or match.ended is not None or match.pause_until is not None:
        return ()
    bots = table.bots()
    return tuple(seat for seat in table.game.to_act(match.state) if seat in bots) if bots else ()


def _call_bots(draft: Draft, wait: int) -> None:
    """A computer player is to move in a while; where there is none, nothing changes."""
    at = draft.now + wait if bots_to_act(draft.table) else None
    if at != draft.match.bot_at:
        draft.change_match(bot_at=at)


def in_place_of(draft: Draft, seat: Seat) -> None:
    """The server plays out the move of a computer player that has not answered: who waited once
    is not kept waiting at every part of it."""
    draft.tell("auto", seat=seat)
    _play_out(draft, seat)


def _clocks(draft: Draft, move: int, lag: int, player: Seat | None) -> None:
    """After an action: clocks of moves that have ended stop, those of moves that begin start.
    ``player``: who moved by their own hand, which resets their count of timeouts (T7)."""
    match, table = draft.match, draft.table
    over = match.ended is not None or match.pause_until is not None
    on_turn = () if over else table.game.to_act(match.state)
    ended = over or table.game.move(match.state) != move
    clocks = list(match.clocks)
    for seat, clock in enumerate(match.clocks):
        if ended or seat not in on_turn:
            stopped = clock.stop(table.clock, draft.now, lag if seat == player else 0)
            clocks[seat] = replace(stopped, timeouts=0) if seat == player else stopped
    draft.change_match(clocks=tuple(clocks))
    _start_clocks(draft)
    if not ended:
        _call_bots(draft, STEP_MS)


def timed_out(draft: Draft, seat: Seat) -> None:
    """A seat's time is used up (T7, T8)."""
    match = draft.match
    clock = match.clocks[seat]
    if not draft.table.sitter(seat).present:
        concede(draft, seat, "left")
        return
    # A computer player is late because the site is: nobody wins a match by that.
    if clock.timeouts + 1 >= FORFEIT and seat not in draft.table.bots():
        concede(draft, seat, "time")
        return
    clocks = list(match.clocks)
    clocks[seat] = replace(clock, timeouts=clock.timeouts + 1)
    draft.change_match(clocks=tuple(clocks))
    draft.tell("auto", seat=seat)
    _play_out(draft, seat)


def _play_out(draft: Draft, seat: Seat) -> None:
    """A seat's move, or what is left of it, by the server."""
    game, move = draft.table.game, draft.table.game.move(draft.match.state)
    while (
        draft.match.ended is None
        and draft.match.pause_until is None
        and game.move(draft.match.state) == move
        and seat in game.to_act(draft.match.state)
    ):
        apply(draft, seat, game.fallback(draft.match.state, seat), auto=True)


def concede(draft: Draft, seat: Seat, reason: Reason) -> None:
    """The match ends against a seat (G30, N20)."""
    step = draft.table.game.concede(draft.match.state, seat, reason)
    _take(draft, step)
    clocks = tuple(clock.stop(draft.table.clock, draft.now) for clock in draft.match.clocks)
    draft.change_match(clocks=clocks)


def void(draft: Draft, by: str | None = None) -> None:
    """The match ends for nobody (T5). ``by``: an operator who wants it so."""
    end(draft, (), "void", by)
    clocks = tuple(clock.stop(draft.table.clock, draft.now) for clock in draft.match.clocks)
    draft.change_match(clocks=clocks)


def end(draft: Draft, winners: tuple[Seat, ...], reason: EndReason, by: str | None = None) -> None:
    """The match is over: everything is revealed, and what must be kept goes out (T14)."""
    table, match = draft.table, draft.match
    score = table.game.score(match.state)
    ended = Ended(winners, reason, score, draft.now)
    draft.change_match(ended=ended, pause_until=None, ready=frozenset(), bot_at=None)
    _reveal(draft)
    wins = table.wins or (0,) * len(table.seats)
    wins = tuple(n + (seat in winners) for seat, n in enumerate(wins))
    draft.change(status="ended", wins=wins)
    draft.tell("ended", winners=list(winners), reason=reason, score=list(score))
    match = draft.match
    draft.send(
        "ended",
        match=match.id,
        players=[table.sitter(seat).player for seat in table.taken()],
        names=[table.sitter(seat).name for seat in table.taken()],
        started_at=match.started_at,
        ended_at=draft.now,
        winners=list(winners),
        reason=reason,
        score=list(score),
        fairness={
            "version": "match/1",
            "match": match.id,
            "commitment": match.commitment.hex(),
            "numbers": [number.hex() for number in match.numbers],
            "secrets": [secret.hex() for secret in match.secrets],
        },
        **({} if by is None else {"by": by}),
    )
