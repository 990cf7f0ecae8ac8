"""T1, T10, T13, T16: making, sitting, leaving, acting, rematch, and a table's end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.table import codec
from app.table.commands import (
    Act,
    Connected,
    Delivered,
    Elsewhere,
    Forget,
    Leave,
    Rematch,
    Resign,
    Sit,
    Tick,
    Undelivered,
)
from app.table.decision import Accepted, Refused
from app.table.handle import handle
from app.table.views import change, listing, told
from engine.game import Unreadable
from tests.table.drive import DOMINO, NAMES, PEBBLES, Driver, fresh

NOWHERE = Elsewhere()


def sit(player: str, n: int = 1, elsewhere: Elsewhere = NOWHERE) -> Sit:
    return Sit(player, "ვიღაც", fresh(n), elsewhere)


def rematch(
    table: Driver, seat: int, *, want: bool = True, elsewhere: Elsewhere = NOWHERE
) -> Rematch:
    return Rematch(f"p{seat}", table.id(), "match-1", want, fresh(2), elsewhere)


# ── T1, T16 ───────────────────────────────────────────────────────────────────────────────────


def test_t1_the_creator_takes_the_first_seat() -> None:
    table = Driver().open()
    assert table.view(0)["seats"][0]["name"] == NAMES[0]
    assert table.view(0)["host"] == 0
    assert table.status() == "open"


def test_t1_options_must_be_the_games_own() -> None:
    table = Driver()
    for wrong in ({}, {"target": 76}, {"target": 75, "more": 1}, {"points": 1}):
        assert table.no(replace(table.create, options=wrong)) == "bad_options"
    table.open()
    assert table.no(table.create) == "table_exists"


def test_a_command_for_no_table_is_refused() -> None:
    decision = handle(None, Tick(), 0)
    assert decision.answer == Refused("unknown_table", "")
    assert decision.table is None


def test_t16_two_joining_at_once_one_sits_and_the_other_is_told() -> None:
    table = Driver().open()
    table.ok(sit("p1"))
    assert table.no(sit("p2")) == "taken"
    assert table.view()["you"] is None


def test_t16_one_seat_per_player_and_table() -> None:
    table = Driver(PEBBLES).open()
    before = table.there
    table.ok(sit("p0"))
    assert table.there is before


@pytest.mark.parametrize(
    ("elsewhere", "code"),
    [
        (Elsewhere(waiting=3), "too_many_tables"),
        (Elsewhere(playing=True), "playing_elsewhere"),
    ],
)
def test_t16_three_tables_to_wait_at_and_one_match_at_a_time(
    elsewhere: Elsewhere, code: str
) -> None:
    table = Driver()
    assert table.no(replace(table.create, elsewhere=elsewhere)) == code
    table.open()
    assert table.no(sit("p1", elsewhere=elsewhere)) == code
    table.ok(sit("p1", elsewhere=Elsewhere(waiting=2)))


def test_t16_when_a_match_starts_the_other_seats_are_to_be_freed() -> None:
    table = Driver().running()
    assert {"kind": "playing", "players": ["p0", "p1"]} in table.carried_out()


def test_t16_a_table_whose_host_is_away_60_s_is_unlisted_and_closed_after_10_minutes() -> None:
    table = Driver().open()
    assert listing(table.there) is not None
    table.gone(0)
    assert listing(table.there) is not None
    assert table.due_in() == 60_000
    table.to_due()
    assert listing(table.there) is None
    assert table.names() == []
    assert table.due_in() == 540_000
    table.wait(1_000)
    table.ok(Connected("p0", "b.1"))
    assert listing(table.there) is not None
    table.gone(0)
    table.to_due()
    table.to_due()
    assert table.status() == "closed"
    assert table.there.closed == "host_away"
    assert table.no(sit("p1")) == "table_closed"


def test_t1_a_link_is_good_for_24_hours() -> None:
    table = Driver().open()
    assert table.due_in() == 24 * 3_600_000
    table.to_due()
    assert (table.status(), table.there.closed) == ("closed", "expired")


def test_t1_a_private_table_is_never_listed() -> None:
    table = Driver(public=False).open()
    assert listing(table.there) is None
    table.fill().shake()
    assert listing(table.there) is None


def test_a_running_public_table_is_listed_to_be_watched() -> None:
    table = Driver().running()
    line = listing(table.there)
    assert line is not None
    assert (line["status"], line["seats"], line["score"]) == ("running", list(NAMES[:2]), [0, 0])


def test_a_closed_table_is_forgotten_after_an_hour_but_not_with_something_to_carry_out() -> None:
    table = Driver().open().fill()
    table.to_due()  # nobody sent a hash: void and closed
    assert table.status() == "closed"
    assert table.there.outbox
    table.wait(3_600_001)
    table.tick()
    assert table.table is not None
    table.ok(Delivered(frozenset(entry.id for entry in table.there.outbox)))
    table.tick()
    assert table.last.gone


# ── T13 ───────────────────────────────────────────────────────────────────────────────────────


def test_t13_before_the_match_a_player_may_leave_freely() -> None:
    table = Driver(PEBBLES).open()
    table.ok(sit("p1"))
    leave = Leave("p1", table.id(), None)
    table.ok(leave)
    assert table.there.taken() == (0,)
    table.ok(leave)  # a resend
    table.ok(sit("p1"))
    table.ok(Leave("p0", table.id(), table.there.match_id()))
    assert table.there.host() == 1  # the next who waits is the host
    assert table.status() == "open"
    table.ok(Leave("p1", table.id(), table.there.match_id()))
    assert (table.status(), table.there.closed) == ("closed", "host_left")


@pytest.mark.parametrize("how", ["resigned", "left"])
def test_t13_resigning_or_leaving_a_running_match_loses_it(how: str) -> None:
    table = Driver().running()
    command: Resign | Leave = Leave("p0", table.id(), "match-1")
    if how == "resigned":
        command = Resign("p0", table.id(), "match-1")
    table.ok(command)
    ended = table.match.ended
    assert ended is not None
    assert (ended.winners, ended.reason) == ((1,), how)
    assert table.status() == "ended"
    kept = next(entry for entry in table.carried_out() if entry["kind"] == "ended")
    assert (kept["winners"], kept["reason"], kept["names"]) == ([1], how, list(NAMES[:2]))
    table.ok(command)  # the claimed end pressed twice


def test_t13_a_leave_meant_for_the_handshake_loses_no_match_that_began_meanwhile() -> None:
    table = Driver().open()
    before = Leave("p0", table.id(), table.there.match_id())
    table.fill()
    assert table.no(before) == "stale"
    first = Leave("p0", table.id(), table.there.match_id())
    table.shake()
    table.ok(Resign("p0", table.id(), "match-1"))
    for seat in (0, 1):
        table.ok(rematch(table, seat))
    table.shake(2)
    assert table.no(first) == "stale"
    assert table.status() == "running"


def test_t16_the_site_frees_a_seat_but_never_that_of_a_match() -> None:
    table = Driver().open()
    table.ok(Leave("p0", "playing:t:1", freed=True))
    assert table.status() == "closed"
    table = Driver().running()
    table.ok(Leave("p0", "playing:t:1", freed=True))
    assert table.status() == "running"


def test_one_order_of_two_that_cross_the_same_for_both() -> None:
    table = Driver().running()
    table.ok(Resign("p0", table.id(), "match-1"))
    assert table.no(Resign("p1", table.id(), "match-1")) == "not_running"
    assert table.match.ended is not None
    assert table.match.ended.winners == (1,)


def test_t13_a_rematch_needs_both_and_is_a_new_match_through_all_of_t15() -> None:
    table = Driver().running()
    table.ok(Resign("p0", table.id(), "match-1"))
    assert table.view()["rematch"] == {"wants": [False, False], "wins": [0, 1], "possible": True}
    table.ok(rematch(table, 0))
    assert table.view()["rematch"]["wants"] == [True, False]
    table.ok(rematch(table, 0, want=False))
    table.ok(rematch(table, 1))
    assert table.status() == "ended"
    table.ok(rematch(table, 0))
    assert table.status() == "handshake"
    assert table.view()["match"] == "match-2"
    assert [sitter["name"] for sitter in table.view()["seats"]] == list(NAMES[:2])
    table.shake(2)
    assert table.status() == "running"
    assert table.view()["rematch"]["wins"] == [0, 1]


def test_t13_no_rematch_with_who_has_left() -> None:
    table = Driver().running()
    table.ok(Resign("p0", table.id(), "match-1"))
    table.ok(rematch(table, 1))
    table.ok(Leave("p1", table.id(), table.there.match_id()))
    assert table.view()["rematch"] == {"wants": [False, False], "wins": [0, 1], "possible": False}
    assert table.no(rematch(table, 0)) == "opponent_left"


def test_t13_a_rematch_only_after_the_end_and_of_that_match() -> None:
    table = Driver().running()
    assert table.no(rematch(table, 0)) == "not_ended"
    table.ok(Resign("p0", table.id(), "match-1"))
    assert table.no(replace(rematch(table, 0), match="another")) == "stale"
    assert table.no(rematch(table, 0, elsewhere=Elsewhere(playing=True))) == "playing_elsewhere"


def test_an_ended_table_lives_while_somebody_is_there_and_an_hour_more() -> None:
    table = Driver().running()
    table.ok(Resign("p0", table.id(), "match-1"))
    table.ok(Delivered(frozenset(entry.id for entry in table.there.outbox)))
    assert table.last.due is None
    table.gone(0)
    assert table.last.due is None
    table.gone(1)
    assert table.due_in() == 3_600_000
    table.to_due()
    assert table.status() == "closed"
    table.to_due()
    assert table.last.gone


# ── T10: plies and command ids ────────────────────────────────────────────────────────────────


def test_t10_a_command_id_seen_before_gets_its_first_answer() -> None:
    table = Driver().running()
    act = table.act()
    table.ok(act)
    first, ply = table.last.answer, table.match.ply
    table.ok(table.act())
    table.do(act)
    assert table.last.answer == first
    assert isinstance(first, Accepted)
    assert not table.last.entries
    assert table.match.ply == ply + 1


def test_t10_a_resend_from_the_last_match_cannot_hit_the_rematch() -> None:
    table = Driver().running()
    old = replace(table.act(), id="an-old-one")
    table.ok(Resign("p0", table.id(), "match-1"))
    for seat in (0, 1):
        table.ok(rematch(table, seat))
    table.shake(2)
    assert table.no(old) == "stale"


def test_a_ply_counts_game_actions_only() -> None:
    table = Driver().running()
    act = table.act()
    other = 1 - table.on_turn()
    table.gone(other)
    table.ok(Connected(f"p{other}", "b.1"))
    table.ok(act)  # the opponent's blink refuses nobody's move
    assert table.no(replace(table.act(), ply=table.match.ply - 1)) == "stale"


def test_acts_that_are_none() -> None:
    table = Driver().open()
    assert table.no(replace(_act(), player="p0")) == "not_running"
    table.fill().shake()
    assert table.no(_act()) == "not_seated"
    seat = table.on_turn()
    good = table.act()
    assert table.no(replace(good, action={"action": "dance"})) == "unreadable"
    assert table.no(replace(good, player=f"p{1 - seat}")) == "not_your_turn"
    table.ok(good)


def _act() -> Act:
    return Act("somebody", "command-x", "match-1", 0, {})


# ── numbers, outbox ───────────────────────────────────────────────────────────────────────────


def test_numbers_have_no_gaps_and_every_save_a_version() -> None:
    table = Driver()
    numbers: list[int] = []
    version = 0

    def note() -> None:
        nonlocal version
        numbers.extend(entry.number for entry in table.last.entries)
        if table.table is not None and table.table.version != version:
            assert table.table.version == version + 1
            version = table.table.version

    table.ok(table.create)
    note()
    for command in (Connected("p0", "a.0"), sit("p1"), Connected("p1", "a.1")):
        table.ok(command)
        note()
    for seat in (0, 1):
        table.ok(table.hash(seat))
        note()
    for seat in (0, 1):
        table.ok(table.reveal(seat))
        note()
    table.ok(Delivered(frozenset(entry.id for entry in table.there.outbox)))
    note()
    for _ in range(30):
        if table.match.pause_until is not None:
            table.to_due()
        else:
            table.ok(table.act())
        note()
    assert numbers == list(range(1, len(numbers) + 1))
    assert table.there.number == numbers[-1]


def test_t11_an_event_for_one_seat_is_a_bare_number_to_all_others() -> None:
    table = Driver().running()
    (mine,) = [
        entry
        for entry in table.last.entries
        if entry.event["event"] == "tiles_dealt" and entry.event["seat"] == 0
    ]
    assert told(mine, 0) == {"number": mine.number, **mine.event}
    assert told(mine, 1) == told(mine, None) == {"number": mine.number}
    frame = change(table.there, table.last.entries, 1, table.now)
    assert [event["number"] for event in frame["events"]] == [e.number for e in table.last.entries]
    assert frame["events"][mine.number - table.last.entries[0].number] == {"number": mine.number}


def test_the_outbox_is_tried_again_later_and_later_and_then_gone() -> None:
    table = Driver().running()
    (entry,) = table.there.outbox
    assert entry.retry_at <= table.now
    waits = []
    for _ in range(10):
        table.ok(Undelivered(frozenset({entry.id})))
        (entry,) = table.there.outbox
        waits.append(entry.retry_at - table.now)
        table.wait(waits[-1])
    assert waits == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, *[60_000] * 4]
    table.ok(Delivered(frozenset({entry.id})))
    assert table.there.outbox == ()
    before = table.there
    table.ok(Delivered(frozenset({entry.id})))
    assert table.there is before


def test_state_of_the_old_schema_or_none_is_refused() -> None:
    table = Driver().running()
    good = codec.to_json(table.there)
    for wrong in ({**good, "schema": 1}, {}, {**good, "seats": None}, {**good, "match": {}}):
        with pytest.raises(Unreadable):
            codec.from_json(wrong, lambda _name, _rules: DOMINO)


def test_the_name_of_who_is_deleted_goes_from_where_they_have_played() -> None:
    table = Driver().running()
    table.ok(Forget("p1"))  # while anything is on they cannot be deleted
    assert table.names() == []
    table.ok(Resign("p0", table.id(), "match-1"))
    table.ok(Forget("p1"))
    assert table.names()[-1] == "forgotten"
    told_now = table.view(0)
    assert [seat["name"] for seat in told_now["seats"]] == [NAMES[0], ""]
    assert not told_now["rematch"]["possible"]
    number = table.there.number
    for player in ("p1", "stranger"):
        table.ok(Forget(player))
    assert table.there.number in (number, number + 1)
    assert NAMES[1] not in str(codec.to_json(table.there)["seats"])
