"""HTTP for whoever gets to the point: connections on which no request comes are closed."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_TIMEOUT = 10.0  # seconds in which a request must have come, or its whole body


class IdleTimeoutProtocol(H11Protocol):
    """A connection that is closed if its next request does not come, or comes letter by letter."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch."""
        super().connection_made(transport)
        self._watch()

    def _watch(self) -> None:
        self.loop.call_later(REQUEST_TIMEOUT, self._look_again, self.cycle)

    def _look_again(self, before: RequestResponseCycle | None) -> None:
        if self not in self.connections:  # it is closed, or a WebSocket now
            return
        if self.cycle is before and (before is None or before.response_complete):
            self.transport.close()
        else:
            self._watch()
