"""What is being worked on, for whoever writes a line of a log meanwhile."""

from __future__ import annotations

import hashlib
import secrets
from contextvars import ContextVar
from typing import Final

REQUEST: Final[ContextVar[str | None]] = ContextVar("request", default=None)
"""The request or socket: a name of our own making."""
TABLE: Final[ContextVar[str | None]] = ContextVar("table", default=None)
"""The id of the table. It is an invite: nothing but its :func:`alias` is ever written."""
PROCESS: Final[ContextVar[str | None]] = ContextVar("process", default=None)
"""The process, as the store knows it."""


def alias(table_id: str) -> str:
    """What a table is called in logs: the first 12 hex digits of the SHA-256 of its id. The same
    everywhere, and nobody gets from it to the table: an id has 96 random bits."""
    return hashlib.sha256(table_id.encode()).hexdigest()[:12]


def new_request() -> str:
    """A name for a request. Nothing that a client sends is taken for one."""
    return secrets.token_hex(8)
