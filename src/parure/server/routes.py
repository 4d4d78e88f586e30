"""The HTTP side: making, asking about, deleting and exporting matches."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.convertors import Convertor, register_url_convertor

from parure import __version__
from parure.games import record as records
from parure.games.registry import GAMES
from parure.games.state import State
from parure.server import catalogue
from parure.server.errors import ApiError
from parure.server.http_models import (
    Cards,
    Catalogue,
    CreateMatch,
    ErrorBody,
    Health,
    ImportedMatch,
    MatchCreated,
    MatchSummary,
    Replay,
    ReplayRequest,
    Result,
    SeatLink,
    WatchLink,
)
from parure.server.keys import CREATOR
from parure.server.limits import CREATIONS, WRONG_KEYS
from parure.server.match import Match
from parure.server.match_setup import imported_setup, new_setup, read_record
from parure.server.registry import MatchRegistry
from parure.server.serializers import log_line, table_of
from parure.server.session import MatchSession
from parure.server.sockets import client_address
from parure.table.events import event_between

router = APIRouter(prefix="/api")
bearer = HTTPBearer(auto_error=False, description="The key of a seat, of watchers or the creator.")

MatchId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]


class MatchConvertor(Convertor[str]):
    """Only what looks like the name of a match is one: `/matches/import` is not."""

    regex = "[0-9a-f]{16}"

    def convert(self, value: str) -> str:
        """The name as it stands."""
        return value

    def to_string(self, value: str) -> str:
        """The name as it stands."""
        return value


register_url_convertor("match", MatchConvertor())
Given = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors that a route may answer with."""
    return {
        status: {"model": ErrorBody} for status in (*statuses, 400, 408, 409, 413, 422, 429, 503)
    }


def registry_of(request: Request) -> MatchRegistry:
    """The registry of the server."""
    registry: MatchRegistry = request.app.state.registry
    return registry


Registry = Annotated[MatchRegistry, Depends(registry_of)]


@router.get("/health", responses={503: {"model": Health}})
async def health(registry: Registry, response: Response) -> Health:
    """Whether the server can work."""
    is_available = await registry.store.is_available()
    response.status_code = 200 if is_available else 503
    return Health(status="ok" if is_available else "no database", version=__version__)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(registry: Registry) -> PlainTextResponse:
    """Counts for a monitor, in the text format of Prometheus."""
    counts = registry.metrics
    connections = sum(len(session.presence) for session in registry.sessions.values())
    numbers = {
        "matches_created_total": ("counter", counts.created),
        "entries_stored_total": ("counter", counts.entries),
        "commands_refused_total": ("counter", counts.refused),
        "sockets_opened_total": ("counter", counts.sockets),
        "messages_received_total": ("counter", counts.messages),
        "tables_in_memory": ("gauge", len(registry.sessions)),
        "sockets_open": ("gauge", connections),
        "bots_waiting_or_thinking": ("gauge", registry.bot_pool.waiting),
    }
    lines = [
        f"# TYPE parure_{name} {kind}\nparure_{name} {n}\n" for name, (kind, n) in numbers.items()
    ]
    return PlainTextResponse("".join(lines), media_type="text/plain; version=0.0.4")


@router.get("/catalogue", responses=problems())
async def the_catalogue(registry: Registry) -> Catalogue:
    """What can be played here."""
    return catalogue.catalogue(registry.settings)


@router.get("/cards/{game}", responses=problems(404))
async def cards(game: str, response: Response) -> Cards:
    """The printed cards of a game."""
    if game not in GAMES:
        raise ApiError(404, "game", "there is no such game")
    response.headers["Cache-Control"] = "max-age=3600"
    return catalogue.cards(game)


@router.post("/matches", status_code=201, responses=problems())
async def create(body: CreateMatch, request: Request, registry: Registry) -> MatchCreated:
    """Make a match. The answer has all its links."""
    _limit_creations(request, registry)
    return _created(await registry.create(new_setup(body, registry.clock.now())), registry)


@router.post("/matches/import", status_code=201, responses=problems())
async def go_on(body: ImportedMatch, request: Request, registry: Registry) -> MatchCreated:
    """Make a match that goes on from a position of a record."""
    _limit_creations(request, registry)
    setup = await asyncio.to_thread(imported_setup, body, registry.clock.now())
    return _created(await registry.create(setup), registry)


@router.post("/replays", responses={200: {"model": Replay}, **problems()})
async def replay_record(body: ReplayRequest, request: Request, registry: Registry) -> Response:
    """Look at a record: the table after each decision, everything open."""
    _limit_creations(request, registry)
    return await asyncio.to_thread(_replay, read_record(body.record))


