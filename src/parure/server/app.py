"""The ASGI application."""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.websockets import WebSocket

from parure import __version__
from parure.server.analysis_routes import router as analysis_router
from parure.server.clock import Run, WallClock
from parure.server.errors import add_exception_handlers
from parure.server.link_preview import invitation_lookup
from parure.server.logs import configure_logging
from parure.server.middleware import RequestLimitsMiddleware, SecurityHeadersMiddleware
from parure.server.pages import FrontEnd
from parure.server.registry import MatchRegistry
from parure.server.routes import router
from parure.server.settings import Settings
from parure.server.sockets import serve_socket
from parure.server.warmup import load_compiled


def create_app(
    settings: Settings, clock: WallClock | None = None, run: Run | None = None
) -> FastAPI:
    """Return the application; `app.state.registry` holds its matches."""
    registry = MatchRegistry(settings, clock, run)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await registry.open()
        try:
            yield
        finally:
            await registry.close()

    app = FastAPI(
        title="Parure",
        version=__version__,
        summary="Splendor, Splendor Duel and The Counterfeiters at a table in the browser.",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's pages load scripts from other sites
        redoc_url=None,
        redirect_slashes=False,
        openapi_url="/api/openapi.json",
    )
    app.state.registry = registry
    add_exception_handlers(app, [*router.routes, *analysis_router.routes])
    app.include_router(router)
    app.include_router(analysis_router)

    @app.websocket("/api/matches/{match}/socket")
    async def socket(socket: WebSocket, match: str) -> None:
        await serve_socket(socket, match, registry)

    app.router.default = FrontEnd(settings.static_folder, settings.url, invitation_lookup(registry))
    app.add_middleware(RequestLimitsMiddleware, limits=registry.limits, site=settings.site)
    app.add_middleware(SecurityHeadersMiddleware, is_https=settings.url.startswith("https://"))
    return app


def from_environment() -> FastAPI:
    """Return the application of a worker process, configured by the environment."""
    configure_logging()
    load_compiled()
    # The compiler leaves many objects behind, and there may be hundreds of sockets: a collection
    # that visits all of them takes 0.1 s.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    sys.setswitchinterval(0.0005)  # seconds the database thread waits for the event loop
    return create_app(Settings.from_environment(), run=Run.from_environment())
