"""Computer players of Georgian domino, from what a seat sees alone."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from app.bots.domino import easy, medium, strong
from app.bots.domino.positions import RULES
from app.bots.policy import Level, Policy

POLICIES: Final[Mapping[Level, Policy]] = MappingProxyType(
    {"easy": easy.choose, "medium": medium.choose, "strong": strong.choose}
)
"""The players by level; for the rule set named by :data:`RULE_SET` alone."""
RULE_SET: Final = RULES.name

__all__ = ["POLICIES", "RULE_SET"]
