"""The database: its tables, how to connect to it, and its migrations."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url

from parure.errors import ParureError

logger = logging.getLogger("parure.server")

MIGRATION_LOCK = 0x70617275  # an arbitrary number, the same in all workers

ADDRESS_HINT = "use a file name or postgresql://…"

MIGRATIONS = Path(__file__).with_name("migrations")

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("setup", sa.LargeBinary, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False, index=True),
    sa.Column("deadline", sa.BigInteger, index=True),  # of the seat to move, by its clock
    sa.Column("is_over", sa.Boolean, nullable=False),
    sa.Column("is_shared", sa.Boolean, nullable=False),  # somebody but the creator used a key
    sa.Column("claimed_by", sa.String(32)),  # the worker that computes the bot's decision
    sa.Column("claimed_until", sa.BigInteger),
)

entries = sa.Table(
    "entries",
    metadata,
    sa.Column(
        "match_id", sa.String(32), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("entry", sa.LargeBinary, nullable=False),
)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column(
        "match_id", sa.String(32), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("created", sa.BigInteger, nullable=False, index=True),
    sa.Column("review", sa.LargeBinary, nullable=False),  # compressed JSON
)

server_state = sa.Table(
    "server_state",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)


def database_url(text: str) -> URL:
    """Parse the address of a database: an SQLite file, or `postgresql://…`."""
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except sa.exc.ArgumentError:
        raise ParureError(f"invalid address of the database: {ADDRESS_HINT}") from None
    backend = url.get_backend_name()
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise ParureError(f"unknown database {backend!r}: {ADDRESS_HINT}")
    return url.set(drivername="sqlite")


def create_private_file(url: URL) -> None:
    """Create the file of an SQLite database, if it is missing, readable by its owner only.

    The database holds the secret of all links, and every deck. SQLite gives its journals the
    permissions of this file.

    Raises:
        OSError: The file cannot be created, or is not writable.
    """
    path = sqlite_file(url)
    if path is None:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if os.name == "posix" and path.stat().st_mode & 0o077:
        logger.warning("%s can be read by other users of this machine: chmod 600", path.name)


def sqlite_file(url: URL) -> Path | None:
    """Return the file of an SQLite database; None for one in memory and for other databases."""
    name = url.database or ":memory:"
    if url.get_backend_name() != "sqlite" or name == ":memory:" or name.startswith("file:"):
        return None
    return Path(name)


def create_engine(url: URL, *, for_writing: bool) -> sa.Engine:
    """Return a connection pool. With SQLite, a writing transaction locks the file at its start."""
    if url.get_backend_name() == "postgresql":
        return sa.create_engine(
            url,
            pool_size=4,
            max_overflow=0,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 5},
        )
    engine = sa.create_engine(
        url, pool_size=1 if for_writing else 4, max_overflow=0, poolclass=sa.QueuePool
    )

    @sa.event.listens_for(engine, "connect")
    def _configure(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # `_begin` starts the transactions, not the driver
        for pragma in (
            "busy_timeout=5000",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if for_writing else "BEGIN")

    return engine


def check_integrity(engine: sa.Engine) -> None:
    """Raise ParureError if an SQLite file is damaged; it takes about a second per 100 MB."""
    if engine.dialect.name != "sqlite":
        return
    with engine.begin() as connection:
        found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
    if found != "ok":
        raise ParureError(f"the database is damaged ({found}): restore a backup")


def migrate(engine: sa.Engine) -> None:
    """Run the pending migrations, in one process at a time."""
    if _is_up_to_date(engine):
        return
    from alembic import command  # slow to import, and rarely needed
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise ParureError(
                f"the database belongs to another version of Parure: {error}"
            ) from None


def _is_up_to_date(engine: sa.Engine) -> bool:
    """Return whether the newest migration was run; file names begin with the revision."""
    newest = max(file.name[:4] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    versions = sa.table("alembic_version", sa.column("version_num"))
    with engine.begin() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            return False
        return connection.execute(sa.select(versions)).scalar() == newest
