"""Figures of a match, counted again from its lines and rows."""

from __future__ import annotations

from typing import Any

import pytest

from engine.figures import COMMON, figures
from engine.record import Record, read
from engine.replay import Replay
from engine.walk import Refused
from tests.app.pebbles import PEBBLES
from tests.engine.records import DOMINO, NARDI, stopped


def ends(record: Record) -> list[dict[str, Any]]:
    return [row for row in Replay(record) if row.get("end", "redeal") != "redeal"]


@pytest.mark.parametrize("whole", DOMINO)
def test_domino(whole: Any) -> None:
    record = read(whole)
    rows, ended = list(Replay(record)), ends(record)
    for seat, found in enumerate(figures(record)):
        own = [row for row in rows if row.get("seat") == seat]
        laid = [row for row in own if row["play"] != "draw"]
        assert found == {
            "hands": len(ended),
            "points": rows[-1]["score"][seat],
            "hands_ended": len(ended),
            "hands_won": sum(row["winner"] == seat for row in ended),
            "hands_drawn": sum(row["end"] == "drawn" for row in ended),
            "ribas": sum(row["end"] in ("riba", "drawn") for row in ended),
            "ribas_won": sum(row["end"] == "riba" and row["winner"] == seat for row in ended),
            "plays": len(laid),
            "scoring_plays": sum(row["points"] > 0 for row in laid),
            "scored": sum(row["points"] for row in laid),
            "draws": len(own) - len(laid),
        }
        won = sum(row["points"] for row in ended if row["winner"] == seat)
        assert found["points"] == found["scored"] + won


@pytest.mark.parametrize("whole", NARDI)
def test_nardi(whole: Any) -> None:
    record = read(whole)
    ended = ends(record)
    # The first turn of a hand has the dice of the opening.
    turns = [turn for hand in record.hands for turn in hand["turns"][1:]]
    every = [turn for hand in record.hands for turn in hand["turns"]]
    for seat, found in enumerate(figures(record)):
        own = [turn for turn in turns if turn[0] == str(seat)]
        rolled = [(int(turn[2]), int(turn[3])) for turn in own]
        pips = sum(4 * one if one == two else one + two for one, two in rolled)
        wanted = {
            "hands": len(ended),
            "points": ended[-1]["score"][seat],
            "hands_won": sum(row["winner"] == seat for row in ended),
            "hands_lost": sum(row["winner"] != seat for row in ended),
            "openings": sum(hand["turns"][0][0] == str(seat) for hand in record.hands),
            "rolls": len(rolled),
            "pips": pips,
            "luck_36": 36 * pips - 294 * len(rolled),
            "doubles": sum(one == two for one, two in rolled),
            "hits": sum(turn.count("*") for turn in every if turn[0] == str(seat)),
        }
        for end in ("oini", "marsi", "koksi"):
            wanted[end] = sum((row["end"], row["winner"]) == (end, seat) for row in ended)
            wanted[f"{end}_lost"] = sum(
                (row["end"], row["winner"]) == (end, 1 - seat) for row in ended
            )
        assert found == wanted
        assert found["points"] == found["oini"] + 2 * found["marsi"] + 3 * found["koksi"]


def test_the_vectors_have_every_kind_of_end() -> None:
    nardi = [figures(read(whole))[0] for whole in NARDI]
    domino = [figures(read(whole))[0] for whole in DOMINO]
    for name in ("oini", "marsi", "koksi"):
        assert sum(each[name] + each[f"{name}_lost"] for each in nardi), name
    assert sum(each["hands_drawn"] for each in domino)
    assert sum(each["ribas_won"] for each in domino)


def test_luck_is_nothing_on_average() -> None:
    """All 36 rolls together, and the variance that is told of one."""
    rolls = [4 * one if one == two else one + two for one in range(1, 7) for two in range(1, 7)]
    luck = [36 * pips - 294 for pips in rolls]
    assert sum(luck) == 0
    assert sum(each * each for each in luck) == 36 * 23_940


@pytest.mark.parametrize("whole", [DOMINO[1], NARDI[3]])
def test_what_was_played_of_a_hand_that_was_given_up_counts(whole: Any) -> None:
    before = figures(stopped(whole, 2, 1))
    after = figures(stopped(whole, 2, 9))
    for early, late in zip(before, after, strict=True):
        assert late["hands"] == early["hands"] == 2
        assert early["hands_won"] == late["hands_won"] <= 1
        assert all(late[name] >= early[name] for name in late if name != "luck_36")
    assert before != after
    assert [each["hands"] for each in figures(stopped(whole, 2, 0))] == [1, 1]


def test_a_deal_without_a_double_is_no_hand() -> None:
    """G4."""
    names = [f"{a}-{b}" for a in range(7) for b in range(a, 7)]
    plain = [name for name in names if name[0] != name[2]][:14]
    tiles = plain + [name for name in names if name not in plain]
    whole = {**DOMINO[5], "hands": [{"tiles": tiles, "plays": []}, *DOMINO[5]["hands"]]}
    assert figures(read(whole)) == figures(read(DOMINO[5]))


def test_what_the_rules_refuse_has_no_figures() -> None:
    whole = {**NARDI[0], "hands": [{**NARDI[0]["hands"][0], "turns": ["0 66: 24/18"]}]}
    with pytest.raises(Refused):
        figures(read(whole))


def test_any_number_of_seats() -> None:
    stones = [9, 2, 3, 1, 5, 6, 7, 8, 4]
    hands = {"stones": stones, "plays": ["0 9", "1 1", "2 7", "0 2"]}
    record = Record(PEBBLES, {"target": 1}, (hands,), None, None, {})
    assert figures(record) == (
        {"hands": 1, "points": 0, "laid": 2},
        {"hands": 1, "points": 0, "laid": 1},
        {"hands": 1, "points": 0, "laid": 1},
    )
    assert COMMON == ("hands", "points")
