"""Static files: the built front end, a single page that serves every path of the site."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from parure.server.errors import error_response

NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Parure</title>
<h1>The page is not built yet</h1>
<p>The server runs, but the files of its page are missing. <code>make play</code> builds them.</p>
"""


class FrontEnd:
    """ASGI application for every path outside the API."""

    def __init__(self, folder: Path) -> None:
        self._root = folder.resolve()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with a file; refuse a WebSocket on an unknown path."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # not accepted yet: becomes HTTP 403
        elif scope["type"] == "http":
            await self._response(Request(scope))(scope, receive, send)

    def _response(self, request: Request) -> Response:
        path = request.url.path.removeprefix("/")
        if path.startswith("api/"):
            return error_response(404, "path", "unknown path")
        if request.method not in ("GET", "HEAD"):
            return error_response(405, "method", "only GET and HEAD are allowed here")
        index = self._root / "index.html"
        if not index.is_file():
            return HTMLResponse(NOT_BUILT, 503)
        file = (self._root / path).resolve()
        if path and file.is_relative_to(self._root) and file.is_file():
            is_hashed = path.startswith("assets/")  # the build puts a hash into these names
            caching = "immutable, max-age=31536000" if is_hashed else "no-cache"
            return FileResponse(file, headers={"Cache-Control": caching})
        if "." in path.rpartition("/")[2]:
            return error_response(404, "path", "no such file")
        return FileResponse(index, headers={"Cache-Control": "no-cache"})
