"""The HTTP routes: create, inspect, delete, export, import and replay matches."""

from __future__ import annotations

import hmac
from functools import partial
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.convertors import Convertor, register_url_convertor

from parure import __version__
from parure.games import record as records
from parure.games.registry import GAMES
from parure.server import catalogue
from parure.server.errors import ApiError
from parure.server.http_models import (
    Cards,
    Catalogue,
    ClockBody,
    CreateMatch,
    ErrorBody,
    Health,
    HealthStatus,
    ImportMatch,
    MatchCreated,
    MatchSummary,
    ReplayBody,
    ReplayRequest,
    ReviewBody,
    SeatLink,
    WatchLink,
)
from parure.server.keys import CREATOR, MATCH_ID, new_match_id
from parure.server.limits import REPLAYS, REVIEWS, WRONG_KEYS
from parure.server.match import Match, Refusal
from parure.server.match_setup import imported_match, new_match, read_record
from parure.server.origin import client_address
from parure.server.registry import MatchRegistry
from parure.server.session import MatchSession
from parure.server.store import NewMatch
from parure.table.replay import replay_of

router = APIRouter(prefix="/api")
bearer = HTTPBearer(auto_error=False, description="The key of a seat, of watchers or the creator.")

ERRORS_OF_ALL_ROUTES = (400, 408, 409, 413, 421, 422, 429, 503)


class MatchIdConvertor(Convertor[str]):
    """Path parameter `{match:match}`; keeps `/matches/import` from being read as a match id."""

    regex = MATCH_ID

    def convert(self, value: str) -> str:
        """Return the id unchanged."""
        return value

    def to_string(self, value: str) -> str:
        """Return the id unchanged."""
        return value


register_url_convertor("match", MatchIdConvertor())


def _registry(request: Request) -> MatchRegistry:
    registry: MatchRegistry = request.app.state.registry
    return registry


MatchId = Annotated[str, Path(pattern=f"^{MATCH_ID}$")]
Start = Annotated[int, Query(alias="from", ge=0, le=100_000)]
BearerKey = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
Registry = Annotated[MatchRegistry, Depends(_registry)]


async def _access(
    match: MatchId, key: BearerKey, request: Request, registry: Registry
) -> tuple[MatchSession, int | str]:
    """Return the session that a key gives access to, and the key's role."""
    session = await registry.session(match)
    if session is not None and key is not None:
        role = session.role(key.credentials)
        if role is not None:
            return session, role
    if not registry.limits.allow(WRONG_KEYS, client_address(request)):
        raise ApiError(429, "rate", "too many wrong keys; wait a moment")
    if key is None:
        raise ApiError(401, "link", "a key is required")
    raise ApiError(404, "link", "wrong match or key")


Access = Annotated[tuple[MatchSession, int | str], Depends(_access)]


async def _finished_match(
    match: MatchId, key: BearerKey, request: Request, registry: Registry
) -> Match:
    """Return a match that is over; raise ApiError if it may not be read.

    With a key, what is hidden becomes known, so that the game cannot go on after this. Without
    one, only matches that cannot go on are readable: the others do not differ from missing ones.
    """
    if key is None:
        found = await registry.session(match)
        if found is not None and found.match.is_final:
            return found.match
    session, _ = await _access(match, key, request, registry)
    try:
        await session.disclose()
    except Refusal as refusal:
        raise ApiError(409, refusal.code, str(refusal)) from None
    return session.match


FinishedMatch = Annotated[Match, Depends(_finished_match)]


