"""Coin tables as values: who may take part, what is asked of the ledger, what is told (T3–T5)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ledger import values
from app.table import coins, views
from app.table.commands import Funded, Leave, Rematch, Resign, Settled, Sit, Unfunded, Void
from tests.table.drive import DOMINO, PEBBLES, Driver, fresh


def running(stake: int = 100) -> Driver:
    """A coin table whose match runs."""
    table = Driver(stake=stake).open().fill()
    table.ok(Funded("match-1"))
    return table.shake()


@pytest.mark.parametrize("stake", [-50, 1, 49, 50_001])
def test_t3_other_stakes_than_50_to_50_000_are_refused(stake: int) -> None:
    assert Driver(stake=stake).no(Driver(stake=stake).create) == "bad_stake"


@pytest.mark.parametrize("stake", [0, 50, 50_000, *coins.OFFERED])
def test_t3_stakes_of_50_to_50_000_or_none(stake: int) -> None:
    table = Driver(stake=stake).open()
    assert (table.view()["stake"], table.view()["pot"]) == (stake, 2 * stake)
    listing = views.listing(table.there)
    assert listing is not None
    assert (listing["stake"], listing["pot"]) == (stake, 2 * stake)


@pytest.mark.parametrize(("funds", "code"), [("lacks", "cannot_cover"), ("away", "ledger_away")])
def test_t4_nobody_takes_part_in_what_they_cannot_cover(funds: coins.Funds, code: str) -> None:
    table = Driver(stake=100)
    assert table.no(replace(table.create, funds=funds)) == code
    table.open()
    late = Sit("p1", "ბექა", fresh(), funds=funds)
    assert table.no(late) == code
    ended = running()
    ended.ok(Resign("p0", ended.id(), "match-1"))
    wish = Rematch("p0", ended.id(), "match-1", True, fresh(2), funds=funds)
    assert ended.no(wish) == code
    # Whoever does not want one need not cover it.
    ended.ok(replace(wish, want=False))


def test_t4_a_command_that_the_ledger_was_not_asked_about_is_refused() -> None:
    table = Driver(stake=100).open()
    assert table.no(Sit("p1", "ბექა", fresh())) == "ledger_away"


@pytest.mark.parametrize("funds", ["lacks", "away"])
def test_free_tables_need_no_coins(funds: coins.Funds) -> None:
    table = Driver()
    table.ok(replace(table.create, funds=funds))
    table.ok(Sit("p1", "ბექა", fresh(), funds=funds))
    assert table.status() == "handshake"


def test_what_the_ledger_has_moved_is_told_once_it_has() -> None:
    table = running()
    table.ok(Resign("p0", table.id(), "match-1"))
    assert table.view(0)["ended"]["coins"] is None
    table.ok(Settled("another", (100, -100)))
    assert table.view(0)["ended"]["coins"] is None
    assert not table.view(0)["ended"]["kept"]
    table.ok(Settled("match-1", (-100, 100)))
    assert table.names() == ["settled"]
    assert table.view(0)["ended"]["coins"] == [-100, 100]
    assert table.view(0)["ended"]["kept"]
    assert "ended" not in [entry["kind"] for entry in table.carried_out()]
    number = table.there.number
    table.ok(Settled("match-1", (-100, 100)))  # the ledger was asked again
    assert table.there.number == number


def test_an_answer_takes_what_asked_for_it_out_of_the_outbox() -> None:
    """Else the save of the answer would have it carried out once more."""
    for answer in (Funded("match-1"), Unfunded("match-1", frozenset({"p1"}))):
        table = Driver(stake=100).open().fill()
        assert [entry["kind"] for entry in table.carried_out()] == ["fund"]
        table.ok(answer)
        assert "fund" not in [entry["kind"] for entry in table.carried_out()]


def test_t5_an_operator_voids_a_running_match_for_nobody() -> None:
    table = running()
    table.ok(Void("keti", "match-1"))
    assert table.status() == "ended"
    ended = table.view()["ended"]
    assert (ended["winners"], ended["reason"]) == ([], "void")
    assert all(clock["since"] is None for clock in table.view()["clocks"])
    (sent,) = [entry for entry in table.carried_out() if entry["kind"] == "ended"]
    assert (sent["winners"], sent["by"]) == ([], "keti")
    # Who has voided it is nobody's business at the table.
    assert not any("keti" in str(event) for event in table.events)
    assert "keti" not in str(table.view(0))


@pytest.mark.parametrize("step", ["funding", "handshake"])
def test_t5_an_operator_voids_what_has_not_begun_and_the_stakes_go_back(step: str) -> None:
    table = Driver(stake=100).open().fill()
    if step == "handshake":
        table.ok(Funded("match-1"))
    table.ok(Void("keti", "match-1"))
    assert table.status() == "open"
    assert table.there.taken() == (0,)  # the host waits on, the others may sit down again
    assert table.view()["void"] == {"match": "match-1", "cause": "voided", "seats": [1]}
    sent = {entry["kind"] for entry in table.carried_out()}
    assert {"cancel", "void"} <= sent


def test_t5_what_comes_first_stands() -> None:
    table = Driver(stake=100).open()
    assert table.no(Void("keti", "match-1")) == "not_running"
    ended = running()
    assert ended.no(Void("keti", "another")) == "stale"
    ended.ok(Resign("p0", ended.id(), "match-1"))
    assert ended.no(Void("keti", "match-1")) == "not_running"
    assert ended.view()["ended"]["reason"] == "resigned"


def test_t13_leaving_while_the_stakes_are_taken_cancels_them() -> None:
    table = Driver(stake=100).open().fill()
    table.ok(Leave("p1", table.id(), "match-1"))
    assert table.status() == "open"
    assert "cancel" in [entry["kind"] for entry in table.carried_out()]
    table.ok(Funded("match-1"))  # it comes too late
    assert table.status() == "open"


@given(st.integers(50, 50_000), st.integers(2, 4), st.data())
def test_t4_a_table_says_what_the_ledger_moves(stake: int, seats: int, data: st.DataObject) -> None:
    sizes = range(1, seats + 1)
    winners = data.draw(
        st.sampled_from([some for n in sizes for some in combinations(range(seats), n)])
    )
    moved = coins.moves(stake, seats, winners)
    assert list(moved) == values.coins(stake, seats, winners)
    assert coins.moves(stake, seats, ()) == (0,) * seats


def test_a_pot_is_every_seats_stake() -> None:
    assert Driver(PEBBLES, stake=50).open().view()["pot"] == 150
    assert Driver(DOMINO, stake=50).open().view()["pot"] == 100
