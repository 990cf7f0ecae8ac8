"""A real server and a real Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.app.server import Server
from tests.browser.players import make_table
from tests.browser.windows import PATIENCE, PHONE, Window

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
]
CHROMIUMS = ("chromium-headless-shell", "chromium", "google-chrome")

OpenWindow = Callable[..., Page]

expect.set_options(timeout=PATIENCE)


def _launch(playwright: Playwright) -> Browser:
    """The first Chromium that is installed, else Playwright's own."""
    found = next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    return playwright.chromium.launch(executable_path=found, args=FLAGS)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = _launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One running server for all tests that leave it alive."""
    yield from _running(tmp_path_factory.mktemp("browser") / "data")


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    yield from _running(tmp_path / "data")


def _running(data: Path) -> Iterator[Server]:
    """A server that may not have complained of anything when all is over."""
    with Server(data) as server:
        yield server
        log = server.log()
    assert log == ""


@pytest.fixture
def open_window(chromium: Browser) -> Iterator[OpenWindow]:
    """Opens pages of people who share nothing. Whatever a page complains of fails the test."""
    windows: list[Window] = []

    def make(size: tuple[int, int] = PHONE, **settings: Any) -> Page:
        window = Window(chromium, size, **settings)
        windows.append(window)
        return window.page

    yield make
    complaints = [line for window in windows for line in window.complaints]
    for window in windows:
        window.close()
    assert complaints == []


def _at_table(site: Server, open_window: OpenWindow, game: str, target: int) -> OpenWindow:
    """Opens pages at a table of their own, for a stage. ``kept``: settings of its browser, as a
    script writes them; ``scripts`` run before the page's own."""

    def make(size: tuple[int, int] = PHONE, *scripts: str, kept: str = "", **settings: Any) -> Page:
        page = open_window(size, **settings)
        if kept:
            page.add_init_script(f"localStorage.setItem('ezo.settings', JSON.stringify({kept}))")
        for script in scripts:
            page.add_init_script(script)
        make_table(page, site.origin, game, target)
        return page

    return make


@pytest.fixture
def domino_table(site: Server, open_window: OpenWindow) -> OpenWindow:
    return _at_table(site, open_window, "domino", 75)


@pytest.fixture
def nardi_table(site: Server, open_window: OpenWindow) -> OpenWindow:
    return _at_table(site, open_window, "nardi", 3)
