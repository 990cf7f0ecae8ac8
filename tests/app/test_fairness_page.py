"""The public page on chance: what it says, in both languages, and that nothing is missing."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path
from typing import get_args

import pytest

from app import i18n
from app.history.bands import band
from app.table.match import VoidCause
from app.table.table import AnyGame
from app.web.fairness import WIDTH, _lines
from engine import games
from tests.app.browsers import Browser
from tests.app.server import Server

GAMES = pytest.mark.parametrize("game", games.GAMES, ids=lambda game: game.name)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_table_and_cause_has_its_words(language: i18n.Language) -> None:
    texts = i18n.CATALOGUES[language]
    for game in games.GAMES:
        for table, keys in game.chances.items():
            assert f"chances.table.{table}" in texts
            for key in keys:
                plain = key.replace("-", "").isdigit() and "open" not in table
                named = f"chances.key.{table}.{key}" in texts
                assert plain or named or table == "opening_double", (table, key)
    for cause in get_args(VoidCause):
        assert f"chances.void.{cause}" in texts


def test_a_fresh_site_says_that_there_is_nothing_yet(browser: Browser) -> None:
    answer = browser.get("/fairness")
    assert answer.status_code == 200
    assert "<table" not in answer.text or "მატჩი, დათვლილია" in answer.text


@GAMES
def test_the_page_shows_what_the_report_says(game: AnyGame, tmp_path: Path) -> None:
    tables = {
        table: {key: [10, float(chance)] for key, chance in keys.items()}
        for table, keys in game.chances.items()
    }
    content = {
        "chances": [{"game": game.name, "rules": game.rules, "matches": 1234, "tables": tables}],
        "voids": {"no_hash": 17, "left": 3},
        "days": [],
    }
    with Server(tmp_path / "data") as server:
        with sqlite3.connect(server.data / "site.db") as db:
            db.execute(
                "INSERT INTO fairness_reports (day, at, matches, content, claimed_at)"
                " VALUES ('2999-01-01', ?, 1234, ?, 0)",
                (time.time_ns() // 1_000_000, json.dumps(content)),
            )
        browser = Browser(server)
        page = browser.get("/fairness").text
        browser.post("/language", {"language": "en", "back": "/"})
        english = browser.get("/fairness").text
        assert server.log() == ""
    for told in (page, english):
        assert "1\u00a0234" in told
        rows = sum(len(keys) for keys in game.chances.values())
        assert told.count('class="band"') == rows
        assert told.count('<th scope="row">') == rows + 2
    assert "პასუხი დროზე არ მოვიდა" in page
    assert "no answer in time" in english


def test_marks_lie_within_the_picture() -> None:
    bands = {str(n): band(n, 10, 0.2) for n in range(5)} | {"all": band(10, 10, 0.2)}
    for line in _lines("en", "faces", bands):
        assert 0 <= line.low <= line.expected <= line.high <= WIDTH
        assert 0 <= line.seen <= WIDTH
    assert _lines("en", "faces", {"1": band(0, 0, 0.5)})[0].high == WIDTH
