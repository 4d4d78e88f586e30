"""Snapshots hold what their viewer may know, and do not depend on anything else."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from random import Random

import msgspec
import pytest
from tests.server.matches import any_decision, new_match, random_entry, snapshot_for

from parure.bots.greedy import GreedyBot
from parure.games.api import determinize
from parure.games.state import State
from parure.server import snapshots
from parure.server.match import Match
from parure.server.messages import Snapshot
from parure.server.snapshots import log_page, steps_between
from parure.table.events import event_between, event_for


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


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters", "splendor"])
def test_who_can_win_does_not_depend_on_the_refill_that_is_covered(game: str) -> None:
    """Before a turn is handed over, its seat must not learn which cards will lie in the row."""
    player, rng, number_of_threats = GreedyBot(), Random(11), 0
    for _ in range(3):
        match = new_match(game=game)
        while not match.is_over and match.mover is not None:
            seat = match.mover
            if match.held is None:
                answer = player.decide(match.state.view(seat), rng)
                match = match.after(match.decide(seat, [answer.decision], False, 0))
                continue
            snapshot = snapshot_for(match, seat)
            number_of_threats += bool(snapshot.can_win)
            assert snapshot_for(twin_match(match, seat, rng.randrange(1000)), seat) == snapshot
            match = match.after(match.end_turn(seat, 0))
    assert number_of_threats


def test_a_snapshot_is_the_same_after_json() -> None:
    for game in ("duel", "duel+counterfeiters", "splendor"):
        snapshot = snapshot_for(new_match(game=game), 0)
        data = msgspec.json.encode(snapshot)
        assert msgspec.json.decode(data, type=Snapshot) == snapshot


def test_a_snapshot_leaves_out_what_is_printed_on_cards() -> None:
    """The page has the cards from the catalogue."""
    assert snapshot_for(new_match(), 0).table.cards is msgspec.UNSET


def test_the_log_of_a_snapshot_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier lines are read page by page, and are those that the viewer may know."""
    monkeypatch.setattr(snapshots, "MAX_LINES", 4)
    match, rng = new_match(game="splendor"), Random(5)
    while match.fixed_count < 11:
        match = match.after(match.decide(match.state.seat, [any_decision(match, rng)], True, 0))
    for viewer in (0, 1, None):
        tail = snapshot_for(match, viewer).log
        assert (tail.start, len(tail.lines)) == (match.fixed_count - 4, 4)
        lines, start = tail.lines, tail.start
        while start:
            page = log_page(match, viewer, start)
            assert 0 < len(page.lines) <= 4
            assert page.start + len(page.lines) == start
            lines, start = page.lines + lines, page.start
        assert lines == [event_for(event, match.state.rules, viewer) for event in match.events]


def test_a_page_of_the_log_has_no_provisional_lines() -> None:
    match = new_match("Ann", "Bob")
    take = next(text for text in match.state.legal_decisions if text.startswith("take"))
    match = match.after(match.decide(0, [take], False, 0))
    for viewer in (0, 1, None):
        assert log_page(match, viewer, 100).lines == []


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters", "splendor"])
def test_steps_are_the_tables_that_the_viewer_saw(game: str) -> None:
    match, rng = new_match(game=game), Random(3)
    seen = {viewer: [snapshot_for(match, viewer).table] for viewer in (0, 1, None)}
    while match.fixed_count < 30 and not match.is_over:  # a stalemate may come early
        match = match.after(match.decide(match.state.seat, [any_decision(match, rng)], True, 0))
        if match.fixed_count == len(seen[None]):  # else provisional
            for viewer, tables in seen.items():
                tables.append(snapshot_for(match, viewer).table)
    assert match.fixed_count > len(seen[None]) - 1
    for viewer, tables in seen.items():
        steps = steps_between(match, viewer, 0, len(tables) - 1)
        assert steps.tables == tables
        assert len(steps.lines) == len(tables) - 1
        assert steps.lines == log_page(match, viewer, len(tables) - 1).lines


def test_steps_are_limited_and_have_no_provisional_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "MAX_STEPS", 4)
    match, rng = new_match(game="splendor"), Random(5)
    while match.fixed_count < 9 or match.is_private_to(match.mover):
        match = match.after(match.decide(match.state.seat, [any_decision(match, rng)], True, 0))
    end = match.fixed_count
    take = next(text for text in match.state.legal_decisions if text.startswith("take"))
    match = match.after(match.decide(match.state.seat, [take], False, 0))
    for viewer in (0, 1, None):
        steps = steps_between(match, viewer, 0, 100)
        assert (steps.start, len(steps.lines), len(steps.tables)) == (end - 4, 4, 5)
        assert steps.lines[-1].number == end - 1
        nothing = steps_between(match, viewer, 50, 60)
        assert (nothing.start, nothing.lines, len(nothing.tables)) == (end, [], 1)
        backwards = steps_between(match, viewer, 7, 6)
        assert (backwards.start, backwards.lines, len(backwards.tables)) == (6, [], 1)


def test_the_last_step_shows_how_the_game_ended() -> None:
    match = new_match("Ann", "Bob")
    match = match.after(match.resign(1, 0))
    assert steps_between(match, 0, 0, 5).tables[-1].outcome == match.state.outcome
