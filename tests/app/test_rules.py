"""The pages of rules: one in both languages for every rule set, and no link that leads nowhere."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from app.i18n import LANGUAGES, Language
from engine.examples import examples, frames
from engine.game import Game
from engine.games import GAMES
from tests.app.browsers import Browser
from tests.app.server import ROOT

EVERY = pytest.mark.parametrize(
    ("game", "language"),
    list(product(GAMES, LANGUAGES)),
    ids=lambda given: given if isinstance(given, str) else f"{given.name}-{given.rules}",
)
FIGURE = re.compile(r'<figure [^>]*data-figure="(\w+)".*?</figure>', re.DOTALL)


def address(game: Game[Any, Any]) -> str:
    return f"/rules/{game.name}/{game.rules}"


def article(browser: Browser, game: Game[Any, Any], language: Language) -> str:
    """The page's article as it comes from the server."""
    browser.post("/language", {"language": language, "back": "/rules"})
    answer = browser.get(address(game))
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text
    found = re.search(r"<article.*</article>", answer.text, re.DOTALL)
    assert found is not None
    return found[0]


@EVERY
def test_every_rule_set_has_its_page(
    game: Game[Any, Any], language: Language, browser: Browser
) -> None:
    """A new rule set without one fails here."""
    file = ROOT / "templates/rules" / game.name / f"{game.rules}.{language}.html"
    assert file.is_file(), f"write {file.relative_to(ROOT)}"
    told = article(browser, game, language)
    georgian = len(re.findall(r"[\u10d0-\u10f0]", re.sub(r'="[^"]*"', "", told)))
    assert (georgian > 5000) if language == "ka" else georgian == 0
    assert not re.search("[\u1c90-\u1cbf]", told)
    questions = told.partition('id="questions"')[2].partition("</section>")[0]
    assert questions.count("<h3>") >= 8


@EVERY
def test_all_that_it_links_to_is_there(
    game: Game[Any, Any], language: Language, browser: Browser
) -> None:
    told = article(browser, game, language)
    ids = re.findall(r'\bid="([^"]+)"', told)
    assert len(ids) == len(set(ids))
    links = re.findall(r'href="([^"]+)"', told)
    assert [each for each in links if each.startswith("#") and each[1:] not in ids] == []
    assert len([each for each in links if each.startswith("#")]) > 10
    for each in links:
        if not each.startswith("#"):
            assert browser.get(each).status_code == 200


@EVERY
def test_every_step_of_a_figure_has_its_words(
    game: Game[Any, Any], language: Language, browser: Browser
) -> None:
    """As many as the engine has frames; and no piece is left without a figure."""
    told = article(browser, game, language)
    steps = {found[1]: found[0].count("<li>") for found in FIGURE.finditer(told)}
    pieces = {name: len(list(frames(game, piece))) for name, piece in examples(game).items()}
    assert steps == pieces


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.rules}")
def test_both_languages_have_the_same_places(game: Game[Any, Any], browser: Browser) -> None:
    """A link to a place holds whatever the reader's language."""
    ka, en = (re.findall(r'\bid="([^"]+)"', article(browser, game, each)) for each in LANGUAGES)
    assert ka == en


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.rules}")
def test_figures_are_kept_under_their_version(game: Game[Any, Any], browser: Browser) -> None:
    told = article(browser, game, "ka")
    found = re.search(r'data-figures="([^"]+)"', told)
    assert found is not None
    answer = browser.get(found[1])
    assert answer.headers["content-type"] == "application/json"
    assert "immutable" in answer.headers["cache-control"]
    assert set(answer.json()["figures"]) == set(examples(game))
    older = browser.get(f"{address(game)}/figures.json?v=older")
    assert "immutable" not in older.headers["cache-control"]
    assert older.json() == answer.json()


def test_all_rules_can_be_chosen_and_found(browser: Browser) -> None:
    pages = [browser.get("/rules").text, browser.get("/").text]
    for game in GAMES:
        assert all(f'href="{address(game)}"' in page for page in pages)
        table = browser.make_table(
            game.name, game.rules, **{name: str(each[0]) for name, each in game.choices.items()}
        )
        assert f'href="{address(game)}"' in browser.get(f"/t/{table}").text
    assert 'href="/rules"' in browser.get("/privacy").text


@pytest.mark.parametrize(
    "path",
    ["/rules/none", "/rules/domino/short", "/rules/nardi/none", "/rules/x/y",
     "/rules/domino/none/figures.json", "/rules/domino/georgian.ka",
     "/rules/domino/georgian/none"],
)  # fmt: skip
def test_what_there_is_not_is_not_found(path: str, browser: Browser) -> None:
    assert browser.get(path).status_code == 404
