"""An HTTP protocol for uvicorn that closes connections of clients that send or read nothing."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_TIMEOUT = 10.0  # seconds for the headers of a request, and again for its body
RESPONSE_TIMEOUT = 60.0  # seconds for which something that was sent may wait to be read


class IdleTimeoutProtocol(H11Protocol):
    """Close the connection if the next request does not arrive, or a response is not read, in time.

    uvicorn's own keep-alive timeout starts only after the first response, and does not apply to
    headers that arrive one byte at a time. It never gives up a response that nobody reads, which
    stays in memory.
    """

    _unread_since: float | None = None  # time of the event loop

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout of the first request."""
        super().connection_made(transport)
        self._schedule_check()

    def _schedule_check(self) -> None:
        self.loop.call_later(REQUEST_TIMEOUT, self._check, self.cycle)

    def _check(self, previous: RequestResponseCycle | None) -> None:
        if self not in self.connections:  # closed, or upgraded to a WebSocket
            return
        is_idle = self.cycle is previous and (previous is None or previous.response_complete)
        if self.transport.get_write_buffer_size():
            now = self.loop.time()
            self._unread_since = self._unread_since or now
            if now - self._unread_since >= RESPONSE_TIMEOUT:
                self.transport.abort()
                return
        else:
            self._unread_since = None
            if is_idle:
                self.transport.close()
                return
        self._schedule_check()
