"""Draws the pictures that have to be pixels from those that are lines:
``python -m tests.browser.pictures``. Installing a site and showing a link's card need them."""

from __future__ import annotations

import shutil

from playwright.sync_api import sync_playwright

from tests.app.server import ROOT

STATIC = ROOT / "static"
PICTURES = {
    "icons/icon-192.png": ("icons/icon.svg", 192, 192),
    "icons/icon-512.png": ("icons/icon.svg", 512, 512),
    "icons/maskable-512.png": ("icons/maskable.svg", 512, 512),
    "share/ezo.png": ("share/ezo.svg", 1200, 630),
    "share/domino.png": ("share/domino.svg", 1200, 630),
    "share/nardi.png": ("share/nardi.svg", 1200, 630),
}
"""Each with what it is drawn from, its width and its height."""


def main() -> None:
    """Draw them all anew."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell")
        )
        page = browser.new_page()
        for name, (source, width, height) in PICTURES.items():
            page.set_viewport_size({"width": width, "height": height})
            drawn = (STATIC / source).read_text("utf-8")
            page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:100vw}}</style>{drawn}")
            page.screenshot(path=STATIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
