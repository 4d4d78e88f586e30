"""Duel with the option "anti-blocking": docs/rules/duel.md, "Anti-blocking"."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.positions import DUEL_COUNTERFEITERS, PLAIN_TOKENS, Seat, duel, legal, packed, play

from parure.games.duel import layout
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.state import DuelState
from parure.games.position import Outcome

ON = {"anti-blocking": True}
BOARD = "wwu.. ggrrk"


def state_with_all_gold_and_pearls(
    me: Seat, them: Seat, *, board: str = BOARD, is_on: bool = True
) -> DuelState:
    """Return a state in which seat 0 starts its first turn with all gold and pearls."""
    return duel(me, them, board=board, options=ON if is_on else None)


def take_single_tokens(state: DuelState, turns: int) -> None:
    """Play turns in which the seats take single tokens."""
    for _ in range(turns):
        state.play(next(text for text in state.legal_decisions if text.startswith("take ")))


def test_claim_is_legal_after_an_ignored_warning() -> None:
    """docs/rules/duel.md, "Anti-blocking", 3."""
    state = state_with_all_gold_and_pearls(Seat("yyypp"), Seat())
    take_single_tokens(state, 3)
    assert (state.seat, "claim" in legal(state)) == (1, False)  # after the second such turn
    take_single_tokens(state, 1)
    assert "claim" not in legal(state)  # nor for the seat that blocks
    take_single_tokens(state, 1)
    assert "claim" in legal(state)
    state.play("claim")
    assert state.outcome == Outcome((1,), "claim")


def test_the_option_is_off_by_default() -> None:
    state = state_with_all_gold_and_pearls(Seat("yyypp"), Seat(), is_on=False)
    take_single_tokens(state, 5)
    assert "claim" not in legal(state)


@pytest.mark.parametrize("decision", ["privilege", "replenish"])
def test_any_other_decision_lets_the_claim_lapse(decision: str) -> None:
    """docs/rules/duel.md, "Anti-blocking", 3."""
    state = state_with_all_gold_and_pearls(Seat("yyypp"), Seat(privileges=1))
    take_single_tokens(state, 5)
    assert "claim" in legal(state)
    state.play(sorted(legal(state, decision))[0])
    assert (state.seat, state.phase) == (1, "turn")
    assert "claim" not in legal(state)


def test_every_further_turn_is_warned_too() -> None:
    """docs/rules/duel.md, "Anti-blocking", 2."""
    state = state_with_all_gold_and_pearls(Seat("yyypp"), Seat())
    take_single_tokens(state, 6)
    assert (state.seat, "claim" in legal(state)) == (0, False)
    take_single_tokens(state, 1)
    assert (state.seat, "claim" in legal(state)) == (1, True)


def test_a_turn_started_otherwise_resets_the_count() -> None:
    """docs/rules/duel.md, "Anti-blocking", 1."""
    state = state_with_all_gold_and_pearls(Seat("yyypp"), Seat(), board="wwu.. ggrrk uuk..")
    mine = state.rules.layout.SEATS + state.rules.layout.TOKENS
    take_single_tokens(state, 2)
    state.words[mine] -= packed("p")
    take_single_tokens(state, 2)
    state.words[mine] += packed("p")
    take_single_tokens(state, 5)
    assert (state.seat, "claim" in legal(state)) == (1, False)  # the second turn again
    take_single_tokens(state, 2)
    state.play("discard w")
    assert (state.seat, "claim" in legal(state)) == (1, True)


def test_buying_clears_the_warning() -> None:
    """docs/rules/duel.md, "Anti-blocking", 4."""
    state = duel(Seat("yyypp", bonuses="www"), Seat(), board=BOARD, face_up="J1-24", options=ON)
    take_single_tokens(state, 4)
    state.play("buy J1-24")
    assert state.seat == 1
    assert "claim" not in legal(state)


def test_discarding_a_pearl_clears_the_warning() -> None:
    state = state_with_all_gold_and_pearls(Seat("yyyppuug"), Seat())
    take_single_tokens(state, 5)
    assert (state.seat, state.phase) == (0, "discard")
    gold_given, pearl_given = state.copy(), state.copy()
    gold_given.play("discard y")
    assert (gold_given.seat, "claim" in legal(gold_given)) == (1, True)
    pearl_given.play("discard p")
    assert (pearl_given.seat, "claim" in legal(pearl_given)) == (1, False)


def test_pass_and_claim_are_offered_together() -> None:
    """docs/rules/duel.md, "Anti-blocking", 5."""
    mine, on_board = "yyyppwwww", "k"
    theirs = Counter(PLAIN_TOKENS) - Counter(mine + on_board)
    state = duel(
        *(Seat(mine), Seat("".join(theirs.elements()))),
        board="k....",
        deck_sizes="1:0 2:0 3:0",
        options=ON,
    )
    state.words[layout.SLOTS : layout.SLOTS + 12] = NO_CARD
    state.words[layout.SEATS + layout.BLOCKED_TURNS] = 3
    state.words[layout.SEATS + layout.IS_WARNED] = 1
    state.play("take a1")
    assert (state.seat, legal(state)) == (1, {"pass", "claim"})
    state.play("pass")
    assert not state.is_over


def test_an_extra_turn_is_a_turn_of_its_own() -> None:
    """Buying a card clears the first warning, but the extra turn has its own."""
    me = Seat("yyypp", bonuses="rrrrrrrr")
    state = duel(me, Seat(), board=BOARD, face_up="J3-12", options=ON)
    take_single_tokens(state, 4)
    play(state, "buy J3-12", "color r")
    assert state.seat == 0
    take_single_tokens(state, 1)
    assert (state.seat, "claim" in legal(state)) == (1, True)


def extra_turn_after_a_warning() -> DuelState:
    """Return a state after a warned seat took a token and used C10 for an extra turn."""
    me = Seat("yyyppvv", counterfeiters="C10", privileges=1, bonuses="wwwuu")
    state = duel(
        me,
        Seat(),
        board=BOARD,
        face_up="J1-24",
        counterfeiters="C03",
        game=DUEL_COUNTERFEITERS,
        options=ON,
    )
    take_single_tokens(state, 1)
    state.play("done")
    take_single_tokens(state, 2)
    state.play("done")
    take_single_tokens(state, 2)
    play(state, "use C10", "pay")
    assert (state.seat, state.phase) == (0, "turn")
    return state


@pytest.mark.parametrize("card", ["J1-24", "C03"])
def test_buying_in_the_extra_turn_clears_the_warning(card: str) -> None:
    """docs/rules/duel.md, "Anti-blocking", 4."""
    state = extra_turn_after_a_warning()
    play(state, f"buy {card}", *["pay"] * (card == "C03"))
    assert (state.seat, "claim" in legal(state)) == (1, False)


def test_an_ignored_warning_in_the_extra_turn_can_be_claimed() -> None:
    state = extra_turn_after_a_warning()
    take_single_tokens(state, 1)
    assert (state.seat, "claim" in legal(state)) == (1, True)
