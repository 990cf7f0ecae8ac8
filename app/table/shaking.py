"""From a full table to a running match: funding and handshake (T12, T15; fairness 1–2)."""

from __future__ import annotations

from dataclasses import replace

from app.table import playing
from app.table.commands import Fresh
from app.table.decision import Draft
from app.table.match import FUND_MS, HASH_MS, REVEAL_MS, Handshake, VoidCause
from app.table.table import Table, Void
from engine.chance import HANDS, Chain, sha256
from engine.game import Refusal, Seat


def begin(draft: Draft, fresh: Fresh) -> None:
    """All seats are taken (or agree to a rematch). A free table is funded at once."""
    table = draft.table
    chain = Chain(fresh.last, HANDS)
    shake = Handshake(
        fresh.match,
        chain,
        chain.commitment,
        0,
        (None,) * len(table.seats),
        (None,) * len(table.seats),
    )
    draft.change(
        status="funding",
        funding=(fresh.match, draft.now + FUND_MS),
        handshake=shake,
        match=None,
        left=frozenset(),
        wants=frozenset(),
        void=None,
    )
    if table.stake:
        players = [table.sitter(seat).player for seat in table.taken()]
        draft.send("fund", match=fresh.match, players=players, stake=table.stake)
        draft.tell("funding", match=fresh.match)
    else:
        funded(draft)


def funded(draft: Draft) -> None:
    """The commitment goes out to all before anything is asked of them (fairness 1)."""
    shake = draft.table.handshake
    assert shake is not None
    shake = replace(shake, until=draft.now + HASH_MS)
    draft.change(status="handshake", funding=None, handshake=shake)
    draft.tell("handshake", match=shake.match, commitment=shake.commitment.hex())
    for seat in sorted(draft.table.bots()):
        give_hash(draft, seat, shake.match, sha256(shake.bot_number(seat)))


def give_hash(draft: Draft, seat: Seat, match: str, given: bytes) -> None:
    """A seat's first hash counts; when all are in they are handed on, and numbers asked for."""
    shake = _running(draft, match)
    if shake.hashes[seat] is not None:
        if shake.hashes[seat] == given:
            raise Refusal("hash_known", "T12")
        raise Refusal("hash_taken", "T12")
    hashes = (*shake.hashes[:seat], given, *shake.hashes[seat + 1 :])
    shake = replace(shake, hashes=hashes)
    draft.tell("hashed", seat=seat)
    if shake.step == "reveal":
        shake = replace(shake, until=draft.now + REVEAL_MS)
        draft.tell("hashes", hashes=[each.hex() for each in hashes if each is not None])
    draft.change(handshake=shake)
    if shake.step == "reveal":
        for bot in sorted(draft.table.bots()):
            give_number(draft, bot, match, shake.bot_number(bot), frozenset())


def give_number(draft: Draft, seat: Seat, match: str, number: bytes, busy: frozenset[str]) -> None:
    """A number that does not match its hash is refused; with the last one the match begins."""
    shake = _running(draft, match)
    if shake.step != "reveal":
        raise Refusal("hashes_first", "T12")
    if shake.numbers[seat] is not None:
        raise Refusal("number_known", "T12")
    if sha256(number) != shake.hashes[seat]:
        raise Refusal("number_does_not_match", "T12")
    numbers = (*shake.numbers[:seat], number, *shake.numbers[seat + 1 :])
    shake = replace(shake, numbers=numbers)
    draft.change(handshake=shake)
    draft.tell("revealed", seat=seat)
    if None in numbers:
        return
    table = draft.table
    elsewhere = tuple(each for each in table.people() if table.sitter(each).player in busy)
    if elsewhere:  # T16: one match at a time
        came_to_nothing(draft, "playing_elsewhere", elsewhere)
    else:
        playing.start(draft, shake)


def _running(draft: Draft, match: str) -> Handshake:
    shake = draft.table.handshake
    if shake is None or draft.table.status != "handshake":
        raise Refusal("no_handshake", "T15")
    if shake.match != match:
        raise Refusal("stale", "T10")
    return shake


def timed_out(draft: Draft) -> None:
    """Who has not done the present step in time is unseated (T15)."""
    shake = draft.table.handshake
    assert shake is not None
    late = tuple(seat for seat, done in enumerate(shake.done()) if not done)
    came_to_nothing(draft, "no_hash" if shake.step == "hash" else "no_number", late)


def guests(table: Table) -> tuple[Seat, ...]:
    """The others' seats: they are freed where nobody is to blame, and the host waits on. Where the
    others are computers, who do not come again, nobody waits."""
    others = tuple(seat for seat in table.people() if seat != table.host())
    return others or table.taken()


def came_to_nothing(
    draft: Draft, cause: VoidCause, seats: tuple[Seat, ...], by: str | None = None
) -> None:
    """The seats are freed, the match id is never used again, and all are told why (T15). ``by``:
    an operator who wants it so."""
    table, shake = draft.table, draft.table.handshake
    assert shake is not None
    if table.stake:
        draft.send("cancel", match=shake.match)
    if cause not in ("unfunded", "ledger_away"):  # no handshake was begun
        operator = {} if by is None else {"by": by}
        draft.send("void", match=shake.match, cause=cause, seats=list(seats), **operator)
    for seat in seats:
        draft.sit(seat, None)
        draft.tell("unseated", seat=seat, cause=cause)
    draft.change(
        status="open", funding=None, handshake=None, void=Void(shake.match, cause, seats), wins=()
    )
    draft.tell("void", match=shake.match, cause=cause, seats=list(seats))
