"""The lobby: making a table, the live list, the line to it, and one's own name (T1, T2, T16)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.app.server import Server
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]


@pytest.fixture
def plain_window(chromium: Browser) -> Iterator[Page]:
    """A browser with scripts switched off."""
    context = chromium.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


def named(page: Page, site: Server, name: str) -> Page:
    """The lobby, for somebody with this name."""
    page.goto(site.origin)
    page.locator(".name summary").click()
    page.locator("#name").fill(name)
    page.locator(".naming button").click()
    expect(page.locator(".name summary")).to_contain_text(name)
    return page


def table_id(page: Page) -> str:
    """The id of the table that the page is at."""
    page.wait_for_url("**/t/*")
    return page.url.rpartition("/")[2]


def make(page: Page, site: Server, game: str, *, public: bool, **options: str) -> str:
    """Make a table by the form; its id."""
    page.goto(site.origin)
    form = page.locator(f".game[data-game={game}] form")
    form.locator("summary").click()
    for name, value in options.items():
        form.locator(f"input[name={name}][value='{value}']").check()
    form.locator(f"button[value='{int(public)}']").click()
    return table_id(page)


def row(page: Page, table: str) -> Any:
    return page.locator(f"li[data-table='{table}']")


def test_a_table_appears_is_joined_and_is_watched(site: Server, open_window: OpenWindow) -> None:
    """Everybody's list is live: names, game, target and clock; who sits down starts the match."""
    looker = open_window(LAPTOP)
    looker.goto(site.origin)
    expect(looker.locator("#lobby-line")).to_have_attribute("data-line", "online")
    host = named(open_window(PHONE), site, "ნინო-1")
    table = make(host, site, "nardi", public=True, points="5", clock="fast")
    seen = row(looker, table)
    expect(seen).to_contain_text("მოკლე ნარდი, 5‑მდე")
    expect(seen).to_contain_text("ნინო-1")
    expect(seen).to_contain_text("15 წმ + 1 წთ")
    expect(looker.locator("#no-open")).to_be_hidden()
    guest = named(open_window(PHONE), site, "გია-1")
    sit = row(guest, table).get_by_role("button", name="დაჯექი: მოკლე ნარდი, 5‑მდე, ნინო-1")
    sit.click()
    assert table_id(guest) == table
    running = looker.locator("#running-tables").locator(f"li[data-table='{table}']")
    expect(running).to_contain_text("ნინო-1")
    expect(running).to_contain_text("გია-1")
    expect(running.get_by_role("link", name="უყურე")).to_have_attribute("href", f"/t/{table}")
    expect(looker.locator("#open-tables").locator(f"li[data-table='{table}']")).to_have_count(0)


def test_a_table_by_link_is_not_listed(site: Server, open_window: OpenWindow) -> None:
    """T1. The same list shows another one made after it: the test can fail."""
    looker = open_window(PHONE)
    looker.goto(site.origin)
    hidden = make(open_window(PHONE), site, "domino", public=False, target="255")
    shown = make(open_window(PHONE), site, "domino", public=True, target="255")
    expect(row(looker, shown)).to_be_visible()
    expect(row(looker, hidden)).to_have_count(0)
    looker.reload()
    expect(row(looker, shown)).to_be_visible()
    expect(row(looker, hidden)).to_have_count(0)


def test_the_way_back_to_ones_own_table(site: Server, open_window: OpenWindow) -> None:
    """On every other page; and the lobby calls when somebody has sat down there meanwhile."""
    host = open_window(PHONE)
    table = make(host, site, "domino", public=True, target="175")
    expect(host.locator(".own")).to_have_count(0)
    another = make(host, site, "nardi", public=False, points="3")
    ways = host.locator(".own a").evaluate_all("links => links.map((a) => a.pathname)")
    assert ways == [f"/t/{table}"]
    host.goto(site.origin)
    ways = host.locator(".own a").evaluate_all("links => links.map((a) => a.pathname)")
    assert sorted(ways) == sorted([f"/t/{table}", f"/t/{another}"])
    back = host.locator(f".own a[href='/t/{table}']")
    expect(back).to_have_text("დაბრუნდი მაგიდასთან, სადაც ელოდები")
    expect(row(host, table).get_by_role("link", name="დაბრუნდი")).to_be_visible()
    guest = open_window(LAPTOP)
    guest.goto(site.origin)
    row(guest, table).get_by_role("button").click()
    expect(host.get_by_role("alert")).to_have_text("მოწინააღმდეგე მოვიდა, დაბრუნდი მაგიდასთან!")
    assert host.title().startswith("●")
    back.click()
    assert table_id(host) == table


