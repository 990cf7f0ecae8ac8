"""Players, coins and what moves them, and whose a finished match is (T2–T5, T14)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

AT_ONCE = 500
"""Matches that are in memory at once."""


def upgrade() -> None:
    """The new tables; matches that were kept before moved no coins, and get their seats."""
    _players_and_audit()
    _coins()
    op.add_column(
        "matches",
        sa.Column("stake", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
    )
    op.add_column(
        "matches", sa.Column("coins", sa.JSON(), nullable=False, server_default=sa.text("'[]'"))
    )
    op.create_table(
        "match_seats",
        sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
    )
    _fill_seats()
    op.create_index("ix_match_seats_player", "match_seats", ["player", "ended_at", "match_id"])


def _players_and_audit() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
    )
    op.create_index("ix_players_name", "players", ["name"])
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("what", sa.JSON(), nullable=False),
    )


def _coins() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(96), primary_key=True),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0 OR id = 'mint'", name="only_the_mint_owes"),
    )
    op.create_table(
        "transfers",
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("match", sa.String(64)),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.String(64)),
    )
    op.create_index("ix_transfers_match", "transfers", ["match"])
    op.create_table(
        "entries",
        sa.Column("transfer", sa.String(200), sa.ForeignKey("transfers.key"), primary_key=True),
        sa.Column("account", sa.String(96), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_entries_account", "entries", ["account"])
    op.create_table(
        "escrow",
        sa.Column("match", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("stake", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("winners", sa.JSON(), nullable=False),
        sa.Column("lacking", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("missed_at", sa.BigInteger()),
        sa.CheckConstraint(
            "state IN ('staked', 'paid', 'refunded', 'cancelled')", name="escrow_state"
        ),
    )
    op.create_index("ix_escrow_state", "escrow", ["state", "match"])


def _fill_seats() -> None:
    matches = sa.table(
        "matches",
        sa.column("id", sa.String),
        sa.column("players", sa.JSON),
        sa.column("winners", sa.JSON),
        sa.column("coins", sa.JSON),
        sa.column("ended_at", sa.BigInteger),
    )
    seats = sa.table(
        "match_seats",
        sa.column("match_id", sa.String),
        sa.column("seat", sa.Integer),
        sa.column("player", sa.String),
        sa.column("won", sa.Boolean),
        sa.column("ended_at", sa.BigInteger),
    )
    connection = op.get_bind()
    wanted = sa.select(matches.c.id, matches.c.players, matches.c.winners, matches.c.ended_at)
    last = ""
    while True:
        some = connection.execute(
            wanted.where(matches.c.id > last).order_by(matches.c.id).limit(AT_ONCE)
        ).all()
        if not some:
            return
        for match, players, winners, ended_at in some:
            connection.execute(
                matches.update().where(matches.c.id == match).values(coins=[0] * len(players))
            )
            for seat, player in enumerate(players):
                connection.execute(
                    seats.insert().values(
                        match_id=match,
                        seat=seat,
                        player=player,
                        won=seat in winners,
                        ended_at=ended_at,
                    )
                )
        last = some[-1].id


def downgrade() -> None:
    """Refused: it would throw the players' coins away."""
    # Not a gap: nothing is to be written here. Alembic wants the function all the same.
    raise NotImplementedError("the coins cannot be thrown away: there is no way back")
