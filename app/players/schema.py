"""The tables of players, of how they come in, and of where they are signed in."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    String,
    Table,
    UniqueConstraint,
    text,
)

from app.db import metadata

IS_DELETED: Final = text("kind = 'deleted'")
"""Written out, so that a database sees that its index serves."""

players: Final = Table(
    "players",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(64), nullable=False, index=True),
    Column("since", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
    # They are few, and to be left out of counts of many.
    Index("ix_players_deleted", "id", sqlite_where=IS_DELETED, postgresql_where=IS_DELETED),
)

logins: Final = Table(
    "logins",
    metadata,
    Column("player", String(64), ForeignKey("players.id"), primary_key=True),
    # One name that looks like it for all who are registered.
    Column("look", String(256), nullable=False, unique=True),
    # Where everybody finds them: the id is for the house alone.
    Column("handle", String(16), nullable=False, unique=True),
    Column("password", String(256), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("renamed_at", BigInteger),
)

blocks: Final = Table(
    "blocks",
    metadata,
    Column("player", String(64), ForeignKey("players.id"), primary_key=True),
    Column("blocked", String(64), ForeignKey("players.id"), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("ix_blocks_blocked", "blocked"),
)

reports: Final = Table(
    "reports",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("by", String(64), ForeignKey("players.id"), nullable=False),
    Column("about", String(64), ForeignKey("players.id"), nullable=False),
    Column("match", String(64), nullable=False),
    Column("cause", String(16), nullable=False),
    Column("words", String(500), nullable=False),
    Column("closed_at", BigInteger),
    # One of a player about another for a match.
    UniqueConstraint("match", "by", "about", name="one_report"),
    Index("ix_reports_at", "closed_at", "at"),
)

recovery_codes: Final = Table(
    "recovery_codes",
    metadata,
    Column("code", String(64), primary_key=True),
    Column("player", String(64), ForeignKey("logins.player"), nullable=False),
    Index("ix_recovery_codes_player", "player"),
)

sessions: Final = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("player", String(64), ForeignKey("logins.player"), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("device", String(120), nullable=False),
    Index("ix_sessions_player", "player", "since"),
)
