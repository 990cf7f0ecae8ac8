"""Pages and forms: headers on all, forms from our own pages only, a GET changes nothing."""

from __future__ import annotations

import json
import random
import re
import socket
import sqlite3
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from app.web.identity import COOKIE
from app.web.render import LANGUAGE_COOKIE
from engine.record import read
from engine.verify import verify
from tests.app.browsers import Browser, level, play_out, started
from tests.app.houses import eventually
from tests.app.server import Server

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
DOMINO = {"game": "domino", "rules": "georgian", "target": "75"}


def embedded(page: httpx.Response, name: str) -> Any:
    found = re.search(
        rf'<script type="application/json" id="{name}">(.*?)</script>', page.text, re.DOTALL
    )
    assert found is not None
    return json.loads(found[1])


def tables(server: Server, table: str = "") -> list[tuple[Any, ...]]:
    """The tables there are, and the whole of one of them: others may change by themselves."""
    db = sqlite3.connect(server.data / "tables.db")
    rows = db.execute("SELECT id FROM tables ORDER BY id").fetchall()
    rows += db.execute("SELECT version, state FROM tables WHERE id = ?", (table,)).fetchall()
    db.close()
    return rows


def test_every_answer_carries_the_headers(browser: Browser, server: Server) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    answers = [
        browser.get("/"),
        browser.get("/healthz"),
        browser.get(f"/t/{table}"),
        browser.get("/t/none"),
        browser.get("/m/none"),
        browser.get("/m/none/record.json"),
        browser.post("/name", {"name": "x"}),
        browser.get("/no/such/page"),
        browser.get("/tables"),
        browser.get("/static/none.js"),
        browser.get("/" + "x" * 1000),
        browser.post("/tables", {}),
        browser.post("/tables", DOMINO),
        browser.post("/tables", DOMINO, origin="https://evil.example"),
        browser.http.put(server.origin + "/"),
    ]
    assert [a.status_code for a in answers] == [
        200, 200, 200, 404, 404, 404, 422, 404, 405, 404, 414, 422, 303, 403, 405
    ]  # fmt: skip
    for answer in answers:
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


def test_pages_hold_nothing_that_the_policy_would_stop(browser: Browser) -> None:
    table = browser.make_table("nardi", "short", points="1")
    for page in (browser.get("/"), browser.get(f"/t/{table}"), browser.get("/t/none")):
        assert " style=" not in page.text
        assert not re.search(r"<[^>]*\son\w+=", page.text)
        for script in re.findall(r"<script\b[^>]*>", page.text):
            assert 'src="/static/' in script or 'type="application/json"' in script


def test_a_get_changes_nothing_t2(server: Server, browser: Browser) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    before = tables(server, table)
    stranger = Browser(server)
    paths = ("/", f"/t/{table}", f"/t/{table}/sit", "/tables", "/language", "/name", "/m/none")
    for path in paths:
        assert "set-cookie" not in stranger.get(path).headers
        assert "set-cookie" not in stranger.http.head(server.origin + path).headers
    assert tables(server, table) == before
    assert stranger.cookie is None


def test_a_guest_gets_name_and_cookie_with_the_first_action_t2(browser: Browser) -> None:
    answer = browser.post("/tables", DOMINO)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "Max-Age=31536000" in cookie
    assert "Secure" not in cookie  # over plain http it would never come back
    first = embedded(browser.get(answer.headers["location"]), "table")
    assert re.fullmatch(r"სტუმარი \d{4}", first["seats"][0]["name"])
    second = embedded(browser.get(f"/t/{browser.make_table(**DOMINO)}"), "table")
    assert second["seats"][0]["name"] == first["seats"][0]["name"]


def test_behind_tls_the_cookie_is_secure(browser: Browser, server: Server) -> None:
    # A proxy on this machine that ended TLS says so.
    answer = browser.http.post(
        server.origin + "/tables",
        data=DOMINO,
        headers={"origin": f"https://{server.host}", "x-forwarded-proto": "https"},
    )
    assert answer.status_code == 303
    assert "Secure" in answer.headers["set-cookie"]


def offers_seat(page: httpx.Response, table: str) -> bool:
    """Whether the page shows the form to sit down."""
    form = re.search(rf'<form[^>]*action="/t/{table}/sit"[^>]*>', page.text)
    return form is not None and " hidden" not in form[0]


