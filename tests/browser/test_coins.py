"""A whole coin match between two people whom an operator gave coins (T2–T5)."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect

from tests.app.operators import word
from tests.app.server import Server
from tests.browser.players import play
from tests.browser.tap import Tap
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]


def operate(site: Server, *arguments: str) -> str:
    """An operator's command beside the running server. The browser's loop runs in this thread."""
    given = {"EZO_DATA": str(site.data), "EZO_OPERATOR": "keti"}
    with ThreadPoolExecutor(1) as pool:
        status, said, complained = pool.submit(word, given, *arguments).result()
    assert (status, complained) == (0, "")
    return said


def enter(page: Page, site: Server, name: str, coins: int = 0) -> None:
    """Somebody of that name, whom an operator gives coins."""
    page.goto(site.origin)
    page.locator(".name summary").click()
    page.locator("#name").fill(name)
    page.locator(".naming button").click()
    expect(page.locator(".name summary")).to_contain_text(name)
    while name not in operate(site, "players", name):
        page.wait_for_timeout(50)
    if coins:
        operate(site, "grant", name, str(coins), "--reason", "to play with")
        page.goto(site.origin)


def test_a_coin_match_moves_the_same_coins_on_both_sides_t4(
    own_site: Server, open_window: OpenWindow
) -> None:
    nino, gia = open_window(PHONE), open_window(LAPTOP)
    guest, poor = open_window(PHONE), open_window(LAPTOP)
    enter(nino, own_site, "ნინო", 1_000)
    enter(gia, own_site, "გია", 1_200)
    enter(poor, own_site, "ელა", 40)
    guest.goto(own_site.origin)
    expect(guest.locator(".hint").first).to_contain_text("ანგარიში სჭირდება")
    expect(guest.locator(".stakes")).to_have_count(0)

    # The form says what the winner gets, and what cannot be covered.
    form = nino.locator(".game[data-game=domino] form")
    form.locator("input[name=stake][value='100']").check()
    expect(form.locator(".gets")).to_have_text("გამარჯვებული იღებს 200 ქოინს.")
    assert form.locator("input[name=stake][value='5000']").is_disabled()
    expect(nino.locator("#purse")).to_have_text("1\u00a0000")
    form.locator("summary").click()
    form.locator("button[value='1']").click()
    nino.wait_for_url("**/t/*")
    expect(nino.locator("#waiting .staked")).to_have_text("ფსონი 100 · ბანკი 200")

    # The lobby shows it to all, live; who cannot cover it is told so.
    table = nino.url.rpartition("/")[2]
    for page, why in ((guest, "ანგარიში სჭირდება"), (poor, "ამდენი ქოინი არ გაქვს")):
        row = page.locator(f"li[data-table='{table}']")
        expect(row.locator(".staked")).to_have_text("ფსონი 100 · ბანკი 200")
        expect(row.locator(".why")).to_have_text(why)
        assert row.locator("button").is_disabled()
    poor.goto(nino.url)
    expect(poor.locator("#why")).to_have_text("ფსონი 100 ქოინია, შენ კი 40 გაქვს.")
    assert poor.locator("#waiting form button").is_disabled()

    gia.locator(f"li[data-table='{table}'] button").click()
    for page in (nino, gia):
        page.locator(".board").wait_for()
        expect(page.locator(".bar .staked")).to_contain_text("200")
    expect(nino.locator("#purse")).to_have_text("900")
    expect(gia.locator("#purse")).to_have_text("1\u00a0100")
    play([nino, gia], random.Random(3))

    pages: dict[bool, list[Page]] = {True: [], False: []}
    for page in (nino, gia):
        shown = page.locator(".panel .coins")
        expect(shown).to_have_text(("+100 ქოინი", "\u2212100 ქოინი")[_lost(page)])
        pages[_lost(page)].append(page)
    (winner,), (loser,) = pages[False], pages[True]
    before = {nino: 1_000, gia: 1_200}
    for page, moved in ((winner, 100), (loser, -100)):
        expect(page.locator("#purse")).to_have_text(
            f"{before[page] + moved:,}".replace(",", "\u00a0")
        )
    expect(poor.locator(".panel .coins")).to_contain_text("+100")
    match = nino.locator("#play").get_attribute("data-match")
    loser.goto(f"{own_site.origin}/m/{match}")
    expect(loser.locator(".facts .coins")).to_have_text("\u2212100 ქოინი")
    assert "ok=true" in operate(own_site, "ledger", "check")


def _lost(page: Page) -> bool:
    return "წააგე" in page.locator(".panel h2").inner_text()


def test_while_the_stakes_are_taken_the_panel_says_so_and_a_void_gives_them_back_t5(
    own_site: Server, open_window: OpenWindow
) -> None:
    nino, gia = open_window(PHONE), open_window(PHONE)
    tap = Tap(nino)  # what comes after the stakes were taken is kept from this page for a while
    enter(nino, own_site, "ნინო", 500)
    enter(gia, own_site, "გია", 500)
    form = nino.locator(".game[data-game=nardi] form")
    form.locator("input[name=stake][value='500']").check()
    form.locator("summary").click()
    form.locator("button[value='0']").click()
    nino.wait_for_url("**/t/*")
    tap.swallow = lambda told: told.get("table", {}).get("status") in ("handshake", "running")
    gia.goto(nino.url)
    gia.locator("#waiting form button").click()
    expect(nino.locator("#waiting h2")).to_have_text("ფსონებს ვიღებთ…")
    expect(nino.locator("#waiting")).to_contain_text("თითო მოთამაშისგან 500 ქოინი")
    tap.swallow = lambda _: False
    nino.reload()
    for page in (nino, gia):
        page.locator(".board").wait_for()
        expect(page.locator("#purse")).to_have_text("0")
    operate(own_site, "void", nino.url.rpartition("/")[2], "--reason", "a fault of ours")
    for page in (nino, gia):
        expect(page.locator(".panel h2")).to_have_text("მატჩი უშედეგოდ დასრულდა")
        expect(page.locator(".panel .coins")).to_have_text("ფსონი უკან დაგიბრუნდა")
        expect(page.locator("#purse")).to_have_text("500")
