"""Ratings, and what a list of matches, a board and a plot ask for (T14)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody is rated before: ratings begin with the first match after this step."""
    _ratings()


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("rules", sa.String(32), primary_key=True),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("established", sa.Boolean(), nullable=False),
        sa.Column("week", sa.BigInteger(), nullable=False),
        sa.Column("gained", sa.Integer(), nullable=False),
        sa.Column("week_matches", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
    )
    op.create_index(
        "ix_ratings_shown", "ratings", ["game", "rules", "established", "shown", "player"]
    )
    op.create_index("ix_ratings_week", "ratings", ["game", "rules", "week", "gained", "player"])
    op.create_table(
        "rating_changes",
        sa.Column("match", sa.String(64), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules", sa.String(32), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index(
        "ix_rating_changes_player", "rating_changes", ["player", "game", "rules", "at", "match"]
    )


def downgrade() -> None:
    """Refused: it would throw the ratings away."""
    # Not a gap: nothing is to be written here. Alembic wants the function all the same.
    raise NotImplementedError("ratings cannot be thrown away: there is no way back")
