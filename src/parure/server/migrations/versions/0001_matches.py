"""Create the tables of matches, their log entries, and the server's own state."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("setup", sa.LargeBinary, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("deadline", sa.BigInteger, nullable=True),
        sa.Column("is_over", sa.Boolean, nullable=False),
        sa.Column("is_bot_due", sa.Boolean, nullable=False),
        sa.Column("is_shared", sa.Boolean, nullable=False),
        sa.Column("claimed_by", sa.String(32), nullable=True),
        sa.Column("claimed_until", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_changed", "matches", ["changed"])
    op.create_index("ix_matches_is_bot_due", "matches", ["is_bot_due"])
    op.create_index("ix_matches_deadline", "matches", ["deadline"])
    op.create_table(
        "entries",
        sa.Column("match_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("entry", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_entries_match_id_matches", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_entries"),
    )
    op.create_table(
        "memory",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_memory"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("memory")
    op.drop_table("entries")
    op.drop_table("matches")
