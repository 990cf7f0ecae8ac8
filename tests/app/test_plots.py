"""Plots: whatever is drawn stays in its box, and says what it stands for."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.history.stats import Stats
from app.ratings.ratings import Change
from app.web import plots
from app.web.figures import LINE, MARKS, MONTHS, SCALE, SHARE, by_month, called, course, told
from app.web.plots import FARTHEST, Box
from engine.games import GAMES
from tests.app.pebbles import PEBBLES

BOX = Box(10, 20, 300, 80)
SLACK = 0.02
"""Places are rounded to a hundredth."""
FINITE = st.floats(allow_nan=False, allow_infinity=False)
COUNTS = st.tuples(st.integers(0, 10**12), st.integers(0, 10**12)).map(
    lambda two: (max(two), min(two))
)


def inside(x: float, y: float, box: Box = BOX) -> bool:
    return (
        isfinite(x)
        and isfinite(y)
        and box.x - SLACK <= x <= box.right + SLACK
        and box.y - SLACK <= y <= box.bottom + SLACK
    )


@given(st.lists(COUNTS, max_size=60))
def test_columns_stand_in_their_box(values: list[tuple[int, int]]) -> None:
    found = plots.columns(values, BOX)
    assert len(found) == len(values)
    for one in found:
        assert inside(one.x, one.y)
        assert inside(one.x + one.width, one.y + one.height)
        assert one.part <= one.height + SLACK
        assert one.part_y >= one.y - SLACK
        assert abs(one.y + one.height - BOX.bottom) <= SLACK
    for left, right in pairwise(found):
        assert left.x + left.width < right.x
    if any(whole for whole, _ in values):
        assert max(one.height for one in found) == BOX.height


@given(st.lists(COUNTS, min_size=1, max_size=12))
def test_a_higher_column_is_more(values: list[tuple[int, int]]) -> None:
    found = plots.columns(values, BOX)
    order = sorted(range(len(values)), key=lambda number: values[number][0])
    heights = [found[number].height for number in order]
    assert heights == sorted(heights)


def test_columns_of_nothing_are_flat() -> None:
    assert plots.columns([], BOX) == []
    flat = plots.columns([(0, 0), (0, 0)], BOX)
    assert [(one.height, one.part) for one in flat] == [(0, 0), (0, 0)]


def test_a_column_and_its_part() -> None:
    whole, half = plots.columns([(4, 1), (2, 2)], BOX)
    assert (whole.height, whole.part, whole.y, whole.part_y) == (80, 20, 20, 80)
    assert (half.height, half.part) == (40, 40)
    assert whole.middle == 10 + 75
    assert half.middle == 10 + 225


@given(st.lists(FINITE, max_size=60))
def test_a_line_stays_in_its_box(values: list[float]) -> None:
    found = plots.line(values, BOX)
    assert len(found) == len(values)
    assert all(inside(x, y) for x, y in found)
    assert [x for x, _ in found] == sorted(x for x, _ in found)
    assert len(plots.path(found).split()) == len(values)
    if len(set(values)) > 1:
        heights = {value: y for value, (_, y) in zip(values, found, strict=True)}
        assert heights[max(values)] <= heights[min(values)]


def test_lines_of_none_of_one_and_of_the_same() -> None:
    assert plots.line([], BOX) == []
    assert plots.path([]) == ""
    assert plots.line([7.0], BOX) == [(160, 60)]
    assert plots.line([7, 7, 7], BOX) == [(10, 60), (160, 60), (310, 60)]
    assert plots.line([1500, 1600, 1400], BOX) == [(10, 60), (160, 20), (310, 100)]


@given(FINITE, FINITE)
def test_shares_and_scales_end_where_their_boxes_end(share: float, strays: float) -> None:
    assert 0 <= plots.filled(share, BOX) <= BOX.width
    assert inside(plots.on_scale(strays, BOX), BOX.y)


def test_a_scale_has_nothing_in_its_middle() -> None:
    assert plots.on_scale(0, BOX) == 160
    assert plots.on_scale(FARTHEST, BOX) == plots.on_scale(10 * FARTHEST, BOX) == BOX.right
    assert plots.on_scale(-FARTHEST, BOX) == BOX.x
    places = [place for _, place in MARKS]
    assert places == sorted(places)
    assert all(inside(place, SCALE.y, SCALE) for place in places)


def change(before: int, after: int) -> Change:
    return Change("m", 0, "nino", "pebbles", "plain", True, before, after, False, 1)


def test_the_course_of_a_rating() -> None:
    """From before the first match; the changes come the latest first."""
    values = [1500, 1540, 1520, 1580, 1560, 1600]
    changes = [change(a, b) for a, b in pairwise(values)][::-1]
    found = course(changes)
    assert found is not None
    assert (found.first, found.last, found.low, found.high, found.matches) == (
        *(1500, 1600, 1500, 1600),
        5,
    )
    assert found.path.split()[0] == f"{LINE.x:g},{LINE.bottom:g}"
    assert found.end == (LINE.right, LINE.y)
    assert course(changes[:4]) is None
    assert course([]) is None


def test_what_months_tell() -> None:
    empty = Stats(0, 0, 0, {})
    months = [("2026-10", empty), ("2026-11", Stats(4, 1, 4, {"laid": 6, "hands": 4}))]
    october, november = by_month(months)
    assert (october.name, october.column.height) == ("10.2026", 0)
    assert (november.matches, november.wins, november.column.height) == (4, 1, MONTHS.height)
    (mean,) = told(PEBBLES, months[1][1], months)
    assert (mean.value, mean.of, mean.over) == (1.5, 6, 4)
    assert [(name, value) for name, value, _ in mean.months] == [("11.2026", 1.5)]
    assert told(PEBBLES, empty, months) == ()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
@given(st.data())
def test_whatever_the_figures_are_there_is_a_place_for_them(
    game: object, data: st.DataObject
) -> None:
    it = next(each for each in GAMES if each is game)
    sums = data.draw(
        st.dictionaries(
            st.sampled_from(["hands", "points", *it.counters]), st.integers(-(10**9), 10**9)
        )
    )
    stats = Stats(9, 4, 9, sums)
    for each in told(it, stats, [("2026-11", stats)]):
        assert 0 <= each.filled <= SHARE.width
        assert each.kind != "luck" or inside(each.at, SCALE.y, SCALE)
        assert (each.luckily is None) == (each.kind != "luck")
        for _, _, column in each.months:
            assert inside(column.x, column.y, MONTHS)


def test_luck_in_words() -> None:
    told = [called(each) for each in (-2.5, -2, -1.5, -0.9, 0, 0.9, 1, 1.9, 2, 9)]
    assert told == [
        *("far_less", "far_less", "less", "usual", "usual", "usual"),
        *("more", "more", "far_more", "far_more"),
    ]
