"""Two people play whole matches through the screen, and everything goes wrong on the way."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.app.server import ROOT, Server
from tests.browser.players import act, go_on, make_table, ply, sit_down, state
from tests.browser.players import play as play_on
from tests.browser.tap import Tap
from tests.browser.windows import LAPTOP, PHONE, second_address

pytestmark = pytest.mark.browser

NO_CRYPTOGRAPHY = "Object.defineProperty(crypto, 'subtle', { value: undefined })"
"""Where this machine has no address but its own, the browser forgets what plain http lacks."""


class Plan(NamedTuple):
    """What is played, and after how many actions what goes wrong."""

    game: str
    target: int
    second_tab_at: int
    cut_at: int
    kill_at: int


@pytest.fixture
def wide_site(tmp_path: Path) -> Iterator[Server]:
    """A server that listens on all of the machine's addresses, and that a test may kill."""
    with Server(tmp_path / "data", EZO_HOST="0.0.0.0") as server:
        yield server
        log = server.log()
    assert log == ""


@pytest.mark.parametrize("plan", [Plan("domino", 75, 6, 12, 18), Plan("nardi", 1, 8, 20, 45)])
def test_two_people_play_a_whole_match_by_link(
    wide_site: Server, open_window: Callable[..., Page], plan: Plan, tmp_path: Path
) -> None:
    """With a reload in the handshake, a second tab, a cut line and the server killed on the way,
    both see the same end, and everything was as committed."""
    phone, laptop = open_window(PHONE), open_window(LAPTOP)
    tap = Tap(phone)
    tap.hold_back = lambda message: message["type"] == "reveal"
    invite = make_table(phone, wide_site.origin, plan.game, plan.target)
    sit_down_elsewhere(laptop, wide_site, invite)
    reload_in_the_handshake(phone, tap)
    for page in (phone, laptop):
        page.locator(".board").wait_for()
    pages = [phone, laptop]
    disturbed: list[str] = []

    def disturb(done: int) -> None:
        if done == plan.second_tab_at:
            second_tab(phone, laptop)
            disturbed.append("second tab")
        elif done == plan.cut_at:
            cut_the_line(laptop, phone)
            disturbed.append("cut")
        elif done == plan.kill_at:
            kill_the_server(wide_site, pages)
            disturbed.append("kill")

    play_on(pages, random.Random(4), disturb)

    assert disturbed == ["second tab", "cut", "kill"]
    both_see_the_same_end(pages, plan)
    for page in pages:
        the_check_agrees(page, tmp_path)


def sit_down_elsewhere(page: Page, site: Server, invite: str) -> None:
    """At another address of this machine, where the browser has no cryptography of its own."""
    address = second_address()
    if address is None:
        page.add_init_script(NO_CRYPTOGRAPHY)
        address = "127.0.0.1"
    page.goto(f"http://{address}:{site.port}{urlsplit(invite).path}")
    assert page.evaluate("crypto.subtle === undefined")
    page.locator("#waiting form button").click()


def reload_in_the_handshake(page: Page, tap: Tap) -> None:
    """Between hash and number: the page finds its number again."""
    expect(page.locator("#waiting h2")).to_have_text("ვამოწმებთ: დარიგება წინასწარ იკეტება…")
    expect(page.locator(".shaking")).to_contain_text("ახლა რიცხვები იხსნება. ველოდებით: შენ")
    expect(page.locator(".shaking .counting")).to_have_text("15 წმ", use_inner_text=True)
    first = tap.of("reveal")[-1]
    page.reload()
    expect(page.locator(".shaking")).to_contain_text("ველოდებით: შენ")
    page.wait_for_function("document.querySelector('#play').dataset.pending === '1'")
    again = tap.of("reveal")[-1]
    assert (first["match"], first["number"]) == (again["match"], again["number"])
    assert len(tap.of("hash")) == 1
    tap.hold_back = lambda _: False
    tap.lines[-1].close()


def second_tab(page: Page, other: Page) -> None:
    """It shows the same, and an action pressed in both counts once (T10)."""
    tab = page.context.new_page()
    tab.goto(page.url)
    tab.locator(".board").wait_for()
    settle(page, tab)
    assert seen(tab) == seen(page)
    if state(page) == "mine":
        before = ply(page)
        # At once, as nearly as two windows can. The second one may find it done already, and
        # presses nothing that is offered only after it.
        for what in (PRESSABLE, CONFIRMING):
            for each in (page, tab):
                each.evaluate(PRESS, [what, str(before)])
        for each in (page, tab, other):
            expect(each.locator("#play")).to_have_attribute("data-ply", str(before + 1))
        settle(page, tab)
        assert seen(tab) == seen(page)
    tab.close()


PRESSABLE = ".own.playable, .spot.movable, .controls .primary:not([hidden]):enabled"
CONFIRMING = ".place.open, .spot.to"
PRESS = """([what, ply]) => {
  if (document.querySelector("#play").dataset.ply === ply) document.querySelector(what)?.click();
}"""