def test_the_invite_opens_the_table_and_offers_the_seat(server: Server) -> None:
    # The invite link landed on a log-in page: it opens the table.
    maker, friend, third = Browser(server), Browser(server), Browser(server)
    table = maker.make_table("domino", "georgian", target="75")
    mine = maker.get(f"/t/{table}")
    assert f"{server.origin}/t/{table}" in mine.text
    assert not offers_seat(mine, table)
    assert embedded(mine, "table")["you"] == 0
    theirs = friend.get(f"/t/{table}")
    assert offers_seat(theirs, table)
    assert embedded(theirs, "table")["you"] is None
    friend.sit(table)
    friend.sit(table)
    assert embedded(friend.get(f"/t/{table}"), "table")["you"] == 1
    refused = third.post(f"/t/{table}/sit", {})
    assert refused.status_code == 409
    assert f'href="/t/{table}"' in refused.text
    assert "set-cookie" not in refused.headers
    watching = third.get(f"/t/{table}")
    assert watching.status_code == 200
    assert not offers_seat(watching, table)
    assert embedded(watching, "table")["status"] == "handshake"


async def test_a_page_shows_only_the_tiles_of_its_reader_t11(server: Server) -> None:
    browsers = [Browser(server), Browser(server)]
    seats = await started(browsers, "domino", "georgian", target="75")
    table = seats[0].id
    watching = embedded(Browser(server).get(f"/t/{table}"), "table")
    assert watching["view"]["tiles"] == []
    hands = [embedded(b.get(f"/t/{table}"), "table")["view"]["tiles"] for b in browsers]
    assert len({*hands[0], *hands[1]}) == 14
    for seat, browser in enumerate(browsers):
        view = embedded(browser.get(f"/t/{table}"), "table")["view"]
        shown = json.dumps({k: v for k, v in view.items() if k != "must_open"})
        assert not [tile for tile in hands[1 - seat] if f'"{tile}"' in shown]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"game": "chess", "rules": "georgian", "target": "75"},
        {"game": "domino", "rules": "short", "target": "75"},
        {"game": "domino", "rules": "georgian"},
        {"game": "domino", "rules": "georgian", "target": "76"},
        {"game": "domino", "rules": "georgian", "target": "٧٥"},
        {"game": "domino", "rules": "georgian", "target": "75.0"},
        {"game": "nardi", "rules": "short", "points": "<script>"},
        DOMINO | {"clock": "endless"},
        DOMINO | {"clock": ""},
        DOMINO | {"public": "2"},
        DOMINO | {"public": "yes"},
    ],
)
def test_a_bad_form_comes_back_with_an_error_in_words(
    form: dict[str, str], browser: Browser, server: Server
) -> None:
    before = tables(server)
    answer = browser.post("/tables", form)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert 'action="/tables"' in answer.text
    assert "<script>" not in answer.text
    assert "set-cookie" not in answer.headers
    assert tables(server) == before


def test_forms_are_bounded(browser: Browser, server: Server) -> None:
    long = browser.post("/tables", DOMINO | {"more": "x" * 9000})
    assert long.status_code == 413
    assert browser.post("/tables", {f"f{i}": "1" for i in range(30)}).status_code == 422
    headers = {"origin": server.origin, "content-type": "application/x-www-form-urlencoded"}
    for body, status in ((b"\xff\xfe", 422), (b"game=domino&game=nardi", 422), (b"", 422)):
        answer = browser.http.post(server.origin + "/tables", content=body, headers=headers)
        assert answer.status_code == status
    answer = browser.http.post(
        server.origin + "/tables", json=DOMINO, headers={"origin": server.origin}
    )
    assert answer.status_code == 415

    def endless() -> Any:
        while True:
            yield b"x" * 1000

    try:
        answer = browser.http.post(server.origin + "/tables", content=endless(), headers=headers)
    except httpx.TransportError:
        return  # cut off while still sending: as good
    assert answer.status_code == 413


def test_headers_without_end_are_not_read(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(server.origin).port), timeout=20) as line:
        sent = b"GET / HTTP/1.1\r\nHost: ezo\r\nX-Long: "
        try:
            for _ in range(64):
                line.sendall(sent)
                sent = b"x" * 16_384
            answer = line.recv(64)
        except ConnectionError:
            return  # cut off while still sending: as good
    assert answer.startswith(b"HTTP/1.1 4") or answer == b""


def test_a_form_that_breaks_off_is_no_fault(server: Server, browser: Browser) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(server.origin).port), timeout=20) as line:
        line.sendall(
            b"POST /tables HTTP/1.1\r\nHost: ezo\r\nOrigin: http://ezo\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ngame="
        )
    assert browser.http.get(server.origin + "/").status_code == 200


