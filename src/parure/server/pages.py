"""Static files: the built front end, a single page that serves every path of the site."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from parure.server.errors import error_response
from parure.server.link_preview import Lookup, preferred_language, with_preview

NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Parure</title>
<h1>The page is not built yet</h1>
<p>The server runs, but the files of its page are missing. <code>make play</code> builds them.</p>
"""

MAX_PATH_LENGTH = 200
COMPRESSED_SUFFIXES = (".css", ".html", ".js", ".json", ".svg", ".webmanifest")
FOREVER = "public, max-age=31536000, immutable"


class FrontEnd:
    """ASGI application for every path outside the API."""

    def __init__(self, folder: Path, url: str, lookup: Lookup) -> None:
        """Serve a folder.

        Args:
            folder: The built front end.
            url: The address that links start with.
            lookup: Finds the invitation to the match at a path.
        """
        self._root = folder.resolve()
        self._url = url
        self._lookup = lookup

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with a file; refuse a WebSocket on an unknown path."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # not accepted yet: becomes HTTP 403
        elif scope["type"] == "http":
            response = await self._response(Request(scope))
            await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        path: str = request.scope["path"].removeprefix("/")
        if path.startswith("api/"):
            return error_response(404, "path", "unknown path")
        if request.method not in ("GET", "HEAD"):
            return error_response(405, "method", "only GET and HEAD are allowed here")
        if len(path) > MAX_PATH_LENGTH or not path.isprintable():
            return error_response(404, "path", "no such page")
        index = self._root / "index.html"
        if not index.is_file():
            return HTMLResponse(NOT_BUILT, 503)
        file = (self._root / path).resolve()
        if path and file.is_relative_to(self._root) and file.is_file():
            is_hashed = path.startswith("assets/")  # the build puts a hash into these names
            return _file_response(request, file, FOREVER if is_hashed else "no-cache")
        if "." in path.rpartition("/")[2]:
            return error_response(404, "path", "no such file")
        return await self._page(request, path, index)

    async def _page(self, request: Request, path: str, index: Path) -> Response:
        """Return the page, with a preview of the link for messengers."""
        language = preferred_language(request.headers.get("accept-language", ""))
        invitation = await self._lookup(path)
        page = with_preview(
            index.read_text(encoding="utf-8"), self._url, path, invitation, language
        )
        content = page.encode()
        headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding, Accept-Language"}
        if _accepts_gzip(request.headers.get("accept-encoding", "")):
            headers["Content-Encoding"] = "gzip"
            content = gzip.compress(content, mtime=0)
        return HTMLResponse(content, headers=headers)


def _file_response(request: Request, file: Path, caching: str) -> Response:
    """Return a file, compressed if that makes it smaller and the client understands it."""
    headers = {"Cache-Control": caching}
    if file.suffix not in COMPRESSED_SUFFIXES:
        return FileResponse(file, headers=headers)
    headers["Vary"] = "Accept-Encoding"
    if not _accepts_gzip(request.headers.get("accept-encoding", "")):
        return FileResponse(file, headers=headers)
    content = _compressed(file, file.stat().st_mtime_ns)
    headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type=mimetypes.guess_type(file.name)[0])


def _accepts_gzip(accepted: str) -> bool:
    """Return whether a header `Accept-Encoding` allows gzip.

    >>> _accepts_gzip("gzip, deflate, br"), _accepts_gzip("br, gzip;q=0"), _accepts_gzip("")
    (True, False, False)
    """
    for part in accepted.split(","):
        encoding, _, weight = part.replace(" ", "").partition(";q=")
        if encoding == "gzip":
            return weight not in ("0", "0.0", "0.00", "0.000")
    return False


@lru_cache(maxsize=256)
def _compressed(file: Path, modified: int) -> bytes:
    """Return a file of the front end, compressed; `modified` tells apart its versions."""
    return gzip.compress(file.read_bytes(), mtime=0)
