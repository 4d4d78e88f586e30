"""The decisions that lead to a payment in progress."""

from __future__ import annotations

import pytest
from tests.games.positions import DUEL_COUNTERFEITERS, Seat, duel, play

from parure.games.duel import layout
from parure.games.duel.view_parser import before_purchase
from parure.games.payment_steps import payment_steps, play_steps

ME = Seat(tokens="rrkkvvyy", counterfeiters="C02 C08")


@pytest.mark.parametrize(
    "steps",
    [
        [],
        ["discount C02"],
        ["discount C08 r"],
        ["discount C02", "gold-for k"],
        ["gold-for r"],
    ],
)
def test_the_steps_of_a_payment_are_found(steps: list[str]) -> None:
    state = duel(ME, face_up="J1-01", game=DUEL_COUNTERFEITERS)
    play(state, "buy J1-01", *steps)
    assert state.phase == "pay"
    before = before_purchase(state.words)
    assert payment_steps(state.rules, before, "buy J1-01", state.words) == steps
    row = play_steps(state.rules, before, ["buy J1-01", *steps])
    assert row is not None
    assert row.tobytes() == state.words.tobytes()


def test_a_price_that_no_payment_leads_to_is_not_found() -> None:
    state = duel(Seat(tokens="rrkkyy"), face_up="J1-01")
    play(state, "buy J1-01")
    target = state.words.copy()
    target[layout.PRICE] = 0
    assert payment_steps(state.rules, before_purchase(target), "buy J1-01", target) is None
    assert payment_steps(state.rules, before_purchase(target), "buy J3-01", target) is None
