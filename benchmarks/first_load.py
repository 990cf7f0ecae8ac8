"""How soon a table can be played on a slow phone with a slow line, and what it weighs:
``python -m benchmarks first_load``. In Chromium, four times slower than this machine, at
1.6 Mbit/s and 150 ms; the page itself says when its first board could be played."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.app.server import Server
from tests.browser.conftest import _launch as launch
from tests.browser.players import make_table, sit_down
from tests.browser.windows import PHONE

CPU: Final = 4
LINE: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
LIMIT: Final = 3_000
"""Milliseconds."""


def main(arguments: Sequence[str] = ()) -> int:
    """Print, for each game, when the first board could be played and how much came over."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks first_load")
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args(arguments).times
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "data") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for game, target in (("domino", 75), ("nardi", 3)):
            invite = _match(browser, server.origin, game, target)
            seen = [_load(browser, invite) for _ in range(times)]
            soon = sorted(at for at, _, _ in seen)
            _, weight, scripts = seen[-1]
            print(
                f"{game:7} playable after {statistics.median(soon):5.0f} ms (median of {times}, "
                f"{soon[0]} to {soon[-1]}; at most {LIMIT})  "
                f"{weight / 1000:5.1f} KB over the wire, {scripts / 1000:.1f} KB of it scripts"
            )
        browser.close()
    return 0


def _match(browser: Browser, origin: str, game: str, target: int) -> str:
    """A match that has begun; where to watch it."""
    host, guest = (_page(browser) for _ in range(2))
    invite = make_table(host, origin, game, target)
    sit_down(guest, invite)
    host.locator(".board").wait_for()
    return invite


def _page(browser: Browser) -> Page:
    width, height = PHONE
    return browser.new_context(viewport={"width": width, "height": height}).new_page()


def _load(browser: Browser, address: str) -> tuple[int, float, float]:
    """Milliseconds until the first board could be played, bytes, and bytes of scripts."""
    page = _page(browser)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.send("Network.emulateNetworkConditions", LINE)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": CPU})
    weights: dict[str, float] = {}
    kinds: dict[str, str] = {}
    cdp.on("Network.responseReceived", lambda told: kinds.update({told["requestId"]: told["type"]}))
    cdp.on(
        "Network.loadingFinished",
        lambda told: weights.update({told["requestId"]: told["encodedDataLength"]}),
    )
    page.goto(address)
    page.locator("#play[data-playable]").wait_for(state="attached")
    at = int(page.locator("#play").get_attribute("data-playable") or 0)
    scripts = [each for each, kind in kinds.items() if kind == "Script"]
    found = sum(weights.values()), sum(weights.get(each, 0) for each in scripts)
    page.context.close()
    return at, *found


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
