"""Names with a password, and where they are signed in (T2); who met whom for coins,
whom nobody wants to meet again, and what is reported."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody is registered before."""
    op.create_table(
        "logins",
        sa.Column("player", sa.String(64), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("look", sa.String(256), nullable=False, unique=True),
        sa.Column("handle", sa.String(16), nullable=False, unique=True),
        sa.Column("password", sa.String(256), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("renamed_at", sa.BigInteger()),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), sa.ForeignKey("logins.player"), nullable=False),
    )
    op.create_index("ix_recovery_codes_player", "recovery_codes", ["player"])
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), sa.ForeignKey("logins.player"), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("device", sa.String(120), nullable=False),
    )
    op.create_index("ix_sessions_player", "sessions", ["player", "since"])
    op.create_table(
        "meetings",
        sa.Column("match", sa.String(64), primary_key=True),
        sa.Column("one", sa.String(64), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("day", sa.String(10), nullable=False),
    )
    op.create_index("ix_meetings_day", "meetings", ["one", "day"])
    op.create_table(
        "blocks",
        sa.Column("player", sa.String(64), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("blocked", sa.String(64), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_blocks_blocked", "blocks", ["blocked"])
    op.create_table(
        "reports",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.String(64), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("about", sa.String(64), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("match", sa.String(64), nullable=False),
        sa.Column("cause", sa.String(16), nullable=False),
        sa.Column("words", sa.String(500), nullable=False),
        sa.Column("closed_at", sa.BigInteger()),
        sa.UniqueConstraint("match", "by", "about", name="one_report"),
    )
    op.create_index("ix_reports_at", "reports", ["closed_at", "at"])


def downgrade() -> None:
    """Refused: it would lock everybody out of their account."""
    # Not a gap: nothing is to be written here. Alembic wants the function all the same.
    raise NotImplementedError("logins cannot be thrown away: there is no way back")
