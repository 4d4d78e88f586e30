"""What a decision would bring, told before it is taken, is what it brings."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

import parure
from parure.games.state import State
from parure.table.events import event_between
from parure.table.preview import preview_decisions, shortages
from parure.table.turn_boundary import completes_turn, drawn, reveals

GAMES = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 4)]


def eager(state: State, rng: Random) -> str:
    """A decision that leads on: buying rather than taking, now and then anything."""
    legal = list(state.legal_decisions)
    wanted = [text for text in legal if text.startswith(("buy", "use", "royal", "discount"))]
    return rng.choice(wanted if wanted and rng.random() < 0.7 else legal)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_the_first_outlooks_come_true(game: str, players: int) -> None:
    check_outlooks(game, players, seed=0, decisions=25)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
@pytest.mark.parametrize("seed", range(1, 5))
def test_an_outlook_comes_true(game: str, players: int, seed: int) -> None:
    check_outlooks(game, players, seed, decisions=120)


def check_outlooks(game: str, players: int, seed: int, decisions: int) -> None:
    state, rng = parure.new(game, players=players, seed=seed), Random(seed)
    while not state.is_over and len(state.decisions) < decisions:
        view = state.view(state.seat)
        told = {outlook.decision: outlook for outlook in preview_decisions(view)}
        assert list(told) == list(state.legal_decisions)
        decision = eager(state, rng)
        outlook, before, after = told[decision], state.copy(), state.copy()
        ways = [way.decisions for way in outlook.payments] or [(decision,)]
        assert ways[0][0] == decision
        text = after.play(decision)
        for further in ways[0][1:]:
            text = after.play(further)
        what = event_between(before, after, text)
        seat = before.seat
        if outlook.payments:
            gone = {k: -n for k, n in what.tokens.get(seat, {}).items()}
            assert gone == outlook.payments[0].tokens
        elif " > " not in text:
            assert outlook.tokens == what.tokens.get(seat, {})
        others = [change for other, change in what.privileges.items() if other != seat]
        assert outlook.gives_privilege == any(change > 0 for change in others)
        assert outlook.completes_turn == completes_turn(before, after)
        assert outlook.over == (
            after.players[seat].token_count - 10 if after.phase == "discard" else 0
        )
        assert outlook.wins == (after.outcome is not None and seat in after.outcome.winners)
        if not outlook.payments:
            assert outlook.reveals == reveals(before, after, text)
        if outlook.is_again and outlook.completes_turn:
            assert after.seat == seat
        for way in ways[1:]:  # every way to pay can be gone
            trial = before.copy()
            for further in way:
                trial.play(further)
            assert trial.phase != "pay"
        state.play(decision)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_an_outlook_knows_nothing_hidden(game: str, players: int) -> None:
    """Two states that differ in hidden cards only have the same preview_decisions and shortages."""
    state, rng = parure.new(game, players=players, seed=5), Random(5)
    for _ in range(40):
        state.play(eager(state, rng))
        if state.is_over:
            break
        view = state.view(state.seat)
        other = parure.determinize(view, seed=rng.randrange(1000)).view(state.seat)
        assert preview_decisions(view) == preview_decisions(other)
        assert shortages(view) == shortages(other)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_shortage_names_what_is_missing(game: str, players: int) -> None:
    state = parure.new(game, players=players, seed=3)
    for short in shortages(state.view(0)):
        assert short.missing == short.price == state.price(short.card)
        assert short.short == sum(short.missing.values()) - short.missing.get("y", 0)
        assert short.card in short.reason
        assert short.code == "tokens"
    assert {s.code for s in shortages(state.view(1))} == {"turn"}
    assert shortages(state.view(None)) == []


@pytest.mark.slow_without_jit
def test_the_ways_to_pay_are_all_there() -> None:
    """A card with two kinds in its price, and gold for one of either."""
    rng = Random(1)
    for seed in range(60):
        state = parure.new("splendor", seed=seed)
        while not state.is_over and len(state.decisions) < 80:
            for outlook in preview_decisions(state.view(state.seat)):
                if len(outlook.payments) > 1:
                    spent = [way.tokens for way in outlook.payments]
                    assert len({tuple(sorted(tokens.items())) for tokens in spent}) == len(spent)
                    assert all(
                        sum(tokens.values()) == sum(outlook.price.values()) for tokens in spent
                    )
                    assert spent[0].get("y", 0) == min(tokens.get("y", 0) for tokens in spent)
                    return
            state.play(rng.choice(state.legal_decisions))
    pytest.fail("no such card came up")


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_what_happened_names_no_card_that_was_drawn_unseen(game: str, players: int) -> None:
    state, rng = parure.new(game, players=players, seed=8), Random(8)
    while not state.is_over and len(state.decisions) < 100:
        before = state.copy()
        what = event_between(before, state, state.play(eager(state, rng)))
        mine = state.players[before.seat].reserved
        told = state.view(None).players[before.seat].reserved
        for i in drawn(before, state):
            if told[i].startswith("??"):
                assert mine[i] not in repr(msgspec.structs.replace(what, decision=""))


def test_closed_actions_say_why() -> None:
    state = parure.new("duel", seed=7)
    assert state.rules.unavailable_actions(state.view(0)) == {
        "replenish": ("board-full", "the board is full"),
        "privilege": ("no-privilege", "you hold no privilege"),
    }
    state.play("take a1 b1 c1")
    assert state.rules.unavailable_actions(state.view(1))["replenish"][0] == "bag-empty"
    gold = next(text for text in state.legal_decisions if text.startswith("gold"))
    state.play(gold)
    assert (
        state.rules.unavailable_actions(state.view(1)) == {}
    )  # of phase `reserve` nothing is said


def test_closed_actions_of_splendor() -> None:
    state = parure.new("splendor", seed=1)
    assert state.rules.unavailable_actions(state.view(0)) == {}
    for _ in range(3):
        state.play("reserve deck1")
        state.play("take wug" if "take wug" in state.legal_decisions else "take ukr")
    assert state.rules.unavailable_actions(state.view(0)) == {
        "reserve": ("full", "your reserve is full")
    }