@router.get("/matches/{match:match}", responses=problems(401, 404))
async def summary(match: MatchId, key: Given, request: Request, registry: Registry) -> MatchSummary:
    """How a match stands, in short."""
    session, role = await _opened(match, key, request, registry)
    game = session.match
    seat = role if isinstance(role, int) else None
    state = game.public_state
    outcome = state.outcome
    return MatchSummary(
        match=match,
        game=game.setup.game,
        seat=seat,
        players=[who.name if who.is_person else who.bot or "" for who in game.occupants],
        turns=state.turns,
        to_move=game.mover,
        is_over=game.is_over,
        result=Result(winners=list(outcome.winners), reason=outcome.reason) if outcome else None,
        can_delete=role == CREATOR and not session.is_shared,
        created=game.setup.created,
        changed=game.changed_at,
    )


@router.delete("/matches/{match:match}", status_code=204, responses=problems(401, 404, 409))
async def delete(match: MatchId, key: Given, request: Request, registry: Registry) -> None:
    """Delete a match that nobody else has opened; needs the creator's key."""
    _, role = await _opened(match, key, request, registry)
    if role != CREATOR:
        raise ApiError(401, "link", "only the creator's key deletes a match")
    if not await registry.delete(match):
        raise ApiError(409, "shared", "the match has been shared: it is not yours alone")


@router.get("/matches/{match:match}/record", responses=problems(401, 404, 409))
async def record(match: MatchId, key: Given, request: Request, registry: Registry) -> Response:
    """The record of a finished match."""
    game = await _finished(match, key, request, registry)
    name = f'attachment; filename="{game.setup.game}-{match}.json"'
    return Response(
        records.encode(game.record()),
        media_type="application/json",
        headers={"Content-Disposition": name},
    )


@router.get(
    "/matches/{match:match}/replay",
    responses={200: {"model": Replay}, **problems(401, 404, 409)},
)
async def replay_match(
    match: MatchId, key: Given, request: Request, registry: Registry
) -> Response:
    """A finished match to look at: the table after each decision, everything open."""
    game = await _finished(match, key, request, registry)
    return await asyncio.to_thread(_replay, game.record())


# --- what they have in common ---------------------------------------------------------------------


def _limit_creations(request: Request, registry: MatchRegistry) -> None:
    if not registry.limits.allow(CREATIONS, client_address(request)):
        raise ApiError(429, "rate", "too many at once; wait a moment")


async def _opened(
    match: str, key: HTTPAuthorizationCredentials | None, request: Request, registry: MatchRegistry
) -> tuple[MatchSession, int | str]:
    """The table that a key opens, and as whom."""
    session = await registry.session(match)
    role = None
    if session is not None and key is not None:
        role = session.keys.role(key.credentials, len(session.match.occupants))
    if session is None or role is None:
        if not registry.limits.allow(WRONG_KEYS, client_address(request)):
            raise ApiError(429, "rate", "too many wrong links; wait a moment")
        if key is None:
            raise ApiError(401, "link", "a key is needed")
        raise ApiError(404, "link", "this link opens nothing")
    return session, role


async def _finished(
    match: str, key: HTTPAuthorizationCredentials | None, request: Request, registry: MatchRegistry
) -> Match:
    session, _ = await _opened(match, key, request, registry)
    if not session.match.is_over:
        raise ApiError(409, "running", "the game is not over: its record would show what is hidden")
    return session.match


def _created(match: Match, registry: MatchRegistry) -> MatchCreated:
    keys, url = registry.keys(match.id), registry.settings.url
    page = f"{url}/table/{match.id}"

    def seat_link(seat: int) -> SeatLink:
        who = match.occupants[seat]
        key = keys.of_seat(seat) if who.is_person else None
        return SeatLink(
            seat=seat, name=who.name, bot=who.bot, key=key, link=f"{page}#{key}" if key else None
        )

    return MatchCreated(
        match=match.id,
        game=match.setup.game,
        seat=match.setup.creator or 0,
        seats=[seat_link(seat) for seat in range(len(match.occupants))],
        watch=WatchLink(key=keys.of_watchers, link=f"{page}#{keys.of_watchers}"),
        creator_key=keys.of_creator,
        is_local_only=registry.settings.is_local_only,
    )


def _replay(record: records.Record) -> Response:
    """A whole game, as JSON that was made here and need not be checked again."""
    steps: list[dict[str, Any]] = []
    before: State | None = None
    for state in records.replay(record):
        line = None
        if before is not None:
            what = event_between(before, state, state.decisions[-1])
            line = log_line(len(steps) - 1, what, state.rules, what.seat)
        steps.append({"table": table_of(state, None), "line": line})
        before = state.copy()
    assert before is not None
    outcome = before.outcome
    replay = {
        "game": record.game,
        "players": record.players,
        "steps": steps,
        "result": outcome and {"winners": outcome.winners, "reason": outcome.reason},
    }
    return Response(msgspec.json.encode(replay), media_type="application/json")
