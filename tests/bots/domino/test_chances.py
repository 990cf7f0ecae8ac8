"""The chances of a match before a hand: sane, whole and right at the ends (G26, G27)."""

from __future__ import annotations

import pytest

from app.bots.domino.chances import after, of_opener

NEEDS = range(5, 356, 5)


def test_less_to_go_is_better_and_more_for_the_other_too() -> None:
    for need in NEEDS:
        for others in NEEDS:
            chance = of_opener(need, others)
            assert 0 <= chance <= 1
            if need > 5:
                assert of_opener(need - 5, others) >= chance
            if others > 5:
                assert of_opener(need, others - 5) <= chance


def test_to_open_is_worth_something() -> None:
    for need in NEEDS:
        assert 0.5 < of_opener(need, need) < 0.65


def test_the_ends_of_a_match() -> None:
    assert after(0, 5, opens=False, drawn=False) == 1
    assert after(-10, -5, opens=False, drawn=False) == 1
    assert after(5, 0, opens=True, drawn=False) == 0
    assert 0 < after(-10, 30, opens=False, drawn=True) < 1  # G23: never by a drawn hand
    assert after(-10, 5, opens=True, drawn=True) > 0.5
    assert after(0, 0, opens=True, drawn=False) == of_opener(0, 0)
    assert after(0, 0, opens=False, drawn=False) == pytest.approx(1 - of_opener(0, 0))


def test_far_past_what_the_table_holds() -> None:
    assert of_opener(1000, 5) == of_opener(355, 5)
    assert after(-1000, 5, opens=True, drawn=True) >= after(-10, 5, opens=True, drawn=True)
