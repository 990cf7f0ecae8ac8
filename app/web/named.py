"""What somebody at a table is called where readers see it, in their language."""

from __future__ import annotations

from app import computers, i18n


def named(language: i18n.Language, player: str, name: str) -> str:
    """A computer player by its level, a person by their name, and nobody any more as that."""
    level = computers.level_of(player)
    if level is not None:
        return i18n.text(language, f"bots.name.{level}")
    return name or i18n.text(language, "site.deleted")
