"""Ratings, and what lists of matches, boards and plots ask for (T14)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

AT_ONCE = 500
"""Matches that are in memory at once."""


def upgrade() -> None:
    """Nobody is rated before this step, and no record of before it is counted by seat: ratings and
    figures begin with the next match. Lists and coins know those of before."""
    deleted = sa.text("kind = 'deleted'")
    op.create_index(
        "ix_players_deleted", "players", ["id"], sqlite_where=deleted, postgresql_where=deleted
    )
    # Of a match of before it is not known: only who has played it finds it in a list.
    op.add_column(
        "matches", sa.Column("public", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    _ratings()
    _seats()
    _figures()
    _winnings()
    _fairness()


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


def _seats() -> None:
    # All that it says is said by the matches too: it is made anew.
    op.drop_table("match_seats")
    op.create_table(
        "match_seats",
        sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules", sa.String(32), nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("stake", sa.BigInteger(), nullable=False),
        sa.Column("coins", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
    )
    _fill_seats()
    op.create_index("ix_match_seats_player", "match_seats", ["player", "ended_at", "match_id"])
    op.create_index(
        "ix_match_seats_game", "match_seats", ["player", "game", "rules", "ended_at", "match_id"]
    )


_SAME = ("game", "rules", "reason", "stake", "ended_at")


def _seats_table() -> sa.TableClause:
    return sa.table(
        "match_seats",
        sa.column("match_id", sa.String),
        sa.column("seat", sa.Integer),
        sa.column("player", sa.String),
        sa.column("game", sa.String),
        sa.column("rules", sa.String),
        sa.column("reason", sa.String),
        sa.column("won", sa.Boolean),
        sa.column("points", sa.Integer),
        sa.column("stake", sa.BigInteger),
        sa.column("coins", sa.BigInteger),
        sa.column("ended_at", sa.BigInteger),
    )


def _fill_seats() -> None:
    by_seat = ("players", "winners", "score", "coins")
    matches = sa.table(
        "matches",
        sa.column("id", sa.String),
        *(sa.column(name, sa.JSON) for name in by_seat),
        *(sa.column(name) for name in _SAME),
    )
    connection = op.get_bind()
    last = ""
    while True:
        some = connection.execute(
            sa.select(matches).where(matches.c.id > last).order_by(matches.c.id).limit(AT_ONCE)
        ).all()
        if not some:
            return
        rows = [
            {
                "match_id": match.id,
                "seat": seat,
                "player": player,
                "won": seat in match.winners,
                "points": match.score[seat],
                "coins": match.coins[seat],
                **{name: getattr(match, name) for name in _SAME},
            }
            for match in some
            for seat, player in enumerate(match.players)
        ]
        connection.execute(_seats_table().insert(), rows)
        last = some[-1].id


def _figures() -> None:
    op.create_table(
        "figures",
        sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules", sa.String(32), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_figures_player", "figures", ["player", "game", "rules", "ended_at"])


def _winnings() -> None:
    op.create_table(
        "winnings",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("rules", sa.String(32), primary_key=True),
        sa.Column("coins", sa.BigInteger(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
    )
    seats = _seats_table()
    whose = (seats.c.player, seats.c.game, seats.c.rules)
    won = sa.select(*whose, sa.func.sum(seats.c.coins), sa.func.count()).where(seats.c.coins != 0)
    winnings = sa.table(
        "winnings", *map(sa.column, ("player", "game", "rules", "coins", "matches"))
    )
    names = [column.name for column in winnings.columns]
    op.get_bind().execute(winnings.insert().from_select(names, won.group_by(*whose)))
    op.create_index("ix_winnings_coins", "winnings", ["game", "rules", "coins", "player"])


def _fairness() -> None:
    # The first report counts the matches of before as well.
    op.create_table(
        "given",
        sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules", sa.String(32), nullable=False),
        sa.Column("counts", sa.JSON()),
    )
    op.create_table(
        "fairness_reports",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger()),
        sa.Column("matches", sa.Integer()),
        sa.Column("content", sa.JSON()),
    )


def downgrade() -> None:
    """Refused: it would throw the ratings away."""
    # Not a gap: nothing is to be written here. Alembic wants the function all the same.
    raise NotImplementedError("ratings cannot be thrown away: there is no way back")
