"""T6 to T9: moves, reserve, timeouts, absence."""

from __future__ import annotations

import pytest

from app.table.clock import PRESETS, ClockSettings, SeatClock
from app.table.commands import Connected, Delivered, Lost, Ready, Resign, Tick
from app.table.table import AnyGame
from engine.domino import DRAW
from engine.game import Seat
from tests.table.drive import DOMINO, NARDI, Driver


def running(game: AnyGame = DOMINO) -> Driver:
    table = Driver(game).running()
    table.ok(Delivered(frozenset(entry.id for entry in table.there.outbox)))
    return table


def clock(table: Driver, seat: Seat) -> SeatClock:
    return table.match.clocks[seat]


def test_t6_the_presets() -> None:
    assert PRESETS["standard"] == ClockSettings(30_000, 120_000, 60_000)
    assert all(preset.absence_ms == 60_000 for preset in PRESETS.values())


def test_t6_only_what_a_move_takes_over_its_own_seconds_comes_off_the_reserve() -> None:
    table = running()
    seat = table.on_turn()
    table.wait(29_000)
    table.ok(table.act())
    assert clock(table, seat).reserve_ms == 120_000
    other = table.on_turn()
    table.wait(42_000)
    table.ok(table.act())
    assert clock(table, other).reserve_ms == 108_000


def test_t6_a_draw_does_not_restart_the_seconds() -> None:
    table = running()
    for _ in range(400):
        legal = table.game.legal(table.match.state, table.on_turn())
        if table.game.action_to_json(legal[0])["action"] == "draw":
            break
        table.ok(table.act())
        if table.paused():
            table.to_due()
        assert table.status() == "running"
    seat, since = table.on_turn(), clock(table, table.on_turn()).since
    table.wait(20_000)
    table.ok(table.act())
    if table.on_turn() == seat and not table.paused():
        assert clock(table, seat).since == since


def test_t6_a_nardi_move_is_the_roll_and_all_checkers() -> None:
    table = running(NARDI)
    seat = table.on_turn()
    since = clock(table, seat).since
    table.wait(20_000)
    table.ok(table.act())
    assert table.on_turn() == seat
    assert clock(table, seat).since == since
    while table.on_turn() == seat:
        table.wait(6_000)
        table.ok(table.act())
    taken = table.now - (since or 0)
    assert clock(table, seat).reserve_ms == 120_000 - max(0, taken - 30_000)


@pytest.mark.parametrize(("lag", "forgiven"), [(0, 0), (300, 300), (5_000, 500), (-50, 0)])
def test_t6_the_networks_delay_is_forgiven_up_to_500_ms(lag: int, forgiven: int) -> None:
    table = running()
    seat = table.on_turn()
    table.wait(31_000)
    table.ok(table.act(lag=lag))
    assert clock(table, seat).reserve_ms == 119_000 + forgiven


def test_t6_a_deadline_acts_500_ms_late_so_that_a_move_under_way_counts() -> None:
    table = running()
    seat = table.on_turn()
    assert table.due_in() == 150_500
    table.wait(150_400)
    table.tick()
    assert table.names() == []
    table.ok(table.act())
    assert clock(table, seat).reserve_ms == 0
    assert clock(table, seat).timeouts == 0


def test_t7_the_server_plays_what_is_left_of_the_move() -> None:
    table = running()
    seat = table.on_turn()
    table.wait(150_500)
    table.tick()
    assert table.names()[0] == "auto"
    assert "laid" in table.names()
    assert table.status() == "running"
    assert clock(table, seat).timeouts == 1
    assert table.last.lines[-1].auto


def test_t7_nardi_the_dice_already_played_stay_played() -> None:
    table = running(NARDI)
    seat = table.on_turn()
    table.ok(table.act())
    played = table.view(seat)["view"]["steps"]
    table.wait(150_500)
    table.tick()
    last = table.view(seat)["view"]["last_turn"]
    assert last["seat"] == seat
    assert last["moves"][0][:2] == played[0][:2]


