"""The application: routes, sockets and pages around one hall."""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.websockets import WebSocket

from parure import __version__
from parure.server import faults
from parure.server.guard import Guard
from parure.server.hall import Hall
from parure.server.pages import Pages
from parure.server.routes import router
from parure.server.settings import Settings
from parure.server.sockets import attend


def create_app(settings: Settings, when_ready: Callable[[], None] = lambda: None) -> FastAPI:
    """A server, to be run; something may be done when everything is compiled."""
    hall = Hall(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await hall.open(when_ready)
        try:
            yield
        finally:
            await hall.close()

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
    app.state.hall = hall
    faults.install(app)
    app.include_router(router)

    @app.websocket("/api/matches/{match}/socket")
    async def socket(socket: WebSocket, match: str) -> None:
        await attend(socket, match, hall)

    app.router.default = Pages(settings.static_folder)
    app.add_middleware(Guard, hall=hall)
    return app


def from_environment() -> FastAPI:
    """A server in a worker process."""
    gc.set_threshold(20_000, 20, 100)  # looking through hundreds of sockets takes 0.1 s
    sys.setswitchinterval(0.0005)  # the thread that writes to the database waits for no longer
    return create_app(Settings.from_environment(), when_ready=_forget_the_compiler)


def _forget_the_compiler() -> None:
    """Keep the garbage collector from what the compiler leaves behind: it takes 0.1 s each time."""
    gc.collect()
    gc.freeze()
