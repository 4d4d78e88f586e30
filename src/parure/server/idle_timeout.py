"""An HTTP protocol for uvicorn that closes connections on which no request arrives."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_TIMEOUT = 10.0  # seconds for the headers of a request, and again for its body


class IdleTimeoutProtocol(H11Protocol):
    """Close the connection if the next request does not arrive in time.

    uvicorn's own keep-alive timeout starts only after the first response, and does not apply to
    headers that arrive one byte at a time.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout of the first request."""
        super().connection_made(transport)
        self._schedule_check()

    def _schedule_check(self) -> None:
        self.loop.call_later(REQUEST_TIMEOUT, self._close_if_idle, self.cycle)

    def _close_if_idle(self, previous: RequestResponseCycle | None) -> None:
        if self not in self.connections:  # closed, or upgraded to a WebSocket
            return
        if self.cycle is previous and (previous is None or previous.response_complete):
            self.transport.close()
        else:
            self._schedule_check()
