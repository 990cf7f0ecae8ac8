"""What a table decides: seats, commands, plies. Pure, for any game and any number of seats."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from app.table import codec
from app.table.clock import PRESETS
from app.table.commands import Create, Elsewhere, Fresh, Ready, Rematch, Sit
from app.table.decision import Accepted, Refused
from app.table.handle import handle
from app.table.seat import ANSWERS
from app.table.table import AnyGame, Table
from engine.game import Unreadable
from engine.games import GAMES
from tests.app.pebbles import PEBBLES
from tests.app.tables import (
    FRESH,
    PLAYERS,
    act,
    any_act,
    create,
    decided,
    game_of,
    made,
    match_of,
    playing,
    running,
    sit,
    to_move,
)

ALL = pytest.mark.parametrize("game", [*GAMES, PEBBLES], ids=lambda game: game.name)


@ALL
def test_the_match_starts_with_the_last_number_and_not_before_t15(game: AnyGame) -> None:
    decisions = made(game)
    tables = [d.table for d in decisions if d.table is not None]
    seats = game.seats(tables[0].options)
    shaking = ["handshake"] * (2 * seats)
    assert [t.status for t in tables] == ["open"] * (seats - 1) + shaking + ["running"]
    assert [t.match is None for t in tables] == [True] * (len(tables) - 1) + [False]
    names = [entry.event["event"] for d in decisions for entry in d.entries]
    assert names[: 3 * seats + 3] == [
        "opened",
        *["seated"] * (seats - 1),
        "handshake",
        *["hashed"] * seats,
        "hashes",
        *["revealed"] * seats,
        "match_started",
    ]
    assert names[3 * seats + 3 :]
    assert match_of(tables[-1]).id == FRESH.match
    assert decisions[-1].lines


@ALL
def test_events_are_numbered_without_gaps_and_versions_count_saves(game: AnyGame) -> None:
    decisions = made(game)
    table = decisions[-1].table
    assert table is not None
    decisions += playing(table, random.Random(1))
    entries = [entry for d in decisions for entry in d.entries]
    assert [e.number for e in entries] == list(range(1, len(entries) + 1))
    for version, decision in enumerate(decisions, 1):
        assert decision.table is not None
        assert decision.table.version == version
        assert decision.answer == Accepted(decision.entries[-1].number)
        assert decision.table.number == decision.entries[-1].number


@ALL
def test_a_match_runs_to_its_end_and_then_nobody_acts(game: AnyGame) -> None:
    table = running(game)
    last = table
    for decision in playing(table, random.Random(2)):
        assert decision.table is not None
        moved = match_of(decision.table).ply - match_of(last).ply
        paused = match_of(last).pause_until is not None
        assert moved == (0 if paused else 1)
        last = decision.table
    assert match_of(last).ply > 5
    assert last.status == "ended"
    late = act(last, PLAYERS[0], {}, id="a-late-one")
    decision = handle(last, late, 0)
    assert decision.answer == Refused("not_running", "T15")
    assert decision.table is last


@ALL
def test_a_stored_table_comes_back_as_it_was(game: AnyGame) -> None:
    table = running(game)
    for decision in playing(table, random.Random(3)):
        assert decision.table is not None
        assert stored_and_loaded(decision.table) == decision.table
    first = made(game)[0].table
    assert first is not None
    assert stored_and_loaded(first) == first


def stored_and_loaded(table: Table) -> Table:
    return codec.from_json(json.loads(json.dumps(codec.to_json(table))), game_of)


def test_a_stored_table_of_another_schema_is_not_read() -> None:
    value = codec.to_json(running(PEBBLES)) | {"schema": 1}
    with pytest.raises(Unreadable, match="schema 1"):
        codec.from_json(value, game_of)


def test_a_broken_stored_table_is_not_read_and_its_secrets_are_not_told() -> None:
    value = codec.to_json(running(PEBBLES))
    del value["seats"]
    with pytest.raises(Unreadable) as caught:
        codec.from_json(value, game_of)
    assert FRESH.last.hex() not in str(caught.value)


def test_who_sits_already_gets_the_same_seat_again() -> None:
    # A second match was dealt to somebody already seated: one seat per player and table.
    table, _ = decided(None, create(PEBBLES))
    for _ in range(2):
        decision = handle(table, sit("nino"), 0)
        assert decision.table is table
        assert decision.answer == Accepted(table.number)
        assert not decision.entries
    table, _ = decided(table, sit("gia"))
    assert [x and x.player for x in table.seats] == ["nino", "gia", None]
    table, _ = decided(table, sit("gia"))
    assert [x and x.player for x in table.seats] == ["nino", "gia", None]


def test_one_too_many_is_told_that_the_table_is_taken_t16() -> None:
    table = running(PEBBLES)
    decision = handle(table, sit("lasha", Fresh("other", b"x" * 32)), 0)
    assert decision.answer == Refused("taken", "T16")
    assert decision.table is table
    assert match_of(table).id == FRESH.match


def test_a_seated_player_may_sit_again_at_a_full_table() -> None:
    table = running(PEBBLES)
    assert handle(table, sit("dato"), 0).answer == Accepted(table.number)


@pytest.mark.parametrize("options", [{}, {"target": 3}, {"target": 1, "more": 1}, {"other": 1}])
def test_options_are_complete_and_among_the_choices_t1(options: dict[str, int]) -> None:
    command = Create("t1", PEBBLES, options, PRESETS["fast"], True, "nino", "Nino")
    decision = handle(None, command, 0)
    assert decision.answer == Refused("bad_options", "T1")
    assert decision.table is None


def test_a_table_is_made_once() -> None:
    table, _ = decided(None, create(PEBBLES))
    decision = handle(table, create(PEBBLES, "gia"), 0)
    assert decision.answer == Refused("table_exists", "T1")
    assert decision.table is table


def test_commands_to_no_table_are_refused() -> None:
    for command in (sit("nino"), act(running(PEBBLES), "nino", {"stone": 1})):
        decision = handle(None, command, 0)
        assert decision.answer == Refused("unknown_table", "")
        assert decision.table is None


def refused(table: Table, player: str, action: dict[str, object], **changed: object) -> Refused:
    decision = handle(table, act(table, player, action, **changed), 0)
    assert decision.table is table
    assert not decision.entries
    assert not decision.lines
    assert isinstance(decision.answer, Refused)
    return decision.answer


def test_refusals_of_the_table_itself() -> None:
    table = running(PEBBLES)
    stone = {"stone": table.game.legal(match_of(table).state, 0)[0]}
    assert refused(table, "lasha", stone) == Refused("not_seated", "T16")
    assert refused(table, "nino", stone, match="another") == Refused("stale", "T10")
    assert refused(table, "nino", stone, ply=1) == Refused("stale", "T10")
    assert refused(table, "nino", {"pebble": 1}) == Refused("unreadable", "")


def test_before_the_match_nobody_acts() -> None:
    table, _ = decided(None, create(PEBBLES))
    command = act(running(PEBBLES), "nino", {"stone": 1})
    assert handle(table, command, 0).answer == Refused("not_running", "T15")


def test_refusals_of_the_game_are_handed_on_with_rule_and_values() -> None:
    table = running(PEBBLES)
    theirs = match_of(table).state.hands[1][0]
    assert refused(table, "gia", {"stone": theirs}) == Refused("not_your_turn", "X1")
    assert refused(table, "nino", {"stone": theirs}) == Refused(
        "not_yours", "X2", {"stone": theirs}
    )


def test_a_command_sent_twice_counts_once_and_gets_its_first_answer_t10() -> None:
    table = running(PEBBLES)
    command = any_act(table, random.Random(4))
    after, first = decided(table, command)
    decision = handle(after, command, 0)
    assert decision.table is after
    assert decision.answer == first == Accepted(after.number)
    # Others play on; the answer stays the first, and nothing is played under that id again.
    for decision in playing(after, random.Random(5)):
        assert decision.table is not None
        again = handle(decision.table, command, 0)
        assert again.table is decision.table
        assert again.answer == first


def test_the_same_id_of_another_player_is_another_command() -> None:
    table = running(PEBBLES)
    stone = match_of(table).state.hands[0][0]
    table, _ = decided(table, act(table, "nino", {"stone": stone}, id="the-same-id"))
    theirs = match_of(table).state.hands[1][0]
    after, answer = decided(table, act(table, "gia", {"stone": theirs}, id="the-same-id"))
    assert answer == Accepted(after.number)
    assert match_of(after).ply == 2


def test_a_move_for_an_older_position_is_stale() -> None:
    table = running(PEBBLES)
    hand = match_of(table).state.hands[0]
    table, _ = decided(table, act(table, "nino", {"stone": hand[0]}))
    late = act(table, "nino", {"stone": hand[1]}, ply=0, id="another-id")
    assert handle(table, late, 0).answer == Refused("stale", "T10")


def test_answers_are_remembered_within_bounds() -> None:
    game = GAMES[0]
    table = running(game)
    for decision in playing(table, random.Random(6)):
        assert decision.table is not None
        for sitter in decision.table.seats:
            assert sitter is not None
            assert len(sitter.answers) <= ANSWERS
        if to_forget := [s for s in decision.table.seats if s and len(s.answers) == ANSWERS]:
            assert to_forget[0].answers[-1].number <= decision.table.number
            return
    pytest.fail("no player made enough moves")


def test_a_player_waits_at_three_tables_and_plays_one_match_t16() -> None:
    for elsewhere, code in (
        (Elsewhere(waiting=3), "too_many_tables"),
        (Elsewhere(playing=True), "playing_elsewhere"),
    ):
        making = replace(create(PEBBLES), elsewhere=elsewhere)
        answer = handle(None, making, 0).answer
        assert isinstance(answer, Refused)
        assert (answer.code, answer.rule) == (code, "T16")
        table, _ = decided(None, create(PEBBLES))
        sitting = Sit("gia", "Gia", FRESH, elsewhere)
        answer = handle(table, sitting, 0).answer
        assert isinstance(answer, Refused)
        assert answer.code == code
    table, _ = decided(None, replace(create(PEBBLES), elsewhere=Elsewhere(waiting=2)))
    assert table.status == "open"


def test_between_hands_nobody_acts_and_readiness_is_asked_for_once() -> None:
    table = running(GAMES[0])
    for decision in playing(table, random.Random(9)):
        assert decision.table is not None
        if match_of(decision.table).pause_until is not None:
            table = decision.table
            break
    match = match_of(table)
    refused = handle(table, act(table, "nino", {"action": "draw"}), 0).answer
    assert refused == Refused("hand_paused", "T6")
    table, _ = decided(table, Ready("nino", "ready-1", match.id))
    again = handle(table, Ready("nino", "ready-2", match.id), 0)
    assert not again.entries
    table, _ = decided(table, Ready("gia", "ready-3", match.id))
    assert match_of(table).pause_until is None
    assert handle(table, Ready("gia", "ready-4", match.id), 0).answer == (
        Refused("not_paused", "T6")
    )


def test_a_rematch_is_only_for_a_match_that_has_ended_t13() -> None:
    table = running(PEBBLES)
    command = Rematch("nino", "rematch-1", FRESH.match, True, FRESH)
    assert handle(table, command, 0).answer == Refused("not_ended", "T13")


def test_secrets_do_not_show_in_a_repr_t11() -> None:
    table = running(GAMES[0])
    shown = repr(table) + repr(made(GAMES[0])) + repr(FRESH)
    assert repr(FRESH.last) not in shown
    assert FRESH.last.hex() not in shown
    assert repr(match_of(table).secret) not in shown
    assert "tiles" not in shown
    assert to_move(table) in shown


@ALL
def test_a_stored_table_stays_small(game: AnyGame) -> None:
    largest = max(
        len(json.dumps(codec.to_json(decision.table), separators=(",", ":")))
        for decision in playing(running(game), random.Random(8))
        if decision.table is not None
    )
    assert largest < 4 * 1024
