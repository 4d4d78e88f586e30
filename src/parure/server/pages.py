"""The built front end: its files, and its one page for every address of the site."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from parure.server.errors import answer

MISSING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Parure</title>
<h1>The page is not built yet</h1>
<p>The server runs, but the files of its page are missing. <code>make play</code> builds them.</p>
"""


class Pages:
    """Whatever is no route of the API."""

    def __init__(self, folder: Path) -> None:
        self._root = folder.resolve()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; a socket that leads nowhere is closed."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4404})
        elif scope["type"] == "http":
            await self._page(Request(scope))(scope, receive, send)

    def _page(self, request: Request) -> Response:
        path = request.url.path.removeprefix("/")
        if path.startswith("api/"):
            return answer(404, "path", "there is nothing at this address")
        if request.method not in ("GET", "HEAD"):
            return answer(405, "method", "pages can only be read")
        index = self._root / "index.html"
        if not index.is_file():
            return HTMLResponse(MISSING, 503)
        file = (self._root / path).resolve()
        if path and file.is_relative_to(self._root) and file.is_file():
            kept = "immutable, max-age=31536000" if path.startswith("assets/") else "no-cache"
            return FileResponse(file, headers={"Cache-Control": kept})
        if "." in path.rpartition("/")[2]:
            return answer(404, "path", "there is nothing at this address")
        return FileResponse(index, headers={"Cache-Control": "no-cache"})
