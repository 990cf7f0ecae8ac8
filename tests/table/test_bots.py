"""Computer players at a table: they take seats, shake hands, are waited for, and are no persons."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from app.live import saves
from app.table import views
from app.table.clock import FORFEIT, PRESETS
from app.table.commands import (
    Act,
    Bot,
    Connected,
    Delivered,
    Forget,
    Leave,
    Ready,
    Rematch,
    Resign,
    Sit,
    Void,
)
from app.table.match import PACE_MS, STEP_MS, THINK_MS
from app.table.playing import bots_to_act
from app.table.table import KEPT_MS, AnyGame
from engine.chance import sha256
from tests.table.drive import DOMINO, NARDI, PEBBLES, Driver, fresh

BOTH = pytest.mark.parametrize("game", [DOMINO, NARDI], ids=lambda game: game.name)


def bot(seat: int, level: str = "easy") -> Bot:
    return Bot(f"bot-{seat}", f"Bot {seat}", level)


def against(game: AnyGame, *bots: Bot) -> Driver:
    """A table with computer players, its maker connected."""
    made = Driver(game)
    made.create = replace(made.create, bots=bots or (bot(1),), fresh=fresh(), public=False)
    return made.open()


def playing(game: AnyGame) -> Driver:
    made = against(game)
    made.ok(made.hash(0))
    made.ok(made.reveal(0))
    assert made.status() == "running"
    return made


def bots_turn(game: AnyGame) -> Driver:
    """A match in which it is the computer's move."""
    made = playing(game)
    while not bots_to_act(made.there):
        made.ok(made.act())
    made.ok(Delivered(frozenset(entry.id for entry in made.there.outbox)))
    return made


def answer(made: Driver, ident: str = "bot:1") -> Act:
    """What the computer player says, in the server's name."""
    (seat,) = bots_to_act(made.there)
    action = made.game.action_to_json(made.game.fallback(made.match.state, seat))
    sitter = made.there.sitter(seat)
    return Act(sitter.player, ident, made.match.id, made.match.ply, action)


def test_a_table_against_the_computer_begins_at_once() -> None:
    made = against(DOMINO)
    assert made.status() == "handshake"
    seats = made.view(0)["seats"]
    assert [seat["bot"] for seat in seats] == [None, "easy"]
    assert seats[1]["present"] is True
    assert made.view(0)["host"] == 0
    assert made.view(0)["handshake"]["done"] == [False, True]


def test_a_computer_player_takes_part_in_the_handshake_t12() -> None:
    made = against(DOMINO)
    shake = made.there.handshake
    assert shake is not None
    number = shake.bot_number(1)
    assert number.hex() not in str(views.table_view(made.there, 0, made.now))
    made.ok(made.hash(0))
    # Its number comes in the save that hands the hashes on: nothing that came after could
    # have made it another one.
    assert made.names() == ["hashed", "hashes", "revealed"]
    shake = made.there.handshake
    assert shake is not None
    assert shake.hashes[1] == sha256(number)
    made.ok(made.reveal(0))
    assert made.match.numbers[1] == number
    assert made.view(0)["fairness"]["numbers"][1] == number.hex()


def test_its_number_is_another_at_every_seat_and_in_every_match() -> None:
    made = against(PEBBLES, bot(1), bot(2))
    shake = made.there.handshake
    assert shake is not None
    others = [
        replace(shake, match="another"),
        replace(shake, chain=replace(shake.chain, last=b"x")),
    ]
    numbers = [each.bot_number(seat) for each in (shake, *others) for seat in (1, 2)]
    assert len(set(numbers)) == len(numbers)
    assert shake.chain.last not in numbers


def test_persons_and_computers_fill_a_table_together() -> None:
    made = against(PEBBLES, bot(1))
    assert made.status() == "open"
    made.ok(Sit("p2", "გია", fresh(), funds="covers"))
    assert made.status() == "handshake"
    made.ok(made.hash(0))
    made.ok(made.hash(2))
    made.ok(made.reveal(2))
    made.ok(made.reveal(0))
    assert made.status() == "running"


