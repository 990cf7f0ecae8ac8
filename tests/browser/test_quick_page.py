"""Quick match through the screen: one press, the wait, and every way out of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.app.server import Server
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]
SEEK = {
    "type": "seek",
    "game": "nardi",
    "rules": "short",
    "options": {"points": 3},
    "stake": 0,
}


def press(page: Page, origin: str, game: str, **options: str) -> None:
    page.goto(origin)
    form = page.locator(f".game[data-game={game}] form")
    for name, value in options.items():
        form.locator(f"input[name={name}][value='{value}']").check()
    form.locator(".play").click()
    page.wait_for_url(re.compile("/quick|/t/"))


class Scripted:
    """The server's side of the socket, as a test speaks for it."""

    def __init__(self, page: Page) -> None:
        self.heard: list[Any] = []
        self.routes: list[WebSocketRoute] = []
        page.route_web_socket("**/ws/quick", self._open)

    def _open(self, route: WebSocketRoute) -> None:
        self.routes.append(route)
        route.on_message(lambda text: self.heard.append(json.loads(text)))
        route.send('{"type":"ping","n":1}')

    def say(self, **message: object) -> None:
        self.routes[-1].send(json.dumps(message))

    def waits(self, ms: int, others: int = 0, window: int | None = 75) -> None:
        self.say(type="waiting", since=1_000_000, now=1_000_000 + ms, others=others, window=window)


@pytest.fixture
def scripted(site: Server, open_window: OpenWindow) -> tuple[Page, Scripted]:
    page = open_window(PHONE)
    server = Scripted(page)
    press(page, site.origin, "nardi", points="3")
    page.locator("#seeking").wait_for()
    page.wait_for_function("() => document.querySelector('#quick-line').textContent")
    return page, server


@pytest.mark.parametrize(("game", "option", "value"), [("domino", "target", "175")])
def test_two_press_the_button_and_play(
    site: Server, open_window: OpenWindow, game: str, option: str, value: str
) -> None:
    pages = [open_window(PHONE), open_window(LAPTOP)]
    for page in pages:
        press(page, site.origin, game, **{option: value})
    for page in pages:
        page.wait_for_url("**/t/*")
        page.locator(".board").wait_for()
        expect(page.locator("#play")).to_have_attribute("data-status", "running")
    matches = {page.locator("#play").get_attribute("data-match") for page in pages}
    assert len(matches) == 1
    assert pages[0].url == pages[1].url
    # Back from there is home, not into the queue.
    pages[0].go_back()
    assert pages[0].url == site.origin + "/"


def test_the_wait_is_shown_in_words_in_both_languages(
    scripted: tuple[Page, Scripted], site: Server
) -> None:
    page, server = scripted
    server.waits(0)
    expect(page.locator("#waited")).to_have_text("ახლახან დავიწყეთ")
    expect(page.locator("#wide")).to_have_text("ჯერ შენი დონის მოთამაშეს ვეძებთ (რეიტინგით ±75)")
    expect(page.locator("#others")).to_have_text("ამ თამაშს ჯერ მხოლოდ შენ ელოდები")
    expect(page.locator("#quick-line")).to_be_hidden()
    expect(page.locator("#ways")).to_be_hidden()
    assert SEEK in server.heard
    server.waits(14_000, 2, 425)
    expect(page.locator("#waited")).to_have_text("უკვე 14 წამია, რაც ვეძებთ")
    expect(page.locator("#others")).to_have_text("შენ გარდა ელოდება კიდევ 2")
    server.waits(75_000, 0, None)
    expect(page.locator("#waited")).to_have_text("უკვე 1 წუთი და 15 წამია, რაც ვეძებთ")
    expect(page.locator("#wide")).to_have_text("ახლა ნებისმიერი დონის მოთამაშე გამოდგება")
    expect(page.locator("#ways")).to_be_visible()
    # The language changes and it is the same that is sought.
    with page.expect_navigation():
        page.locator(".language button").click()
    assert "points=3" in page.url
    page.locator("#quick-line:not(:empty)").wait_for(state="attached")
    server.waits(3_000)
    expect(page.locator("#waited")).to_have_text("Looking for 3 seconds now")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_after_a_while_there_are_other_ways(scripted: tuple[Page, Scripted]) -> None:
    page, server = scripted
    server.waits(15_000)
    expect(page.locator("#offer")).to_have_text(
        "შეგიძლია აღარ დაელოდო: გახსენი მაგიდა, დაუძახე მეგობარს ან კომპიუტერს ეთამაშე."
    )
    page.locator("#ways button[value='0']").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#waiting")).to_contain_text("3")
    expect(page.locator("#invite")).to_be_visible()


