"""Drop the column `is_bot_due`, which nothing reads: bots decide where somebody is connected."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the index and the column; SQLite can do that since its version 3.35."""
    op.drop_index("ix_matches_is_bot_due", "matches")
    op.drop_column("matches", "is_bot_due")


def downgrade() -> None:
    """Add the column again."""
    column = sa.Column("is_bot_due", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("matches", column)
    op.create_index("ix_matches_is_bot_due", "matches", ["is_bot_due"])
