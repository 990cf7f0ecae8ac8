"""T12, T15 and the fairness rules before the match: hashes, numbers, and what comes to nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.table.commands import Connected, Delivered, Funded, Leave, Sit, Tick, Unfunded
from app.table.handle import handle
from engine.chance import HANDS, Chain, Committed, leads_to, sha256
from engine.domino.tiles import NAMES as TILE_NAMES
from engine.game import Ask
from tests.table.drive import DOMINO, NAMES, NARDI, PEBBLES, Driver, fresh, number


def test_fairness_1_the_commitment_goes_to_all_before_anything_is_asked_of_them() -> None:
    table = Driver().open().fill()
    assert table.status() == "handshake"
    shaken = next(event for event in table.events if event["event"] == "handshake")
    assert shaken["commitment"] == Chain(fresh().last).commitment.hex()
    view = table.view(0)["handshake"]
    assert (view["step"], view["until"] - table.now) == ("hash", 30_000)
    assert view["hashes"] == [None, None]
    assert table.view()["match"] == "match-1"


def test_fairness_2_hashes_are_handed_on_only_when_all_are_in() -> None:
    table = Driver(PEBBLES).open().fill()
    for seat in (0, 1):
        table.ok(table.hash(seat))
        assert table.names() == ["hashed"]
        assert table.view(2)["handshake"]["hashes"] == [None, None, None]
    assert table.no(table.reveal(0)) == "hashes_first"
    table.ok(table.hash(2))
    assert table.names() == ["hashed", "hashes"]
    shown = table.view()["handshake"]
    assert shown["step"] == "reveal"
    assert shown["hashes"] == [sha256(number(seat)).hex() for seat in range(3)]
    assert shown["until"] - table.now == 15_000


def test_fairness_2_a_seats_first_hash_counts_and_other_tabs_wait() -> None:
    table = Driver().open().fill()
    table.ok(table.hash(0))
    assert table.no(table.hash(0, of=b"another tab")) == "hash_taken"
    assert table.no(table.hash(0)) == "hash_known"
    assert table.view()["handshake"]["done"] == [True, False]


def test_fairness_2_a_number_that_does_not_match_its_hash_is_refused() -> None:
    table = Driver().open().fill()
    table.ok(table.hash(0, of=b"something else"))
    table.ok(table.hash(1))
    assert table.no(table.reveal(0)) == "number_does_not_match"
    table.ok(table.reveal(1))
    assert table.no(table.reveal(1)) == "number_known"
    assert table.status() == "handshake"


def test_t15_running_begins_with_the_save_that_holds_all_numbers_and_deals() -> None:
    table = Driver().open().fill().shake()
    assert table.status() == "running"
    assert table.names()[:2] == ["revealed", "match_started"]
    assert table.events[-1]["event"] == "tiles_dealt"
    chance = Committed(Chain(fresh().last), "match-1", (number(0), number(1)))
    order = chance.answer(Ask(1, "tiles", "shuffle", 28))
    assert table.last.lines[0].line == {"tiles": [TILE_NAMES[i] for i in order], "plays": []}
    fairness = table.view()["fairness"]
    assert fairness["numbers"] == [number(0).hex(), number(1).hex()]
    assert fairness["secrets"] == []


def test_t12_secrets_are_those_of_the_chain_and_come_out_hand_by_hand() -> None:
    table = Driver().running()
    chain = Chain(fresh().last)
    while table.status() == "running":
        out = table.view()["fairness"]["secrets"]
        assert len(out) == table.match.begun - (table.match.pause_until is None)
        if table.match.pause_until is not None:
            table.to_due()
        else:
            table.ok(table.act())
    secrets = [bytes.fromhex(each) for each in table.view()["fairness"]["secrets"]]
    assert len(secrets) == table.match.begun
    assert all(leads_to(secret, n, chain.commitment) for n, secret in enumerate(secrets, 1))
    told = [event for event in table.events if event["event"] == "hand_secret"]
    assert [event["hand"] for event in told] == list(range(1, len(secrets) + 1))


def test_fairness_9_a_match_given_up_reveals_all_hands_begun() -> None:
    table = Driver().running()
    table.ok(Leave("p0", table.id(), table.there.match_id()))
    assert len(table.view()["fairness"]["secrets"]) == 1


def test_fairness_1_a_match_that_needs_more_hands_than_the_chain_has_is_void() -> None:
    table = Driver(NARDI).running()
    short = Chain(fresh().last, 1)
    assert table.table is not None
    match = replace(table.match, chain=short)
    # Five points are more than any first hand gives.
    match = replace(match, state=replace(match.state, target=5))
    stuck = replace(table.table, match=match)
    now = table.now
    while stuck.status == "running" and stuck.match is not None:
        if stuck.match.pause_until is not None:
            now = stuck.match.pause_until
            decision = handle(stuck, Tick(), now)
        else:
            table.table = stuck
            decision = handle(stuck, table.act(), now)
        assert decision.table is not None
        stuck = decision.table
    assert stuck.match is not None
    assert stuck.match.ended is not None
    assert (stuck.match.ended.winners, stuck.match.ended.reason) == ((), "void")
    assert HANDS == 1000


# ── what comes to nothing ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("late", [0, 1])
def test_t15_who_sends_no_hash_in_30_s_is_unseated(late: int) -> None:
    table = Driver().open().fill()
    table.ok(table.hash(1 - late))
    assert table.due_in() is not None
    table.ok(Delivered(frozenset()))
    table.to_due()
    assert table.status() == "open"
    assert table.there.seats[late] is None
    assert table.there.seats[1 - late] is not None
    assert table.view()["void"] == {"match": "match-1", "cause": "no_hash", "seats": [late]}
    assert {"kind": "void", "match": "match-1", "cause": "no_hash", "seats": [late]} in (
        table.carried_out()
    )


def test_t15_who_reveals_no_number_in_15_s_is_unseated() -> None:
    table = Driver(PEBBLES).open().fill()
    for seat in range(3):
        table.ok(table.hash(seat))
    table.wait(10_000)
    table.ok(table.reveal(1))
    table.wait(4_999)
    table.tick()
    assert table.status() == "handshake"
    table.wait(1)
    table.tick()
    assert table.view()["void"]["cause"] == "no_number"
    assert table.there.taken() == (1,)
    assert table.there.host() == 1


def test_t15_nobody_did_anything_and_the_table_closes() -> None:
    table = Driver().open().fill()
    table.to_due()
    assert table.status() == "closed"


def test_t15_the_match_id_of_a_void_handshake_is_never_used_again() -> None:
    table = Driver().open().fill()
    table.ok(table.hash(0))
    table.to_due()
    table.ok(Sit("p1", NAMES[1], fresh(2)))
    assert table.view()["match"] == "match-2"
    assert table.no(table.hash(0, 1)) == "stale"
    table.ok(Connected("p1", "a.5"))
    table.shake(2)
    assert table.status() == "running"


def test_t13_leaving_the_handshake_is_free_and_said() -> None:
    table = Driver().open().fill()
    table.ok(Leave("p1", table.id(), table.there.match_id()))
    assert table.view()["void"]["cause"] == "left"
    assert table.status() == "open"


def test_t16_no_match_begins_with_somebody_whose_match_runs_elsewhere() -> None:
    table = Driver().open().fill()
    for seat in (0, 1):
        table.ok(table.hash(seat))
    table.ok(table.reveal(0))
    table.ok(table.reveal(1, busy=frozenset({"p0"})))
    assert table.view()["void"] == {
        "match": "match-1",
        "cause": "playing_elsewhere",
        "seats": [0],
    }
    assert table.status() == "open"


def test_messages_of_the_handshake_at_other_times_are_refused() -> None:
    table = Driver().open()
    assert table.no(table.hash(0)) == "no_handshake"
    table.fill()
    assert table.no(table.hash(0, 7)) == "stale"
    table.shake()
    assert table.no(table.hash(0)) == "no_handshake"
    assert table.no(table.reveal(0)) == "no_handshake"


# ── funding (coin tables) ─────────────────────────────────────────────────────────────────────


def coin_table() -> Driver:
    """A table with a stake: the ledger is asked."""
    return Driver(stake=100).open().fill()


def test_t15_a_coin_table_waits_for_the_ledgers_answer() -> None:
    table = coin_table()
    assert table.status() == "funding"
    assert table.view()["handshake"] is None
    assert table.carried_out() == [
        {"kind": "fund", "match": "match-1", "players": ["p0", "p1"], "stake": 100}
    ]
    table.ok(Funded("another"))
    assert table.status() == "funding"
    table.ok(Funded("match-1"))
    assert table.status() == "handshake"


def test_t15_a_refusal_of_the_ledger_frees_that_seat() -> None:
    table = coin_table()
    table.ok(Unfunded("match-1", frozenset({"p1"})))
    assert table.status() == "open"
    assert table.there.taken() == (0,)
    assert table.view()["void"]["cause"] == "unfunded"


def test_t15_without_an_answer_for_30_s_the_stakes_are_cancelled() -> None:
    table = coin_table()
    table.ok(Delivered(frozenset({1})))
    assert table.due_in() == 30_000
    table.to_due()
    assert table.status() == "open"
    assert table.view()["void"] == {"match": "match-1", "cause": "ledger_away", "seats": [1]}
    assert [entry["kind"] for entry in table.carried_out()] == ["cancel"]
    table.ok(Funded("match-1"))  # too late: it is cancelled
    assert table.status() == "open"


def test_t11_no_view_and_no_repr_holds_what_is_still_secret() -> None:
    table = Driver().open().fill()
    for seat in (0, 1):
        table.ok(table.hash(seat))
    table.ok(table.reveal(0))
    hidden = [Chain(fresh().last).last.hex(), number(0).hex()]
    for viewer in (0, 1, None):
        text = json.dumps(table.view(viewer))
        assert not any(secret in text for secret in hidden)
    told = repr(table.there) + repr(table.last)
    assert not any(secret in told for secret in hidden)
    assert repr(number(0)) not in told
    assert repr(fresh().last) not in told


def test_domino_and_nardi_and_three_seats_all_start_the_same_way() -> None:
    for game in (DOMINO, NARDI, PEBBLES):
        assert Driver(game).running().there.status == "running"
