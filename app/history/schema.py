"""The tables of finished matches, what is counted in them, and handshakes that came to nothing."""

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
    false,
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
    Column("public", Boolean, nullable=False, server_default=false()),
)

match_seats: Final = Table(
    "match_seats",
    metadata,
    Column("match_id", String(64), ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String(64), nullable=False),
    # What is asked for in a player's lists stands beside the player, so that one index gives
    # their matches in order.
    Column("game", String(32), nullable=False),
    Column("rules", String(32), nullable=False),
    Column("reason", String(16), nullable=False),
    Column("won", Boolean, nullable=False),
    Column("points", Integer, nullable=False),
    Column("stake", BigInteger, nullable=False),
    Column("coins", BigInteger, nullable=False),
    Column("ended_at", BigInteger, nullable=False),
    # Whether anybody there was a computer player.
    Column("computer", Boolean, nullable=False, server_default=false()),
    Index("ix_match_seats_player", "player", "ended_at", "match_id"),
    Index("ix_match_seats_game", "player", "game", "rules", "ended_at", "match_id"),
)

figures: Final = Table(
    "figures",
    metadata,
    Column("match_id", String(64), ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", String(32), primary_key=True),
    Column("player", String(64), nullable=False),
    Column("game", String(32), nullable=False),
    Column("rules", String(32), nullable=False),
    Column("value", Integer, nullable=False),
    Column("ended_at", BigInteger, nullable=False),
    Index("ix_figures_player", "player", "game", "rules", "ended_at"),
)
"""What a match counts for a seat, by name; those of many matches are added up."""

winnings: Final = Table(
    "winnings",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("rules", String(32), primary_key=True),
    Column("coins", BigInteger, nullable=False),
    Column("matches", Integer, nullable=False),
    # The board reads it from its end.
    Index("ix_winnings_coins", "game", "rules", "coins", "player"),
)
"""What all coin matches of a player have moved: ``match_seats.coins`` added up."""

voids: Final = Table(
    "voids",
    metadata,
    Column("match", String(64), primary_key=True),
    Column("table_id", String(64), nullable=False),
    Column("cause", String(32), nullable=False),
    Column("seats", JSON, nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
)

given: Final = Table(
    "given",
    metadata,
    Column("match_id", String(64), ForeignKey("matches.id"), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("rules", String(32), nullable=False),
    Column("counts", JSON(none_as_null=True)),
)
"""What chance gave in a match, by table and key; null where the engine refuses the record."""

fairness_reports: Final = Table(
    "fairness_reports",
    metadata,
    Column("day", String(10), primary_key=True),
    # Whoever makes it says so, and goes on saying so: nobody else need begin.
    Column("claimed_at", BigInteger, nullable=False),
    Column("at", BigInteger),
    Column("matches", Integer),
    Column("content", JSON(none_as_null=True)),
)
"""The report on chance of a day of Tbilisi; without ``at`` it is being made."""