def cut_the_line(page: Page, other: Page) -> None:
    """The one knows at once, the other is told; what was missed is made good."""
    page.context.set_offline(True)
    expect(page.locator(".line")).to_have_attribute("data-line", "offline")
    expect(other.locator(".plate.rival")).to_contain_text("✕ გათიშულია")
    if state(other) == "mine":
        act(other, random.Random(1))
    page.context.set_offline(False)
    expect(page.locator(".line")).to_have_attribute("data-line", "online")
    expect(other.locator(".plate.rival")).not_to_contain_text("გათიშულია")
    settle(page, other)


def kill_the_server(site: Server, pages: list[Page]) -> None:
    """As by a crash. Both come back to the same table, and are told why the clock stood still."""
    settle(*pages)
    before = [seen(page) for page in pages]
    site.kill()
    for page in pages:
        expect(page.locator(".line")).not_to_have_attribute("data-line", "online")
    site.start()
    for page in pages:
        expect(page.locator(".line")).to_have_attribute("data-line", "online")
        expect(page.locator(".bar .note")).to_contain_text("საათი იდგა")
    settle(*pages)
    assert [seen(page) for page in pages] == before


def both_see_the_same_end(pages: list[Page], plan: Plan) -> None:
    assert [state(page) for page in pages] == ["over", "over"]
    won = [page for page in pages if text(page, ".panel h2") == "შენ მოიგე!"]
    lost = [page for page in pages if text(page, ".panel h2") == "ამჯერად წააგე"]
    assert len(won) == len(lost) == 1
    reason = f"მატჩი ქულებით დასრულდა ({plan.target} ქულამდე)"
    reasons = [text(page, ".panel .reason") for page in pages]
    assert [told.rpartition(" · ")[0] for told in reasons] == [reason, reason]
    own, rival = (
        [text(page, f".plate.{side} .score") for page in (*won, *lost)] for side in ("own", "rival")
    )
    assert own == rival[::-1]
    assert int(own[0].split(" / ")[0]) >= plan.target
    assert text(won[0], ".panel .series").startswith("სერია: ")
    assert "შენ 1" in text(won[0], ".panel .series")
    assert "შენ 0" in text(lost[0], ".panel .series")


def the_check_agrees(page: Page, folder: Path) -> None:
    """One tap, and the downloaded record by hand."""
    page.get_by_role("link", name=re.compile("შეამოწმე")).click()
    page.wait_for_url("**/m/*")
    page.locator("#check").click()
    expect(page.locator("#verdict")).to_have_class("verdict sound")
    expect(page.locator("#verdict")).to_contain_text("რაც ამ ბრაუზერმა თამაშისას დაიმახსოვრა")
    with page.expect_download() as download:
        page.locator("a[download][href$='record.json']").click()
    record = folder / download.value.suggested_filename
    download.value.save_as(record)
    for command in ("replay", "verify"):
        done = subprocess.run(
            [sys.executable, "-m", "engine", command, str(record)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_both_end_the_pause_between_two_hands(
    site: Server, open_window: Callable[..., Page]
) -> None:
    """Who is ready is shown; the next hand is dealt as soon as both are."""
    pages = [open_window(PHONE), open_window(LAPTOP)]
    invite = make_table(pages[0], site.origin, "domino", 355)
    sit_down(pages[1], invite)
    pages[0].locator(".board").wait_for()
    chance = random.Random(3)
    for _ in range(80):
        states = [state(page) for page in pages]
        if "paused" in states:
            break
        if "mine" in states:
            act(pages[states.index("mine")], chance)
        settle(*pages)
    first, second = pages
    for page in pages:
        expect(page.locator(".panel")).to_be_visible()
        expect(page.locator(".bar .asked")).to_have_text("შემდეგ ხელამდე")
        expect(page.locator(".bar .counting").first).to_contain_text("წმ")
        assert page.locator(".stone").count() > 0
    go_on(first)
    expect(first.locator(".plate.own")).to_contain_text("✓ მზად ხარ")
    expect(second.locator(".plate.rival")).to_contain_text("✓ მზად არის")
    go_on(second)
    for page in pages:
        expect(page.locator(".panel")).to_be_hidden()
        expect(page.locator(".stone")).to_have_count(0)
        expect(page.locator(".own[data-tile]")).to_have_count(7)


def settle(*pages: Page) -> None:
    """Until all show the same number of actions, none has anything pending, and all lies still."""
    most = max(ply(page) for page in pages)
    for page in pages:
        page.wait_for_function(
            """ply => {
              const { ply: shown, pending } = document.querySelector("#play").dataset;
              return Number(shown) >= ply && pending === "0"
                && !document.querySelector(".board[aria-busy]");
            }""",
            arg=most,
        )


def text(page: Page, selector: str) -> str:
    return page.locator(selector).inner_text()


def seen(page: Page) -> tuple[object, ...]:
    """What lies on the table, as a screen reader would tell it."""
    names: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".stone, .own[data-tile], .spot")]
            .map((one) => one.dataset.tile ?? one.getAttribute("aria-label"))"""
    )
    scores = page.locator(".plate .score").all_inner_texts()
    return (ply(page), sorted(names), scores)
