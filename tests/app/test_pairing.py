"""Who meets whom in quick match, whoever seeks."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.live.pairing import ALL_MS, fits, groups, window
from app.live.seeking import Seeker, Ticket

NOW = 1_000_000
NAMES = [f"p{n}" for n in range(12)]


def seeker(
    player: str,
    rating: float | None = None,
    waited: int = 0,
    pool: str = "a",
    blocked: frozenset[str] = frozenset(),
) -> Seeker:
    return Seeker(Ticket(player, "t"), pool, player, NOW - waited, rating, blocked)


def met(*seekers: Seeker, seats: int = 2) -> list[tuple[str, ...]]:
    return [tuple(each.player for each in group) for group in groups(seekers, NOW, seats)]


people = st.lists(
    st.builds(
        seeker,
        st.sampled_from(NAMES),
        st.none() | st.floats(0, 4_000),
        st.integers(-1_000, 60_000),
        st.sampled_from("ab"),
        st.frozensets(st.sampled_from(NAMES), max_size=4),
    ),
    unique_by=lambda each: each.player,
    max_size=len(NAMES),
)


@given(people, st.integers(2, 4))
def test_nobody_is_in_two_groups_and_all_of_a_group_fit_each_other(
    seekers: list[Seeker], seats: int
) -> None:
    found = groups(seekers, NOW, seats)
    players = [each.player for group in found for each in group]
    assert len(players) == len(set(players))
    for group in found:
        assert len(group) == seats
        for one, other in combinations(group, 2):
            assert one.pool == other.pool
            assert one.player not in other.blocked
            assert other.player not in one.blocked
            assert fits(one, other, NOW)


@given(people, st.integers(2, 4))
def test_after_the_widest_window_nobody_waits_who_could_be_met(
    seekers: list[Seeker], seats: int
) -> None:
    waiting = [
        Seeker(each.ticket, each.pool, each.name, NOW - ALL_MS, each.rating, each.blocked)
        for each in seekers
    ]
    found = {each.player for group in groups(waiting, NOW, seats) for each in group}
    left = [each for each in waiting if each.player not in found]
    for group in combinations(left, seats):
        assert any(
            one.pool != other.pool or one.player in other.blocked or other.player in one.blocked
            for one, other in combinations(group, 2)
        )


@given(people)
def test_it_is_the_same_in_whatever_order_they_are_read(seekers: list[Seeker]) -> None:
    assert groups(seekers, NOW, 2) == groups(seekers[::-1], NOW, 2)


@pytest.mark.parametrize(
    ("waited", "wide"),
    [(-50, 75), (0, 75), (999, 75), (1_000, 100), (29_999, 800), (30_000, None), (90_000, None)],
)
def test_a_window_widens_with_the_wait(waited: int, wide: int | None) -> None:
    assert window(seeker("p", waited=waited), NOW) == wide


def test_the_nearest_is_met_and_both_must_be_willing() -> None:
    assert met(seeker("p", 1500), seeker("q", 1576)) == []
    assert met(seeker("p", 1500), seeker("q", 1575)) == [("p", "q")]
    # One has waited long enough for it, the other has not.
    assert met(seeker("p", 1500, 60_000), seeker("q", 1600)) == []
    assert met(seeker("p", 1500, 60_000), seeker("q", 1600, 1_000)) == [("p", "q")]
    near = [seeker("p", 1500, 5_000), seeker("q", 1560, 4_000), seeker("r", 1490)]
    assert met(*near) == [("p", "r")]


def test_who_has_waited_longest_comes_first() -> None:
    three = [seeker("p", 1500), seeker("q", 1500, 2_000), seeker("r", 1500, 1_000)]
    assert met(*three) == [("q", "r")]


def test_who_has_no_rating_counts_as_the_middle() -> None:
    assert met(seeker("p"), seeker("q", 1570)) == [("p", "q")]
    assert met(seeker("p"), seeker("q", 1580)) == []


def test_a_table_of_more_takes_those_who_all_fit() -> None:
    away = seeker("q", blocked=frozenset({"r"}))
    four = [seeker("p", waited=9_000), away, seeker("r"), seeker("s")]
    assert met(*four, seats=3) == [("p", "q", "s")]
    assert met(*four[:3], seats=3) == []
