"""How matches begin: as they were asked for, from a record, or as a rematch."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from random import Random, SystemRandom

import msgspec

from parure.errors import NotationError, ParureError
from parure.games import record as records
from parure.games.api import new
from parure.games.record import Record
from parure.games.state import State
from parure.server.bot_pool import REPLACEMENT_BOTS, first_allowed, is_allowed
from parure.server.http_models import ClockBody, CreateMatch, ImportedMatch, NewPlayer
from parure.server.log_entries import Clock, Player, Setup
from parure.server.match import Match

MAX_DECISIONS = 5_000  # of a record that is looked at or gone on from; real games have some 150


def new_setup(asked: CreateMatch, now: int, chance: Random | None = None) -> Setup:
    """The set-up of a new match; ParureError if it cannot be played."""
    players = _players(asked.players)
    if asked.begins is not None and asked.begins >= len(players):
        raise NotationError(f"nobody is number {asked.begins} of {len(players)} players")
    first = asked.begins
    if first is None:
        first = (chance or SystemRandom()).randrange(len(players))
    seated = players[first:] + players[:first]
    options = {str(name): value for name, value in asked.options.items()}
    state = new(asked.game, players=len(players), options=options)
    return Setup(
        game=asked.game,
        options=options,
        players=seated,
        deal=state.record().setup,
        chance=secrets.token_hex(16),
        clock=_clock(asked.clock),
        stand_in=first_allowed(REPLACEMENT_BOTS),
        creator=(len(players) - first) % len(players),
        created=now,
    )


def imported_setup(asked: ImportedMatch, now: int) -> Setup:
    """The set-up of a match that goes on from a record."""
    record = read_record(asked.record)
    players = _players(asked.players)
    if len(players) != len(record.players):
        raise NotationError(f"the record has {len(record.players)} seats, not {len(players)}")
    if asked.creator >= len(players) or players[asked.creator].bot is not None:
        raise NotationError("the creator's seat must be a person's")
    at = len(record.decisions) if asked.at is None else asked.at
    if at > len(record.decisions):
        raise NotationError(f"the record has {len(record.decisions)} decisions, not {at}")
    for _ in records.replay(record):  # all of it must hold
        pass
    kept = msgspec.structs.replace(record, decisions=record.decisions[:at], result=msgspec.UNSET)
    *_, state = records.replay(kept)
    if state.is_over:
        raise NotationError("the game is over there: go on from an earlier decision")
    deal = reshuffled(state) if asked.shuffle else record.setup
    return Setup(
        game=record.game,
        options=record.options,
        players=players,
        deal=deal,
        chance=secrets.token_hex(16),
        opening=state.decisions.copy(),
        clock=_clock(asked.clock),
        stand_in=first_allowed(REPLACEMENT_BOTS),
        creator=asked.creator,
        created=now,
    )


def read_record(data: dict[str, object]) -> Record:
    """The record in the body of a request, its shape checked but not its game."""
    record = records.decode(msgspec.json.encode(data))
    if len(record.decisions) > MAX_DECISIONS:
        raise ParureError(f"a record of more than {MAX_DECISIONS:,} decisions is not taken")
    return record


def reshuffled(state: State) -> dict[str, object]:
    """The set-up of a state with the cards that nobody has seen yet in another order.

    Whoever has the record knows its decks; shuffled anew they are open to nobody. A deck that was
    looked into (`deck 2`) stays, since its order is part of what the decisions say.
    """
    record = state.record()
    decks = [list(deck) for deck in record.setup["decks"]]
    for level, deck in enumerate(decks, start=1):
        if f"deck {level}" not in record.decisions:
            unseen = deck[len(deck) - state.deck_sizes[level - 1] :]
            SystemRandom().shuffle(unseen)
            deck[len(deck) - len(unseen) :] = unseen
    setup = {**record.setup, "decks": decks}
    for pile, size in (
        ("counterfeiters", getattr(state, "counterfeiter_deck_size", 0)),
        ("royals", getattr(state, "royal_deck_size", 0)),
    ):
        if size:
            unseen = list(record.setup[pile][-size:])
            SystemRandom().shuffle(unseen)
            setup[pile] = [*record.setup[pile][:-size], *unseen]
    return setup


def rematch_of(match: Match, now: int) -> Setup:
    """The set-up of another game between the same players; whoever moved second begins."""
    old = match.setup
    names = [
        Player("" if player.bot else who.name, player.bot)
        for player, who in zip(old.players, match.occupants, strict=True)
    ]
    state = new(old.game, players=len(names), options=old.options)
    creator = None if old.creator is None else (old.creator - 1) % len(names)
    return Setup(
        game=old.game,
        options=old.options,
        players=names[1:] + names[:1],
        deal=state.record().setup,
        chance=secrets.token_hex(16),
        clock=old.clock,
        stand_in=old.stand_in,
        creator=creator,
        created=now,
    )


def _players(asked: Sequence[NewPlayer]) -> list[Player]:
    if all(player.bot is not None for player in asked):
        raise NotationError("at least one player must be a person")
    for player in asked:
        if player.bot is not None and not is_allowed(player.bot):
            raise NotationError(f"no bot is called {player.bot!r} here")
    return [Player(player.name, player.bot) for player in asked]


def _clock(asked: ClockBody | None) -> Clock | None:
    return None if asked is None else Clock(asked.kind, asked.seconds, asked.increment)
