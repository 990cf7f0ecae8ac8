"""Pages and forms for playing the computer: at one press, never for coins, always labelled."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.app.browsers import Browser
from tests.app.server import Server

DOMINO = {"game": "domino", "rules": "georgian", "target": "75"}


def test_against_the_computer_at_one_press(browser: Browser) -> None:
    home = browser.get("/").text
    for level_ in ("easy", "medium"):
        assert f'name="computer" value="{level_}" aria-label' in home
    answer = browser.post("/tables", {**DOMINO, "computer": "easy"})
    assert answer.status_code == 303
    made = answer.headers["location"].removeprefix("/t/")
    table = browser.get(f"/api/v1/tables/{made}").json()
    assert (table["status"], table["public"], table["stake"]) == ("handshake", False, 0)
    assert [seat["bot"] for seat in table["seats"]] == [None, "easy"]
    page = browser.get(answer.headers["location"]).text
    assert "კომპიუტერი (იოლი)" in page


@pytest.mark.parametrize("wrong", ["best", "", "0"])
def test_a_level_that_there_is_not_makes_no_table(browser: Browser, wrong: str) -> None:
    answer = browser.post("/tables", {**DOMINO, "computer": wrong})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_nobody_plays_the_computer_for_coins(browser: Browser) -> None:
    answer = browser.post("/tables", {**DOMINO, "computer": "easy", "stake": "100"})
    assert answer.status_code == 422
    assert "კომპიუტერთან ქოინებზე არ თამაშობენ" in answer.text


async def test_a_match_against_the_computer_by_the_real_socket(browser: Browser) -> None:
    """Its process thinks, and it moves at its pace; what it is shows on every page."""
    answer = browser.post("/tables", {**DOMINO, "computer": "easy"})
    seat = await browser.open(answer.headers["location"].removeprefix("/t/"))
    rng = random.Random(1)
    while (step := seat.step()) is not None:
        await seat.answer_to(step)
    await seat.table_is(lambda table: table["status"] == "running")
    moved = 0
    while seat.table["status"] == "running" and moved < 3:
        before = len(seat.frames)
        if seat.legal:
            await seat.play(rng)
        elif seat.table["pause"] is not None:
            await seat.accepted("ready")
        else:
            await seat.hear()
        events = [e for f in seat.frames[before:] for e in f.get("events", ())]
        assert not [e for e in events if e.get("event") == "auto"]
        moved += len([e for e in events if e.get("event") in ("laid", "drew") and e["seat"] == 1])
    if seat.table["status"] == "running":
        await seat.accepted("resign")
    await seat.table_is(lambda table: table["ended"] is not None and table["ended"]["kept"])
    page = browser.get(f"/m/{seat.table['match']}")
    assert "კომპიუტერი (იოლი)" in page.text
    assert "fair-play" not in page.text, "nobody reports or blocks a computer"
    refused = browser.post(f"/m/{seat.table['match']}/report", {"seat": "1", "cause": "cheating"})
    assert refused.status_code == 422
    assert "კომპიუტერი (იოლი)" in browser.get("/me/matches").text
    await seat.close()


def test_a_house_without_computer_players_offers_none(tmp_path: Path) -> None:
    with Server(tmp_path / "none", EZO_BOTS="0") as server:
        browser = Browser(server)
        assert 'name="computer"' not in browser.get("/").text
        assert browser.post("/tables", {**DOMINO, "computer": "easy"}).status_code == 422


WITHOUT = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "bgsage" else find(name, *more)
"""


def test_without_the_extra_medium_is_the_strongest_and_the_page_says_so(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    nardi = {"game": "nardi", "rules": "short", "points": "1"}
    with Server(tmp_path / "data", PYTHONPATH=str(tmp_path)) as server:
        browser = Browser(server)
        home = browser.get("/").text
        assert home.count('value="strong"') == 2
        assert home.count('value="strong" disabled') == 1
        assert home.count("უძლიერესია საშუალო") == 1
        assert browser.post("/tables", {**nardi, "computer": "strong"}).status_code == 422
        assert browser.post("/tables", {**nardi, "computer": "medium"}).status_code == 303
