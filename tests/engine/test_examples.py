"""The pieces of matches that the pages of rules show: legal, and what their words say."""

from __future__ import annotations

from typing import Any

import pytest

from engine import games
from engine.examples import examples, frames
from engine.game import Game, Json

EVERY = pytest.mark.parametrize(
    ("game", "name"),
    [(game, name) for game in games.GAMES for name in examples(game)],
    ids=lambda given: given if isinstance(given, str) else f"{given.name}-{given.rules}",
)


def shown(game: str, rules: str, name: str) -> list[Json]:
    """The frames of a piece."""
    found = games.game(game, rules)
    return [frame.to_json() for frame in frames(found, examples(found)[name])]


def events(frames: list[Json], kind: str) -> list[Json]:
    """The events of one kind, in order."""
    return [each for frame in frames for each in frame["events"] if each["event"] == kind]


@EVERY
def test_it_can_be_played_by_the_rules(game: Game[Any, Any], name: str) -> None:
    """To its last line, with all lying open and nothing to press."""
    piece = examples(game)[name]
    played = list(frames(game, piece))
    assert len(played) > 1
    assert {frame.line for frame in played} - {None} == set(piece.hand[game.lines_key])
    assert all(not frame.view.get("legal") for frame in played)


def test_every_rule_set_has_some() -> None:
    assert [each.name for each in games.GAMES if not examples(each)] == []


def test_the_worked_example_g18() -> None:
    """12, 16, 9, 10, 15, 15; and who scores."""
    laid = events(shown("domino", "georgian", "worked"), "laid")
    assert [each["sum"] for each in laid] == [12, 16, 9, 10, 15, 15]
    assert [each["points"] for each in laid] == [0, 0, 0, 10, 15, 15]
    assert laid[4]["terms"] == [4, 10, 1]
    assert laid[5]["terms"] == [4, 10, 1, 0]
    assert laid[5]["score"] == [15, 25]


def test_domino_ends_as_its_words_say_g19_g23() -> None:
    (won,) = events(shown("domino", "georgian", "domino"), "hand_ended")
    assert (won["end"], won["winner"], won["pips"], won["points"]) == ("domino", 0, [0, 12], 15)
    (locked,) = events(shown("domino", "georgian", "riba"), "hand_ended")
    assert (locked["end"], locked["winner"], locked["pips"]) == ("riba", 0, [13, 16])
    assert (locked["points"], locked["next"]) == (20, 1)


def test_a_turn_passes_by_itself_g15() -> None:
    assert [each["cause"] for each in events(shown("domino", "georgian", "protected"), "passed")]


@pytest.mark.parametrize(("name", "points"), [("marsi", 2), ("koksi", 3)])
def test_nardi_ends_as_it_is_called_n17(name: str, points: int) -> None:
    (ended,) = events(shown("nardi", "short", name), "hand_ended")
    assert (ended["end"], ended["points"]) == (name, points)


def test_a_killed_checker_comes_back_n11() -> None:
    moved = events(shown("nardi", "short", "kill"), "moved")
    assert [each["kill"] for each in moved[:2]] == [False, True]
    assert moved[2]["source"] == 25
