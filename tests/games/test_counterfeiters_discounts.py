"""The Counterfeiters: discounts of C01 to C08. docs/rules/counterfeiters.md, "Discounts"."""

from __future__ import annotations

import pytest
from tests.games.counterfeiter_positions import can_buy, state_buying
from tests.games.positions import (
    DUEL_COUNTERFEITERS,
    Seat,
    duel,
    legal,
    play,
)

from parure.errors import IllegalDecision

# --- docs/rules/counterfeiters.md, "Counterfeiter cards": C01 to C05 ------------------------------


def test_one_glassware_takes_two_off_the_color_up_to_twice() -> None:
    state = state_buying(
        "J2-23", Seat("vvggp", counterfeiters="C01", bonuses="k")
    )  # six green, a pearl
    assert legal(state) == {"discount C01"}  # without it the price cannot be paid
    state.play("discount C01")
    assert legal(state) == {"discount C01"}
    state.play("discount C01")
    assert state.phase == "color"
    assert state.players[0].tokens == {}


def test_what_exceeds_the_cost_is_lost() -> None:
    """docs/rules/counterfeiters.md, "Discounts", 1."""
    state = state_buying("J1-07", Seat("vwrk", counterfeiters="C01"))  # one of each but blue
    assert state.players[0].tokens == {"v": 1, "w": 1, "r": 1, "k": 1}
    assert legal(state) == {"discount C01"}
    state.play("discount C01")
    assert state.seat == 1
    assert state.players[0].tokens == {}


def test_a_use_must_take_something_off() -> None:
    """docs/rules/counterfeiters.md, "Discounts", 1."""
    state = state_buying("J1-07", Seat("vvwgrk", counterfeiters="C01"))
    assert legal(state) == {"pay", "discount C01"}
    state.play("discount C01")  # nothing green is left: not offered again, and paid at once
    assert state.seat == 1
    assert state.players[0].tokens == {"v": 1, "g": 1}


def test_no_discount_for_another_color() -> None:
    state = state_buying("J1-24", Seat("wwwvv", counterfeiters="C01"))
    assert state.seat == 1
    assert state.players[0].tokens == {"v": 2}


def test_discounts_apply_after_bonuses() -> None:
    """docs/rules/counterfeiters.md, "Discounts", 2."""
    state = state_buying("J1-25", Seat("vuug", counterfeiters="C01", bonuses="gg"))
    assert legal(state) == {"pay", "discount C01"}
    state.play("discount C01")  # one green is left after bonuses
    assert state.players[0].tokens == {"g": 1}


def test_discounts_for_a_counterfeiter_card() -> None:
    state = state_buying("C10", Seat("vvvk", counterfeiters="C02"))
    assert legal(state) == {"discount C02"}
    state.play("discount C02")
    assert state.players[0].counterfeiters == ("C02", "C10")


def test_discounts_never_lower_glassware_or_gold() -> None:
    """docs/rules/counterfeiters.md, "Discounts", 2."""
    everything = "C01 C02 C03 C04 C05 C06 C07 C08"
    assert not can_buy("C17", Seat("v", counterfeiters=everything))
    assert not can_buy("C14", Seat("vvv", counterfeiters=everything))


def test_glassware_for_a_discount_may_be_gold() -> None:
    state = state_buying("J1-09", Seat("gy", counterfeiters="C01"))
    assert legal(state) == {"discount C01"}
    state.play("discount C01")
    assert state.players[0].tokens == {}


# --- docs/rules/counterfeiters.md, "Counterfeiter cards": C06, C07, C08 ---------------------------


def test_two_glassware_take_three_off_one_color_once() -> None:
    state = state_buying(
        "J3-08", Seat("vvvvggrrrkk", counterfeiters="C06")
    )  # 2 green, 6 red, 2 black
    assert legal(state) == {"discount C06 r"}
    state.play("discount C06 r")
    assert state.seat == 1
    assert state.players[0].tokens == {"v": 2}
    assert not can_buy("J3-08", Seat("vvvvggkkrr", counterfeiters="C06"))


def test_c06_offers_each_color_of_the_price() -> None:
    state = state_buying("J1-22", Seat("vvwugr", counterfeiters="C06"))
    assert legal(state) == {"pay", *(f"discount C06 {letter}" for letter in "wugr")}
    state.play("discount C06 g")  # two of the three are lost
    assert state.players[0].tokens == {"g": 1}


def test_c06_with_a_single_glassware_is_not_offered() -> None:
    state = state_buying("J1-22", Seat("vwugr", counterfeiters="C06"))
    assert (state.phase, state.seat) == ("turn", 1)


