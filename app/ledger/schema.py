"""The tables of the coins: accounts, transfers with their entries, stakes held; and the audit."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
)

from app.db import metadata

accounts: Final = Table(
    "accounts",
    metadata,
    Column("id", String(96), primary_key=True),
    Column("balance", BigInteger, nullable=False),
    CheckConstraint("balance >= 0 OR id = 'mint'", name="only_the_mint_owes"),
)
"""``player:<id>``, ``escrow:<match>`` and ``mint``."""

transfers: Final = Table(
    "transfers",
    metadata,
    Column("key", String(200), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("match", String(64), index=True),
    Column("at", BigInteger, nullable=False),
    Column("by", String(64)),
)
"""A movement of coins, named by a key that is used once."""

entries: Final = Table(
    "entries",
    metadata,
    Column("transfer", String(200), ForeignKey("transfers.key"), primary_key=True),
    Column("account", String(96), ForeignKey("accounts.id"), primary_key=True),
    Column("amount", BigInteger, nullable=False),
    Index("ix_entries_account", "account"),
)
"""What a transfer gives to an account; all of a transfer make zero."""

escrow: Final = Table(
    "escrow",
    metadata,
    Column("match", String(64), primary_key=True),
    Column("table_id", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("stake", BigInteger, nullable=False),
    Column("players", JSON, nullable=False),
    Column("winners", JSON, nullable=False),
    Column("lacking", JSON, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("missed_at", BigInteger),
    CheckConstraint("state IN ('staked', 'paid', 'refunded', 'cancelled')", name="escrow_state"),
    Index("ix_escrow_state", "state", "match"),
)
"""A match's stakes: none → staked → paid or refunded, none → cancelled. ``players`` by seat;
``winners`` are seats; ``lacking``: players for whose sake it was cancelled."""

meetings: Final = Table(
    "meetings",
    metadata,
    Column("match", String(64), primary_key=True),
    Column("one", String(64), primary_key=True),
    Column("other", String(64), primary_key=True),
    Column("day", String(10), nullable=False),
    Index("ix_meetings_day", "one", "day"),
)
"""Who has staked coins against whom, both ways, on which day of Tbilisi."""

audit: Final = Table(
    "audit",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("who", String(64), nullable=False),
    Column("action", String(32), nullable=False),
    Column("what", JSON, nullable=False),
)
"""What operators have changed."""
