"""A preview of a decision says what the decision does."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.hidden_information import hiding_game
from tests.games.positions import DUEL_COUNTERFEITERS, Seat, duel, play
from tests.table.games import GAMES, eager_decision

import parure
from parure.games.duel import layout
from parure.table.events import event_between
from parure.table.preview import DecisionPreview, preview_decisions
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
        state.play(decision)
        if decision.startswith(before.rules.uncertain):  # it depends on what is revealed
            assert preview == DecisionPreview(decision=decision, reveals=True)
            assert reveals(before, after, text)
            continue
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
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_previews_do_not_depend_on_the_guess_they_are_made_on(game: str, players: int) -> None:
    for seed in range(4):
        for state in hiding_game(game, players, seed, owns_c17=game == "duel+counterfeiters"):
            view = state.view(state.seat)
            assert preview_decisions(view) == preview_decisions(view, seed=len(state.decisions) + 1)


def test_a_counterfeiter_from_the_deck_is_never_said_to_win() -> None:
    """Whether it does depends on a hidden card: C14 brings the last two crowns."""
    state = duel(
        Seat(bonuses="www", crowns=2),
        face_up="J1-24",
        royals="R9",
        counterfeiters="C01 C02 C03",
        board="w....",
        game=DUEL_COUNTERFEITERS,
    )
    play(state, "buy J1-24", "royal R9")
    assert state.phase == "counterfeiter"
    state.words[layout.SEATS + layout.CROWNS_HELD] = layout.CROWNS_GOAL - 2
    results = set()
    for seed in range(60):
        guess = parure.determinize(state.view(0), seed=seed)
        guess.play("counterfeiter deck")
        results.add(guess.is_over)
        (preview,) = (
            preview
            for preview in preview_decisions(state.view(0), seed)
            if preview.decision == "counterfeiter deck"
        )
        assert preview == DecisionPreview(decision="counterfeiter deck", reveals=True)
    assert results == {False, True}


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
