"""Where a request comes from: the client's address, and the site whose page sent it."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection


def client_address(connection: HTTPConnection) -> str:
    """Return the client's IP address."""
    return connection.client.host if connection.client else ""


def is_same_origin(connection: HTTPConnection, url: str) -> bool:
    """Return whether a page of this site, or a program other than a browser, sent a request."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    own_hosts = {connection.headers.get("host", ""), urlsplit(url).netloc}
    return urlsplit(origin).netloc in own_hosts
