"""The HTTP routes of the analysis board. They keep nothing: a position is given by its text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from parure.analysis.evaluate import view_of
from parure.errors import InvalidPosition, NotationError
from parure.games import record as records
from parure.games.api import new, position
from parure.games.position import Position
from parure.games.registry import game_name
from parure.games.state import State
from parure.games.view import View
from parure.games.view_parser import parse_view
from parure.server.analysis_models import (
    AnalysePosition,
    BoardAnswer,
    BoardAnswerBody,
    BoardPositionBody,
    BoardRecord,
    BoardRecordBody,
    BoardStep,
    OpenPosition,
    OpenRecord,
    PlayDecision,
)
from parure.server.engine_stream import engine_lines
from parure.server.errors import ApiError
from parure.server.http_models import ErrorBody
from parure.server.match_setup import read_record
from parure.server.origin import client_address
from parure.server.routes import ERRORS_OF_ALL_ROUTES, Registry
from parure.server.warmup import is_compiled
from parure.table.analysis_board import Entered, PendingChance, board_position, play
from parure.table.events import event_between

router = APIRouter(prefix="/api/analysis")

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody} for status in ERRORS_OF_ALL_ROUTES
}


@router.post(
    "/position",
    responses={200: {"model": BoardPositionBody}, **ERRORS},
)
async def open_position(body: OpenPosition, request: Request, registry: Registry) -> Response:
    """A position with its table and the decisions of the seat to move."""
    return await registry.compute(client_address(request), partial(_opened, body))


@router.post(
    "/record",
    responses={200: {"model": BoardRecordBody}, **ERRORS},
)
async def open_record(body: OpenRecord, request: Request, registry: Registry) -> Response:
    """The texts of all positions of a record, nothing hidden, and what led from one to the next."""
    work = partial(_record, body.record)
    return await registry.compute(client_address(request), work, is_long=True)


@router.post(
    "/play",
    responses={200: {"model": BoardAnswerBody}, **ERRORS},
)
async def play_decision(body: PlayDecision, request: Request, registry: Registry) -> Response:
    """The position after a decision, or what chance has to bring first."""
    return await registry.compute(client_address(request), partial(_played, body))


class ReportStream(StreamingResponse):
    """One JSON object per line, which proxies are to pass on at once."""

    media_type = "application/x-ndjson"

    def __init__(self, lines: AsyncIterator[bytes]) -> None:
        super().__init__(lines, headers={"X-Accel-Buffering": "no"})  # nginx would collect lines


@router.post(
    "/engine",
    responses={200: {"content": {ReportStream.media_type: {}}}, **ERRORS},
)
async def run_engine(body: AnalysePosition, request: Request, registry: Registry) -> Response:
    """An analysis that reports while it runs, one JSON object per line; closing stops it."""
    address, limits = client_address(request), registry.limits
    view = view_of(await registry.compute(address, partial(position, body.text)))
    if not is_compiled("mcts:1", view.game):
        raise ApiError(503, "not_ready", "the bots are still being compiled")
    if not limits.open_socket(address):
        raise ApiError(429, "rate", "too many open connections from your address")
    lines = engine_lines(
        registry.bot_pool, view, body.lines, address, lambda: limits.close_socket(address)
    )
    return ReportStream(lines)


def _opened(body: OpenPosition) -> Response:
    found = _seen_by(_position(body), body)
    return _encoded(board_position(found))


def _position(body: OpenPosition) -> Position:
    given = [one for one in (body.text, body.view, body.game) if one is not None]
    if len(given) != 1:
        raise NotationError("give one of text, view and game")
    if body.text is not None:
        return position(body.text)
    if body.view is not None:
        return parse_view(body.view)
    game: str = body.game or ""
    return new(game, players=body.players, options=body.options)


def _seen_by(found: Position, body: OpenPosition) -> Position:
    """Return a position as a viewer knows it, or with its hidden cards in random places."""
    if body.deal and isinstance(found, View):
        found = new(position=found)
    if body.viewer is None:
        return found
    viewer = None if body.viewer == "all" else int(body.viewer)
    if isinstance(found, State):
        return found.view(viewer)
    if isinstance(found, View) and found.viewer != viewer:
        raise InvalidPosition("what is hidden in this position cannot be seen from another seat")
    return found


def _record(data: dict[str, Any]) -> Response:
    record = read_record(data)
    steps: list[BoardStep] = []
    before: State | None = None
    for state in records.replay(record):
        event = event_between(before, state, state.decisions[-1]) if before else None
        steps.append(BoardStep(state.text(), event))
        before = state.copy()
    return _encoded(BoardRecord(game_name(record.game), record.players, steps))


def _played(body: PlayDecision) -> Response:
    entered = Entered(tuple(body.cards), body.tokens) if body.enter_chance else None
    found = play(position(body.text), body.decision, entered)
    if isinstance(found, PendingChance):
        return _encoded(BoardAnswer(None, None, found))
    return _encoded(BoardAnswer(board_position(found.position), found.event, None))


def _encoded(body: msgspec.Struct) -> Response:
    return Response(msgspec.json.encode(body), media_type="application/json")
