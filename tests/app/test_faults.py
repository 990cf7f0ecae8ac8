"""Errors of pages reach the log, and nothing of whoever met them does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.browsers import Browser
from tests.app.server import Server

FAULT = {
    "message": "TypeError: no tile 6-6 of ნინო at 0123456789abcdef01234567\nforged line",
    "file": "/static/ab12/js/pages/table.js",
    "line": 12,
    "column": 7,
    "page": "t",
}


def tell(browser: Browser, fault: Any, **headers: str) -> httpx.Response:
    given = {"origin": browser.server.origin, "content-type": "application/json"} | headers
    body = fault if isinstance(fault, bytes) else json.dumps(fault).encode()
    return browser.http.post(f"{browser.server.origin}/faults", content=body, headers=given)


def test_what_failed_is_logged_and_nobodys_name_tile_or_invite(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        assert tell(Browser(server), FAULT).status_code == 204
        (line,) = server.log().splitlines()
    assert "a page failed: TypeError: no tile … of at … line" in line
    assert "line=12 column=7 page=t" in line
    assert "127.0.0.1" not in line


@pytest.mark.parametrize(
    "fault",
    [
        b"",
        b"[]",
        b"{",
        {**FAULT, "player": "nino"},
        {**FAULT, "file": "https://elsewhere.example/x.js"},
        {**FAULT, "page": "t/AbCdEf123456"},
        {**FAULT, "line": "12"},
        {**FAULT, "line": 10**9},
        {**FAULT, "message": "x" * 1_001},
    ],
    ids=lambda fault: str(fault)[-40:],
)
def test_anything_else_is_refused(fault: Any, server: Server, browser: Browser) -> None:
    before = server.log()
    assert tell(browser, fault).status_code == 422
    assert server.log() == before


def test_other_sites_tell_nothing(browser: Browser) -> None:
    assert tell(browser, FAULT, origin="https://evil.example").status_code == 403
    form = {"content-type": "text/plain"}
    assert tell(browser, FAULT, **form).status_code == 415
    assert tell(browser, b"x" * 9_000).status_code == 413


def test_a_page_that_fails_for_ever_is_heard_for_a_while(tmp_path: Path) -> None:
    with Server(tmp_path / "data", 0, EZO_FAULT_ADDRESS_RATE="3/hour") as server:
        told = [tell(Browser(server), FAULT).status_code for _ in range(5)]
        assert told == [204, 204, 204, 429, 429]
        assert len(server.log().splitlines()) == 3
