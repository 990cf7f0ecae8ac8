"""The table of players."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, String, Table

from app.db import metadata

players: Final = Table(
    "players",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(64), nullable=False, index=True),
    Column("since", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
)
