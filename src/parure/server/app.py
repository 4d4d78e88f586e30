"""The application: routes, sockets and pages around one registry."""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.websockets import WebSocket

from parure import __version__
from parure.server import errors as faults
from parure.server.middleware import RequestGuard
from parure.server.pages import Pages
from parure.server.registry import MatchRegistry
from parure.server.routes import router
from parure.server.settings import Settings
from parure.server.sockets import serve_socket
from parure.server.warmup import load_compiled


def create_app(settings: Settings) -> FastAPI:
    """A server, ready to be run."""
    registry = MatchRegistry(settings)

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
        docs_url=None,  # its page would load programs from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        openapi_url="/api/openapi.json",
    )
    app.state.registry = registry
    faults.install(app)
    app.include_router(router)

    @app.websocket("/api/matches/{match}/socket")
    async def socket(socket: WebSocket, match: str) -> None:
        await serve_socket(socket, match, registry)

    app.router.default = Pages(settings.static_folder)
    app.add_middleware(RequestGuard, registry=registry)
    return app


def from_environment() -> FastAPI:
    """A server in a worker process."""
    load_compiled()
    gc.collect()
    gc.freeze()  # the compiler leaves much behind: looking through it takes 0.1 s each time
    gc.set_threshold(20_000, 20, 100)  # and so does looking through hundreds of sockets
    sys.setswitchinterval(0.0005)  # the thread that writes to the database waits for no longer
    return create_app(Settings.from_environment())