def test_the_list_is_there_without_scripts(
    site: Server, open_window: OpenWindow, plain_window: Page
) -> None:
    table = make(open_window(PHONE), site, "nardi", public=True, points="7", clock="slow")
    plain_window.goto(site.origin)
    live = open_window(PHONE)
    live.goto(site.origin)
    expect(live.locator("#lobby-line")).to_have_attribute("data-line", "online")
    words = [" ".join(row(page, table).inner_text().split()) for page in (plain_window, live)]
    assert words[0] == words[1]
    assert "60 წმ + 5 წთ" in words[0]
    expect(plain_window.locator("#lobby-line")).to_be_hidden()
    row(plain_window, table).get_by_role("button").click()
    assert table_id(plain_window) == table
    plain_window.goto(site.origin)
    assert make(plain_window, site, "domino", public=True, target="75") != table


def test_an_empty_list_says_so_and_the_line_is_true(
    own_site: Server, open_window: OpenWindow
) -> None:
    """The server goes, and says so; it comes back, and the list is that of now."""
    page = open_window(PHONE)
    page.goto(own_site.origin)
    state = page.locator("#lobby-line")
    expect(state).to_have_text("კავშირი არის")
    expect(page.locator("#no-open")).to_contain_text("ღია მაგიდა არ არის")
    expect(page.locator("#running-tables")).to_be_hidden()
    own_site.kill()
    expect(state).to_have_text("კავშირი არ არის")
    own_site.start()
    expect(state).to_have_text("კავშირი არის")
    table = make(open_window(PHONE), own_site, "nardi", public=True, points="1")
    expect(row(page, table)).to_be_visible()
    expect(page.locator("#no-open")).to_be_hidden()


class Mute:
    """A server of the lobby that says only what the test wants."""

    def __init__(self, page: Page) -> None:
        self.sockets: list[WebSocketRoute] = []
        self.heard: list[dict[str, Any]] = []
        self._page = page
        page.route_web_socket("**/ws/lobby", self._open)

    def _open(self, socket: WebSocketRoute) -> None:
        socket.on_message(lambda text: self.heard.append(json.loads(text)))
        self.sockets.append(socket)

    def say(self, **message: Any) -> None:
        self.sockets[-1].send(json.dumps(message))

    def until(self, holds: Callable[[], bool]) -> None:
        """Let the page's messages come in until it holds."""
        for _ in range(1_000):
            if holds():
                return
            self._page.evaluate("1")
        raise AssertionError("it never came")

    def list(self, *tables: dict[str, Any]) -> None:
        self.say(type="lobby", tables=tables)


def listed(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": f"table-{number}",
        "game": "domino",
        "rules": "georgian",
        "options": {"target": 75},
        "clock": {"move_ms": 30_000, "reserve_ms": 120_000},
        "status": "open",
        "seats": [f"სტუმარი {number}", None],
        "score": None,
        "made_at": number,
        **changes,
    }


def test_a_silent_line_is_a_dead_one(site: Server, open_window: OpenWindow) -> None:
    """Pings are answered at once; nine seconds without a word, and the page says so and calls
    again, each time later than before."""
    page = open_window(PHONE)
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    page.add_init_script("Math.random = () => 0.5;")  # the middle of the jitter
    mute = Mute(page)
    page.goto(site.origin)
    state = page.locator("#lobby-line")
    page.wait_for_function("document.querySelector('#lobby-line').dataset.line")
    mute.list()
    expect(state).to_have_attribute("data-line", "online")
    page.clock.run_for(8_900)
    mute.say(type="ping", n=7)
    mute.until(lambda: bool(mute.heard))
    assert mute.heard == [{"type": "pong", "n": 7}]
    page.clock.run_for(8_900)
    expect(state).to_have_attribute("data-line", "online")
    page.clock.run_for(100)
    expect(state).to_have_attribute("data-line", "offline")
    for wait, sockets in ((400, 2), (800, 3), (1_600, 4)):
        page.clock.run_for(wait - 10)
        assert len(mute.sockets) == sockets - 1
        page.clock.run_for(10)
        expect(state).to_have_attribute("data-line", "connecting")
        mute.until(lambda n=sockets: len(mute.sockets) == n)  # type: ignore[misc]
        if sockets < 4:
            page.clock.run_for(9_000)
            expect(state).to_have_attribute("data-line", "offline")
    mute.list(listed(1))
    expect(state).to_have_attribute("data-line", "online")
    expect(row(page, "table-1")).to_be_visible()


