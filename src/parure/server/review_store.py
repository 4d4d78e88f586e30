"""The reviews of finished games in the database.

Each function runs in a transaction of its caller.
"""

from __future__ import annotations

import sqlalchemy as sa

from parure.server.schema import matches, reviews

MAX_REVIEWS = 20_000  # some 10 kB each; older ones are computed again


def read(connection: sa.Connection, match: str) -> bytes | None:
    """Return the review of a match; None if there is none."""
    return connection.scalar(sa.select(reviews.c.review).where(reviews.c.match_id == match))


def keep(connection: sa.Connection, match: str, created: int, review: bytes) -> None:
    """Store the review of a match, and delete the oldest ones beyond `MAX_REVIEWS`."""
    if connection.scalar(sa.select(matches.c.id).where(matches.c.id == match)) is None:
        return  # deleted meanwhile
    connection.execute(sa.delete(reviews).where(reviews.c.match_id == match))
    row = {"match_id": match, "created": created, "review": review}
    connection.execute(sa.insert(reviews), row)
    newest = sa.select(reviews.c.match_id).order_by(reviews.c.created.desc())
    too_old = newest.offset(MAX_REVIEWS).limit(-1 if _is_sqlite(connection) else None)
    connection.execute(sa.delete(reviews).where(reviews.c.match_id.in_(too_old)))


def _is_sqlite(connection: sa.Connection) -> bool:
    """Return whether the database is SQLite, in which an offset needs a limit."""
    return connection.dialect.name == "sqlite"
