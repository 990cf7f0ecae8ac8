"""Bands of frequencies: what chance alone may do."""

from __future__ import annotations

from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.history.bands import Band, Z, band

CHANCES = st.floats(0.001, 0.999)


def test_a_hundred_throws_of_a_coin() -> None:
    found = band(60, 100, 0.5)
    assert (found.count, found.trials, found.seen, found.expected) == (60, 100, 0.6, 0.5)
    # By hand: 0.5 ± (2.5758·0.05 + 0.005)
    assert (found.low, found.high) == pytest.approx((0.36621, 0.63379), abs=1e-5)
    assert found.inside
    assert not band(64, 100, 0.5).inside
    assert not band(36, 100, 0.5).inside


def test_without_trials_nothing_was_seen() -> None:
    assert band(0, 0, 0.25) == Band(0, 0, 0.0, 0.25, 0.0, 1.0)
    assert band(0, 0, 0.25).inside


@given(st.integers(0, 1_000), st.integers(1, 1_000), CHANCES)
def test_a_band_lies_between_0_and_1_about_what_is_expected(
    count: int, trials: int, chance: float
) -> None:
    found = band(min(count, trials), trials, chance)
    assert 0 <= found.low <= found.expected <= found.high <= 1


@given(st.integers(1, 1_000), CHANCES)
def test_more_trials_make_it_narrower(trials: int, chance: float) -> None:
    few, many = band(0, trials, chance), band(0, trials * 4, chance)
    assert many.high - many.low <= few.high - few.low


@pytest.mark.parametrize("trials", [30, 100, 400, 1_000])
@pytest.mark.parametrize("chance", [1 / 6, 1 / 36, 0.5, 0.83])
def test_99_of_100_counts_lie_inside(trials: int, chance: float) -> None:
    found = [band(count, trials, chance) for count in range(trials + 1)]
    inside = sum(
        comb(trials, count) * chance**count * (1 - chance) ** (trials - count)
        for count, each in enumerate(found)
        if each.inside
    )
    # The normal curve is not the binomial one: where little is expected it is a bit off.
    assert 0.98 < inside < 0.9985


@given(st.integers(1, 500), st.integers(0, 500), CHANCES)
def test_inside_is_where_wilsons_interval_holds_the_expectation(
    trials: int, count: int, chance: float
) -> None:
    count = min(count, trials)
    off = max(0.0, abs(count / trials - chance) - 1 / (2 * trials))
    deviation = sqrt(chance * (1 - chance) / trials)
    if abs(off - Z * deviation) > 1e-9:
        assert band(count, trials, chance).inside == (off < Z * deviation)