def test_one_glassware_takes_a_pearl_off_once() -> None:
    state = state_buying("J1-03", Seat("vvuugg", counterfeiters="C07"))
    assert legal(state) == {"discount C07"}
    state.play("discount C07")
    assert state.players[0].tokens == {"v": 1}
    assert not can_buy("J1-04", Seat("vvuu", counterfeiters="C07"))


def test_one_glassware_takes_one_off_any_color_up_to_twice() -> None:
    state = state_buying("J1-22", Seat("vvvrg", counterfeiters="C08"))
    assert legal(state) == {"discount C08 w"}  # blue must still come after it
    state.play("discount C08 w")
    assert legal(state) == {"discount C08 u"}
    state.play("discount C08 u")
    assert state.players[0].tokens == {"v": 1}


def test_c08_twice_for_one_color() -> None:
    state = state_buying("J1-24", Seat("vvw", counterfeiters="C08"))
    play(state, "discount C08 w", "discount C08 w")
    assert state.players[0].tokens == {}
    assert not can_buy("J1-24", Seat("vvv", counterfeiters="C08"))


def test_c08_does_not_lower_pearls() -> None:
    assert not can_buy("J1-03", Seat("vvuugg", counterfeiters="C08"))


# --- docs/rules/counterfeiters.md, "Discounts", 3 -------------------------------------------------


def test_discounts_come_in_card_order_and_c08_in_kind_order() -> None:
    me = Seat("vvvvwugr", counterfeiters="C01 C02 C06 C08")
    state = state_buying("J1-22", me)
    of_c06 = {f"discount C06 {letter}" for letter in "wugr"}
    of_c08 = {f"discount C08 {letter}" for letter in "wugr"}
    assert legal(state) == {"pay", "discount C01", "discount C02"} | of_c06 | of_c08
    state.play("discount C02")
    with pytest.raises(IllegalDecision):
        state.play("discount C01")
    assert legal(state) == {"pay"} | (of_c06 | of_c08) - {"discount C06 r", "discount C08 r"}
    state.play("discount C08 u")
    assert legal(state) == {"pay", "discount C08 g"}
    state.play("pay")
    assert state.players[0].tokens == {"v": 2, "u": 1, "r": 1}


def test_discounts_come_before_gold() -> None:
    """docs/rules/record.md, "Paying", 2."""
    state = state_buying("J1-22", Seat("vvwugry", counterfeiters="C01"))
    play(state, "gold-for w")
    assert state.seat == 1  # the only gold; nothing but `pay` was left
    state = state_buying("J1-22", Seat("vvwugryy", counterfeiters="C01"))
    play(state, "gold-for w")
    assert legal(state) == {"pay", "gold-for u", "gold-for g", "gold-for r"}


def test_gold_for_the_glassware_of_a_discount() -> None:
    state = state_buying("J1-22", Seat("vwugry", counterfeiters="C01"))
    play(state, "discount C01")
    assert legal(state) == {"pay", "gold-for w", "gold-for u", "gold-for r", "gold-for v"}
    state.play("gold-for v")
    assert state.players[0].tokens == {"g": 1, "v": 1}


# --- docs/rules/counterfeiters.md, "Discounts", 4 -------------------------------------------------


def test_a_decision_is_legal_only_if_the_price_can_still_be_paid() -> None:
    # Two green are missing, one glassware is there: C08 would waste it.
    state = state_buying("J1-25", Seat("vuug", counterfeiters="C01 C08"))
    assert legal(state) == {"discount C01"}


def test_buy_is_legal_through_a_mixture_of_discounts() -> None:
    # 3 white, 5 green, 3 red, a pearl; glassware for C01 twice, C07 and C08.
    everything = "C01 C07 C08"
    assert can_buy("J3-09", Seat("vvvvwwgrrr", counterfeiters=everything))
    assert not can_buy("J3-09", Seat("vvvwwgrrr", counterfeiters=everything))
    assert can_buy("J3-09", Seat("vvvwwgrrry", counterfeiters=everything))


def test_discounts_are_not_offered_without_glassware() -> None:
    state = state_buying("J1-22", Seat("wugr", counterfeiters="C01 C06 C08"))
    assert (state.phase, state.seat) == ("turn", 1)


def test_a_discount_works_once_it_is_owned() -> None:
    me = Seat("gggvvyy")
    state = duel(me, counterfeiters="C01", face_up="J1-09", board="wu...", game=DUEL_COUNTERFEITERS)
    play(state, "buy C01", "pay", "take a1")
    state.play("buy J1-09")  # three green
    assert legal(state) >= {"discount C01"}


def test_a_skipped_discount_cannot_be_used_later() -> None:
    # C07 must come before C08, or the pearl cannot be paid any more.
    state = state_buying("J1-03", Seat("uugvv", counterfeiters="C07 C08"))
    assert legal(state) == {"discount C07"}
    state.play("discount C07")
    assert legal(state) == {"discount C08 g"}
