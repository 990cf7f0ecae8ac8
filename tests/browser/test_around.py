"""What surrounds a match at its table: the handshake, absences, resigning, leaving, rematches."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.app.server import Server
from tests.browser.players import act, make_table, ply, sit_down
from tests.browser.tap import Tap
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]


@pytest.fixture
def pages(site: Server, open_window: OpenWindow) -> list[Page]:
    """Host and guest of a match of nardi."""
    pages = [open_window(PHONE), open_window(LAPTOP)]
    invite = make_table(pages[0], site.origin, "nardi", 3)
    sit_down(pages[1], invite)
    pages[0].locator(".board").wait_for()
    return pages


def name_of(page: Page) -> str:
    return page.locator(".name summary bdi").inner_text()


def from_menu(page: Page, label: str) -> None:
    page.locator(".menu summary").click()
    page.locator(".menu-list").get_by_role("button", name=label).click()


def test_a_host_who_leaves_closes_the_table(site: Server, open_window: OpenWindow) -> None:
    """And whoever looks at it is told."""
    host, visitor = open_window(PHONE), open_window(LAPTOP)
    invite = make_table(host, site.origin, "domino", 75)
    visitor.goto(invite)
    expect(visitor.locator("#waiting form button")).to_be_visible()
    host.locator("#waiting .leave").click()
    host.wait_for_url(site.origin + "/")
    expect(visitor.locator("#waiting h2")).to_have_text("მასპინძელი წავიდა, მაგიდა დაიხურა")
    expect(visitor.locator("#waiting form button")).to_be_hidden()
    visitor.reload()
    expect(visitor.locator("#waiting h2")).to_have_text("მასპინძელი წავიდა, მაგიდა დაიხურა")
    visitor.locator("#waiting").get_by_role("link", name="მთავარ გვერდზე").click()
    visitor.wait_for_url(site.origin + "/")


def test_a_handshake_that_comes_to_nothing_is_told(site: Server, open_window: OpenWindow) -> None:
    """Who is awaited, for how long, and why nothing came of it; the seat is free again."""
    host, guest, visitor = open_window(PHONE), open_window(LAPTOP), open_window(PHONE)
    tap = Tap(host)
    tap.hold_back = lambda message: message["type"] == "hash"
    invite = make_table(host, site.origin, "nardi", 1)
    guest.goto(invite)
    visitor.goto(invite)
    guest.locator("#waiting form button").click()
    expect(guest.locator(".shaking")).to_contain_text(f"ველოდებით: {name_of(host)}")
    expect(guest.locator(".shaking .counting")).to_have_text(re.compile(r"^(29|2\d|30) წმ$"))
    expect(visitor.locator(".watching")).to_be_visible()
    expect(visitor.locator("#waiting form button")).to_be_hidden()
    away = f"მატჩი არ დაიწყო. {name_of(guest)}: მაგიდის დატოვება."
    guest.locator("#waiting .leave").click()
    guest.wait_for_url(site.origin + "/")
    for page in (host, visitor):
        expect(page.locator("#waiting .problem")).to_have_text(away)
    expect(host.locator("#invite")).to_be_visible()
    tap.hold_back = lambda _: False
    tap.lines[-1].close()
    visitor.locator("#waiting form button").click()
    for page in (host, visitor):
        page.locator(".board").wait_for()


def test_a_changed_commitment_stops_the_handshake(site: Server, open_window: OpenWindow) -> None:
    """A warning, and the number is not given away (fairness 2)."""
    host, guest = open_window(PHONE), open_window(LAPTOP)
    tap = Tap(host)

    def change(message: dict[str, Any]) -> dict[str, Any]:
        shake = message.get("table", {}).get("handshake")
        if shake and shake["step"] == "reveal":
            shake["commitment"] = "0" * 64
        return message

    tap.change = change
    invite = make_table(host, site.origin, "nardi", 1)
    guest.goto(invite)
    guest.locator("#waiting form button").click()
    alarm = host.get_by_role("alert").filter(visible=True)
    expect(alarm).to_have_text(re.compile("^სერვერმა მატჩის ბეჭედი შეცვალა"))
    expect(guest.locator(".shaking")).to_contain_text(f"ველოდებით: {name_of(host)}")
    assert (len(tap.of("hash")), tap.of("reveal")) == (1, [])


def test_a_number_that_is_none_is_said_and_nothing_is_played_unread(
    site: Server, open_window: OpenWindow
) -> None:
    """The other's number does not match its hash: the page warns before the first move."""
    host, guest = open_window(PHONE), open_window(LAPTOP)
    taps = [Tap(host), Tap(guest)]

    def change(message: dict[str, Any]) -> dict[str, Any]:
        table = message.get("table", {})
        if table.get("fairness"):
            table["fairness"]["numbers"][1 - table["you"]] = "0" * 64
        return message

    for tap in taps:
        tap.change = change
    sit_down(guest, make_table(host, site.origin, "domino", 75))
    host.locator(".board").wait_for()
    expect(host.get_by_role("alert")).to_contain_text(f"({name_of(guest)})")
    mover = host if host.locator(".plate.own.on-turn").count() else guest
    tile = mover.locator(".own.playable").first
    tile.click()
    tile.click()
    expect(mover.locator(".bar.refused .told")).to_contain_text("რიცხვი თავის ანაბეჭდს არ უდგება")
    assert all(tap.of("act") == [] for tap in taps)
    mover.get_by_role("button", name="წავიკითხე, მაინც ვითამაშებ").click()
    act(mover, random.Random(1))


