"""What cannot be done now, and why."""

from __future__ import annotations

from random import Random

import pytest
from tests.table.games import GAMES, eager_decision

import parure
from parure.games.view import View
from parure.table.unavailable import UnavailableAction, unavailable_actions

CARDS = "JDC"  # the first letters of cards


def unavailable_cards(view: View) -> list[UnavailableAction]:
    return [action for action in unavailable_actions(view) if action.what[0] in CARDS]


def unavailable_kinds(view: View) -> dict[str, tuple[str, str]]:
    """The kinds of action that are not available, with code and message."""
    found = [action for action in unavailable_actions(view) if action.what[0] not in CARDS]
    return {action.what: (action.code, action.message) for action in found}


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_card_that_cannot_be_bought_names_the_missing_tokens(game: str, players: int) -> None:
    state = parure.new(game, players=players, seed=3)
    for card in unavailable_cards(state.view(0)):
        assert card.missing == card.price == state.price(card.what)
        assert card.short == sum(card.missing.values()) - card.missing.get("y", 0)
        assert card.what in card.message
        assert card.code == "tokens"
    assert {card.code for card in unavailable_actions(state.view(1))} == {"turn"}
    assert unavailable_actions(state.view(None)) == []


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_reasons_do_not_depend_on_hidden_cards(game: str, players: int) -> None:
    state, rng = parure.new(game, players=players, seed=5), Random(5)
    for _ in range(40):
        state.play(eager_decision(state, rng))
        if state.is_over:
            break
        view = state.view(state.seat)
        other = parure.determinize(view, seed=rng.randrange(1000)).view(state.seat)
        assert unavailable_actions(view) == unavailable_actions(other)


def test_actions_that_duel_does_not_allow() -> None:
    state = parure.new("duel", seed=7)
    assert unavailable_kinds(state.view(0)) == {
        "replenish": ("board-full", "the board is full"),
        "privilege": ("no-privilege", "you hold no privilege"),
    }
    state.play("take a1 b1 c1")
    assert unavailable_kinds(state.view(1))["replenish"][0] == "bag-empty"
    gold = next(text for text in state.legal_decisions if text.startswith("gold"))
    state.play(gold)
    assert unavailable_kinds(state.view(1)) == {}  # no kinds of action in phase `reserve`


def test_actions_that_splendor_does_not_allow() -> None:
    state = parure.new("splendor", seed=1)
    assert unavailable_kinds(state.view(0)) == {}
    for _ in range(3):
        state.play("reserve deck1")
        state.play("take wug" if "take wug" in state.legal_decisions else "take ukr")
    assert unavailable_kinds(state.view(0)) == {"reserve": ("full", "your reserve is full")}
