"""G6–G10 and G18: ends, arms and the count."""

from __future__ import annotations

import pytest

from engine.domino.actions import Lay, read_play
from engine.domino.layout import Layout
from engine.domino.view import laid


def chain(plays: str) -> Layout:
    layout = Layout()
    for each in plays.split():
        lay = read_play(each)
        assert isinstance(lay, Lay)
        layout = laid(layout, lay)
    return layout


def ends(layout: Layout) -> dict[str, tuple[int, int]]:
    return {each.end: (each.asks, each.value) for each in layout.ends}


def test_g6_a_tile_is_turned_the_right_way_round() -> None:
    layout = chain("2-5 5-6@R 2-4@L")
    assert ends(layout) == {"L": (4, 4), "R": (6, 6)}
    assert [(p.inner, p.outer) for p in layout.placed] == [(2, 5), (5, 6), (2, 4)]


def test_g7_the_first_double_is_the_stavka_whenever_it_is_laid() -> None:
    layout = chain("2-5 5-6@R 6-6@R 2-2@L")
    assert layout.stavka == read_play("6-6").tile  # type: ignore[union-attr]
    assert layout.uncovered == ("R",)


def test_g7_a_hand_can_have_no_stavka() -> None:
    assert chain("2-5 5-6@R").stavka is None


def test_g8_an_opening_stavka_has_both_main_sides_free() -> None:
    assert chain("6-6").uncovered == ("L", "R")


def test_g9_third_and_fourth_side_open_when_both_main_sides_are_covered() -> None:
    assert set(ends(chain("6-6 4-6@R"))) == {"L", "R"}
    assert ends(chain("6-6 4-6@R 5-6@L")) == {"L": (5, 5), "R": (4, 4), "U": (6, 0), "D": (6, 0)}


def test_g9_pitfall_four_arms_of_a_stavka_laid_later_can_all_be_played() -> None:
    layout = chain("2-5 5-5@R 5-6@R 1-5@U 3-5@D 2-3@L")
    assert ends(layout) == {"L": (3, 3), "R": (6, 6), "U": (1, 1), "D": (3, 3)}


def test_g10_another_double_opens_no_direction() -> None:
    layout = chain("6-6 4-6@R 4-4@R 2-4@R")
    assert set(ends(layout)) == {"L", "R"}
    assert ends(chain("6-6 4-6@R 4-4@R"))["R"] == (4, 8)


@pytest.mark.parametrize(
    ("plays", "total"),
    [
        ("2-5", 7),  # two halves of a single tile
        ("6-6", 12),  # G18: an opening stavka once
        ("6-6 3-6@L", 15),  # pitfall: 6-6 with 6-3 laid to it counts 12+3
        ("6-6 3-6@R", 15),
        ("6-6 3-6@R 1-6@L", 4),  # covered on both sides it counts nothing
        ("2-5 5-5@R", 12),  # a stavka laid later: both halves while a main side is free
        ("2-5 5-5@R 5-6@R", 8),  # then nothing
        ("6-6 4-6@R 5-6@L 3-6@U", 12),  # the third side counts once a tile lies there
        ("6-6 4-6@R 5-6@L 3-6@U 3-3@U", 15),  # a double at the end of an arm counts both halves
        ("6-6 4-6@R 4-4@R", 20),  # an ordinary double: both halves
        ("0-0", 0),
        ("0-0 0-3@L", 3),
    ],
)
def test_g18_the_count(plays: str, total: int) -> None:
    layout = chain(plays)
    assert layout.total == total == sum(layout.terms())


def test_g10_two_open_ends_or_four() -> None:
    for plays, number in (("2-5", 2), ("6-6 4-6@R", 2), ("6-6 4-6@R 5-6@L", 4)):
        assert len(chain(plays).ends) == number


def test_g18_terms_are_those_that_a_player_adds_up() -> None:
    assert chain("6-6").terms() == (12,)
    assert chain("6-6 4-6@R").terms() == (12, 4)
    assert chain("6-6 4-6@L").terms() == (4, 12)
    assert chain("6-6 4-6@R 5-6@L").terms() == (5, 4)
    assert chain("6-6 4-6@R 5-6@L 0-6@U").terms() == (5, 4, 0)