def _errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error responses of a route for OpenAPI."""
    return {status: {"model": ErrorBody} for status in (*statuses, *ERRORS_OF_ALL_ROUTES)}


# --- the server -----------------------------------------------------------------------------------


@router.get("/health", responses={503: {"model": Health}})
async def health(registry: Registry, response: Response) -> Health:
    """Whether the server can serve requests: whether its database stores what it is given."""
    status: HealthStatus = "ok"
    if not await registry.store.can_write():
        status = "no database"
    elif registry.store.has_failed:
        status = "database failed"
    response.status_code = 200 if status == "ok" else 503
    return Health(status=status, version=__version__)


@router.get("/metrics", responses={200: {"content": {"text/plain": {}}}, **_errors(401, 404)})
async def metrics(key: BearerKey, request: Request, registry: Registry) -> PlainTextResponse:
    """Counters and gauges in the text format of Prometheus; needs the token of the operator.

    They count what players do in private, so that without a token nobody can read them.
    """
    token = registry.settings.metrics_token
    if not (token and key and hmac.compare_digest(key.credentials.encode(), token.encode())):
        if not registry.limits.allow(WRONG_KEYS, client_address(request)):
            raise ApiError(429, "rate", "too many wrong keys; wait a moment")
        status = 401 if key is None else 404
        raise ApiError(status, "link", "metrics are closed, or the token is wrong")
    counters, sessions = registry.metrics, registry.sessions.values()
    values = {
        "matches_created_total": ("counter", counters.created),
        "entries_stored_total": ("counter", counters.entries),
        "commands_refused_total": ("counter", counters.refused),
        "sockets_opened_total": ("counter", counters.sockets),
        "messages_received_total": ("counter", counters.messages),
        "tables_in_memory": ("gauge", len(sessions)),
        "sockets_open": ("gauge", sum(len(session.presence) for session in sessions)),
        "bots_waiting_or_thinking": ("gauge", registry.bot_pool.pending),
        "idle_search_tree_bytes": ("gauge", registry.bot_pool.memory.idle_bytes),
        "database_failed": ("gauge", int(registry.store.has_failed)),
    }
    lines = [
        f"# TYPE parure_{name} {kind}\nparure_{name} {value}\n"
        for name, (kind, value) in values.items()
    ]
    return PlainTextResponse("".join(lines), media_type="text/plain; version=0.0.4")


@router.get("/catalogue", responses=_errors())
async def the_catalogue(registry: Registry) -> Catalogue:
    """The games and bots of this server."""
    return catalogue.catalogue(registry.settings)


@router.get("/cards/{game}", responses=_errors(404))
async def cards(game: str, response: Response) -> Cards:
    """The printed cards of a game."""
    if game not in GAMES:
        raise ApiError(404, "game", "there is no such game")
    response.headers["Cache-Control"] = "max-age=3600"
    return catalogue.cards(game)


# --- matches --------------------------------------------------------------------------------------


@router.post("/matches", status_code=201, responses=_errors())
async def create_match(body: CreateMatch, registry: Registry) -> MatchCreated:
    """Create a match. The response has all its keys and links."""
    match = new_match(body, new_match_id(), registry.clock.now())
    return await _create(match, registry)


@router.post("/matches/import", status_code=201, responses=_errors())
async def import_match(body: ImportMatch, request: Request, registry: Registry) -> MatchCreated:
    """Create a match that continues a record."""
    now, address = registry.clock.now(), client_address(request)
    work = partial(imported_match, body, new_match_id(), now)
    match = await registry.compute(address, work, is_long=True)
    return await _create(match, registry)


@router.get("/matches/{match:match}", responses=_errors(401, 404))
async def summary(access: Access) -> MatchSummary:
    """The state of a match in short."""
    session, role = access
    match, state = session.match, session.match.public_state
    clock = match.setup.clock
    return MatchSummary(
        match=match.id,
        game=match.setup.game,
        seat=role if isinstance(role, int) else None,
        creator=match.setup.creator,
        players=[who.name if who.is_person else who.bot or "" for who in match.occupants],
        clock=ClockBody(**msgspec.structs.asdict(clock)) if clock else None,
        turns=state.turns,
        to_move=match.mover,
        is_over=match.is_over,
        result=state.outcome,
        can_delete=role == CREATOR and not session.is_shared,
        created=match.setup.created,
        changed=match.visibly_changed_at,
    )


@router.delete("/matches/{match:match}", status_code=204, responses=_errors(401, 404, 409))
async def delete_match(access: Access, registry: Registry) -> None:
    """Delete a match that nobody else has opened; needs the creator's key."""
    session, role = access
    if role != CREATOR:
        raise ApiError(401, "link", "only the creator's key can delete a match")
    if not await registry.delete(session.match.id):
        raise ApiError(409, "shared", "the match has been shared and cannot be deleted")


@router.get("/matches/{match:match}/record", responses=_errors(401, 404, 409))
async def record(match: FinishedMatch) -> Response:
    """The record of a finished match. No key is needed once the end is final."""
    name = f'attachment; filename="{match.setup.game}-{match.id}.json"'
    return Response(
        records.encode(match.record()),
        media_type="application/json",
        headers={"Content-Disposition": name},
    )


@router.get(
    "/matches/{match:match}/replay",
    responses={200: {"model": ReplayBody}, **_errors(401, 404, 409)},
)
async def replay_match(match: FinishedMatch, request: Request, registry: Registry) -> Response:
    """A finished match: the table after each decision, nothing hidden.

    No key is needed once the end is final.
    """
    address = client_address(request)
    if not registry.limits.allow(REPLAYS, address):
        raise ApiError(429, "rate", "too many replays; wait a moment")
    return await registry.compute(address, lambda: _replay(match.record()), is_long=True)


@router.get(
    "/matches/{match:match}/review",
    responses={200: {"model": ReviewBody}, **_errors(401, 404, 409)},
)
async def review_match(
    match: FinishedMatch, request: Request, registry: Registry, start: Start = 0
) -> Response:
    """The review of a finished match as far as it is computed, without the first `from` turns.

    The first request starts it; it goes on while requests come. It is computed once and kept. No
    key is needed once the end is final.
    """
    address = client_address(request)
    if not registry.limits.allow(REVIEWS, address):
        raise ApiError(429, "rate", "too many requests of this kind; wait a moment")
    progress = await registry.reviews.read(match, address)
    return Response(msgspec.json.encode(progress.after(start)), media_type="application/json")


@router.post("/replays", responses={200: {"model": ReplayBody}, **_errors()})
async def replay_record(body: ReplayRequest, request: Request, registry: Registry) -> Response:
    """A record: the table after each decision, nothing hidden."""
    address = client_address(request)
    work = partial(_replay_data, body.record)
    return await registry.compute(address, work, is_long=True)


async def _create(match: NewMatch, registry: MatchRegistry) -> MatchCreated:
    await registry.create(match)
    keys, setup = registry.keys(match.id), match.setup
    page = f"{registry.settings.url}/table/{match.id}"

    def seat_link(seat: int) -> SeatLink:
        player = setup.players[seat]
        key = keys.seat_key(seat) if player.bot is None else None
        link = f"{page}#{key}" if key else None
        return SeatLink(seat=seat, name=player.name, bot=player.bot, key=key, link=link)

    return MatchCreated(
        match=match.id,
        game=setup.game,
        seat=setup.creator or 0,
        seats=[seat_link(seat) for seat in range(len(setup.players))],
        watch=WatchLink(key=keys.watch_key, link=f"{page}#{keys.watch_key}"),
        creator_key=keys.creator_key,
        is_local_only=registry.settings.is_local_only,
        has_known_decks=setup.has_known_decks,
    )


def _replay_data(data: dict[str, object]) -> Response:
    return _replay(read_record(data))


def _replay(record: records.Record) -> Response:
    """Return a whole game, encoded here because FastAPI would validate it once more."""
    return Response(msgspec.json.encode(replay_of(record)), media_type="application/json")
