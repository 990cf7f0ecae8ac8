"""Registering, coming in and going out through the pages (T2), and what is tried against them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.web.identity import COOKIE
from tests.app.browsers import Browser, started
from tests.app.server import Server

PASSWORD = "ლეღვის ხე 7"
NEW = "ბროწეულის ხე 8"
FORMS = {
    "/register": {"name": "გია", "password": PASSWORD},
    "/sign-in": {"name": "ნინო", "password": PASSWORD},
    "/recover": {"name": "ნინო", "code": "0000-0000-0000-0000", "password": NEW},
    "/sign-out": {},
    "/me/bonus": {},
    "/me/name": {"name": "ნინუცა"},
    "/me/password": {"old": PASSWORD, "password": NEW},
    "/me/codes": {"password": PASSWORD},
    "/me/sign-out": {},
    "/me/delete": {"password": PASSWORD},
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One for every test: in each the same names are free."""
    with Server(tmp_path / "data") as running:
        yield running


@pytest.fixture
def browser(server: Server) -> Browser:
    return Browser(server)


def register(browser: Browser, name: str = "ნინო", password: str = PASSWORD) -> list[str]:
    """The codes."""
    answer = browser.post("/register", {"name": name, "password": password})
    assert answer.status_code == 200, answer.text
    return [part.partition("</code>")[0] for part in answer.text.split("<code>")[1:]]


