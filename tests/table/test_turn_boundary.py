"""Where turns end, and what a decision reveals."""

from __future__ import annotations

from tests.games.positions import DUEL_COUNTERFEITERS, Seat, duel, play

import parure
from parure.games.state import State
from parure.table.turn_boundary import arrivals, completes_turn, drawn, reveals


def before_and_text(state: State, *decisions: str) -> tuple[State, str]:
    """Play decisions; return the state before the last one, and its text."""
    text = ""
    for decision in decisions:
        before = state.copy()
        text = state.play(decision)
    return before, text


def test_a_reserved_card_is_replaced() -> None:
    state = parure.new("splendor", seed=7)
    card = state.pyramid[1][2]
    before, text = before_and_text(state, f"reserve {card}")
    assert arrivals(before, state) == {(2, 2): state.pyramid[1][2]}
    assert drawn(before, state) == []
    assert completes_turn(before, state)
    assert not reveals(before, state, text)


def test_a_card_drawn_by_the_last_decision_can_be_covered() -> None:
    state = parure.new("splendor", seed=7)
    before, text = before_and_text(state, "reserve deck2")
    assert drawn(before, state) == [0]
    assert arrivals(before, state) == {}
    assert not reveals(before, state, text)


def test_chance_reveals() -> None:
    state = duel(Seat(), board="..... " * 5)
    before, text = before_and_text(state, "replenish")
    assert " > " in text
    assert reveals(before, state, text)
    assert not completes_turn(before, state)


def test_looking_into_a_deck_reveals() -> None:
    state = duel(Seat(tokens="vvvvw", counterfeiters="C17"), game=DUEL_COUNTERFEITERS)
    play(state, next(text for text in state.legal_decisions if text.startswith("take")))
    before, text = before_and_text(state, "use C17", "deck 2")
    assert reveals(before, state, text)


def test_taking_tokens_reveals_nothing() -> None:
    state = parure.new("duel", seed=7)
    before, text = before_and_text(state, "take a1 b1 c1")
    assert not reveals(before, state, text)
    assert arrivals(before, state) == {}
    assert completes_turn(before, state)
