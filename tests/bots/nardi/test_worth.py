"""The match-equity table, and what chances are worth by it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.bots.nardi.equity import MOST, counted, match_chance, table
from app.bots.nardi.worth import POINTS, Five, Worth, in_match

AWAY = range(1, MOST + 1)
away = st.integers(1, MOST)
worths = st.one_of(st.just(POINTS), st.builds(in_match, away, away))


@pytest.mark.parametrize("own", AWAY)
@pytest.mark.parametrize("opp", AWAY)
def test_the_table_is_fair_and_falls_with_what_is_still_needed(own: int, opp: int) -> None:
    assert match_chance(own, opp) + match_chance(opp, own) == pytest.approx(1)
    assert match_chance(own, own) == pytest.approx(0.5)
    assert match_chance(own - 1, opp) > match_chance(own, opp) > match_chance(own, opp - 1)


def test_a_match_won_is_won() -> None:
    for own in (0, -1, -2):
        assert [match_chance(own, opp) for opp in AWAY] == [1] * MOST
        assert [match_chance(opp, own) for opp in AWAY] == [0] * MOST


def test_the_table_by_hand() -> None:
    # Three hands in four give one point, the fourth gives two.
    found = table((3, 1, 0))
    assert found[1, 1] == pytest.approx(1 / 2)
    # Half of the hands win it; of the others three in four lead to one against one.
    assert found[1, 2] == pytest.approx(1 / 2 + 1 / 2 * 3 / 4 * 1 / 2)
    assert found[2, 1] == pytest.approx(1 / 2 * (3 / 4 * 1 / 2 + 1 / 4))
    # By koksi alone a match to three is a single hand.
    assert table((0, 0, 1))[3, 1] == pytest.approx(1 / 2)


def test_the_hands_were_counted() -> None:
    oini, marsi, koksi = counted()
    assert oini > marsi > koksi > 0
    assert oini + marsi + koksi >= 10_000


def certain(points: int) -> Five:
    """The chances of who wins or loses for sure, by so many points."""
    if points > 0:
        return 1.0, float(points > 1), float(points > 2), 0.0, 0.0
    return 0.0, 0.0, 0.0, float(points < -1), float(points < -2)


@given(worths, st.lists(st.floats(0.01, 1), min_size=6, max_size=6))
def test_chances_are_worth_the_mean_of_the_ends(worth: Worth, weights: list[float]) -> None:
    ends = (3, 2, 1, -1, -2, -3)
    shares = [weight / sum(weights) for weight in weights]
    mixed = [
        sum(share * certain(end)[place] for share, end in zip(shares, ends, strict=True))
        for place in range(5)
    ]
    five = mixed[0], mixed[1], mixed[2], mixed[3], mixed[4]
    values = [*reversed(worth.win), *worth.loss]
    assert worth.of(five) == pytest.approx(
        sum(share * value for share, value in zip(shares, values, strict=True))
    )


def test_a_hand_is_worth_what_becomes_of_the_match() -> None:
    assert [POINTS.of(certain(end)) for end in (3, -2)] == [3, -2]
    last = in_match(1, 1)
    assert list(last.win) == [1, 1, 1]
    assert list(last.loss) == [0, 0, 0]
    behind = in_match(3, 1)
    assert behind.win[2] == 1
    assert list(behind.win) == [match_chance(2, 1), match_chance(1, 1), 1]
    assert list(behind.loss) == [0, 0, 0]


@given(away, away)
def test_what_one_player_wins_the_other_loses(own: int, opp: int) -> None:
    ours, theirs = in_match(own, opp), in_match(opp, own)
    for win, loss in zip(ours.win, theirs.loss, strict=True):
        assert win + loss == pytest.approx(1)
    assert list(ours.win) == sorted(ours.win)
    assert list(ours.loss) == sorted(ours.loss, reverse=True)
