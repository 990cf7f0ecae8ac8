"""The site without a line, and what a first visit weighs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.app.server import Server
from tests.browser.players import make_table, sit_down
from tests.browser.windows import LAPTOP, PHONE

pytestmark = pytest.mark.browser

OpenWindow = Callable[..., Page]

CONTROLLED = "() => navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)"
KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      kept.push(`${name} ${new URL(url).pathname}`);
  return kept;
}"""
ALL, SCRIPTS = 150_000, 60_000
"""Bytes over the wire of a table's first load."""


def test_no_line_is_said_honestly_and_no_page_is_kept(
    own_site: Server, open_window: OpenWindow
) -> None:
    page = open_window(PHONE)
    table = make_table(page, own_site.origin, "domino", 75)
    page.wait_for_function(CONTROLLED)
    page.reload()
    expect(page.locator("#invite")).to_be_visible()
    kept = page.evaluate(KEPT)
    pages = [each for each in kept if "/static/" not in each]
    assert [each.split()[1] for each in pages] == ["/offline"]
    assert any("/joined/table-domino.js" in each for each in kept)
    own_site.kill()
    page.goto(table)
    assert page.url == table
    expect(page.get_by_role("heading")).to_have_text(["კავშირი არ არის", "There is no line"])
    assert page.evaluate("getComputedStyle(document.querySelector('.button')).minHeight") == "44px"
    own_site.start()
    page.get_by_role("link", name="სცადე ისევ").click()
    expect(page.locator("#invite")).to_have_value(table)


def test_an_old_shell_goes_when_a_new_one_comes(site: Server, open_window: OpenWindow) -> None:
    page = open_window(LAPTOP)
    page.goto(site.origin)
    page.wait_for_function(CONTROLLED)
    page.evaluate(
        """async () => {
          await (await caches.open("ezo-000000000000")).put("/old", new Response("old"));
          await (await caches.open("other")).put("/old", new Response("old"));
          await (await navigator.serviceWorker.getRegistration()).unregister();
        }"""
    )
    page.reload()
    page.wait_for_function("() => caches.has('ezo-000000000000').then((there) => !there)")
    assert page.evaluate("caches.has('other')")


@pytest.mark.parametrize("game", ["domino", "nardi"])
def test_the_first_load_of_a_table_is_light(
    site: Server, open_window: OpenWindow, game: str
) -> None:
    """With a match under way, so that the whole table is shown; nothing of it was kept before."""
    host, guest, visitor = open_window(PHONE), open_window(LAPTOP), open_window(PHONE)
    invite = make_table(host, site.origin, game, 75 if game == "domino" else 1)
    sit_down(guest, invite)
    cdp = visitor.context.new_cdp_session(visitor)
    cdp.send("Network.enable")
    kinds: dict[str, tuple[str, str]] = {}
    weights: dict[str, float] = {}
    cdp.on(
        "Network.responseReceived",
        lambda told: kinds.update({told["requestId"]: (told["type"], told["response"]["url"])}),
    )
    cdp.on(
        "Network.loadingFinished",
        lambda told: weights.update({told["requestId"]: told["encodedDataLength"]}),
    )
    visitor.goto(invite)
    visitor.locator(".board").wait_for()
    visitor.wait_for_function("() => document.readyState === 'complete'")
    scripts = sum(weights[each] for each, (kind, _) in kinds.items() if kind == "Script")
    print(f"{game}: {sum(weights.values()):.0f} bytes, scripts {scripts:.0f}, {len(kinds)} files")
    addresses = [url for _, url in kinds.values()]
    assert [url.rpartition("/")[2] for url in addresses if url.endswith(".js")] == [
        f"table-{game}.js"
    ]
    assert any(url.endswith(f"/{game}.css") for url in addresses)
    assert scripts < SCRIPTS
    assert sum(weights.values()) < ALL
    # A second load fetches the page alone.
    seen = set(kinds)
    visitor.reload()
    visitor.locator(".board").wait_for()
    again = [
        url for each, (_, url) in kinds.items() if each not in seen and weights.get(each, 0) > 0
    ]
    assert [url for url in again if re.search(r"/static/[0-9a-f]{12}/.*\.(js|css)$", url)] == []


def test_a_slow_phone_on_a_slow_line_can_play(site: Server, open_window: OpenWindow) -> None:
    """Four times slower, 1.6 Mbit/s, 150 ms: how soon is printed by ``benchmarks first_load``."""
    host, guest = open_window(PHONE), open_window(LAPTOP)
    invite = make_table(host, site.origin, "domino", 75)
    cdp = guest.context.new_cdp_session(guest)
    cdp.send("Network.enable")
    cdp.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": 150,
            "downloadThroughput": 1_600_000 / 8,
            "uploadThroughput": 750_000 / 8,
        },
    )
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    sit_down(guest, invite)
    host.locator(".board").wait_for()
    mover = host if host.locator(".plate.own.on-turn").count() else guest
    tile = mover.locator(".own.playable").first
    tile.click()
    tile.click()
    expect(guest.locator(".stone")).to_have_count(1)
    assert int(guest.locator("#play").get_attribute("data-playable") or 0) > 0


@pytest.mark.parametrize("path", ["/", "table"])
def test_a_page_that_the_browser_kept_takes_up_its_line_again(
    site: Server, open_window: OpenWindow, path: str
) -> None:
    """The back button, or a browser that was put to sleep as a whole."""
    page = open_window(PHONE)
    if path == "table":
        make_table(page, site.origin, "nardi", 1)
    else:
        page.goto(site.origin)
    line = page.locator(".line[data-line]")
    expect(line).to_have_attribute("data-line", "online")
    page.evaluate("() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    expect(line).to_have_attribute("data-line", "offline")
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(line).to_have_attribute("data-line", "offline")
    page.evaluate("() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(line).to_have_attribute("data-line", "online")


def test_rotation_and_resize_keep_a_table_whole(site: Server, open_window: OpenWindow) -> None:
    host, guest = open_window(PHONE), open_window(LAPTOP)
    sit_down(guest, make_table(host, site.origin, "nardi", 1))
    host.locator(".board").wait_for()
    for width, height in ((844, 390), (360, 640), (768, 1024), (1280, 800), (390, 844)):
        host.set_viewport_size({"width": width, "height": height})
        host.wait_for_function(
            """([width, height]) => {
              const root = document.documentElement;
              const low = document.querySelector(".controls").getBoundingClientRect().bottom;
              return root.scrollWidth <= width && root.scrollHeight <= height && low <= height;
            }""",
            arg=[width, height],
        )
