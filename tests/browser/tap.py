"""Stands in the line between a page and the server, and can lose or change what passes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

Message = dict[str, Any]


class Tap:
    """``swallow`` loses what the server says, ``hold_back`` what the page says; ``change`` alters
    what the server says."""

    def __init__(self, page: Page) -> None:
        self.sent: list[Message] = []
        self.swallow: Callable[[Message], bool] = lambda _: False
        self.hold_back: Callable[[Message], bool] = lambda _: False
        self.change: Callable[[Message], Message] = lambda message: message
        self.lines: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/t/"), self._join)

    def _join(self, page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()
        self.lines.append(page_side)

        def up(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["type"] != "pong":
                self.sent.append(message)
            if not self.hold_back(message):
                server_side.send(frame)

        def down(frame: str | bytes) -> None:
            message = json.loads(frame)
            if not self.swallow(message):
                page_side.send(json.dumps(self.change(message)))

        page_side.on_message(up)
        server_side.on_message(down)

    def of(self, kind: str) -> list[Message]:
        """What the page has said of this kind, lost or not."""
        return [message for message in self.sent if message["type"] == kind]