@pytest.mark.parametrize("path", ["/tables", "/t/none/sit", "/language", "/name"])
def test_a_form_from_another_site_is_refused(path: str, browser: Browser, server: Server) -> None:
    url = server.origin + path
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": server.origin + ".evil.example"},
        {"origin": f"ftp://{server.host}"},
        {"origin": "http://["},
        {"referer": "https://evil.example/" + server.origin},
        {},
    ):
        answer = browser.http.post(url, data=DOMINO | {"language": "en"}, headers=headers)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
    answer = browser.http.post(url, data=DOMINO, headers={"referer": server.origin + "/"})
    assert answer.status_code != 403


def test_both_languages_and_the_way_back(browser: Browser, server: Server) -> None:
    table = browser.make_table("domino", "georgian", target="75")
    path = f"/t/{table}"
    for page in ("/", path, "/t/none"):
        assert '<html lang="ka">' in browser.get(page).text
    answer = browser.post("/language", {"language": "en", "back": path})
    assert answer.status_code == 303
    assert answer.headers["location"] == path
    assert answer.headers["set-cookie"].startswith(f"{LANGUAGE_COOKIE}=en")
    for page in ("/", path, "/t/none"):
        assert '<html lang="en">' in browser.get(page).text
    assert "There is no such table" in browser.get("/t/none").text
    assert browser.post("/language", {"language": "fr"}).status_code == 422
    for back in ("https://evil.example", "//evil.example", "/\\evil.example", "", "/\r\nx: y"):
        answer = browser.post("/language", {"language": "ka", "back": back})
        assert answer.headers["location"] == "/"
    assert '<html lang="ka">' in browser.get("/").text


def test_files_are_kept_for_ever_under_their_present_version_only(
    browser: Browser, server: Server
) -> None:
    found = re.search(r'href="(/static/([0-9a-f]{12})/css/base\.css)"', browser.get("/").text)
    assert found is not None
    address, version = found[1], found[2]
    answer = browser.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    for older in (address.replace(version, "0" * 12), "/static/css/base.css"):
        answer = browser.get(older)
        assert answer.status_code in {200, 404}
        assert answer.headers["cache-control"] in {"no-cache", "no-store"}
    plain = browser.get("/static/css/base.css")
    assert plain.status_code == 200
    assert plain.headers["cache-control"] == "no-cache"
    for outside in (
        "/static/../dev", "/static/%2e%2e/dev", f"/static/{version}/../../dev",
        f"/static/{version}//etc/passwd", "/static/js/jsconfig.jsonx", "/static/",
    ):  # fmt: skip
        request = browser.http.build_request("GET", server.origin + "/")
        request.url = request.url.copy_with(raw_path=outside.encode())
        assert browser.http.send(request).status_code == 404


def test_catalogue_and_table_cannot_end_their_elements(browser: Browser) -> None:
    page = browser.get(f"/t/{browser.make_table('domino', 'georgian', target='75')}")
    catalogue = embedded(page, "catalogue")
    assert catalogue["site.name"] == "ეზო"
    assert not [key for key in catalogue if key.startswith(("home.", "error."))]
    assert page.text.count('id="catalogue"') == 1
    assert page.text.count('id="table"') == 1


def back_links(page: httpx.Response) -> list[str]:
    """Where a page's way back leads."""
    found = re.search(r'<nav class="own".*?</nav>', page.text, re.DOTALL)
    return [] if found is None else re.findall(r'href="(/t/[^"]+)"', found[0])


async def test_every_page_offers_the_way_back_to_the_own_tables(server: Server) -> None:
    # A refresh threw the player out: every page offers the way back to the running table.
    first, second = Browser(server), Browser(server)
    waiting = [first.make_table(**DOMINO) for _ in range(2)]
    everywhere = ("/", "/t/none", "/m/none", "/no/such/page")
    for path in everywhere:
        assert set(back_links(first.get(path))) == {f"/t/{table}" for table in waiting}
        assert back_links(second.get(path)) == []
    assert back_links(first.get(f"/t/{waiting[0]}")) == [f"/t/{waiting[1]}"]
    seats = await started([second, first], "domino", "georgian", target="75")
    link = f"/t/{seats[0].id}"
    # The match has started: the other seats are freed (T16).
    await eventually(lambda: only_link(first, link))
    for path in everywhere:
        assert back_links(first.get(path)) == [link]
    assert back_links(first.get(link)) == []
    # Who plays sits down nowhere else.
    other = Browser(server).make_table(**DOMINO)
    for answer in (first.post("/tables", DOMINO), first.post(f"/t/{other}/sit", {})):
        assert answer.status_code == 409
        assert back_links(answer) == [link]
    await seats[0].accepted("resign")
    await level(seats)
    assert back_links(first.get("/")) == []


async def only_link(browser: Browser, link: str) -> bool | None:
    return True if back_links(browser.get("/")) == [link] else None