@BOTH
def test_its_move_is_wanted_at_the_pace_of_a_person(game: AnyGame) -> None:
    made = bots_turn(game)
    assert made.match.bot_at == made.now + PACE_MS
    assert made.due_in() == PACE_MS
    made.wait(PACE_MS)
    before = made.there
    made.tick()
    assert made.there is before, "a look alone changes nothing: its move is a command"
    made.ok(answer(made))
    if bots_to_act(made.there):  # it goes on, as after a roll
        assert made.match.bot_at == made.now + STEP_MS


@BOTH
def test_after_five_seconds_the_server_plays_in_its_place(game: AnyGame) -> None:
    made = bots_turn(game)
    late = answer(made)
    made.wait(PACE_MS + THINK_MS - 1)
    made.tick()
    assert made.match.ply == late.ply
    made.wait(1)
    made.tick()
    assert made.names()[0] == "auto"
    assert made.match.ply > late.ply
    assert not bots_to_act(made.there), "the whole move: nobody waits for every part of it"
    assert made.no(late) in ("stale", "hand_paused", "not_running"), "what it says now is too late"


def test_a_computer_player_that_never_answers_does_not_lose_by_its_clock() -> None:
    made = Driver(NARDI)
    options = {"points": 7}
    made.create = replace(made.create, bots=(bot(1),), fresh=fresh(), public=False)
    made.create = replace(made.create, clock=PRESETS["fast"], options=options)
    made.open()
    made.ok(made.hash(0))
    made.ok(made.reveal(0))
    while made.status() == "running":
        if made.paused():
            made.ok(Ready(made.there.sitter(0).player, f"ready-{made.now}", made.match.id))
        elif bots_to_act(made.there):
            made.wait(PACE_MS + THINK_MS)
            made.tick()
        else:
            made.ok(made.act())
    assert made.match.ended is not None
    assert made.match.ended.reason == "points"


def test_a_computer_player_whose_time_is_up_forfeits_nothing() -> None:
    made = bots_turn(DOMINO)
    (seat,) = bots_to_act(made.there)
    for _ in range(2 * FORFEIT):
        while not bots_to_act(made.there):
            if made.status() != "running":
                return
            if made.paused():
                made.ok(Ready(made.there.sitter(0).player, f"ready-{made.now}", made.match.id))
            else:
                made.ok(made.act())
        made.wait(10 * 60_000)  # as if nothing had looked at the table
        made.tick()
        assert "auto" in made.names()
    assert made.status() == "running"
    assert made.match.clocks[seat].timeouts >= FORFEIT


def test_its_answer_counts_once_however_often_it_comes() -> None:
    made = bots_turn(DOMINO)
    said = answer(made)
    made.ok(said)
    ply = made.match.ply
    made.ok(said)
    assert made.match.ply == ply


def test_what_it_may_not_play_is_refused_like_anybodys() -> None:
    made = bots_turn(DOMINO)
    said = answer(made)
    (seat,) = bots_to_act(made.there)
    own = set(made.game.view(made.match.state, seat)["tiles"])
    other = next(
        t for t in ("0-0", "1-1", "2-2", "3-3", "4-4", "5-5", "6-6", "0-1", "0-2") if t not in own
    )
    wrong = replace(said, action={"action": "lay", "tile": other, "end": "L"})
    assert made.no(wrong)


def test_nobody_waits_for_a_computer_player_between_hands() -> None:
    made = Driver(DOMINO)
    long = {"target": 355}
    made.create = replace(made.create, options=long, bots=(bot(1),), fresh=fresh())
    made.open()
    made.ok(made.hash(0))
    made.ok(made.reveal(0))
    rng = random.Random(5)
    while not made.paused():
        seat = made.on_turn()
        legal = made.game.legal(made.match.state, seat)
        if seat == 0:
            made.ok(made.act(rng.choice(legal)))
        else:
            made.ok(answer(made, f"bot:{made.match.ply}"))
    assert made.view(0)["pause"]["ready"] == [False, True]
    assert made.match.bot_at is None
    made.ok(Ready("p0", made.id(), made.match.id))
    assert not made.paused()


