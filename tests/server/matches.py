"""Matches for tests without a running server."""

from __future__ import annotations

from random import Random
from typing import Any

from parure.errors import ParureError
from parure.server import match_setup
from parure.server.http_models import CreateMatch, NewPlayer
from parure.server.log_entries import AnyEntry, Joined
from parure.server.match import Match, Refusal
from parure.server.messages import Snapshot
from parure.server.snapshots import SnapshotBuilder

START = 1_000_000  # milliseconds


def new_match(*players: str, **fields: Any) -> Match:
    """Return a match between people (`Ann`), who have all joined, and bots (`bot:random`)."""
    people = [
        NewPlayer(bot=name[4:]) if name.startswith("bot:") else NewPlayer(name=name)
        for name in players or ("Ann", "Bob")
    ]
    request = CreateMatch(players=people, begins=0, **fields)
    match = Match("m", match_setup.new_match(request, "m", START).setup)
    for seat in match.person_seats:
        match.apply(Joined(at=START, seat=seat, name=match.occupants[seat].name))
    return match


def snapshot_for(match: Match, seat: int | None) -> Snapshot:
    """Return the snapshot for a viewer."""
    return SnapshotBuilder(match, [], match.changed_at).build(seat)


def any_decision(match: Match, rng: Random) -> str:
    """Return a legal decision; buying and reserving are more likely."""
    legal = list(match.state.legal_decisions)
    wanted = [text for text in legal if text.startswith(("buy", "reserve", "gold", "use"))]
    return rng.choice(wanted if wanted and rng.random() < 0.5 else legal)


def random_entry(match: Match, rng: Random) -> AnyEntry | None:
    """Return the entry of a random command; None if the command is refused."""
    seat = rng.randrange(len(match.occupants))
    if rng.random() < 0.8 and match.mover is not None:
        seat = match.mover
    at = match.changed_at + rng.randrange(1000)
    choice = rng.random()
    try:
        if choice < 0.7 and not match.is_over:
            return match.decide(seat, [any_decision(match, rng)], rng.random() < 0.4, at)
        if choice < 0.85:
            return match.end_turn(seat, at)
        if choice < 0.99:
            return match.undo(seat, rng.random() < 0.3, at)
        return match.take_back(seat, at)
    except (Refusal, ParureError):
        return None