def test_news_of_others_leaves_the_focus_where_it_is(site: Server, open_window: OpenWindow) -> None:
    page = open_window(LAPTOP)
    mute = Mute(page)
    page.goto(site.origin)
    page.wait_for_function("document.querySelector('#lobby-line').dataset.line")
    mute.list(listed(1), listed(2), listed(3))
    row(page, "table-2").get_by_role("button").focus()
    mark = "document.activeElement.closest('li')?.dataset.table"
    for tables in (
        [listed(4), listed(1), listed(2)],
        [listed(2), listed(1)],
        [listed(5), listed(2, seats=["ახალი სახელი", None])],
    ):
        mute.list(*tables)
        page.wait_for_function(
            "ids => [...document.querySelectorAll('#open-tables li')]"
            ".map((each) => each.dataset.table).join() === ids",
            arg=",".join(table["id"] for table in tables),
        )
        assert page.evaluate(mark) == "table-2"
    mute.list(listed(9, status="running", seats=["ა", "ბ"], score=[35, 10]))
    expect(row(page, "table-9")).to_contain_text("ა 35 : 10 ბ")
    expect(page.locator("#no-open")).to_be_visible()


def test_a_name_is_changed_on_any_page_and_is_text_wherever_it_is_shown(
    site: Server, open_window: OpenWindow
) -> None:
    """T2. At a table one keeps the name that one came with."""
    page = named(open_window(PHONE), site, "<b>ქეთო</b>")
    assert page.locator(".name b").count() == 0
    table = make(page, site, "domino", public=True, target="355")
    other = open_window(PHONE)
    other.goto(site.origin)
    expect(row(other, table)).to_contain_text("<b>ქეთო</b>")
    page.locator(".name summary").click()
    page.locator("#name").fill("ეკა ბ")
    page.locator(".naming button").click()
    expect(page.locator(".name summary")).to_contain_text("ეკა ბ")
    assert table_id(page) == table


def test_a_name_that_will_not_do_is_refused_in_words(site: Server, plain_window: Page) -> None:
    page = named(plain_window, site, "ეკა")
    page.locator(".name summary").click()
    page.locator("#name").fill("ა")
    page.locator(".naming button").click()
    expect(page.get_by_role("alert")).to_contain_text("3-დან 20 ნიშნამდე")
    expect(page.locator(".name summary")).to_contain_text("ეკა")
    expect(page.locator(".game")).to_have_count(2)


@pytest.mark.parametrize("size", [PHONE, LAPTOP, (320, 640)])
@pytest.mark.parametrize("language", ["ka", "en"])
def test_everything_fits_and_can_be_pressed(
    site: Server, open_window: OpenWindow, size: tuple[int, int], language: str
) -> None:
    """No sideways scrolling, no control under 44 px, with the longest names there are."""
    page = open_window(size)
    page.context.add_cookies([{"name": "ezo_language", "value": language, "url": site.origin}])
    mute = Mute(page)
    page.goto(site.origin)
    page.wait_for_function("document.querySelector('#lobby-line').dataset.line")
    long = "ყ" * 20
    mute.list(
        listed(1, seats=[long, None], options={"target": 355}),
        listed(2, status="running", seats=[long, long], score=[350, 345]),
    )
    expect(row(page, "table-2")).to_be_visible()
    page.locator(".name summary").click()
    told = page.evaluate(
        """() => ({
          wide: document.documentElement.scrollWidth,
          small: [...document.querySelectorAll(
              "button, a:not(.skip), summary, .choice, input[type=text]")]
            .map((each) => [each.textContent.trim(), each.getBoundingClientRect()])
            .filter(([, { width, height }]) => width > 0 && (height < 44 || width < 44))
            .map(([text, { width, height }]) => `${text}: ${width} × ${height}`),
          outside: [...document.querySelectorAll("body :not(.skip)")]
            .map((each) => [each.className || each.tagName, each.getBoundingClientRect()])
            .filter(([, { left, right, width }]) =>
              width > 1 && (left < -1 || right > innerWidth + 1))
            .map(([name]) => String(name)),
        })"""
    )
    assert told == {"wide": size[0], "small": [], "outside": []}
