"""What stands before every request: size and rate limits, the origin, and the security headers."""

from __future__ import annotations

import asyncio

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parure.games.record import MAX_BYTES
from parure.server.errors import answer
from parure.server.idle_timeout import REQUEST_TIMEOUT
from parure.server.limits import REQUESTS
from parure.server.registry import MatchRegistry
from parure.server.sockets import client_address, is_own_origin

LARGEST_BODY = MAX_BYTES + (64 << 10)  # a record and what is around it
TOO_LARGE = "the request is too large"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class RequestGuard:
    """Middleware that lets through what may pass, and dresses what goes out."""

    def __init__(self, app: ASGIApp, registry: MatchRegistry) -> None:
        self._app = app
        self._registry = registry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        refusal = self._refusal(scope, request)
        if refusal is not None:
            await refusal(scope, receive, self._dressed(send, scope))
            return
        size, is_complete = 0, False
        give_up = asyncio.get_running_loop().time() + REQUEST_TIMEOUT

        async def receive_some() -> Message:
            nonlocal size, is_complete
            try:
                async with asyncio.timeout_at(None if is_complete else give_up):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "the request took too long") from None
            is_complete = not message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > LARGEST_BODY:
                raise HTTPException(413, TOO_LARGE)
            return message

        await self._app(scope, receive_some, self._dressed(send, scope))

    def _refusal(self, scope: Scope, request: HTTPConnection) -> ASGIApp | None:
        """The answer to a request that may not pass."""
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > LARGEST_BODY:
            return answer(413, "size", TOO_LARGE)
        if scope["method"] not in SAFE_METHODS:
            if not is_own_origin(request, self._registry.settings.url):
                return answer(403, "origin", "this page is not of this site")
        if scope["path"].startswith("/api/"):
            if not self._registry.limits.allow(REQUESTS, client_address(request)):
                return answer(429, "rate", "too many requests; wait a moment")
        return None

    def _dressed(self, send: Send, scope: Scope) -> Send:
        async def send_dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if self._registry.settings.url.startswith("https://"):
                    headers["Strict-Transport-Security"] = "max-age=31536000"
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        return send_dressed
