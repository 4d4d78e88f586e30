"""What goes wrong over HTTP, always told in the same shape."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Match

from parure.errors import ParureError
from parure.server.store import Unavailable


class ApiError(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


_CODES = {400: "invalid", 404: "path", 405: "method", 408: "slow", 413: "size"}


def answer(status: int, code: str, message: str) -> JSONResponse:
    """An error as an answer."""
    return JSONResponse({"error": {"code": code, "message": message}}, status)


def install(app: FastAPI) -> None:
    """Have all errors told in one shape."""

    @app.exception_handler(ApiError)
    async def _fault(_: Request, error: ApiError) -> JSONResponse:
        return answer(error.status, error.code, str(error))

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return answer(422, "invalid", f"{where}: {first['msg']}"[:300])

    @app.exception_handler(Unavailable)
    async def _unavailable(_: Request, error: Unavailable) -> JSONResponse:
        return answer(503, "unavailable", str(error))

    @app.exception_handler(ParureError)
    async def _mistake(_: Request, error: ParureError) -> JSONResponse:
        return answer(409, "impossible", str(error).partition("\n")[0][:300])

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        code = _CODES.get(error.status_code, "http")
        response = answer(error.status_code, code, str(error.detail))
        response.headers.update(error.headers or {})
        if error.status_code == 405:
            response.headers["Allow"] = ", ".join(sorted(_methods(request)))
        return response


def _methods(request: Request) -> set[str]:
    """What can be done at an address; each method has a route of its own."""
    found: set[str] = set()
    for route in request.app.routes:
        match, _ = route.matches(request.scope)
        if match is not Match.NONE:
            found |= getattr(route, "methods", None) or set()
    return found
