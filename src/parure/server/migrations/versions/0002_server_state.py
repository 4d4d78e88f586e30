"""Rename the table `memory` to `server_state`."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rename the table and, where constraints have names of their own, its primary key."""
    op.rename_table("memory", "server_state")
    if op.get_context().dialect.name == "postgresql":
        op.execute("ALTER INDEX pk_memory RENAME TO pk_server_state")


def downgrade() -> None:
    """Rename the table back."""
    if op.get_context().dialect.name == "postgresql":
        op.execute("ALTER INDEX pk_server_state RENAME TO pk_memory")
    op.rename_table("server_state", "memory")
