"""A preview of a decision says what the decision does."""

from __future__ import annotations

from random import Random

import pytest
from tests.table.games import GAMES, eager_decision

import parure
from parure.table.events import event_between
from parure.table.preview import preview_decisions
from parure.table.turn_boundary import completes_turn, reveals


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_previews_of_the_first_decisions_are_true(game: str, players: int) -> None:
    check_previews(game, players, seed=0, decisions=25)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
@pytest.mark.parametrize("seed", range(1, 5))
def test_previews_are_true(game: str, players: int, seed: int) -> None:
    check_previews(game, players, seed, decisions=120)


def check_previews(game: str, players: int, seed: int, decisions: int) -> None:
    state, rng = parure.new(game, players=players, seed=seed), Random(seed)
    while not state.is_over and len(state.decisions) < decisions:
        view = state.view(state.seat)
        previews = {preview.decision: preview for preview in preview_decisions(view)}
        assert list(previews) == list(state.legal_decisions)
        decision = eager_decision(state, rng)
        preview, before, after = previews[decision], state.copy(), state.copy()
        ways = [payment.decisions for payment in preview.payments] or [(decision,)]
        assert ways[0][0] == decision
        text = after.play(decision)
        for further in ways[0][1:]:
            text = after.play(further)
        event = event_between(before, after, text)
        seat = before.seat
        if preview.payments:
            lost = {kind: -n for kind, n in event.tokens.get(seat, {}).items()}
            assert lost == preview.payments[0].tokens
        elif " > " not in text:
            assert preview.tokens == event.tokens.get(seat, {})
        others = [change for other, change in event.privileges.items() if other != seat]
        assert preview.gives_privilege == any(change > 0 for change in others)
        assert preview.completes_turn == completes_turn(before, after)
        assert preview.over_limit == (
            after.players[seat].token_count - 10 if after.phase == "discard" else 0
        )
        assert preview.wins == (after.outcome is not None and seat in after.outcome.winners)
        if not preview.payments:
            assert preview.reveals == reveals(before, after, text)
        if preview.gives_extra_turn and preview.completes_turn:
            assert after.seat == seat
        for way in ways[1:]:  # every payment is legal
            trial = before.copy()
            for further in way:
                trial.play(further)
            assert trial.phase != "pay"
        state.play(decision)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_previews_do_not_depend_on_hidden_cards(game: str, players: int) -> None:
    state, rng = parure.new(game, players=players, seed=5), Random(5)
    for _ in range(40):
        state.play(eager_decision(state, rng))
        if state.is_over:
            break
        view = state.view(state.seat)
        other = parure.determinize(view, seed=rng.randrange(1000)).view(state.seat)
        assert preview_decisions(view) == preview_decisions(other)


@pytest.mark.slow_without_jit
def test_all_payments_are_listed() -> None:
    """A card with two kinds in its price, and gold for one of either."""
    rng = Random(1)
    for seed in range(60):
        state = parure.new("splendor", seed=seed)
        while not state.is_over and len(state.decisions) < 80:
            for preview in preview_decisions(state.view(state.seat)):
                if len(preview.payments) > 1:
                    paid = [payment.tokens for payment in preview.payments]
                    assert len({tuple(sorted(tokens.items())) for tokens in paid}) == len(paid)
                    assert all(
                        sum(tokens.values()) == sum(preview.price.values()) for tokens in paid
                    )
                    assert paid[0].get("y", 0) == min(tokens.get("y", 0) for tokens in paid)
                    return
            state.play(rng.choice(state.legal_decisions))
    pytest.fail("no such card came up")


def test_a_seat_that_is_not_to_move_has_no_previews() -> None:
    assert preview_decisions(parure.new("duel", seed=1).view(1)) == []
