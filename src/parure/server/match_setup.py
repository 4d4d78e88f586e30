"""The set-ups of matches: new ones, continued records, and rematches."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from random import SystemRandom
from typing import Any

import msgspec

from parure.errors import NotationError, ParureError, RecordError
from parure.games import record as records
from parure.games.position_text import reshuffled
from parure.games.record import Record
from parure.games.registry import game_name, rules
from parure.games.state import State
from parure.server.bot_pool import is_allowed, replacement_bot
from parure.server.http_models import ClockBody, CreateMatch, ImportMatch, NewPlayer
from parure.server.log_entries import Clock, Player, Setup
from parure.server.match import Match
from parure.server.store import NewMatch

MAX_DECISIONS = 2_000  # of a record in a request; real games have some 150


def new_match(request: CreateMatch, id: str, now: int) -> NewMatch:
    """Return a new match; raise ParureError if it cannot be played."""
    players = _players(request.players)
    first = request.begins
    if first is None:
        first = SystemRandom().randrange(len(players))
    elif first >= len(players):
        raise NotationError(f"player {first} cannot begin: there are {len(players)} players")
    deal = _deal(request.game, len(players), request.options)
    setup = Setup(
        game=request.game,
        options=request.options,
        players=players[first:] + players[:first],
        deal=deal,
        chance=_new_chance_seed(),
        clock=_clock(request.clock),
        stand_in=replacement_bot(),
        creator=(len(players) - first) % len(players),
        created=now,
    )
    return NewMatch(id, setup)


def imported_match(request: ImportMatch, id: str, now: int) -> NewMatch:
    """Return a match that continues a record; raise ParureError if it cannot be played."""
    record = read_record(request.record)
    players = _players(request.players)
    if len(players) != len(record.players):
        raise NotationError(f"the record has {len(record.players)} seats, not {len(players)}")
    if request.creator >= len(players) or players[request.creator].bot is not None:
        raise NotationError("the creator's seat must belong to a person")
    kept = len(record.decisions) if request.at is None else request.at
    if kept > len(record.decisions):
        raise NotationError(f"the record has {len(record.decisions)} decisions, not {kept}")
    state = _state_after(record, kept)
    if state.is_over:
        raise NotationError("the game is over at this decision: continue from an earlier one")
    # The owner of the record knows its decks, which would be unfair to other persons.
    is_between_persons = sum(player.bot is None for player in players) > 1
    has_known_decks = not request.shuffle and not is_between_persons
    deal, position = record.setup, record.position
    if not has_known_decks and position:
        position = reshuffled(state, SystemRandom())
    elif not has_known_decks:
        deal = state.rules.reshuffled_setup(state, SystemRandom())
    setup = Setup(
        game=game_name(record.game),
        options=record.options,
        players=players,
        deal=deal,
        position=position,
        chance=_new_chance_seed(),
        opening=state.decisions.copy(),
        has_known_decks=has_known_decks,
        clock=_clock(request.clock),
        stand_in=replacement_bot(),
        creator=request.creator,
        created=now,
    )
    return NewMatch(id, setup)


def rematch(match: Match, id: str, now: int) -> NewMatch:
    """Return another match between the same players; the second seat becomes the first."""
    old = match.setup
    players = [
        Player("" if player.bot else who.name, player.bot)
        for player, who in zip(old.players, match.occupants, strict=True)
    ]
    creator = None if old.creator is None else (old.creator - 1) % len(players)
    setup = Setup(
        game=old.game,
        options=old.options,
        players=players[1:] + players[:1],
        deal=_deal(old.game, len(players), old.options),
        chance=_new_chance_seed(),
        clock=old.clock,
        stand_in=old.stand_in,
        creator=creator,
        created=now,
    )
    return NewMatch(id, setup)


def read_record(data: dict[str, object]) -> Record:
    """Return the record in a request, its shape checked but not its decisions."""
    try:
        encoded = msgspec.json.encode(data)
    except (UnicodeError, OverflowError, RecursionError) as error:  # of texts and numbers
        raise RecordError(f"not a record: {error}") from None
    record = records.decode(encoded)
    if len(record.decisions) > MAX_DECISIONS:
        raise ParureError(f"records of more than {MAX_DECISIONS:,} decisions are not accepted")
    return record


def _state_after(record: Record, decisions: int) -> State:
    """Return the state after a number of decisions; raise RecordError if any decision is wrong."""
    found: State | None = None
    for number, state in enumerate(records.replay(record)):
        if number == decisions:
            found = state.copy()
    assert found is not None
    return found


def _deal(game: str, seats: int, options: Mapping[str, bool]) -> dict[str, Any]:
    """Return a set-up shuffled by the system's randomness.

    A deal from a seed of 64 bits could be found out from the face-up cards.
    """
    return rules(game, seats, options).shuffled_setup(SystemRandom())


def _players(players: Sequence[NewPlayer]) -> list[Player]:
    if all(player.bot is not None for player in players):
        raise NotationError("at least one player must be a person")
    for player in players:
        if player.bot is not None and not is_allowed(player.bot):
            raise NotationError(f"there is no bot {player.bot!r}")
    return [Player(player.name, player.bot) for player in players]


def _clock(body: ClockBody | None) -> Clock | None:
    return None if body is None else Clock(body.kind, body.seconds, body.increment)


def _new_chance_seed() -> str:
    return secrets.token_hex(16)