def test_who_cancels_or_goes_back_leaves_the_queue(site: Server, open_window: OpenWindow) -> None:
    first, second = open_window(PHONE), open_window(PHONE)
    alone = "ამ თამაშს ჯერ მხოლოდ შენ ელოდები"
    press(first, site.origin, "nardi", points="7")
    expect(first.locator("#others")).to_have_text(alone)
    first.locator("#cancel").click()
    first.wait_for_url(site.origin + "/")
    press(second, site.origin, "nardi", points="7")
    expect(second.locator("#others")).to_have_text(alone)
    second.go_back()
    second.wait_for_url(site.origin + "/")
    press(first, site.origin, "nardi", points="7")
    expect(first.locator("#others")).to_have_text(alone)


def test_a_line_that_broke_seeks_again(scripted: tuple[Page, Scripted]) -> None:
    page, server = scripted
    server.waits(5_000)
    expect(page.locator("#quick-line")).to_be_hidden()
    server.routes[-1].close(code=1012, reason="stopping")
    expect(page.locator("#quick-line")).to_be_visible()
    for _ in range(2_000):
        if server.heard.count(SEEK) == 2:
            break
        page.evaluate("() => new Promise(requestAnimationFrame)")
    assert server.heard.count(SEEK) == len(server.routes) == 2
    server.waits(6_000)
    expect(page.locator("#quick-line")).to_be_hidden()


@pytest.mark.parametrize(
    ("code", "values", "words"),
    [
        ("elsewhere", {}, "მოწინააღმდეგეს ახლა სხვა ფანჯარაში ეძებ"),
        ("left_often", {"minutes": 12}, "სწრაფი თამაში გაიხსნება 12 წუთში"),
        ("cannot_cover", {"stake": 100}, "ფსონი 100 ქოინია, ამდენი კი არ გაქვს"),
        ("playing_elsewhere", {}, "სხვა მაგიდასთან თამაშობ"),
    ],
)
def test_who_is_refused_is_told_why_and_can_try_again(
    scripted: tuple[Page, Scripted], code: str, values: dict[str, int], words: str
) -> None:
    page, server = scripted
    server.waits(16_000)
    expect(page.locator("#ways")).to_be_visible()
    server.say(type="refused", code=code, rule="T16", values=values)
    expect(page.locator("#seeking-title")).to_contain_text(words)
    expect(page.locator("#ways")).to_be_hidden()
    expect(page.locator("#waited")).to_be_hidden()
    expect(page.locator("#cancel")).to_have_text("მთავარ გვერდზე დაბრუნება")
    page.locator("#again").click()
    page.locator("#waited:visible").wait_for()
    assert "points=3" in page.url


def test_what_is_found_leads_to_the_table(
    scripted: tuple[Page, Scripted], site: Server, open_window: OpenWindow
) -> None:
    page, server = scripted
    host = open_window(PHONE)
    host.goto(site.origin)
    host.locator(".game[data-game=nardi] summary").click()
    host.locator(".game[data-game=nardi] button[value='0']").click()
    host.wait_for_url("**/t/*")
    table = host.url.rpartition("/")[2]
    server.say(type="matched", table=table)
    page.wait_for_url(f"**/t/{table}")
