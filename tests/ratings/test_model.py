"""What a match makes of ratings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ratings.model import Skill, after

SKILLS = st.builds(Skill, st.floats(0, 50), st.floats(1, 9))


def shown(*skills: Skill) -> list[int]:
    return [each.shown for each in skills]


def test_a_newcomer_has_1500() -> None:
    assert Skill().shown == 1500


def test_two_newcomers_move_by_the_same_amount() -> None:
    up, down = after([Skill(), Skill()], [0])
    assert shown(up, down) == [1605, 1395]
    assert up.sigma == down.sigma < Skill().sigma


def test_so_they_do_match_after_match() -> None:
    skills: tuple[Skill, ...] = (Skill(), Skill())
    for winner in (0, 1, 1, 0, 1, 1):
        skills = after(skills, [winner])
        assert sum(shown(*skills)) == 3000


@given(SKILLS, SKILLS, st.sampled_from([0, 1]))
def test_of_two_the_winner_goes_up_and_the_loser_down(one: Skill, two: Skill, winner: int) -> None:
    changed = after([one, two], [winner])
    for seat, (before, now) in enumerate(zip([one, two], changed, strict=True)):
        assert (now.mu >= before.mu) if seat == winner else (now.mu <= before.mu)


@given(SKILLS, SKILLS)
def test_seats_do_not_matter(one: Skill, two: Skill) -> None:
    assert after([one, two], [1]) == after([two, one], [0])[::-1]


def test_a_win_that_nobody_expected_counts_more() -> None:
    weak, strong = Skill(20, 3), Skill(30, 3)
    gained = after([weak, strong], [0])[0].mu - weak.mu
    held = after([weak, strong], [1])[1].mu - strong.mu
    assert gained > 3 * held > 0


def test_one_winner_has_beaten_each_of_the_others() -> None:
    one, two, three = after([Skill()] * 3, [1])
    assert one == three
    assert one.mu < 25 < two.mu
    # Of four the one that won has done more than of two.
    assert after([Skill()] * 4, [0])[0].mu > after([Skill()] * 2, [0])[0].mu


@pytest.mark.parametrize("winners", [[0, 2], [2, 0], {0, 2}])
def test_several_winners_are_a_team(winners: list[int]) -> None:
    first, second, third, fourth = after([Skill()] * 4, winners)
    assert first == third
    assert second == fourth
    assert first.mu - 25 == pytest.approx(25 - second.mu)
    assert first.mu > 25


def test_two_of_three_are_expected_to_win() -> None:
    one, two, three = after([Skill()] * 3, [0, 1])
    assert one == two
    alone = after([Skill()] * 2, [0])[0]
    assert 25 < one.mu < alone.mu
    assert three.mu < 25
