"""Where turns end, and what a decision reveals."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.games.hidden_information import hiding_game
from tests.games.positions import DUEL_COUNTERFEITERS, Seat, duel, play

import parure
from parure.games.position import LegalDecisions
from parure.games.state import State
from parure.games.view_schema import ViewData, view_data
from parure.table.turn_boundary import arrivals, completes_turn, drawn, reveals, will_reveal
from parure.table.views import complete_turn_view


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


def test_a_card_that_was_looked_at_is_kept_without_revealing_more() -> None:
    state = duel(Seat(tokens="vvvvw", counterfeiters="C17"), game=DUEL_COUNTERFEITERS)
    play(state, next(text for text in state.legal_decisions if text.startswith("take")))
    play(state, "use C17")
    state.play("deck 2")
    before, text = before_and_text(state, state.legal_decisions[0])
    assert text.startswith("keep ")
    assert state.phase == "bottom"
    assert not reveals(before, state, text)


GAMES = [
    ("duel", 2, False),
    ("duel+counterfeiters", 2, False),
    ("duel+counterfeiters", 2, True),
    ("splendor", 2, False),
    ("splendor", 4, False),
]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "seats", "owns_c17"), GAMES)
def test_what_reveals_nothing_leads_to_the_same_view_whatever_is_hidden(
    game: str, seats: int, owns_c17: bool
) -> None:
    """For decisions of all kinds in random games, and for two guesses at what is hidden.

    Whether a decision reveals something is the same in both, too: a table may tell it beforehand.
    """
    kinds: Counter[tuple[str, bool]] = Counter()
    for seed in range(6):
        random = Random(seed)
        for state in hiding_game(game, seats, seed, owns_c17):
            view = state.view(state.seat)
            for number in some_of_each_verb(view.legal_decisions, random):
                text = view.rules.decision_texts[number]
                guesses = [parure.determinize(view, seed=random.getrandbits(32)) for _ in range(2)]
                found = [seen_after(guess, text) for guess in guesses]
                assert found[0][0] == found[1][0] == will_reveal(view, number), text
                if not found[0][0]:
                    assert found[0][1] == found[1][1], text
                kinds[text.partition(" ")[0], found[0][0]] += 1
    assert {is_revealing for _, is_revealing in kinds} == {False, True}
    if owns_c17:
        assert kinds["deck", True]
        assert kinds["keep", False]


def some_of_each_verb(legal: LegalDecisions, random: Random) -> list[int]:
    """Return up to three legal decisions of each verb, as integers."""
    by_verb: dict[str, list[int]] = {}
    for number, text in zip(legal.ids, legal, strict=True):
        by_verb.setdefault(text.partition(" ")[0], []).append(number)
    return [n for ids in by_verb.values() for n in random.sample(ids, min(3, len(ids)))]


def seen_after(before: State, decision: str) -> tuple[bool, ViewData]:
    """Return whether a decision reveals something, and the table that its seat sees after it."""
    after = before.copy()
    text = after.play(decision)
    is_revealing = reveals(before, after, text)
    if completes_turn(before, after) and not is_revealing:
        return is_revealing, complete_turn_view(before, after)
    return is_revealing, view_data(after.view(before.seat), with_cards=False)
