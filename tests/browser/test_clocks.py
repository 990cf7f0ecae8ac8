"""Clocks as the page reads them, what the table says in words, and the line's heartbeat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.i18n import CATALOGUES
from tests.app.server import Server
from tests.browser.modules import empty_page, run
from tests.browser.players import make_table
from tests.browser.tap import Tap

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]


@pytest.fixture
def page(open_window: OpenWindow) -> Page:
    return empty_page(open_window())


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (0, (30_000, 120_000, False)),
        (19_999, (10_001, 120_000, False)),
        (20_000, (10_000, 120_000, True)),
        (29_999, (1, 120_000, True)),
        (30_000, (0, 120_000, False)),
        (140_000, (0, 10_000, True)),
        (200_000, (0, 0, True)),
    ],
)
def test_the_reserve_is_used_after_the_moves_own_seconds(
    page: Page, now: int, expected: tuple[int, int, bool]
) -> None:
    """T6; each warns for its last ten seconds."""
    time = {"reserve_ms": 120_000, "move_until": 30_000, "until": 150_000}
    told = run(
        page,
        """
        const { timeLeft } = await load("ui/clock");
        const { own, reserve, low } = timeLeft(given.time, 30_000, given.now);
        return [own, reserve, low];
        """,
        {"time": time, "now": now},
    )
    assert tuple(told) == expected


def test_a_clock_that_does_not_run_shows_all_of_a_move(page: Page) -> None:
    told = run(
        page,
        """
        const { timeLeft, clockText } = await load("ui/clock");
        const time = { reserve_ms: 61_200, move_until: null, until: null };
        const { own, reserve, running, low } = timeLeft(time, 15_000, 5);
        return [own, clockText(reserve), running, low];
        """,
    )
    assert told == [15_000, "1:02", False, False]


def test_site_time_stands_still_after_an_outage(page: Page) -> None:
    """T9: also for frames that come while it does."""
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    page.evaluate(
        """async () => {
          const { SiteTime } = await import("/static/js/net/sitetime.js");
          window.time = new SiteTime();
          window.time.take(5_000, 8_000);
        }"""
    )
    seen: list[Any] = []
    for step in (3_000, 4_000, 3_000):
        page.clock.run_for(step)
        seen.append(page.evaluate("[window.time.now, window.time.frozen]"))
        page.evaluate("window.time.take(window.time.now)")
    assert seen == [[5_000, 5_000], [5_000, 1_000], [7_000, 0]]


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ({"event": "auto", "seat": 0}, "დრო ამოგეწურა: შენ მაგივრად სერვერმა ითამაშა"),
        ({"event": "auto", "seat": 1}, "გია: დრო ამოიწურა, სვლა სერვერმა ითამაშა"),
        ({"event": "absent", "seat": 1}, "გია: კავშირი გაწყდა"),
        ({"event": "absent", "seat": 0}, None),
        ({"event": "left", "seat": 1}, "გია: მაგიდის დატოვება"),
        ({"event": "rematch_wanted", "seat": 1, "want": False}, "გია: მეტი აღარ უნდა"),
        ({"number": 7}, None),
    ],
)
def test_what_happens_at_the_table_is_said(
    page: Page, event: dict[str, Any], text: str | None
) -> None:
    told = run(
        page,
        """
        const { saidBy } = await load("ui/said");
        const { translator } = await load("ui/texts");
        return saidBy(translator(given.texts), given.table, [given.event]);
        """,
        {
            "texts": dict(CATALOGUES["ka"]),
            "table": {"you": 0, "seats": [{"name": "ნინო"}, {"name": "გია"}]},
            "event": event,
        },
    )
    assert told == ([] if text is None else [text])


@pytest.mark.parametrize(
    ("ms", "time"), [(400, "1 წმ"), (89_000, "89 წმ"), (90_000, "2 წთ"), (182_000, "3 წთ")]
)
def test_an_outage_is_said_with_its_length(page: Page, ms: int, time: str) -> None:
    """T9."""
    told = run(
        page,
        """
        const { outageText } = await load("ui/said");
        const { translator } = await load("ui/texts");
        return outageText(translator(given.texts), { outage_ms: given.ms });
        """,
        {"texts": dict(CATALOGUES["ka"]), "ms": ms},
    )
    assert told == f"საიტი გათიშული იყო ({time}), საათი იდგა."


def test_nine_seconds_of_silence_are_a_dead_line(site: Server, open_window: OpenWindow) -> None:
    """And pings that are answered keep it alive on both sides."""
    host = open_window()
    pings: list[int] = []
    pongs: list[int] = []
    silent = 0
    tap = Tap(host)

    def lose(message: dict[str, Any]) -> bool:
        if message["type"] == "ping":
            pings.append(message["n"])
        return len(tap.lines) == silent

    def hear(message: dict[str, Any]) -> bool:
        if message["type"] == "pong":
            pongs.append(message["n"])
        return False

    tap.swallow, tap.hold_back = lose, hear
    make_table(host, site.origin, "nardi", 1)
    line = host.locator(".line")
    expect(line).to_have_attribute("data-line", "online")
    # The page is back so soon that only somebody who watches sees it gone.
    host.evaluate(
        """() => {
          const line = document.querySelector(".line");
          window.gone = new Promise((done) => {
            const watch = () => line.dataset.line !== "online" && done(true);
            new MutationObserver(watch).observe(line, { attributes: true });
          });
        }"""
    )
    silent = first = len(tap.lines)
    host.wait_for_function("() => window.gone")
    expect(line).to_have_attribute("data-line", "online")
    assert tap.of("hello")[-1]["seen"] is not None
    host.wait_for_function("() => new Promise((done) => setTimeout(done, 9_500, true))")
    assert len(tap.lines) == first + 1
    assert len(pongs) >= 2
    assert pongs[-1] in pings