def rows(server: Server, query: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(server.data / "site.db") as db:
        return db.execute(query).fetchall()


def signed_in(browser: Browser) -> bool:
    return browser.get("/me").status_code == 200


def test_a_guest_who_registers_keeps_who_they_were_and_gets_coins_t2_t3(
    browser: Browser, server: Server
) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    codes = register(browser)
    assert len(set(codes)) == 8
    assert signed_in(browser)
    page = browser.get(f"/t/{table}").text
    assert '"you": 0' in page or '"you":0' in page
    me = browser.get("/me").text
    assert "ნინო" in me
    assert "1\u00a0000" in me
    assert "საწყისი ქოინები" in me
    assert rows(server, "SELECT name, kind FROM players") == [("ნინო", "registered")]
    assert browser.get("/register").status_code == 303  # nobody registers twice


def test_what_is_wrong_is_said_at_its_field_in_the_pages_language(browser: Browser) -> None:
    cases = [
        ({"name": "ab", "password": PASSWORD}, "name", "A name shows 3 to 20 characters"),
        ({"name": "ა" * 5_00, "password": PASSWORD}, "name", "A name shows 3 to 20 characters"),
        ({"name": "admin", "password": PASSWORD}, "name", "kept for the site"),
        ({"name": "სტუმარი 1234", "password": PASSWORD}, "name", "kept for the site"),
        ({"name": "ნინო", "password": "მოკლე"}, "password", "at least 8 characters"),
        ({"name": "ნინო", "password": "x" * 500}, "password", "too long"),
        ({"name": "ნინოწერეთელი", "password": "ნინოწერეთელი"}, "password", "must not be like"),
        ({}, "name", "A name shows 3 to 20 characters"),
    ]
    browser.post("/language", {"language": "en", "back": "/"})
    for form, field, text in cases:
        answer = browser.post("/register", form)
        assert answer.status_code == 422
        said = answer.text.partition(f'id="field-{field}-said" class="why"')[2].partition("</p>")[0]
        assert text in said, (form, said)
        assert f'id="field-{field}" name="{field}"' in answer.text
        assert answer.text.count('aria-invalid="true"') == 1
        if len(form.get("password", "")) > 5:
            assert form["password"] not in answer.text.replace(form["name"], "")
    browser.post("/language", {"language": "ka", "back": "/"})
    assert "სულ ცოტა 8 ნიშანი" in browser.post("/register", cases[4][0]).text


def test_a_name_that_looks_like_anothers_is_refused_to_all(server: Server) -> None:
    nino, other = Browser(server), Browser(server)
    register(nino, "Nino")
    for name in ("Nino", "nino", "Nіno", "N1no"):  # one has a Cyrillic letter
        assert other.post("/register", {"name": name, "password": NEW}).status_code == 422
        assert other.post("/name", {"name": name}).status_code == 422
    assert "დარეგისტრირებულ მოთამაშეს" in other.post("/name", {"name": "nino"}).text
    assert other.post("/name", {"name": "Nina"}).status_code == 303


def test_pressed_twice_it_registers_once(server: Server) -> None:
    browser = Browser(server)
    browser.make_table("domino", "georgian", target="75")
    before = browser.cookie
    assert before is not None
    register(browser)
    # The second press was under way with the cookie of before.
    again = httpx.post(
        f"{server.origin}/register",
        data={"name": "ნინო", "password": PASSWORD},
        headers={"origin": server.origin, "cookie": f"{COOKIE}={before}"},
    )
    assert again.status_code == 200
    assert rows(server, "SELECT count(*) FROM logins") == [(1,)]
    assert rows(server, "SELECT amount FROM entries WHERE account LIKE 'player:%'") == [(1000,)]


def test_whoever_pressed_twice_still_sees_codes(server: Server) -> None:
    """The second answer is the one that a browser shows."""
    browser = Browser(server)
    browser.make_table("domino", "georgian", target="75")
    before = browser.cookie
    first = register(browser)
    again = httpx.post(
        f"{server.origin}/register",
        data={"name": "ნინო", "password": PASSWORD},
        headers={"origin": server.origin, "cookie": f"{COOKIE}={before}"},
    )
    shown = [part.partition("</code>")[0] for part in again.text.split("<code>")[1:]]
    assert (again.status_code, len(shown)) == (200, 8)
    assert not set(first) & set(shown)
    form = {"name": "ნინო", "code": shown[0], "password": NEW}
    assert Browser(server).post("/recover", form).status_code == 200


def test_signing_in_elsewhere_and_out_again(server: Server) -> None:
    phone, laptop = Browser(server), Browser(server)
    register(phone)
    assert laptop.post("/sign-in", FORMS["/sign-in"]).status_code == 303
    assert "ნინო" in laptop.get("/").text
    taken = laptop.cookie
    assert taken is not None
    assert laptop.post("/sign-out", {}).status_code == 303
    assert not signed_in(laptop)
    assert signed_in(phone)
    # The cookie itself opens nothing any more, wherever it was copied to.
    thief = httpx.get(f"{server.origin}/me", headers={"cookie": f"{COOKIE}={taken}"})
    assert (thief.status_code, thief.headers["location"]) == (303, "/sign-in")


def test_a_cookie_planted_before_opens_nothing_after(server: Server) -> None:
    """Session fixation: whoever knows the guest's cookie, or the one before signing in, is nobody
    afterwards; and every way in gives another secret."""
    browser = Browser(server)
    browser.make_table("domino", "georgian", target="75")
    planted = browser.cookie
    register(browser)
    seen = {browser.cookie}
    for path, form in (("/me/password", FORMS["/me/password"]),):
        assert browser.post(path, form).status_code == 303
        seen.add(browser.cookie)
    browser.post("/sign-out", {})
    browser.post("/sign-in", {"name": "ნინო", "password": NEW})
    seen.add(browser.cookie)
    assert len(seen) == 3
    for cookie in (planted, *(seen - {browser.cookie})):
        answer = httpx.get(f"{server.origin}/", headers={"cookie": f"{COOKIE}={cookie}"})
        assert "ნინო" not in answer.text
        assert 'class="own"' not in answer.text  # nor does it lead to their table


def test_a_code_opens_once_and_ends_every_session(server: Server) -> None:
    lost, found = Browser(server), Browser(server)
    code, *_ = register(lost)
    form = {"name": "ნინო", "code": code.upper().replace("-", " "), "password": NEW}
    answer = found.post("/recover", form)
    assert answer.status_code == 200
    assert code not in answer.text
    assert signed_in(found)
    assert not signed_in(lost)
    assert Browser(server).post("/recover", form | {"password": PASSWORD}).status_code == 422
    assert lost.post("/sign-in", FORMS["/sign-in"]).status_code == 422
    assert lost.post("/sign-in", {"name": "nino", "password": NEW}).status_code == 422
    assert lost.post("/sign-in", {"name": "ნინო ", "password": NEW}).status_code == 303


def test_nothing_says_whether_there_is_such_a_name(server: Server) -> None:
    register(Browser(server))
    for path, form in (
        ("/sign-in", {"password": "არასწორი პაროლი"}),
        ("/recover", {"code": "0000-0000-0000-0000", "password": NEW}),
    ):
        told = {
            (answer.status_code, answer.text.replace(name, "NAME"))
            for name in ("ნინო", "გიგა")
            for answer in [Browser(server).post(path, form | {"name": name})]
        }
        assert len(told) == 1, path


def test_no_form_is_taken_from_another_site(server: Server) -> None:
    browser = Browser(server)
    register(browser)
    for path, form in FORMS.items():
        for origin in ("https://evil.example", "null", f"{server.origin}.evil.example"):
            assert browser.post(path, form, origin).status_code == 403
        # Not even without saying where from, as no browser would.
        assert browser.http.post(server.origin + path, data=form).status_code == 403
    assert signed_in(browser)


def test_no_form_falls_over_what_is_too_long_or_none_at_all(server: Server) -> None:
    browser = Browser(server)
    register(browser)
    # Signing out comes last.
    for path in sorted(FORMS, key="/sign-out".__eq__):
        for form in ({}, {"name": "ნ" * 400, "password": "x" * 900, "code": "9" * 900}):
            assert browser.post(path, form).status_code in (200, 303, 422), path
        assert browser.post(path, {"name": "n" * 9_000}).status_code == 413
    assert server.log() == ""


def test_no_page_of_an_account_is_framed_or_kept(browser: Browser) -> None:
    answers = [browser.get(path) for path in ("/register", "/sign-in", "/recover")]
    register(browser)
    for answer in (*answers, browser.get("/me")):
        assert answer.status_code == 200
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"


def test_changes_of_name_and_password(server: Server) -> None:
    browser, elsewhere = Browser(server), Browser(server)
    register(browser)
    elsewhere.post("/sign-in", FORMS["/sign-in"])
    assert browser.post("/me/name", {"name": "ნინუცა"}).status_code == 303
    assert "ნინუცა" in browser.get("/").text
    assert "-დან შეცვლი" in browser.post("/me/name", {"name": "ნინიკო"}).text
    assert browser.post("/name", {"name": "ნინიკო"}).status_code == 409
    wrong = browser.post("/me/password", {"old": NEW, "password": NEW})
    assert (wrong.status_code, "პაროლი არასწორია" in wrong.text) == (422, True)
    assert browser.post("/me/password", FORMS["/me/password"]).status_code == 303
    assert signed_in(browser)
    assert not signed_in(elsewhere)
    codes = browser.post("/me/codes", {"password": NEW})
    assert codes.text.count("<code>") == 8


def test_the_bonus_of_the_day_t3(server: Server, browser: Browser) -> None:
    register(browser)
    assert "ნაკლები აქვს" in browser.post("/me/bonus", {}).text
    with sqlite3.connect(server.data / "site.db") as db:
        db.execute("UPDATE accounts SET balance = 100 WHERE id LIKE 'player:%'")
    assert "აიღე დღის" in browser.get("/me").text
    assert browser.post("/me/bonus", {}).status_code == 303
    assert "300" in browser.get("/me").text
    assert "უკვე აიღე" in browser.post("/me/bonus", {}).text


def test_an_account_that_is_deleted_leaves_nothing_of_its_owner(server: Server) -> None:
    browser = Browser(server)
    table = browser.make_table("domino", "georgian", target="75")
    register(browser)
    assert "მაგიდიდან" in browser.post("/me/delete", {"password": PASSWORD}).text
    assert table in browser.get("/").text
    asyncio.run(leave(browser, table))
    assert browser.post("/me/delete", {"password": "რაღაც სხვა"}).status_code == 422
    assert browser.post("/me/delete", {"password": PASSWORD}).status_code == 303
    assert not signed_in(browser)
    assert rows(server, "SELECT name, kind FROM players") == [("", "deleted")]
    for kept in ("logins", "sessions", "recovery_codes"):
        assert rows(server, f"SELECT count(*) FROM {kept}") == [(0,)]
    assert Browser(server).post("/sign-in", FORMS["/sign-in"]).status_code == 422
    register(Browser(server))  # the name is free again


async def test_matches_of_a_deleted_account_stay_under_no_name(server: Server) -> None:
    nino, gia = Browser(server), Browser(server)
    await asyncio.to_thread(register, nino)
    await asyncio.to_thread(register, gia, "გია")
    seats = await started([nino, gia], "nardi", "short", points="1", public="1")
    match = seats[0].table["match"]
    await seats[1].accepted("resign", match=match)
    await seats[0].table_is(lambda told: told["ended"] is not None and told["ended"]["kept"])
    assert seats[0].table["ended"]["ratings"] is not None
    for seat in seats:
        await seat.accepted("leave", match=match)
    assert nino.post("/me/delete", {"password": PASSWORD}).status_code == 303
    record = gia.get(f"/m/{match}/record.json").text
    page = gia.get(f"/m/{match}").text
    assert "ნინო" not in record
    assert json.loads(record)["players"] == ["", "გია"]
    assert "წაშლილი მოთამაშე" in page
    assert "ნინო" not in page


async def leave(browser: Browser, table: str) -> None:
    seat = await browser.open(table)
    await seat.ask("leave", match=None)


async def test_who_plays_a_match_does_not_become_somebody_else(server: Server) -> None:
    register(Browser(server))
    browsers = [Browser(server), Browser(server)]
    await started(browsers, "domino", "georgian", target="75")
    for path in ("/sign-in", "/recover"):
        answer = browsers[0].post(path, FORMS[path])
        assert (answer.status_code, "მატჩს თამაშობ" in answer.text) == (422, True)
    # Nor by the other door; registering goes on as the same player.
    answer = browsers[0].post("/register", FORMS["/sign-in"])
    assert (answer.status_code, "სხვას აქვს" in answer.text) == (422, True)
    register(browsers[0], "გია")


async def test_a_socket_ends_with_its_session(server: Server) -> None:
    phone, laptop, watcher = Browser(server), Browser(server), Browser(server)
    await asyncio.to_thread(register, phone)
    table = phone.make_table("domino", "georgian", target="75")
    laptop.post("/sign-in", FORMS["/sign-in"])
    seats = [await phone.open(table), await laptop.open(table), await watcher.open(table)]
    phone.post("/me/sign-out", {})
    assert await seats[1].closed() == (1012, "signed out")
    # Whose session it is not hears nothing of it, and what comes back is nobody.
    assert (await laptop.open(table)).table["you"] is None
    assert (await phone.open(table)).table["you"] == 0


async def test_the_sockets_of_a_guest_end_when_they_register(server: Server) -> None:
    browser = Browser(server)
    table = browser.make_table("domino", "georgian", target="75")
    seat = await browser.open(table)
    await asyncio.to_thread(register, browser)
    assert await seat.closed() == (1012, "signed out")
    assert (await browser.open(table)).table["you"] == 0


def test_who_registers_or_tries_too_often_has_to_wait(tmp_path: Path) -> None:
    limits = {"EZO_REGISTER_ADDRESS_RATE": "2/hour", "EZO_SIGN_IN_RATE": "3/hour"}
    with Server(tmp_path / "data", 0, **limits) as server:
        register(Browser(server))
        register(Browser(server), "გია")
        mass = Browser(server).post("/register", {"name": "ლუკა", "password": PASSWORD})
        assert mass.status_code == 429
        wrong = FORMS["/sign-in"] | {"password": "არასწორი პაროლი"}
        tried = [Browser(server).post("/sign-in", wrong).status_code for _ in range(4)]
        assert tried == [422, 422, 422, 429]
        for junk in ("-. _!", "..", "!! "):
            hidden = Browser(server).post("/sign-in", wrong | {"name": f"{junk}ნინო"})
            assert hidden.status_code == 429
        # Under that name nobody is let in here for now, under another one all are.
        assert Browser(server).post("/sign-in", FORMS["/sign-in"]).status_code == 429
        gia = FORMS["/sign-in"] | {"name": "გია"}
        assert Browser(server).post("/sign-in", gia).status_code == 303


def test_nobody_is_locked_out_by_others(tmp_path: Path) -> None:
    with Server(tmp_path / "data", 0, EZO_SIGN_IN_NAME_RATE="2/hour") as server:
        nino = Browser(server)
        register(nino)
        wrong = FORMS["/sign-in"] | {"password": "არასწორი პაროლი"}
        assert [Browser(server).post("/sign-in", wrong).status_code for _ in range(2)] == [422, 422]
        # Each address has a try now and then, and who is signed in has their own.
        assert Browser(server).post("/sign-in", FORMS["/sign-in"]).status_code == 303
        assert Browser(server).post("/sign-in", FORMS["/sign-in"]).status_code == 429
        assert nino.post("/me/password", FORMS["/me/password"]).status_code == 303


def test_what_nobody_types_is_refused(server: Server) -> None:
    browser = Browser(server)
    for name in ("ნი\x00ნო", "\x1bnino"):
        for path in ("/sign-in", "/recover", "/register", "/name"):
            assert browser.post(path, FORMS["/recover"] | {"name": name}).status_code == 422
    assert server.log() == ""