def test_t7_the_third_such_move_in_a_row_forfeits_the_match() -> None:
    table = running()
    loser = table.on_turn()
    for turn in range(400):
        if table.there.status != "running":
            break
        if table.match.pause_until is not None or table.on_turn() == loser:
            table.to_due()
        else:
            table.ok(table.act())
        assert turn < 399
    ended = table.match.ended
    assert ended is not None
    assert (ended.winners, ended.reason) == ((1 - loser,), "time")
    assert sum(event["event"] == "auto" for event in table.events) == 2


def test_t7_a_move_of_the_players_own_resets_the_count() -> None:
    table = running()
    seat = table.on_turn()
    table.to_due()
    while table.on_turn() != seat or table.paused():
        table.to_due() if table.paused() else table.ok(table.act())
    assert clock(table, seat).timeouts == 1
    while table.on_turn() == seat:
        table.ok(table.act())
    assert clock(table, seat).timeouts == 0


def test_t8_the_countdown_runs_beside_the_clock_only_on_the_absent_players_turn() -> None:
    table = running()
    seat = table.on_turn()
    other = 1 - seat
    table.gone(other)
    assert clock(table, other).absent_since is None
    assert table.due_in() == 150_500
    table.wait(10_000)
    table.ok(table.act())
    assert table.on_turn() == other
    assert table.view()["clocks"][other]["absence_until"] == table.now + 60_000
    table.wait(20_000)
    table.ok(Connected(f"p{other}", "b.9"))
    assert table.names() == ["present"]
    assert table.view()["clocks"][other]["absence_until"] is None


def test_t8_lost_only_when_countdown_and_move_time_are_both_used_up() -> None:
    table = running()
    seat = table.on_turn()
    table.wait(140_000)
    table.gone(seat)
    # The reserve ends in 10.5 s, the countdown in 60 s: the later of the two decides.
    assert table.due_in() == 60_000
    table.wait(59_999)
    table.tick()
    assert table.status() == "running"
    table.wait(1)
    table.tick()
    ended = table.match.ended
    assert ended is not None
    assert (ended.winners, ended.reason) == ((1 - seat,), "left")


def test_t8_who_comes_back_too_late_for_the_move_has_it_played_and_plays_on() -> None:
    table = running()
    seat = table.on_turn()
    table.wait(140_000)
    table.gone(seat)
    table.wait(30_000)
    table.ok(Connected(f"p{seat}", "b.1"))
    table.tick()
    assert table.names()[0] == "auto"
    assert table.status() == "running"


def test_t7_t8_coming_back_buys_no_time_for_the_move() -> None:
    """Who is on the way back with a move in hand finds it played, like everybody else."""
    table = running()
    seat = table.on_turn()
    table.wait(140_000)
    table.gone(seat)
    table.wait(11_000)  # the reserve is used up, the countdown is not
    assert table.no(table.act()) == "time_is_up"
    table.ok(Connected(f"p{seat}", "b.1"))
    table.tick()
    assert table.names()[0] == "auto"


def test_a_frame_read_early_and_saved_late_turns_no_clock_back() -> None:
    table = running()
    table.wait(5_000)
    table.ok(table.act())
    first = table.now
    early = table.act()
    table.now = first - 1_000
    table.ok(early)
    assert all(line.ms >= 0 for line in table.last.lines)
    assert clock(table, table.on_turn()).since == first or table.paused()


def test_t8_any_live_connection_counts_as_present() -> None:
    table = running()
    table.ok(Connected("p0", "b.2"))
    assert table.names() == []
    table.ok(Lost(frozenset({"a.0"})))
    assert table.names() == []
    assert table.there.sitter(0).present
    assert table.there.sitter(0).absent_at is None
    table.ok(Lost(frozenset({"b.2"})))
    assert table.names() == ["absent"]
    assert table.view()["seats"][0]["absent_at"] == table.now


def test_t8_present_with_as_many_connections_as_a_player_may_have() -> None:
    table = running()
    for n in range(15):
        table.ok(Connected("p0", f"b.{n}"))
    table.ok(Lost(frozenset(f"b.{n}" for n in range(15))))
    assert table.there.sitter(0).marks == ("a.0",)
    assert table.there.sitter(0).present


