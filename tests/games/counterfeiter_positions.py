"""Build positions for the tests of The Counterfeiters."""

from __future__ import annotations

from typing import Unpack

from tests.games.positions import DUEL_COUNTERFEITERS, EMPTY_SEAT, Seat, Table, duel, legal

from parure.games.duel.state import DuelState


def state_offering(card: str, me: Seat, royals: str = "", coming: str = "") -> DuelState:
    """Return a state in which a jewel or Counterfeiter is face up."""
    is_jewel = card[0] == "J"
    return duel(
        me,
        board=".....",
        face_up=card if is_jewel else "",
        counterfeiters="" if is_jewel else card,
        coming_counterfeiters=coming,
        royals=royals,
        game=DUEL_COUNTERFEITERS,
    )


def can_buy(card: str, me: Seat) -> bool:
    """Return whether seat 0 can buy a face-up card."""
    return f"buy {card}" in legal(state_offering(card, me))


def state_buying(card: str, me: Seat, royals: str = "", coming: str = "") -> DuelState:
    """Return a state after seat 0 has played `buy`."""
    state = state_offering(card, me, royals, coming)
    state.play(f"buy {card}")
    return state


def state_after_take(me: Seat, them: Seat = EMPTY_SEAT, **table: Unpack[Table]) -> DuelState:
    """Return a state after seat 0 has taken a single black token, which may open the window."""
    state = duel(me, them, board="k....", game=DUEL_COUNTERFEITERS, **table)
    state.play("take a1")
    return state


def is_window_open(state: DuelState) -> bool:
    """Return whether the phase is `window`."""
    return state.phase == "window"