def test_the_clocks_run_and_an_absence_is_counted_down(pages: list[Page]) -> None:
    """On the absent player's turn the other sees how long it is waited; back in time, it ends."""
    expect(pages[0].locator(".plate .clock.running")).to_have_count(1)
    mover = pages[0] if pages[0].locator(".plate.own.on-turn").count() else pages[1]
    other = pages[1] if mover is pages[0] else pages[0]
    clock = other.locator(".plate.rival .clock.running")
    expect(clock.locator(".reserve")).to_have_text("2:00")
    expect(clock.locator(".seconds")).to_have_text(re.compile(r"^2\d$"))
    url, name = mover.url, name_of(mover)
    mover.goto("about:blank")
    expect(other.locator(".bar .asked")).to_have_text(f"{name}: კავშირი გაწყდა, ველოდებით")
    counting = other.locator(".bar .counting").first
    expect(counting).to_have_text("58 წმ")
    expect(counting).to_have_text("57 წმ")
    # Seconds are for the eye alone: a screen reader would never come to an end.
    expect(counting).to_have_attribute("aria-hidden", "true")
    expect(other.locator(".plate.rival .under")).to_have_text("✕ გათიშულია")
    mover.goto(url)
    expect(other.locator(".bar .asked")).to_have_text("მოწინააღმდეგის სვლაა")
    expect(counting).to_have_text("")
    expect(other.locator(".plate.rival .under")).not_to_contain_text("✕")


def test_resigning_and_a_rematch(pages: list[Page], site: Server) -> None:
    """Asked once more before it counts; offered, withdrawn, offered again and accepted: another
    match at the same table, with the running series."""
    loser, winner = pages
    from_menu(loser, "დანებება")
    sure = loser.get_by_role("dialog", name="მართლა ნებდები?")
    expect(sure).to_contain_text("ამით მატჩს წააგებ")
    sure.get_by_role("button", name="არა, ვთამაშობ").click()
    expect(winner.locator("#play")).to_have_attribute("data-status", "running")
    from_menu(loser, "დანებება")
    loser.get_by_role("dialog").get_by_role("button", name="დანებება").click()
    expect(winner.locator(".panel h2")).to_have_text("შენ მოიგე!")
    expect(loser.locator(".panel h2")).to_have_text("ამჯერად წააგე")
    expect(loser.locator(".reason")).to_contain_text("შენ: დანებება")
    expect(winner.locator(".reason")).to_contain_text(f"{name_of(loser)}: დანებება")
    expect(winner.locator(".series")).to_have_text(f"სერია: {name_of(loser)} 0 – შენ 1")
    first = winner.locator("#play").get_attribute("data-match")
    assert winner.get_by_role("link", name=re.compile("შეამოწმე")).get_attribute("href") == (
        f"/m/{first}"
    )

    winner.locator(".rematch").click()
    expect(winner.locator(".rematch")).to_have_text("გადავიფიქრე")
    expect(loser.locator(".rematch")).to_have_text("დათანხმდი და ითამაშე")
    expect(loser.locator(".offer")).to_have_text(f"{name_of(winner)}: კიდევ ვითამაშოთ?")
    winner.locator(".rematch").click()
    expect(loser.locator(".rematch")).to_have_text("კიდევ ვითამაშოთ")
    expect(winner.locator(".rematch")).to_have_text("კიდევ ვითამაშოთ")
    loser.locator(".rematch").click()
    expect(winner.locator(".rematch")).to_have_text("დათანხმდი და ითამაშე")
    winner.locator(".rematch").click()
    for page in pages:
        expect(page.locator("#play")).to_have_attribute("data-status", "running")
        expect(page.locator(".panel")).to_be_hidden()
        expect(page.locator("#play")).not_to_have_attribute("data-match", first or "")
    mover = loser if loser.locator(".plate.own.on-turn").count() else winner
    before = ply(mover)
    act(mover, random.Random(1))
    assert ply(mover) == before + 1

    from_menu(winner, "მაგიდიდან წასვლა")
    winner.get_by_role("dialog").get_by_role("button", name="მაგიდიდან წასვლა").click()
    winner.wait_for_url(site.origin + "/")
    expect(loser.locator(".reason")).to_contain_text(": თამაშის მიტოვება")
    expect(loser.locator(".series")).to_have_text(re.compile("^სერია: შენ 1 – .* 1$"))
    expect(loser.locator(".offer")).to_contain_text("მოწინააღმდეგე წავიდა")
    expect(loser.locator(".rematch")).to_be_hidden()