def test_a_computer_player_is_always_game_for_a_rematch_t13() -> None:
    made = playing(DOMINO)
    made.ok(Leave("p0", made.id(), made.match.id))
    assert made.status() == "ended"
    assert made.view(0)["rematch"]["possible"] is False, "who has left is gone"
    made = playing(DOMINO)
    made.ok(Resign("p0", made.id(), made.match.id))
    made.ok(Rematch("p0", made.id(), made.match.id, True, fresh(2)))
    assert made.status() == "handshake"
    assert made.view(0)["rematch"]["wins"] == [0, 1]
    made.ok(made.hash(0, 2))
    made.ok(made.reveal(0, 2))
    assert made.status() == "running"


def test_who_leaves_the_handshake_leaves_no_table_behind() -> None:
    made = against(DOMINO)
    made.ok(Leave("p0", made.id(), "match-1"))
    assert made.status() == "closed"


def test_who_does_not_shake_hands_leaves_no_table_behind() -> None:
    made = against(DOMINO)
    made.to_due()
    assert made.there.void is not None
    assert made.there.void.cause == "no_hash"
    assert made.status() == "closed"


def test_whose_match_runs_elsewhere_leaves_no_table_behind_t16() -> None:
    made = against(DOMINO)
    made.ok(made.hash(0))
    made.ok(made.reveal(0, busy=frozenset({"p0"})))
    assert made.status() == "closed"


def test_a_computer_player_is_never_the_one_who_waits_longest_t16() -> None:
    made = against(PEBBLES, bot(1))
    made.ok(Sit("p2", "გია", fresh(), funds="covers"))
    made.ok(Leave("p0", made.id(), "match-1"))
    assert made.status() == "open"
    assert made.view(None)["host"] == 2


def test_an_open_table_that_only_computers_are_left_at_is_closed() -> None:
    made = against(PEBBLES, bot(1))
    made.ok(Leave("p0", made.id(), None))
    assert made.status() == "closed"


def test_a_computer_player_keeps_no_ended_table_alive() -> None:
    made = playing(DOMINO)
    made.ok(Leave("p0", made.id(), made.match.id))
    made.gone(0)
    made.ok(Delivered(frozenset(entry.id for entry in made.there.outbox)))
    assert made.due_in() == KEPT_MS
    made.to_due()
    assert made.status() == "closed"


def test_nobody_plays_the_computer_for_coins_t3() -> None:
    made = Driver(DOMINO, stake=100)
    made.create = replace(made.create, bots=(bot(1),), fresh=fresh())
    assert made.no(made.create) == "no_coins_with_bots"


def test_the_maker_has_a_seat_of_their_own() -> None:
    made = Driver(DOMINO)
    made.create = replace(made.create, bots=(bot(1), bot(2)), fresh=fresh())
    assert made.no(made.create) == "bad_options"


def test_a_computer_player_plays_at_any_number_of_tables_t16() -> None:
    made = playing(DOMINO)
    assert saves._seats(made.there) == {"p0": "playing"}
    (told,) = [each for each in made.carried_out() if each["kind"] == "playing"]
    assert told["players"] == ["p0"]


def test_who_played_stands_in_what_is_kept() -> None:
    made = playing(DOMINO)
    made.ok(Leave("p0", made.id(), made.match.id))
    (kept,) = [each for each in made.carried_out() if each["kind"] == "ended"]
    assert kept["players"] == ["p0", "bot-1"]
    assert kept["names"] == ["ანა", "Bot 1"]


def test_an_operator_voids_a_match_against_the_computer_like_any_t5() -> None:
    made = bots_turn(DOMINO)
    made.ok(Void("op", made.match.id))
    assert made.status() == "ended"
    assert made.match.bot_at is None


def test_who_waited_for_a_computer_alone_does_not_wait_for_another_t5() -> None:
    made = against(DOMINO)
    made.ok(Void("op", "match-1"))
    assert made.there.void is not None
    assert made.there.void.cause == "voided"
    assert made.status() == "closed"


def test_a_deleted_player_is_forgotten_at_a_table_with_a_computer() -> None:
    made = playing(DOMINO)
    made.ok(Leave("p0", made.id(), made.match.id))
    made.ok(Forget("p0"))
    assert made.view(None)["seats"][0]["name"] == ""
    assert made.view(None)["seats"][1]["name"] == "Bot 1"


def test_a_connection_in_its_name_changes_nothing() -> None:
    made = playing(DOMINO)
    made.ok(Connected("p0", "a.9"))
    assert made.there.bots() == {1}
    assert made.there.people() == (0,)
