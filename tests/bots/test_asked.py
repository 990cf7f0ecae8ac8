"""The only way into a policy: what it is told, and what becomes of its answer."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from app.bots import asked as room
from app.bots.asked import Asked, NoAnswerError, answer
from app.bots.policies import levels, policies, policy
from app.bots.policy import LEVELS, Policy
from app.table.table import AnyGame
from engine import games
from engine.game import Json

LEGAL = ({"action": "one"}, {"action": "two"})
SECRET = "a tile that nobody may read of"


def question(legal: tuple[Json, ...] = LEGAL) -> Asked:
    return Asked("any", "rules", "easy", {"tiles": [SECRET]}, legal, 5)


def plays(monkeypatch: pytest.MonkeyPatch, chosen: Policy) -> None:
    monkeypatch.setattr(room, "policy", lambda *_: chosen)


def test_what_it_chooses_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def second(view: Json, legal: Sequence[Json], rng: Random) -> Json:
        assert view == {"tiles": [SECRET]}
        assert rng.random() == Random(5).random()
        return legal[1]

    plays(monkeypatch, second)
    assert answer(question()) == LEGAL[1]


def test_where_there_is_no_choice_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(view: Json, legal: Sequence[Json], rng: Random) -> Json:
        raise AssertionError

    plays(monkeypatch, never)
    assert answer(question(LEGAL[:1])) == LEGAL[0]


def test_what_is_not_legal_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    plays(monkeypatch, lambda view, legal, rng: {"action": "three"})
    with pytest.raises(NoAnswerError, match="not legal"):
        answer(question())


def test_a_policy_that_fails_tells_nothing_of_what_it_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(view: Json, legal: Sequence[Json], rng: Random) -> Json:
        raise ValueError(view["tiles"][0])

    plays(monkeypatch, fails)
    with pytest.raises(NoAnswerError) as failed:
        answer(question())
    assert str(failed.value) == "ValueError"
    assert failed.value.__cause__ is None
    assert failed.value.__suppress_context__
    assert SECRET not in repr(question())


@pytest.mark.parametrize("game", games.GAMES, ids=lambda game: f"{game.name}-{game.rules}")
def test_every_rule_set_has_computer_players_for_newcomers(game: AnyGame) -> None:
    there = levels(game.name, game.rules)
    assert there[:2] == ("easy", "medium")
    assert there == tuple(level for level in LEVELS if level in there)


@pytest.mark.parametrize("game", games.GAMES, ids=lambda game: f"{game.name}-{game.rules}")
def test_where_the_strongest_is_not_installed_the_next_plays(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = dict(policies(game.name, game.rules))
    there.pop("strong", None)
    monkeypatch.setattr("app.bots.policies.policies", lambda *_: there)
    assert policy(game.name, game.rules, "strong") is there["medium"]


def test_nobody_plays_what_there_is_not() -> None:
    assert levels("chess", "blitz") == ()
    for given in (("chess", "blitz", "easy"), ("domino", "georgian", "best")):
        with pytest.raises(KeyError):
            policy(*given)
