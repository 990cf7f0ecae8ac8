"""T12: a record whose chance can be checked, and what the check finds in one that was touched."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from engine import games
from engine.chance import Chain, Committed, sha256
from engine.record import End, write
from engine.simulate import random_match
from tests.engine.command import run

MATCH = "a-match"
CHAINS = {name: Chain(sha256(name.encode())) for name in ("domino", "nardi")}


def committed_record(name: str, rules: str, options: dict[str, int]) -> dict[str, Any]:
    """A random match under a committed chain, with everything revealed."""
    game = games.game(name, rules)
    chain = CHAINS[name]
    numbers = tuple(sha256(bytes([seat])) for seat in range(game.seats(options)))
    chance = Committed(chain, MATCH, numbers)
    state, _, lines = random_match(game, options, chance, random.Random(4))
    outcome = game.outcome(state)
    assert outcome is not None
    fairness = {
        "version": "match/1",
        "match": MATCH,
        "commitment": chain.commitment.hex(),
        "numbers": [number.hex() for number in numbers],
        "secrets": [chain.secret(n + 1).hex() for n in range(game.hand(state))],
    }
    extra = {"match": MATCH, "fairness": fairness}
    return write(game, options, lines, End(outcome.winners[0], "points"), extra)


RECORDS = {
    "domino": committed_record("domino", "georgian", {"target": 75}),
    "nardi": committed_record("nardi", "short", {"points": 3}),
}


def verified(record: dict[str, Any]) -> tuple[int, list[Any]]:
    ran = run("verify", "-", stdin=json.dumps(record))
    assert ran.err == ""
    return ran.status, ran.rows


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_what_was_committed_to_is_verified(name: str) -> None:
    record = RECORDS[name]
    status, rows = verified(record)
    assert status == 0
    assert rows[-1] == {"match": MATCH, "verified": True}
    assert [row["hand"] for row in rows[:-1]] == list(range(1, len(record["hands"]) + 1))
    assert all(row["committed"] and not row["differ"] and row["drawn"] for row in rows[:-1])
    turns = sum(len(hand.get("turns", [""])) for hand in record["hands"])
    ties = sum(len(hand.get("opening", [""])) - 1 for hand in record["hands"])
    assert sum(row["drawn"] for row in rows[:-1]) == turns + ties


def test_a_swapped_tile_is_found() -> None:
    record = copy.deepcopy(RECORDS["domino"])
    tiles = record["hands"][-1]["tiles"]
    tiles[26], tiles[27] = tiles[27], tiles[26]  # the protected two: no play can tell
    status, rows = verified(record)
    assert status == 1
    assert rows[-2]["differ"] == ["tiles"]
    assert rows[-1]["verified"] is False


def test_another_roll_is_found() -> None:
    record = copy.deepcopy(RECORDS["nardi"])
    hand = record["hands"][0]
    record["hands"] = record["hands"][:1]
    del record["end"]
    at, seat = next(
        (n, turn[0]) for n, turn in enumerate(hand["turns"]) if n and turn[2:5] != "66:"
    )
    hand["turns"] = [*hand["turns"][:at], f"{seat} 66:"]
    status, rows = verified(record)
    assert status == 1
    assert rows[-1]["verified"] is False


@pytest.mark.parametrize(
    ("key", "spoil"),
    [
        ("commitment", lambda value: sha256(value.encode()).hex()),
        ("numbers", lambda value: [value[1], value[0]]),
        ("secrets", lambda value: [value[0], *[sha256(b"x").hex()] * (len(value) - 1)]),
        ("match", lambda value: value + "x"),
        ("secrets", lambda value: value[:-1]),
    ],
)
@pytest.mark.parametrize("name", sorted(RECORDS))
def test_touched_fairness_is_found(name: str, key: str, spoil: Any) -> None:
    record = copy.deepcopy(RECORDS[name])
    record["fairness"][key] = spoil(record["fairness"][key])
    status, rows = verified(record)
    assert status == 1
    assert rows[-1]["verified"] is False


def test_the_fairness_of_another_match_is_found() -> None:
    status, rows = verified({**RECORDS["domino"], "match": "another"})
    assert status == 1
    assert "another match" in rows[-1]["error"]


def test_a_hand_under_way_has_no_secret_yet() -> None:
    record = copy.deepcopy(RECORDS["domino"])
    del record["end"]
    record["hands"][-1]["plays"].pop()
    record["fairness"]["secrets"].pop()
    status, rows = verified(record)
    assert status == 0
    assert rows[-2]["committed"] is None


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_a_hand_that_has_ended_owes_its_secret_also_where_the_record_has_no_end(name: str) -> None:
    record = copy.deepcopy(RECORDS[name])
    del record["end"]
    assert verified(record)[0] == 0
    secret = record["fairness"]["secrets"].pop()
    assert verified(record)[0] == 1  # the match is over by points
    record["fairness"]["secrets"].append(secret)
    record["hands"].pop()
    record["fairness"]["secrets"] = record["fairness"]["secrets"][: len(record["hands"]) - 1]
    if record["hands"]:
        assert verified(record)[0] == 1  # the last hand is over, the match is not


def test_a_secret_of_a_hand_that_was_not_begun_is_found() -> None:
    record = copy.deepcopy(RECORDS["domino"])
    begun = len(record["hands"])
    record["fairness"]["secrets"].append(CHAINS["domino"].secret(begun + 1).hex())
    assert verified(record)[0] == 1


def test_a_record_without_fairness_cannot_be_checked() -> None:
    record = {key: value for key, value in RECORDS["domino"].items() if key != "fairness"}
    status, rows = verified(record)
    assert status == 1
    assert rows == [{"verified": False, "error": rows[0]["error"]}]


def test_a_record_that_does_not_replay_is_not_verified() -> None:
    record = copy.deepcopy(RECORDS["domino"])
    record["hands"][0]["plays"][0] = "0 hello"
    status, rows = verified(record)
    assert status == 1
    assert "does not replay" in rows[-1]["error"]
