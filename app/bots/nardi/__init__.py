"""The computer players of short nardi."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from app.bots.nardi import easy, medium, strong
from app.bots.nardi.turn import by
from app.bots.policy import Level, Policy

_ALL: Final[dict[Level, Policy]] = {
    "easy": by(easy.pick),
    "medium": by(medium.pick),
    **({"strong": by(strong.pick)} if strong.available() else {}),
}
POLICIES: Final[Mapping[Level, Policy]] = MappingProxyType(_ALL)
"""By level; without the optional library ``strong`` is left out."""