def test_an_old_sockets_late_end_takes_nothing_from_the_new_one() -> None:
    table = running()
    table.ok(Connected("p0", "b.3"))
    table.ok(Lost(frozenset({"a.0"})))
    table.ok(Lost(frozenset({"a.0"})))
    assert table.there.sitter(0).present


def test_a_lapsed_process_loses_its_connections_and_no_others() -> None:
    table = running()
    table.ok(Connected("p0", "b.1"))
    table.ok(Lost(process="a"))
    assert table.names() == ["absent"]
    assert table.there.sitter(0).marks == ("b.1",)
    assert not table.there.sitter(1).present
    # Names of processes are compared whole.
    table.ok(Connected("p1", "ab.1"))
    table.ok(Lost(process="a"))
    assert table.there.sitter(1).present


def test_t8_a_second_absence_has_its_own_countdown() -> None:
    table = running()
    seat = table.on_turn()
    table.gone(seat)
    table.wait(50_000)
    table.ok(Connected(f"p{seat}", "b.1"))
    table.gone(seat)
    assert table.view()["clocks"][seat]["absence_until"] == table.now + 60_000


def test_t8_the_countdown_of_one_absence_goes_on_where_it_stood_and_the_next_is_whole() -> None:
    table = running()
    seat = table.on_turn()
    table.gone(seat)
    table.wait(20_000)
    table.ok(table.act())  # it was on its way when the line broke
    while table.on_turn() != seat:
        table.wait(1_000)
        table.ok(table.act())
    assert table.view()["clocks"][seat]["absence_until"] == table.now + 40_000
    table.ok(Connected(f"p{seat}", "b.1"))
    table.gone(seat)
    assert table.view()["clocks"][seat]["absence_until"] == table.now + 60_000


def test_t8_both_gone_is_decided_without_them() -> None:
    table = running()
    table.gone(0)
    table.gone(1)
    seat = table.on_turn()
    table.to_due()
    ended = table.match.ended
    assert ended is not None
    assert ended.winners == (1 - seat,)


def test_no_clock_runs_in_the_pause_between_hands_and_both_can_end_it() -> None:
    table = running()
    while not table.paused():
        table.ok(table.act())
    assert [each.since for each in table.match.clocks] == [None, None]
    assert table.view()["pause"]["ready"] == [False, False]
    assert table.view()["fairness"]["secrets"] == [table.match.secret.hex()]
    for seat in (0, 1):
        assert table.game.to_act(table.match.state) == ()
        table.ok(Ready(f"p{seat}", table.id(), table.match.id))
    assert not table.paused()
    assert clock(table, table.on_turn()).since == table.now
    assert table.no(Ready("p0", table.id(), table.match.id)) == "not_paused"


def test_the_pause_ends_by_itself() -> None:
    table = running()
    while not table.paused():
        table.ok(table.act())
    assert table.due_in() == 8_000
    table.to_due()
    assert not table.paused()


def test_an_action_in_the_pause_is_refused() -> None:
    table = running()
    while not table.paused():
        table.ok(table.act())
    assert table.no(table.act(seat=0, action=DRAW)) == "hand_paused"


def test_a_refresh_never_resets_the_move_time() -> None:
    table = running()
    seat = table.on_turn()
    since = clock(table, seat).since
    table.wait(25_000)
    table.gone(seat)
    table.ok(Connected(f"p{seat}", "b.1"))
    assert clock(table, seat).since == since


def test_ticks_without_anything_due_change_nothing() -> None:
    table = running()
    before = table.table
    table.do(Tick())
    assert table.table is before


def test_the_played_time_stands_in_the_record() -> None:
    table = running()
    table.wait(7_000)
    table.ok(table.act())
    assert [(line.ms, line.auto) for line in table.last.lines] == [(7_000, False)]


def test_resigning_stops_all_clocks() -> None:
    table = running()
    table.wait(40_000)
    table.ok(Resign("p0", table.id(), table.match.id))
    assert [each.since for each in table.match.clocks] == [None, None]
