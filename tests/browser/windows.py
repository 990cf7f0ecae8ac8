"""One person's browser: a context of its own, with everything it complains of."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page

PHONE = (390, 844)
LAPTOP = (1280, 800)
PATIENCE = 20_000
"""Milliseconds: a busy machine is slow, a fault is for ever."""

LOST_LINE = ("WebSocket connection to", "net::ERR_CONNECTION_REFUSED")
"""What Chromium says by itself while a server is down: no fault of the page."""


class Window:
    """A page with its own cookies. Motion is off unless asked for."""

    def __init__(self, chromium: Browser, size: tuple[int, int], **settings: Any) -> None:
        self.complaints: list[str] = []
        options: dict[str, Any] = {"reduced_motion": "reduce", **settings}
        width, height = size
        self._context = chromium.new_context(
            viewport={"width": width, "height": height}, has_touch=width < 600, **options
        )
        self._context.set_default_timeout(PATIENCE)
        self.page: Page = self._context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _heard(self, message: ConsoleMessage) -> None:
        lost = any(part in message.text for part in LOST_LINE)
        if message.type in ("error", "warning") and not lost:
            self.complaints.append(message.text)

    def close(self) -> None:
        self._context.close()
