"""Alembic's entry point: run migrations on the connection that `schema.migrate` passes in."""

from __future__ import annotations

from alembic import context

from parure.server.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
