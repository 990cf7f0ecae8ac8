"""One person's browser: a context of its own, with everything it complains of."""

from __future__ import annotations

import json
import socket
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page

PHONE = (390, 844)
LAPTOP = (1280, 800)
PATIENCE = 40_000
"""Milliseconds: a busy machine is slow, a fault is for ever."""

LOST_LINE = ("WebSocket connection to", "net::ERR_CONNECTION_REFUSED")
"""What Chromium says by itself while a server is down: no fault of the page."""


def second_address() -> str | None:
    """An address of this machine that is not loopback, where a browser takes plain http for what
    it is; ``None``: there is none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") else address


HINTS = [
    *("domino-stavka", "domino-sides", "domino-scored", "domino-dim", "domino-refused"),
    *("domino-bazaar", "domino-riba", "nardi-dice", "nardi-checker", "nardi-dead"),
    *("nardi-larger", "nardi-bar", "nardi-bear_off", "nardi-confirm", "nardi-marsi"),
    "nardi-koksi",
]
"""All first-time hints there are."""
KNOWING = f"""try {{
  localStorage.getItem("ezo.hints") ?? localStorage.setItem("ezo.hints", {json.dumps(HINTS)!r});
}} catch {{ /* it keeps nothing */ }}"""


class Window:
    """A page with its own cookies. Motion is off unless asked for; so are first-time hints, as if
    all had been seen."""

    def __init__(
        self, chromium: Browser, size: tuple[int, int], *, hints: bool = False, **settings: Any
    ) -> None:
        self.complaints: list[str] = []
        options: dict[str, Any] = {"reduced_motion": "reduce", **settings}
        width, height = size
        self._context = chromium.new_context(
            viewport={"width": width, "height": height}, has_touch=width < 600, **options
        )
        self._context.set_default_timeout(PATIENCE)
        if not hints:
            self._context.add_init_script(KNOWING)
        self._context.on("page", self._opened)
        self.page: Page = self._context.new_page()

    def _opened(self, page: Page) -> None:
        """Every tab of this person is heard."""
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _heard(self, message: ConsoleMessage) -> None:
        expected = any(part in message.text for part in LOST_LINE)
        if message.type in ("error", "warning") and not expected:
            self.complaints.append(message.text)

    def close(self) -> None:
        self._context.close()
