"""What chance gave, and how likely it was."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import pytest

from engine import games
from engine.chance import Seeded
from engine.domino import GAME as DOMINO_GAME
from engine.game import Ask, Refusal
from engine.given import expected, given
from engine.nardi import GAME as NARDI_GAME
from engine.record import Record, read
from tests.app.pebbles import PEBBLES
from tests.domino.build import fresh
from tests.engine.records import DOMINO, NARDI, random_match, stopped

DOUBLES = [f"{pip}-{pip}" for pip in range(6, -1, -1)]


@pytest.mark.parametrize("game", games.GAMES, ids=lambda game: game.name)
def test_every_table_sums_to_one(game: Any) -> None:
    for keys in game.chances.values():
        assert sum(keys.values()) == 1
        assert all(isinstance(chance, Fraction) and chance > 0 for chance in keys.values())


# ── nardi ─────────────────────────────────────────────────────────────────────────────────────


def test_nardis_chances_are_those_of_all_36_rolls() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    state = NARDI_GAME.start({"points": 1}).state
    for dice in product(range(1, 7), repeat=2):
        seen.update(NARDI_GAME.given(state, Ask(1, "opening|0", "dice", 2), dice))
        seen.update(NARDI_GAME.given(state, Ask(1, "roll|1", "dice", 2), dice))
    for table, keys in NARDI_GAME.chances.items():
        whole = sum(number for (name, _), number in seen.items() if name == table)
        assert {key: Fraction(seen[table, key], whole) for key in keys} == keys
    assert {table for table, _ in seen} == set(NARDI_GAME.chances)


@pytest.mark.parametrize("whole", NARDI)
def test_every_die_of_a_record_is_counted(whole: Any) -> None:
    pairs = [tuple(pair) for hand in whole["hands"] for pair in hand["opening"]]
    turns = [turn for hand in whole["hands"] for turn in hand["turns"][1:]]
    rolls = [(int(turn[2]), int(turn[3])) for turn in turns]
    found = given(read(whole))
    faces = Counter(str(die) for pair in (*pairs, *rolls) for die in pair)
    assert found["faces"] == {str(face): faces[str(face)] for face in range(1, 7)}
    doubles = sum(one == two for one, two in rolls)
    assert found["rolls"] == {"double": doubles, "plain": len(rolls) - doubles}
    assert found["opening"] == {
        "0": sum(one > two for one, two in pairs),
        "1": sum(one < two for one, two in pairs),
        "tie": sum(one == two for one, two in pairs),
    }


def test_no_dice_are_not_counted() -> None:
    state = NARDI_GAME.start({"points": 1}).state
    for dice in ((1, 7), (3,), (1, 2, 3)):
        with pytest.raises(Refusal):
            list(NARDI_GAME.given(state, Ask(1, "roll|1", "dice", 2), dice))


# ── domino ────────────────────────────────────────────────────────────────────────────────────


def drawn(kinds: dict[str, int], number: int, wanted: str) -> dict[int, Fraction]:
    """How likely ``number`` tiles drawn one by one hold so many of the kind ``wanted``."""
    left = sum(kinds.values())
    chances = {0: Fraction(1)}
    for turn in range(number):
        after: dict[int, Fraction] = {}
        for have, chance in chances.items():
            hit = Fraction(kinds[wanted] - have, left - turn)
            after[have + 1] = after.get(have + 1, Fraction(0)) + chance * hit
            after[have] = after.get(have, Fraction(0)) + chance * (1 - hit)
        chances = {have: chance for have, chance in after.items() if chance}
    return chances


def test_dominos_chances_are_those_of_tiles_dealt_one_by_one() -> None:
    chances = DOMINO_GAME.chances
    held = drawn({"double": 7, "other": 21}, 7, "double")
    assert chances["doubles_dealt"] == {str(number): held[number] for number in range(8)}
    # k-k or a higher double is dealt, less that a higher one is.
    none = [drawn({"high": high, "other": 28 - high}, 14, "high")[0] for high in range(8)]
    assert [chances["opening_double"][name] for name in DOUBLES] == [
        none[above] - none[above + 1] for above in range(7)
    ]
    assert chances["opening_double"]["none"] == chances["opener"]["none"] == none[7]
    assert chances["opener"]["0"] == chances["opener"]["1"] == (1 - none[7]) / 2


DEALS = 12_000


def test_dominos_chances_are_those_of_many_shuffles() -> None:
    """Every frequency within five standard deviations of what is expected."""
    seen: Counter[tuple[str, str]] = Counter()
    state, ask = fresh(), Ask(1, "tiles", "shuffle", 28)
    for number in range(DEALS):
        seen.update(DOMINO_GAME.given(state, ask, Seeded(b"%d" % number).answer(ask)))
    for table, keys in DOMINO_GAME.chances.items():
        whole = sum(seen[table, key] for key in keys)
        assert whole == (2 * DEALS if table == "doubles_dealt" else DEALS)
        for key, chance in keys.items():
            strays = sqrt(whole * float(chance) * (1 - chance))
            assert abs(seen[table, key] - whole * chance) < 5 * strays + 1, (table, key)
    assert set(seen) <= {
        (table, key) for table, keys in DOMINO_GAME.chances.items() for key in keys
    }


@pytest.mark.parametrize("whole", DOMINO[:12])
def test_every_deal_of_a_record_is_counted(whole: Any) -> None:
    found = given(read(whole))
    hands = [hand["tiles"][at : at + 7] for hand in whole["hands"] for at in (0, 7)]
    doubles = Counter(str(sum(name[0] == name[2] for name in hand)) for hand in hands)
    assert {key: number for key, number in found["doubles_dealt"].items() if number} == doubles
    seat, name = whole["hands"][0]["plays"][0].split()
    opened = {key: number for key, number in found["opening_double"].items() if number}
    assert opened == {name: 1}
    assert {key: number for key, number in found["opener"].items() if number} == {seat: 1}


def test_a_deal_without_a_double_is_counted_as_none() -> None:
    """G4: the deal after it counts as a first one too."""
    names = [f"{a}-{b}" for a in range(7) for b in range(a, 7)]
    plain = [name for name in names if name[0] != name[2]][:14]
    redeal = {"tiles": plain + [name for name in names if name not in plain], "plays": []}
    whole = {**DOMINO[5], "hands": [redeal, redeal, *DOMINO[5]["hands"]]}
    once, found = given(read(DOMINO[5])), given(read(whole))
    assert found["opening_double"] == {**once["opening_double"], "none": 2}
    assert found["opener"] == {**once["opener"], "none": 2}
    assert found["doubles_dealt"]["0"] == once["doubles_dealt"]["0"] + 4


# ── either ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("whole", [DOMINO[1], NARDI[3]])
def test_a_match_that_was_given_up_counts_as_far_as_it_went(whole: Any) -> None:
    part, more = given(stopped(whole, 1, 5)), given(read(whole))
    for table, keys in more.items():
        assert part[table].keys() == keys.keys()
        assert all(part[table][key] <= number for key, number in keys.items())
    assert part != more


def test_what_is_expected_is_of_as_many_as_were_counted() -> None:
    counts = given(random_match("nardi", "expected", points=1))
    told = expected(NARDI_GAME, counts)
    assert sum(told["faces"].values()) == sum(counts["faces"].values())
    assert told["rolls"]["double"] == Fraction(sum(counts["rolls"].values()), 6)


def test_any_number_of_seats() -> None:
    hands = {"stones": [1, 2, 3, 4, 9, 5, 6, 7, 8], "plays": []}
    record = Record(PEBBLES, {"target": 1}, (hands,), None, None, {})
    assert given(record) == {"highest": {"0": 0, "1": 1, "2": 0}}
