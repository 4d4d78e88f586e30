"""HTTP errors. Every error response has the body `{"error": {"code": …, "message": …}}`."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Match

from parure.errors import ParureError
from parure.server.store import Unavailable, UnreadableMatch

MAX_MESSAGE_LENGTH = 300

_CODES = {400: "invalid", 404: "path", 405: "method", 408: "slow", 413: "size"}


class ApiError(Exception):
    """Raised by a route to respond with an error."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


def error_response(status: int, code: str, message: str) -> JSONResponse:
    """Return an error as a response."""
    return JSONResponse({"error": {"code": code, "message": message}}, status)


def add_exception_handlers(app: FastAPI, routes: Sequence[BaseRoute]) -> None:
    """Turn every exception of the routes into an error response."""

    @app.exception_handler(ApiError)
    async def _api_error(_: Request, error: ApiError) -> JSONResponse:
        return error_response(error.status, error.code, str(error))

    @app.exception_handler(RequestValidationError)
    async def _validation_error(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        return error_response(422, "invalid", f"{field}: {first['msg']}"[:MAX_MESSAGE_LENGTH])

    @app.exception_handler(Unavailable)
    async def _unavailable(_: Request, error: Unavailable) -> JSONResponse:
        return error_response(503, error.code, str(error))

    @app.exception_handler(UnreadableMatch)
    async def _unreadable(_: Request, error: UnreadableMatch) -> JSONResponse:
        return error_response(500, "damaged", str(error))

    @app.exception_handler(ParureError)
    async def _parure_error(_: Request, error: ParureError) -> JSONResponse:
        first_line = str(error).partition("\n")[0]
        return error_response(409, "impossible", first_line[:MAX_MESSAGE_LENGTH])

    @app.exception_handler(HTTPException)
    async def _http_exception(request: Request, error: HTTPException) -> JSONResponse:
        code = _CODES.get(error.status_code, "http")
        response = error_response(error.status_code, code, str(error.detail))
        response.headers.update(error.headers or {})
        if error.status_code == 405:
            response.headers["Allow"] = ", ".join(sorted(_allowed_methods(request, routes)))
        return response


def _allowed_methods(request: Request, routes: Sequence[BaseRoute]) -> set[str]:
    """Return the methods of all routes with the request's path; each has a route of its own."""
    methods: set[str] = set()
    for route in routes:
        match, _ = route.matches(request.scope)
        if match is not Match.NONE:
            methods |= getattr(route, "methods", None) or set()
    return methods
