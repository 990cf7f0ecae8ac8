"""Every check finds what it is there for: violations are planted in a run that was made up."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from engine.chance import Chain
from tests.faults import (
    check_clocks,
    check_money,
    check_moves,
    check_secrets,
    check_site,
    check_viewers,
)
from tests.faults.checks import CHECKS
from tests.faults.evidence import Evidence
from tests.faults.fabricated import MATCH, PLAYERS, TABLE, Made, evidence
from tests.faults.journal import Frame, Page
from tests.faults.processes import Uses
from tests.faults.report import counters, failure
from tests.faults.saves import Event, Saved
from tests.faults.schedule import LENGTHS, schedule
from tests.faults.timeline import Timeline

Check = Callable[[Evidence], list[str]]


@pytest.fixture
def run() -> Evidence:
    return evidence()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", ["domino", "nardi"])
def test_a_sound_run_gives_no_complaint(check: Check, game: str) -> None:
    assert check(evidence(game)) == []


def frames(run: Evidence, kind: str, line: int | None = None) -> list[int]:
    """Where the frames of a kind are."""
    return [
        i
        for i, frame in enumerate(run.journal.frames)
        if frame.raw.startswith(f'{{"type":"{kind}"') and line in (None, frame.line)
    ]


def change(run: Evidence, index: int, how: Callable[[dict[str, Any]], None]) -> None:
    """Another frame instead of one."""
    frame = run.journal.frames[index]
    told = frame.read()
    how(told)
    run.journal.frames[index] = replace(frame, raw=json.dumps(told, separators=(",", ":")))


def resave(run: Evidence, index: int, how: Callable[[dict[str, Any]], None]) -> None:
    """Another state instead of a saved one."""
    state = run.saves[index].read()
    how(state)
    run.saves[index].raw = msgspec.json.encode(state)


def hand(run: Evidence) -> dict[str, Any]:
    made: dict[str, Any] = run.books.matches[MATCH]["record"]["hands"][0]
    return made


# Moves.


@pytest.mark.parametrize("kind", ["act", "reveal"])
def test_an_acknowledged_command_that_was_never_saved(run: Evidence, kind: str) -> None:
    said = [each for each in run.journal.said if each.message["type"] == kind]
    id_ = said[1].message["id"]
    for index, saved in enumerate(run.saves):
        if saved.raw.find(id_.encode()) >= 0:
            resave(run, index, lambda state: _forget(state, id_))
    assert any("saved" in each for each in check_moves.acknowledged_moves_stand(run))


def _forget(state: dict[str, Any], id_: str) -> None:
    for sitter in state["seats"]:
        if sitter is not None:
            sitter["answers"] = [each for each in sitter["answers"] if each[0] != id_]


def test_a_command_that_was_carried_out_twice(run: Evidence) -> None:
    last = run.saves[-1].read()["seats"][0]["answers"][0]

    def doubled(state: dict[str, Any]) -> None:
        state["seats"][0]["answers"].append(["act-number-0", last[1]])

    resave(run, len(run.saves) - 1, doubled)
    assert any("is saved 2 times" in each for each in check_moves.acknowledged_moves_stand(run))


def test_a_refused_command_that_was_saved(run: Evidence) -> None:
    index = frames(run, "accepted")[8]
    change(run, index, lambda told: told.update(type="refused", code="stale"))
    assert any("was refused" in each for each in check_moves.acknowledged_moves_stand(run))


def test_a_second_answer_that_differs_from_the_first(run: Evidence) -> None:
    index = frames(run, "accepted")[9]
    run.journal.frames.append(run.journal.frames[index])
    change(run, len(run.journal.frames) - 1, lambda told: told.update(number=1))
    assert any("answered with" in each for each in check_moves.acknowledged_moves_stand(run))


@pytest.mark.parametrize("game", ["domino", "nardi"])
def test_a_line_of_the_record_that_was_dropped(game: str) -> None:
    run = evidence(game)
    lines: list[str] = hand(run)["plays" if game == "domino" else "turns"]
    del lines[-1]
    assert check_moves.records_hold_what_was_played(run)


def test_two_plays_of_the_record_in_the_wrong_order(run: Evidence) -> None:
    plays = hand(run)["plays"]
    plays[0], plays[1] = plays[1], plays[0]
    assert check_moves.records_hold_what_was_played(run)
    assert check_moves.records_replay_and_verify(run)


def test_a_play_of_the_server_that_is_not_marked_so() -> None:
    made = slept(99_000)
    made.players[PLAYERS[0]].slow = made.players[PLAYERS[1]].slow = True
    run = made.finish()
    assert [check.__name__ for check in CHECKS if check(run)] == []
    del next(h for h in run.books.matches[MATCH]["record"]["hands"] if "auto" in h)["auto"]
    assert check_moves.records_hold_what_was_played(run)


def test_tiles_that_are_not_the_committed_ones(run: Evidence) -> None:
    tiles = hand(run)["tiles"]
    tiles[20], tiles[21] = tiles[21], tiles[20]
    assert any("verify" in each for each in check_moves.records_replay_and_verify(run))


def test_another_winner_than_the_one_of_the_record(run: Evidence) -> None:
    row = run.books.matches[MATCH]
    row["winners"] = [1 - row["winners"][0]]
    assert check_moves.records_hold_what_was_played(run)
    assert check_moves.records_replay_and_verify(run)


def test_another_commitment_than_the_one_that_players_were_told(run: Evidence) -> None:
    index = next(i for i in frames(run, "change") if '"step":"hash"' in run.journal.frames[i].raw)
    change(run, index, lambda told: told["table"]["handshake"].update(commitment="0" * 64))
    assert any("commitment" in each for each in check_moves.records_replay_and_verify(run))


# Viewers.


def test_a_hole_in_what_a_viewer_was_told(run: Evidence) -> None:
    del run.journal.frames[frames(run, "change", 3)[7]]
    assert len(check_viewers.events_come_once_and_in_order(run)) == 1


def test_an_event_that_came_twice(run: Evidence) -> None:
    index = frames(run, "change", 3)[7]
    run.journal.frames.insert(index, run.journal.frames[index])
    assert check_viewers.events_come_once_and_in_order(run)


def test_an_event_that_was_told_otherwise_than_it_is_saved(run: Evidence) -> None:
    index = frames(run, "change", 3)[7]
    change(run, index, lambda told: told["events"][0].update(event="left"))
    assert len(check_viewers.events_come_once_and_in_order(run)) == 1


def test_a_change_that_was_told_and_never_saved(run: Evidence) -> None:
    run.saves.pop()
    number = run.saves[-1].number
    index = frames(run, "change", 3)[-1]
    change(run, index, lambda told: told.update(number=number + 5))
    assert check_viewers.events_come_once_and_in_order(run)


def test_a_save_that_was_lost(run: Evidence) -> None:
    del run.saves[20]
    assert check_viewers.logs_have_no_holes(run)


def test_the_seat_of_somebody_else(run: Evidence) -> None:
    change(run, frames(run, "change", 1)[9], lambda told: told["table"].update(you=1))
    assert len(check_viewers.viewers_see_their_own_seat(run)) == 1


def test_a_fault_of_the_server_that_a_player_met(run: Evidence) -> None:
    run.journal.pages.append(Page(1.0, None, "/", 500, ""))
    run.journal.lines[1].ended = "1011 fault"
    run.journal.frames.append(Frame(9999.0, 1, '{"type":"error","code":"malformed"}'))
    assert len(check_viewers.nothing_odd_happened(run)) == 3


def test_a_site_that_stood_still_without_postgres(run: Evidence) -> None:
    run.timeline.without_postgres.append((2_000_000.0, 2_000_004.0))
    assert len(check_viewers.play_goes_on_without_postgres(run)) == 1


# Coins.


def test_a_match_that_is_not_kept(run: Evidence) -> None:
    del run.books.matches[MATCH]
    assert any("is not kept" in each for each in check_money.matches_end_and_are_kept_once(run))


def test_a_match_that_is_kept_and_was_never_played(run: Evidence) -> None:
    run.books.matches["another"] = {**run.books.matches[MATCH], "id": "another"}
    assert any("never begun" in each for each in check_money.matches_end_and_are_kept_once(run))


def test_a_match_that_is_kept_with_another_end(run: Evidence) -> None:
    run.books.matches[MATCH]["score"] = [75, 75]
    assert any("is kept as" in each for each in check_money.matches_end_and_are_kept_once(run))


def test_a_match_that_ended_twice(run: Evidence) -> None:
    saved = next(s for s in run.saves if any(e.event["event"] == "ended" for e in s.events))
    number = run.saves[-1].number + 1
    ended = next(e for e in saved.events if e.event["event"] == "ended")
    run.saves[-1].events.append(replace(ended, number=number))
    assert any("ends no match" in each for each in check_money.matches_end_and_are_kept_once(run))


def test_a_match_that_never_ended(run: Evidence) -> None:
    for saved in run.saves:
        saved.events = [e for e in saved.events if e.event["event"] != "ended"]
    assert any("never ended" in each for each in check_money.matches_end_and_are_kept_once(run))


def test_a_seat_that_is_kept_twice(run: Evidence) -> None:
    run.books.seats.append(run.books.seats[0])
    assert len(check_money.matches_end_and_are_kept_once(run)) == 1


def test_a_handshake_that_came_to_nothing_and_is_not_kept(run: Evidence) -> None:
    number = run.saves[-1].number + 1
    void = {"event": "void", "match": "another", "cause": "no_hash", "seats": [1]}
    run.saves[-1].events.append(Event(number, None, void))
    assert check_money.handshakes_that_came_to_nothing_are_kept(run)


def test_stakes_that_nobody_settled(run: Evidence) -> None:
    run.books.escrow[MATCH]["state"] = "staked"
    assert any("are held" in each for each in check_money.stakes_are_settled_once(run))


def test_stakes_that_went_back_after_a_match(run: Evidence) -> None:
    run.books.escrow[MATCH]["state"] = "refunded"
    assert any("is refunded" in each for each in check_money.stakes_are_settled_once(run))


def test_a_payout_to_the_loser(run: Evidence) -> None:
    held = run.books.escrow[MATCH]
    held["winners"] = [1 - held["winners"][0]]
    assert any("was paid to" in each for each in check_money.stakes_are_settled_once(run))


def test_a_payout_that_was_made_twice(run: Evidence) -> None:
    again = {**run.books.transfers[f"pay:{MATCH}"], "key": f"pay:{MATCH}:2"}
    run.books.transfers[again["key"]] = again
    winner = PLAYERS[run.books.matches[MATCH]["winners"][0]]
    run.books.accounts[f"player:{winner}"] += 200
    run.books.accounts[f"escrow:{MATCH}"] -= 200
    assert any("was paid by" in each for each in check_money.stakes_are_settled_once(run))
    assert len(check_money.balances_follow_from_the_results(run)) == 3


def test_coins_that_came_from_nowhere(run: Evidence) -> None:
    run.books.accounts[f"player:{PLAYERS[0]}"] += 1
    assert len(check_money.balances_follow_from_the_results(run)) == 2


def test_a_coin_match_without_stakes(run: Evidence) -> None:
    del run.books.escrow[MATCH]
    assert check_money.stakes_are_settled_once(run)


# Clocks.


def slept(ms: int) -> Made:
    """A match in which somebody stops moving for so long."""
    made = Made("domino")
    made.begin()
    for _ in range(3):
        made.step()
    made.rest(ms)
    return made


def test_a_fast_player_who_had_a_move_played() -> None:
    made = slept(80_000)
    run = made.finish()
    (complaint,) = check_clocks.fast_players_never_lose_on_time(run)
    assert "played by the server" in complaint
    for who in run.players.values():
        who.slow = True
    assert check_clocks.fast_players_never_lose_on_time(run) == []
    assert check_clocks.only_time_used_is_charged(run) == []


def test_a_fast_player_who_lost_on_time() -> None:
    made = slept(80_000)
    for _ in range(20):  # whoever of the two sleeps on
        if made.match.ended is None:
            made.rest(80_000)
    run = made.finish()
    assert any("lost by time" in x for x in check_clocks.fast_players_never_lose_on_time(run))


def in_an_outage(made: Made, started: int, ms: int) -> Evidence:
    """The same run, in which nobody could serve for so long of the time that went by."""
    run = made.finish()
    run.timeline = Timeline(apps={0: True}, outages=[(started / 1000, (started + ms) / 1000)])
    return run


def test_a_reserve_that_paid_for_downtime() -> None:
    made = slept(0)
    started = made.at
    made.at += 20_000  # of which the site served one second
    made.step()
    run = in_an_outage(made, started, 19_000)
    assert any("was charged" in each for each in check_clocks.only_time_used_is_charged(run))
    assert check_clocks.site_time_stands_still_in_outages(run)
    run.timeline.outages = []
    assert check_clocks.only_time_used_is_charged(run) == []
    assert check_clocks.site_time_stands_still_in_outages(run) == []


def test_a_reserve_that_paid_for_a_moment_of_downtime() -> None:
    made = slept(0)
    started = made.at
    made.at += 19_000
    made.step()
    run = in_an_outage(made, started, 4_900)
    assert any("was charged" in each for each in check_clocks.only_time_used_is_charged(run))


def test_a_move_that_was_lost_to_downtime() -> None:
    started = Made("domino").at
    made = slept(80_000)
    run = in_an_outage(made, started + 4_000, 70_000)
    assert any(": lost" in each for each in check_clocks.only_time_used_is_charged(run))


# Secrets.


def leaked(run: Evidence, text: str) -> list[str]:
    """What is complained of when a text stands in a frame to a watcher."""
    index = frames(run, "change", 3)[12]
    change(run, index, lambda told: told["table"]["seats"][0].update(name=text))
    return check_secrets.no_secret_is_told_early(run)


@pytest.mark.parametrize("hand", [1, 2, 1000])
def test_a_secret_that_is_told_early(run: Evidence, hand: int) -> None:
    secret = Chain(bytes(range(32))).secret(hand)
    assert any(f"hand {hand} " in each for each in leaked(run, secret.hex()))
    again = evidence()
    assert any(f"hand {hand} " in x for x in leaked(again, base64.b64encode(secret).decode()))


def test_a_secret_that_stands_in_the_table_a_hand_too_early(run: Evidence) -> None:
    index = frames(run, "change", 3)[12]
    secret = Chain(bytes(range(32))).secret(1).hex()
    change(run, index, lambda told: told["table"]["fairness"]["secrets"].append(secret))
    assert check_secrets.no_secret_is_told_early(run)


def test_a_players_id_and_a_key_that_nobody_knows(run: Evidence) -> None:
    assert any("a player's" in each for each in leaked(run, PLAYERS[0]))
    index = frames(run, "change", 3)[13]
    change(run, index, lambda told: told["table"]["view"].update(bazaar_tiles=[3]))
    assert any("unknown key" in each for each in check_secrets.no_secret_is_told_early(run))


def test_a_tile_of_the_opponent_in_a_view(run: Evidence) -> None:
    index = next(i for i in frames(run, "change", 1) if '"laid"' in run.journal.frames[i].raw)
    other = hand(run)["tiles"][13]
    change(run, index, lambda told: told["table"]["view"].update(must_open=other))
    assert check_secrets.no_hidden_tile_is_shown(run) == [
        f"table {TABLE}, line 1: seat 0 sees {other}"
    ]


def test_a_tile_of_the_bazaar_in_a_page(run: Evidence) -> None:
    page = run.journal.pages[0]
    last = hand(run)["tiles"][27]
    body = page.body.replace('"placed":[]', f'"placed":["{last}"]')
    assert body != page.body
    run.journal.pages[0] = replace(page, body=body)
    assert check_secrets.no_hidden_tile_is_shown(run)


def test_a_roll_that_has_not_been_rolled() -> None:
    run = evidence("nardi")
    index = next(i for i in frames(run, "change", 3) if '"rolled"' in run.journal.frames[i].raw)
    change(run, index, lambda told: told["table"]["view"].update(dice=[7, 7]))
    assert any("dice" in each for each in check_secrets.no_hidden_tile_is_shown(run))


@pytest.mark.parametrize(
    "text",
    [
        Chain(bytes(range(32))).secret(3).hex(),
        PLAYERS[1],
        f"cookie of {PLAYERS[0]}",
        TABLE,
        '["0-6"]',
    ],
)
def test_a_log_that_tells_too_much(run: Evidence, text: str) -> None:
    run.logs["process-0"] += f"warning: {text}\n"
    assert check_secrets.no_log_tells_anything(run)


# The site.


def test_a_player_with_two_matches(run: Evidence) -> None:
    at = next(i for i, s in enumerate(run.saves) if s.read()["status"] == "running")
    other = replace(run.saves[at], table="another-table")
    run.saves.insert(at + 1, other)
    assert any("plays at once" in each for each in check_site.nobody_plays_twice(run))


def test_a_player_with_two_seats(run: Evidence) -> None:
    def doubled(state: dict[str, Any]) -> None:
        state["seats"][1] = state["seats"][0]

    resave(run, 10, doubled)
    assert any("two seats" in each for each in check_site.nobody_plays_twice(run))


def test_a_seat_elsewhere_that_was_not_freed(run: Evidence) -> None:
    # The table of the match has carried it out, and the other one has not heard of it.
    state = run.saves[0].read()
    other = Saved(0, "another-table", 1, 1, msgspec.json.encode({**state, "outbox": []}))
    run.saves.insert(1, other)
    began = next(i for i, s in enumerate(run.saves) if s.read()["status"] == "running")
    resave(run, began + 2, lambda state: state.update(outbox=[]))
    assert any("still waits" in each for each in check_site.other_seats_are_freed(run))


@pytest.mark.parametrize(
    "line",
    [
        "Traceback (most recent call last):",
        "ALARM: match 7 was paid to other winners",
        '{"event": "a part of the house failed", "level": "error"}',
        "ERROR:    Exception in ASGI application ERROR ",
    ],
)
def test_a_process_that_complains(run: Evidence, line: str) -> None:
    run.logs["process-0"] += line + "\n"
    assert len(check_site.processes_complain_of_nothing_else(run)) == 1
    away = "the site cannot be opened: Redis at 127.0.0.1:1 cannot be used: ConnectionResetError"
    run.logs["process-0"] = json.dumps({"level": "error", "event": away})
    assert check_site.processes_complain_of_nothing_else(run) == []
    run.logs["process-0"] = '{"event": "the store is away", "level": "warning"}\n'
    assert check_site.processes_complain_of_nothing_else(run) == []


def test_a_process_that_leaks(run: Evidence) -> None:
    run.rest = replace(run.rest, at_end={0: Uses(200, 4, 900 << 20)}, statuses={0: [-9, 1]})
    assert len(check_site.processes_take_no_more(run)) == 3


def test_what_is_left_behind(run: Evidence) -> None:
    kept = frozenset({"ezo:{07}:log:gone"})
    run.rest = replace(run.rest, outboxes={TABLE: 1}, kept=kept)
    assert len(check_site.nothing_is_left_behind(run)) == 2


# The schedule and the report.


def test_the_same_seed_breaks_the_same_things_at_the_same_moments() -> None:
    assert schedule(7, 180, 2) == schedule(7, 180, 2)
    assert schedule(7, 180, 2) != schedule(8, 180, 2)
    for seed in range(20):
        kinds = {fault.kind for row in schedule(seed, 40, 2) for fault in row}
        assert kinds == set(LENGTHS), seed


def test_a_failure_shows_the_last_frames_of_the_table(run: Evidence) -> None:
    del run.books.matches[MATCH]
    said = failure(run, "kept", check_money.matches_end_and_are_kept_once(run))
    assert "seed 0" in said
    assert TABLE in said
    assert run.journal.frames[-1].raw[:40] in said
    assert "matches begun" in counters(run)
