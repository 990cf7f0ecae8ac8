"""The catalogues: both languages say the same things, and everything that is asked for is there."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from app import computers, i18n
from app.i18n import CATALOGUES, LANGUAGES, placeholders
from app.ratings.boards import BoardKind
from app.web.figures import Luckily
from app.web.named import named
from engine.game import Reason
from engine.games import GAMES
from engine.statistics import Luck
from tests.app.server import ROOT

EVERY = pytest.mark.parametrize("language", LANGUAGES)


def calls(folder: str, name: str) -> Iterator[list[object]]:
    """The arguments of all calls so named in a folder's Python; ``None`` for what is computed."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if called == name:
                    yield [
                        argument.value if isinstance(argument, ast.Constant) else None
                        for argument in node.args
                    ]


def test_georgian_is_first_and_the_default() -> None:
    assert LANGUAGES == ("ka", "en")
    assert i18n.language_of(None) == i18n.language_of("fr") == "ka"
    assert i18n.language_of("en") == "en"


def test_both_have_the_same_keys_and_placeholders() -> None:
    assert CATALOGUES["ka"].keys() == CATALOGUES["en"].keys()
    for key, text in CATALOGUES["ka"].items():
        assert placeholders(text) == placeholders(CATALOGUES["en"][key]), key


@EVERY
def test_no_key_stands_twice_and_no_text_is_empty(language: i18n.Language) -> None:
    path = Path(i18n.__file__).parent / f"{language}.json"
    pairs: list[tuple[str, str]] = json.loads(
        path.read_text("utf-8"), object_pairs_hook=lambda pairs: pairs
    )
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys))
    for key, text in pairs:
        assert text.strip() == text != "", key
        assert re.fullmatch(r"[a-z0-9_]+(\.[A-Za-z0-9_-]+)+", key)
        # Braces are placeholders and nothing else.
        assert not re.search(r"[{}]", re.sub(r"\{\w+\}", "", text)), key


def test_georgian_texts_are_georgian_and_never_in_capitals() -> None:
    own_alphabet = re.compile(r"[\u10d0-\u10f0]")
    latin_only = {key for key, text in CATALOGUES["ka"].items() if re.search("[A-Za-z]", text)}
    for key, text in CATALOGUES["ka"].items():
        assert not re.search(r"[\u1c90-\u1cbf]", text), key
        assert own_alphabet.search(text) or key not in latin_only or "{" in text, key
    for key, text in CATALOGUES["en"].items():
        assert not own_alphabet.search(text), key


@EVERY
def test_every_text_of_a_template_is_there(language: i18n.Language) -> None:
    found = 0
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for key in re.findall(r"""\bt\(\s*["']([^"']+)["']\s*[,)]""", path.read_text("utf-8")):
            assert key in CATALOGUES[language], f"{path.name}: {key}"
            found += 1
    assert found > 10


@EVERY
def test_every_game_and_option_has_its_words(language: i18n.Language) -> None:
    for game in GAMES:
        assert f"home.game.{game.name}.{game.rules}" in CATALOGUES[language]
        for option in game.choices:
            assert f"home.option.{option}" in CATALOGUES[language]


@EVERY
def test_every_statistic_has_its_words(language: i18n.Language) -> None:
    found = [each for game in GAMES for each in game.statistics]
    assert found
    for each in found:
        told = CATALOGUES[language][f"stats.{each.name}.of"]
        given = {"value", "over"} if isinstance(each, Luck) else {"of", "over"}
        assert placeholders(told) <= given
        assert f"stats.{each.name}" in CATALOGUES[language]
    for called in get_args(Luckily):
        assert f"stats.luck.{called}" in CATALOGUES[language]


@EVERY
def test_every_result_and_board_has_its_words(language: i18n.Language) -> None:
    for result in ("won", "lost"):
        for reason in get_args(Reason):
            assert f"player.result.{result}.{reason}" in CATALOGUES[language]
    for kind, what in product(get_args(BoardKind), ("kind", "means", "value", "empty", "lacks")):
        assert f"leaders.{what}.{kind}" in CATALOGUES[language]


@EVERY
def test_every_error_page_has_its_words(language: i18n.Language) -> None:
    keys = {key for _, key, *_ in calls("app", "PageError")} | {"not_found", "method", "fault"}
    keys |= {a[2] for a in calls("app", "error") if len(a) > 2 and a[2] is not None}
    keys |= {"name"}  # said on the home page
    assert {"no_table", "taken", "origin", "form", "too_large", "playing_elsewhere"} <= keys
    for key in keys:
        assert f"error.{key}.title" in CATALOGUES[language]
        assert f"error.{key}.text" in CATALOGUES[language]


@EVERY
def test_every_refusal_has_its_words(language: i18n.Language) -> None:
    codes = {code for code, *_ in calls("engine", "Refusal")}
    for call in ("Refused", "Refusal"):
        codes |= {code for code, *_ in calls("app/table", call)}
    assert {"must_lay", "bar_first", "taken", "stale", "not_seated", "hash_taken"} <= codes
    for code in codes - {None}:
        assert f"refusal.{code}" in CATALOGUES[language], code


def test_placeholders_are_filled_and_missing_ones_are_faults() -> None:
    key = next(k for k, text in CATALOGUES["ka"].items() if placeholders(text))
    values = dict.fromkeys(placeholders(CATALOGUES["ka"][key]), "ნინო {x}")
    assert "ნინო {x}" in i18n.text("ka", key, **values)
    with pytest.raises(KeyError):
        i18n.text("ka", key)
    with pytest.raises(KeyError):
        i18n.text("ka", "no.such.key")


def test_somebody_at_a_table_is_called_by_level_by_name_or_as_nobody_any_more() -> None:
    assert named("ka", computers.player_of("easy", 1), "Computer (easy)") == "კომპიუტერი (იოლი)"
    assert named("en", computers.player_of("strong", 1), "x") == "Computer (strong)"
    assert named("ka", "nino", "ნინო") == "ნინო"
    assert named("en", "nino", "") == "Deleted player"
