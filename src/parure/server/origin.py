"""Where a request comes from and goes to.

That is the client's address, the site whose page sent the request, and the name under which the
client reached this server. A page of another site can make a browser connect here under a name of
its own (DNS rebinding). The browser then takes both for one site, so the server answers only to the
names that its settings know.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urlsplit

from starlette.requests import HTTPConnection

from parure.server.limits import address_group

DEFAULT_PORTS = {"http": 80, "https": 443}
ALL_INTERFACES = ("", "0.0.0.0", "::")


def client_address(connection: HTTPConnection) -> str:
    """Return the client's IP address, as limits count it."""
    return address_group(connection.client.host) if connection.client else ""


class Site:
    """The names under which clients reach this server.

    Args:
        url: The address that links start with.
        host: The address that the server listens on.
        is_public: Whether `url` is configured, rather than made of `host` and a port.
    """

    def __init__(self, url: str, host: str, is_public: bool) -> None:
        self._origin = _origin(url)
        self._names = {name for name in (_split(url).hostname, host.lower()) if name}
        self._has_any_address = not is_public and host in ALL_INTERFACES

    def is_known_host(self, connection: HTTPConnection) -> bool:
        """Return whether a client used a name or address of this server.

        Nobody can make a browser take an IP address, or `localhost`, for their own site. So the
        machine itself may always use them, and others where no public address is configured.
        """
        name = _split(f"//{connection.headers.get('host', '')}").hostname
        if name is None:
            return False
        if name in self._names or name == "localhost":
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or self._has_any_address

    def is_same_origin(self, connection: HTTPConnection) -> bool:
        """Return whether a page of this site, or a program other than a browser, sent a request.

        The host of the request must be a known one.
        """
        sent_by = connection.headers.get("origin")
        if sent_by is None:
            return True
        origin = _origin(sent_by)
        if origin is None:
            return False
        scheme, host = origin[0], connection.headers.get("host", "")
        return origin in (self._origin, _origin(f"{scheme}://{host}"))


def _origin(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host name and port of an address; None if it has none."""
    parts = _split(url)
    try:
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname and port else None


def _split(url: str) -> SplitResult:
    """Return the parts of an address; none if it cannot be read."""
    try:
        parts = urlsplit(url)
        _ = parts.hostname
    except ValueError:
        return SplitResult("", "", "", "", "")
    return parts