def test_a_fourth_table_to_wait_at_is_refused_in_words_t16(browser: Browser) -> None:
    for _ in range(3):
        browser.make_table(**DOMINO)
    browser.post("/language", {"language": "en"})
    answer = browser.post("/tables", DOMINO)
    assert answer.status_code == 409
    assert "You wait at three tables already" in answer.text


def test_public_tables_are_listed_and_private_ones_reached_by_link_only_t1(
    browser: Browser, server: Server
) -> None:
    listed = browser.make_table(**DOMINO, public="1")
    hidden = browser.make_table(**DOMINO, public="0")
    silent = browser.make_table(**DOMINO)
    home = Browser(server).get("/").text
    assert f"/t/{listed}" in home
    assert hidden not in home
    assert silent not in home
    assert Browser(server).get(f"/t/{hidden}").status_code == 200


@pytest.mark.parametrize(
    ("clock", "move_ms"), [("fast", 15_000), ("standard", 30_000), ("slow", 60_000)]
)
def test_the_creator_picks_the_clock_t1(clock: str, move_ms: int, browser: Browser) -> None:
    table = browser.make_table(**DOMINO | {"clock": clock})
    assert embedded(browser.get(f"/t/{table}"), "table")["clock"]["move_ms"] == move_ms


NAMES = [
    ("ნინო", "ნინო"),
    ("  Gia  ", "Gia"),
    ("დათო   ბერიძე", "დათო ბერიძე"),
    ("Łukasz 7", "Łukasz 7"),
    ("李小龍", "李小龍"),
    ("x" * 20, "x" * 20),
    ("e\u0301ve", "éve"),
    ("<b>&'\"", "<b>&'\""),
    ("ab", None),
    ("", None),
    ("   ", None),
    ("a b", None),
    ("x" * 21, None),
    ("ab\u200b\u200d", None),
    ("nino\u202e", None),
    ("nino\ngia", None),
    ("nino\x00", None),
    ("nino\u00a0gia", None),
    ("\u3164\u3164\u3164", None),
    ("a\u0301\u0302\u0303" * 25, None),
    ("\ud7ff\ue000abc", None),
]


@pytest.mark.parametrize(("given", "shown"), NAMES, ids=range(len(NAMES)))
def test_names_are_of_any_script_and_visible(
    given: str, shown: str | None, browser: Browser
) -> None:
    answer = browser.post("/name", {"name": given, "back": "/healthz"})
    if shown is None:
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
        assert "set-cookie" not in answer.headers
        return
    assert answer.status_code == 303
    assert answer.headers["location"] == "/healthz"
    table = browser.make_table(**DOMINO)
    page = browser.get(f"/t/{table}")
    assert embedded(page, "table")["seats"][0]["name"] == shown
    assert "<b>" not in page.text


def test_another_name_keeps_the_player_and_the_old_name_where_they_sit(browser: Browser) -> None:
    assert browser.post("/name", {"name": "ნინო"}).status_code == 303
    table = browser.make_table(**DOMINO)
    assert browser.post("/name", {"name": "თამარი"}).status_code == 303
    shown = embedded(browser.get(f"/t/{table}"), "table")
    assert shown["you"] == 0
    assert shown["seats"][0]["name"] == "ნინო"
    other = browser.make_table(**DOMINO)
    assert embedded(browser.get(f"/t/{other}"), "table")["seats"][0]["name"] == "თამარი"
    assert 'value="თამარი"' in browser.get("/").text


async def test_a_match_has_its_page_and_record_once_it_has_ended_t14(server: Server) -> None:
    browsers = [Browser(server), Browser(server)]
    seats = await started(browsers, "nardi", "short", points="1")
    match = seats[0].table["match"]
    for path in (f"/m/{match}", f"/m/{match}/record.json", "/m/none/record.json"):
        assert browsers[0].get(path).status_code == 404
    await play_out(seats, random.Random(4))

    async def found() -> httpx.Response | None:
        answer = browsers[0].get(f"/m/{match}/record.json")
        return answer if answer.status_code == 200 else None

    answer = await eventually(found)
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"].startswith("attachment; filename=")
    # It holds names, and one of them may be taken out.
    assert answer.headers["cache-control"] == "public, max-age=300"
    record = answer.json()
    *_, verdict = verify(read(record))
    assert verdict == {"match": match, "verified": True}
    assert record["fairness"]["secrets"] == seats[0].table["fairness"]["secrets"]
    for language in ("ka", "en"):
        browsers[0].post("/language", {"language": language})
        page = browsers[0].get(f"/m/{match}")
        assert page.status_code == 200
        assert f'<html lang="{language}">' in page.text
        assert page.headers["cache-control"] == "no-store"
        assert f"/m/{match}/record.json" in page.text
        for name in record["players"]:
            assert name in page.text
