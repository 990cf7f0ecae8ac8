"""Matches against the computer stand apart: they say nothing of a player among players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has played against the computer before this step."""
    computer = sa.Column("computer", sa.Boolean(), nullable=False, server_default=sa.false())
    op.add_column("match_seats", computer)


def downgrade() -> None:
    """Refused: matches against the computer would count among the others."""
    # Not a gap: nothing is to be written here. Alembic wants the function all the same.
    raise NotImplementedError("who played against the computer would be lost: no way back")
