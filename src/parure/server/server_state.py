"""The server's own values in the database: the secret of its links, and the time of matches.

Each function runs in a transaction of its caller.
"""

from __future__ import annotations

import time

import sqlalchemy as sa

from parure.server.keys import new_secret
from parure.server.schema import server_state


def secret(connection: sa.Connection) -> bytes:
    """Return the secret that all keys are derived from; create it on first use."""
    _lock(connection)
    value = _value(connection, "secret")
    if value is None:
        value = new_secret()
        _store(connection, "secret", value)
    return bytes.fromhex(value)


def start_run(connection: sa.Connection, run: str, now: int) -> int:
    """Return the match time less `now`; the first worker of a run determines it.

    A new run continues the match time where the last one ended.
    """
    _lock(connection)
    known = _value(connection, "run")
    if known is not None and known.startswith(f"{run} "):
        return int(known.partition(" ")[2])
    last = _value(connection, "match_time")
    offset = 0 if last is None else int(last) - now
    _store(connection, "run", f"{run} {offset}")
    _store(connection, "match_time", str(now + offset))
    return offset


def store_time(connection: sa.Connection, match_time: int) -> None:
    """Store the match time of a running server."""
    _lock(connection)
    last = _value(connection, "match_time")
    if last is None or int(last) < match_time:
        _store(connection, "match_time", str(match_time))


def check_write(connection: sa.Connection) -> None:
    """Store something, to see whether that works."""
    _lock(connection)
    _store(connection, "checked", str(time.time_ns()))


def _lock(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":  # SQLite's transaction has locked the file
        connection.execute(sa.text("LOCK TABLE server_state IN EXCLUSIVE MODE"))


def _value(connection: sa.Connection, name: str) -> str | None:
    query = sa.select(server_state.c.value).where(server_state.c.name == name)
    return connection.scalar(query)


def _store(connection: sa.Connection, name: str, value: str) -> None:
    update = sa.update(server_state).where(server_state.c.name == name).values(value=value)
    if connection.execute(update).rowcount == 0:
        connection.execute(sa.insert(server_state), {"name": name, "value": value})
