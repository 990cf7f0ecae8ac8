"""The site's modules on an empty page, without a server: at an address where the browser has its
own cryptography (localhost), or at one where it has none (plain http)."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route

from tests.app.server import ROOT

SECURE = "http://localhost"
PLAIN = "http://yard.test"

_TYPES = {".js": "text/javascript", ".css": "text/css"}


def _answer(route: Route) -> None:
    path = urlsplit(route.request.url).path
    file = ROOT / path.lstrip("/")
    if path.startswith("/static/") and file.suffix in _TYPES:
        route.fulfill(body=file.read_text("utf-8"), content_type=_TYPES[file.suffix])
    else:
        route.fulfill(body="<!doctype html><title>empty</title>", content_type="text/html")


def empty_page(page: Page, origin: str = SECURE) -> Page:
    """The page, with every module of the site at ``/static/js/…``."""
    page.route("**/*", _answer)
    page.goto(f"{origin}/")
    return page


def run(page: Page, script: str, argument: Any = None) -> Any:
    """What the body of an async function gives; it has ``given`` and ``load(module)``."""
    return page.evaluate(
        f"""async (text) => {{
          const given = JSON.parse(text);
          const load = (name) => import(`/static/js/${{name}}.js`);
          {script}
        }}""",
        json.dumps(argument),  # a whole evening goes over faster as one text
    )
