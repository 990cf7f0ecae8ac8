"""An error that nobody caught in a page is told to the server."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.app.server import Server

pytestmark = pytest.mark.browser


def test_what_fails_in_a_page_is_logged(tmp_path: Path, chromium: Browser) -> None:
    with Server(tmp_path / "data") as server:
        page = chromium.new_page()
        page.goto(server.origin)
        for fails in ("reportError(new RangeError('thrown'))", "Promise.reject(new Error('late'))"):
            with page.expect_response("**/faults") as told:
                page.evaluate(f"() => void {fails}")
            assert told.value.status == 204
        page.close()
        log = server.log()
    assert "a page failed: RangeError: thrown" in log
    assert "a page failed: Error: late" in log


def test_a_page_tells_five_and_no_more(tmp_path: Path, chromium: Browser) -> None:
    with Server(tmp_path / "data") as server:
        page = chromium.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(server.origin)
        for _ in range(8):
            page.evaluate("() => void reportError(new Error('again'))")
        page.evaluate("() => fetch('/coins')")
        assert len([url for url in asked if url.endswith("/faults")]) == 5
        page.close()
