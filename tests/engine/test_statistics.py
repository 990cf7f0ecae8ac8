"""What is told of a player: of figures that there are, and in the right proportion."""

from __future__ import annotations

import random
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.figures import COMMON
from engine.game import Game
from engine.games import GAMES
from engine.statistics import Luck, Mean, Share
from tests.app.pebbles import PEBBLES

NAMES = ["part", "whole"]
SUMS = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 10**9))


@pytest.mark.parametrize("game", [*GAMES, PEBBLES], ids=lambda game: str(game.name))
def test_every_statistic_is_made_of_figures_that_are_counted(game: Game[object, object]) -> None:
    figures = {*COMMON, *game.counters}
    names = [each.name for each in game.statistics]
    assert names
    assert len(set(names)) == len(names)
    for each in game.statistics:
        assert {each.of, each.over} <= figures


def test_a_share_and_a_mean_are_one_figure_over_the_other() -> None:
    sums = {"part": 3, "whole": 4}
    for kind in (Share, Mean):
        assert kind("it", "part", "whole").value(sums) == 0.75
        assert kind("it", "part", "whole").value({"part": 3}) is None
        assert kind("it", "part", "whole").value({"part": 3, "whole": 0}) is None
        assert kind("it", "part", "whole").value({"whole": 4}) == 0


@given(SUMS)
def test_no_sums_are_too_few_or_too_many(sums: dict[str, int]) -> None:
    luck = Luck("it", "part", "whole", variance=7, unit=3)
    told = [Share("it", "part", "whole").value(sums), luck.value(sums), luck.strays(sums)]
    assert (None in told) == (sums.get("whole", 0) == 0)
    assert told.count(None) in (0, 3)


def test_luck_is_told_in_units_and_in_deviations() -> None:
    luck = Luck("it", "part", "whole", variance=100, unit=36)
    sums = {"part": -360, "whole": 4}
    assert luck.value(sums) == -2.5
    assert luck.strays(sums) == -18


def test_the_luck_of_fair_dice_strays_as_it_is_told() -> None:
    """A thousand lots of forty rolls: their deviations have a mean of 0 and a variance of 1."""
    dice = random.Random(36)
    (luck,) = [each for game in GAMES for each in game.statistics if isinstance(each, Luck)]
    strayed = []
    for _ in range(1000):
        rolls = [(dice.randint(1, 6), dice.randint(1, 6)) for _ in range(40)]
        pips = sum((a + b) * (2 if a == b else 1) for a, b in rolls)
        told = luck.strays({luck.of: 36 * pips - 294 * 40, luck.over: 40})
        assert told is not None
        strayed.append(told)
    assert abs(sum(strayed) / 1000) < 0.15
    assert isclose(sum(each * each for each in strayed) / 1000, 1, abs_tol=0.2)
