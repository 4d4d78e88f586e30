"""Middleware of every HTTP request: size, rate and time limits, origin check, security headers."""

from __future__ import annotations

import asyncio
import logging

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parure.server.errors import error_response
from parure.server.idle_timeout import REQUEST_TIMEOUT
from parure.server.limits import ANALYSES, CREATIONS, PAGES, POSITIONS, REQUESTS, RateLimiter
from parure.server.origin import Site, client_address

logger = logging.getLogger("parure.server")

# A small text can be parsed into objects of thirty times its size.
MAX_BODY_BYTES = 64 << 10
MAX_RECORD_BYTES = 512 << 10  # a body with a record; 400 decisions take some 6 KB, thoughts more
UNKNOWN_HOST = "this server is not known by that name; --public-url sets its address"
BODY_TOO_LARGE = "the request body is too large"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

RECORD_PATHS = ("/api/matches/import", "/api/replays", "/api/analysis/record")

POST_RATES = {  # all others create a match or replay a record
    "/api/analysis/position": POSITIONS,
    "/api/analysis/play": POSITIONS,
    "/api/analysis/engine": ANALYSES,
}


class SecurityHeadersMiddleware:
    """Add the security headers, and forbid caching of the API, on every response.

    What fails unexpectedly is answered here too, so that this answer has the headers as well.
    """

    def __init__(self, app: ASGIApp, is_https: bool) -> None:
        self._app = app
        self._headers = dict(SECURITY_HEADERS)
        if is_https:
            self._headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        has_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            if has_started:
                raise
            logger.exception("a request failed")
            response = error_response(500, "failed", "the server failed, and logged why")
            await response(scope, receive, send_with_headers)


class RequestLimitsMiddleware:
    """Reject requests that are too large, too slow, too frequent, or sent by or to another site."""

    def __init__(self, app: ASGIApp, limits: RateLimiter, site: Site) -> None:
        self._app = app
        self._limits = limits
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        rejection = self._rejection(scope)
        if rejection is not None:
            await rejection(scope, receive, send)
            return
        size, is_complete, limit = 0, False, _max_body_bytes(scope)
        deadline = asyncio.get_running_loop().time() + REQUEST_TIMEOUT

        async def receive_limited() -> Message:
            nonlocal size, is_complete
            try:
                async with asyncio.timeout_at(None if is_complete else deadline):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "the request took too long") from None
            is_complete = not message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > limit:
                raise HTTPException(413, BODY_TOO_LARGE)
            return message

        await self._app(scope, receive_limited, send)

    def _rejection(self, scope: Scope) -> Response | None:
        """Return the error response to a request that its headers disqualify."""
        request = HTTPConnection(scope)
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > _max_body_bytes(scope):
            return error_response(413, "size", BODY_TOO_LARGE)
        if not self._site.is_known_host(request):
            return error_response(421, "host", UNKNOWN_HOST)
        if scope["method"] not in SAFE_METHODS and not self._site.is_same_origin(request):
            return error_response(403, "origin", "requests from other sites are not allowed")
        rate = REQUESTS if scope["path"].startswith("/api/") else PAGES
        if not self._limits.allow(rate, client_address(request)):
            return error_response(429, "rate", "too many requests; wait a moment")
        if scope["method"] == "POST":  # counted before the body is read and parsed
            rate = POST_RATES.get(scope["path"], CREATIONS)
            if not self._limits.allow(rate, client_address(request)):
                return error_response(429, "rate", "too many requests of this kind; wait a moment")
        return None


def _max_body_bytes(scope: Scope) -> int:
    return MAX_RECORD_BYTES if scope["path"] in RECORD_PATHS else MAX_BODY_BYTES
