"""Snapshots hold what their viewer may know, and do not depend on anything else."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from random import Random

import msgspec
import pytest
from tests.server.matches import new_match, random_entry, snapshot_for

from parure.games.api import determinize
from parure.games.state import State
from parure.server.match import Match
from parure.server.messages import Snapshot
from parure.table.events import event_between


def twin_state(state: State, viewer: int | None, seed: int) -> State:
    """Return a state that differs from another only in what the viewer does not know."""
    twin = determinize(state.view(viewer), seed=seed)
    twin.decisions, twin.movers = state.decisions.copy(), state.movers.copy()
    return twin


def twin_match(match: Match, viewer: int | None, seed: int) -> Match:
    """Return a match that differs from another only in what the viewer does not know."""
    twin = copy(match)
    if not match.is_private_to(viewer):
        hidden = [twin_state(state, viewer, seed) for state in match.states[1:]]
        twin.states = [twin_state(match.public_state, viewer, seed), *hidden]
        return twin
    twin.states = [*match.states[:-1], twin_state(match.state, viewer, seed)]
    if match.held is not None:
        before, after = twin.states[-1], twin.states[-1].copy()
        event = event_between(before, after, after.play(match.held.text))
        twin.held = replace(match.held, before=before, after=after, event=event)
    return twin


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters", "splendor"])
@pytest.mark.parametrize("seed", range(3))
def test_snapshots_do_not_depend_on_hidden_cards(game: str, seed: int) -> None:
    match, rng = new_match(game=game), Random(seed)
    number_of_held = 0
    for _ in range(150):
        entry = random_entry(match, rng)
        if entry is not None:
            match = match.after(entry)
        if match.is_over:
            break
        number_of_held += match.held is not None
        for viewer in (0, 1, None):
            twin = twin_match(match, viewer, rng.randrange(1000))
            assert snapshot_for(twin, viewer) == snapshot_for(match, viewer)
    assert number_of_held


def test_a_snapshot_is_the_same_after_json() -> None:
    for game in ("duel", "duel+counterfeiters", "splendor"):
        snapshot = snapshot_for(new_match(game=game), 0)
        data = msgspec.json.encode(snapshot)
        assert msgspec.json.decode(data, type=Snapshot) == snapshot


def test_a_snapshot_leaves_out_what_is_printed_on_cards() -> None:
    """The page has the cards from the catalogue."""
    assert snapshot_for(new_match(), 0).table.cards is msgspec.UNSET
