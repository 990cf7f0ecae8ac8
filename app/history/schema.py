"""The tables of finished matches and of handshakes that came to nothing."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    text,
)

from app.db import metadata

matches: Final = Table(
    "matches",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("table_id", String(64), nullable=False),
    Column("game", String(32), nullable=False),
    Column("rules", String(32), nullable=False),
    Column("options", JSON, nullable=False),
    Column("players", JSON, nullable=False),
    Column("names", JSON, nullable=False),
    Column("started_at", BigInteger, nullable=False, index=True),
    Column("ended_at", BigInteger, nullable=False, index=True),
    Column("reason", String(16), nullable=False),
    Column("winners", JSON, nullable=False),
    Column("score", JSON, nullable=False),
    Column("record", JSON, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("stake", BigInteger, nullable=False, server_default=text("0")),
    Column("coins", JSON, nullable=False, server_default=text("'[]'")),
)

match_seats: Final = Table(
    "match_seats",
    metadata,
    Column("match_id", String(64), ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String(64), nullable=False),
    Column("won", Boolean, nullable=False),
    # Beside the player, so that one index gives a player's matches in order.
    Column("ended_at", BigInteger, nullable=False),
    Index("ix_match_seats_player", "player", "ended_at", "match_id"),
)

voids: Final = Table(
    "voids",
    metadata,
    Column("match", String(64), primary_key=True),
    Column("table_id", String(64), nullable=False),
    Column("cause", String(32), nullable=False),
    Column("seats", JSON, nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
)
