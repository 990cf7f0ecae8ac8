"""Run by Alembic, on the connection that ``app.migrations`` hands in."""

from __future__ import annotations

from alembic import context

from app.db import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
