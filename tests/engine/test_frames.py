"""A finished match as frames that the boards draw."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.frames import Frame, From, frames
from engine.game import Unreadable
from engine.record import End, Record, read
from engine.replay import Replay
from engine.walk import Refused
from tests.app.pebbles import PEBBLES
from tests.engine.records import DOMINO, NARDI, random_match, stopped

FULL = sorted(f"{a}-{b}" for a in range(7) for b in range(a, 7))
ONE_EACH = [DOMINO[1], DOMINO[5], NARDI[0], NARDI[3]]


def shown(whole: Any, viewer: From = "above") -> list[Frame]:
    return list(frames(read(whole), viewer))


@pytest.mark.parametrize("whole", ONE_EACH)
def test_every_line_is_shown_and_every_hand_begins_with_what_chance_gave(whole: Any) -> None:
    record = read(whole)
    key = record.game.lines_key
    told = shown(whole)
    for number, hand in enumerate(record.hands, 1):
        mine = [frame for frame in told if frame.hand == number]
        assert [frame.n for frame in mine] == sorted(frame.n for frame in mine)
        assert {frame.n for frame in mine} == set(range(len(hand[key]) + 1))
        for frame in mine:
            assert frame.line == (hand[key][frame.n - 1] if frame.n else None)
            assert frame.seat == (int(frame.line[0]) if frame.line else None)
    assert [frame.hand for frame in told] == sorted(frame.hand for frame in told)


@pytest.mark.parametrize("whole", ONE_EACH)
@pytest.mark.parametrize("viewer", [0, 1, None, "above"])
def test_a_view_is_the_games_own_without_legal_actions(whole: Any, viewer: From) -> None:
    record = read(whole)
    told = shown(whole, viewer)
    keys = set(record.game.view(record.game.start(record.options).state, None))
    more = {"all_tiles", "bazaar_tiles"} if record.game.name == "domino" else set()
    for frame in told:
        assert set(frame.view) == keys | more
        assert not frame.view.get("legal")
        assert frame.view["seat"] == (None if viewer == "above" else viewer)
        assert frame.view["score"] == list(frame.score)
    assert told[-1].view["outcome"]["reason"] == "points"


@pytest.mark.parametrize("whole", ONE_EACH)
def test_the_last_frame_of_a_hand_shows_how_it_ended(whole: Any) -> None:
    record = read(whole)
    ends = [row for row in Replay(record) if "end" in row]
    told = shown(whole)
    for number, end in enumerate(ends, 1):
        last = [frame for frame in told if frame.hand == number][-1]
        assert last.view["hand"] == number
        assert last.view["last_hand"]["hand"] == number
        assert last.view["last_hand"]["end"] == end["end"]
        assert list(last.score) == end["score"]
        assert "hand_ended" in [event["event"] for event in last.events]
        if record.game.name == "nardi":
            assert last.view["sides"] == last.view["last_hand"]["sides"]
            assert last.view["sides"][end["winner"]]["off"] == 15
        else:
            assert last.view["placed"]
            assert last.view["all_tiles"] == last.view["last_hand"]["hands"]


@pytest.mark.parametrize("whole", [DOMINO[1], DOMINO[12]])
def test_all_tiles_lie_open_and_none_is_lost(whole: Any) -> None:
    for frame in shown(whole, 0):
        view = frame.view
        laid = [placed["tile"] for placed in view["placed"]]
        held = [tile for hand in view["all_tiles"] for tile in hand]
        assert sorted(laid + held + view["bazaar_tiles"]) == FULL
        assert [len(hand) for hand in view["all_tiles"]] == view["counts"]
        assert view["tiles"] == view["all_tiles"][0]
        assert len(view["bazaar_tiles"]) == view["bazaar"]["left"] + view["bazaar"]["protected"]


def test_the_bazaar_is_in_the_order_of_drawing() -> None:
    told = shown(DOMINO[12])
    draws = [
        (before, after)
        for before, after in pairwise(told)
        if after.line and after.line.endswith("draw")
    ]
    assert len(draws) > 20
    for before, after in draws:
        (drawn,) = [event for event in after.events if event["event"] == "tile_drawn"]
        assert before.view["bazaar_tiles"] == [drawn["tile"], *after.view["bazaar_tiles"]]


def test_a_redeal_is_one_frame_without_plays() -> None:
    """G4."""
    low = [*(f"0-{b}" for b in range(1, 7)), *(f"1-{b}" for b in range(2, 7)), "2-3", "2-4", "2-5"]
    tiles = low + [tile for tile in FULL if tile not in low]
    whole = DOMINO[5]
    again = {**whole, "hands": [{"tiles": tiles, "plays": []}, *whole["hands"]]}
    first, second, *_ = shown(again)
    assert (first.hand, first.n, second.hand) == (1, 0, 2)
    assert first.view["last_hand"]["end"] == "redeal"
    assert first.view["all_tiles"] == [low[:7], low[7:]]


def test_in_nardi_one_checker_moves_at_a_time() -> None:
    for whole in NARDI:
        told = shown(whole, 1)
        for before, after in pairwise(told):
            moved = [event for event in after.events if event["event"] == "moved"]
            rolled = [event for event in after.events if event["event"] == "rolled"]
            assert len(moved) + len(rolled) + (after.n == 0) == 1
            if moved:
                seat, to = moved[0]["seat"], moved[0]["target"]
                side, was = (frame.view["sides"][seat] for frame in (after, before))
                place = "off" if to == 0 else None
                gained = (
                    side["off"] - was["off"]
                    if place
                    else side["points"][to - 1] - was["points"][to - 1]
                )
                assert gained == 1
            if rolled and after.view["phase"] == "move":
                assert after.view["dice"] == rolled[0]["dice"]
        assert [frame.events[-1]["event"] for frame in told].count("turn_ended") + len(
            whole["hands"]
        ) == sum(len(hand["turns"]) for hand in whole["hands"])


def test_each_opening_roll_is_a_frame() -> None:
    """N3: ties are shown too."""
    whole = {**NARDI[0]}
    hand = whole["hands"][0]
    whole["hands"] = [{**hand, "opening": [[3, 3], [1, 1], *hand["opening"][-1:]]}]
    told = [frame for frame in shown(whole) if frame.n == 0]
    assert [frame.view["dice"] for frame in told[:2]] == [[3, 3], [1, 1]]
    assert [len(frame.view["opening"]) for frame in told] == [1, 2, 3]


@pytest.mark.parametrize("reason", ["resigned", "time", "left", "void"])
@pytest.mark.parametrize("whole", [DOMINO[1], NARDI[3]])
def test_a_match_that_was_given_up_ends_where_its_lines_end(whole: Any, reason: str) -> None:
    told = list(frames(stopped(whole, 2, 3, reason), 0))
    assert (told[-1].hand, told[-1].n) == (2, 3)
    assert told[-1].view["outcome"] is None
    assert list(frames(stopped(whole, 1, 0, reason), 0))[-1].n == 0


def test_a_match_that_may_be_under_way_shows_nothing() -> None:
    whole = {key: value for key, value in DOMINO[1].items() if key != "end"}
    with pytest.raises(Unreadable):
        frames(read(whole), 0)


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_is_no_such_seat(seat: int) -> None:
    with pytest.raises(ValueError, match="seat"):
        frames(read(DOMINO[1]), seat)


def test_what_the_rules_refuse_is_refused_after_the_frames_before_it() -> None:
    whole = {**DOMINO[1], "hands": [{**DOMINO[1]["hands"][0]}]}
    whole["hands"][0]["plays"] = [*whole["hands"][0]["plays"][:4], "0 draw", "1 draw"]
    told = frames(read(whole), 0)
    before = [next(told).n for _ in range(5)]
    with pytest.raises(Refused) as refused:
        list(told)
    assert before == [0, 1, 2, 3, 4]
    assert (refused.value.hand, refused.value.n) == (1, 5)


@pytest.mark.parametrize("game", ["domino", "nardi"])
def test_a_frame_is_plain_json(game: str) -> None:
    option = {"target": 75} if game == "domino" else {"points": 1}
    first = next(frames(random_match(game, "a frame", **option), 1))
    assert set(first.to_json()) == {"hand", "n", "seat", "line", "events", "view", "score"}
    assert first.to_json()["events"] == list(first.events)


def test_any_number_of_seats() -> None:
    hand = {"stones": [1, 2, 3, 4, 5, 6, 7, 8, 9], "plays": ["0 1", "1 5", "2 9"]}
    record = Record(PEBBLES, {"target": 1}, (hand,), End(2, "left"), None, {})
    told = list(frames(record, 2))
    assert [(frame.n, frame.seat) for frame in told] == [(0, None), (1, 0), (2, 1), (3, 2)]
    assert told[-1].view["stones"] == [7, 8]
    assert told[-1].view["all_stones"] == [[2, 3], [4, 6], [7, 8]]
    assert len(told[0].events) == 3
