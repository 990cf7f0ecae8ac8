"""The tables of ratings, and of what each match has changed."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, String, Table

from app.db import metadata

ratings: Final = Table(
    "ratings",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("rules", String(32), primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("established", Boolean, nullable=False),
    # What came of the matches since that Monday: a board of a week would add up all the others.
    Column("week", BigInteger, nullable=False),
    Column("gained", Integer, nullable=False),
    Column("week_matches", Integer, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    # The boards read them from their end.
    Index("ix_ratings_shown", "game", "rules", "established", "shown", "player"),
    Index("ix_ratings_week", "game", "rules", "week", "gained", "player"),
)
"""A player's rating for a rule set of a game."""

rating_changes: Final = Table(
    "rating_changes",
    metadata,
    Column("match", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String(64), nullable=False),
    Column("game", String(32), nullable=False),
    Column("rules", String(32), nullable=False),
    Column("won", Boolean, nullable=False),
    Column("before", Integer, nullable=False),
    Column("after", Integer, nullable=False),
    Column("provisional", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_rating_changes_player", "player", "game", "rules", "at", "match"),
)
"""What a match has made of a seat's rating, as it is shown: the receipt of the rating."""
