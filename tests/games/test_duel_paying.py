"""Duel: the price, and gold in place of tokens. docs/rules/record.md, "Paying"."""

from __future__ import annotations

import pytest
from tests.games.positions import Seat, duel, legal, play

from parure.errors import IllegalDecision


def test_without_gold_there_is_nothing_to_choose() -> None:
    """docs/rules/README.md, "Decisions and phases", 1."""
    state = duel(Seat("wgrkku"), face_up="J1-07", board="w....")
    state.play("buy J1-07")
    assert (state.phase, state.seat) == ("turn", 1)
    assert state.players[0].tokens == {"u": 1, "k": 1}
    assert (state.bag["g"], state.bag["k"]) == (4, 3)


def test_gold_pays_for_what_is_missing_without_a_decision() -> None:
    state = duel(Seat("wgyy"), face_up="J1-07", board="w....")
    state.play("buy J1-07")
    assert (state.phase, state.seat) == ("turn", 1)
    assert state.players[0].tokens == {}


def test_one_gold_too_few() -> None:
    assert not legal(duel(Seat("wgy"), face_up="J1-07", board="w...."), "buy")


def test_gold_pays_for_pearls() -> None:
    state = duel(Seat("uuggy"), face_up="J1-03", board="w....")
    state.play("buy J1-03")
    assert state.players[0].tokens == {}


def test_gold_for_a_token_held() -> None:
    """docs/rules/README.md, "Decisions and phases", 2."""
    state = duel(Seat("wgrky"), face_up="J1-07", board="w....")
    state.play("buy J1-07")
    assert (state.phase, state.seat, state.buying) == ("pay", 0, "J1-07")
    assert legal(state) == {"pay", "gold-for w", "gold-for g", "gold-for r", "gold-for k"}
    state.play("gold-for r")  # the only gold: nothing but `pay` is left, and is not asked for
    assert (state.phase, state.seat) == ("turn", 1)
    assert state.players[0].tokens == {"r": 1}
    assert state.bag["y"] == 3


def test_plain_pay_keeps_the_gold() -> None:
    """docs/rules/record.md, "Paying", 3."""
    state = duel(Seat("wgrky"), face_up="J1-07", board="w....")
    play(state, "buy J1-07", "pay")
    assert state.players[0].tokens == {"y": 1}


def test_only_spare_gold_is_offered() -> None:
    """docs/rules/record.md, "Paying", 1."""
    state = duel(Seat("wgryy"), face_up="J1-07", board="w....")
    state.play("buy J1-07")  # one gold is needed for black
    assert legal(state) == {"pay", "gold-for w", "gold-for g", "gold-for r"}
    state.play("gold-for w")
    assert state.seat == 1
    assert state.players[0].tokens == {"w": 1}


def test_kinds_come_in_order_and_never_back() -> None:
    """docs/rules/record.md, "Paying", 1."""
    state = duel(Seat("wgrkyyy"), face_up="J1-07", board="w....")
    play(state, "buy J1-07", "gold-for g")
    assert legal(state) == {"pay", "gold-for r", "gold-for k"}
    with pytest.raises(IllegalDecision):
        state.play("gold-for w")
    state.play("gold-for k")  # the last kind, although there is gold left
    assert (state.phase, state.seat) == ("turn", 1)
    assert state.players[0].tokens == {"g": 1, "k": 1, "y": 1}


def test_gold_may_replace_one_kind_twice() -> None:
    state = duel(Seat("ggrryyy"), face_up="J1-21", board="w....")
    play(state, "buy J1-21", "gold-for g")
    assert legal(state) == {"pay", "gold-for g", "gold-for r"}
    state.play("gold-for g")
    assert legal(state) == {"pay", "gold-for r"}
    state.play("pay")
    assert state.players[0].tokens == {"g": 2, "y": 1}


def test_pearls_come_last() -> None:
    state = duel(Seat("uuggpyy"), face_up="J1-03", board="r....")
    play(state, "buy J1-03")
    assert legal(state) == {"pay", "gold-for u", "gold-for g", "gold-for p"}
    state.play("gold-for p")
    assert state.players[0].tokens == {"p": 1, "y": 1}


def test_bonuses_lower_the_price_but_not_below_zero() -> None:
    state = duel(Seat("ry", bonuses="wwgk"), face_up="J1-07", board="w....")
    assert state.price("J1-07") == {"r": 1}
    play(state, "buy J1-07")
    assert legal(state) == {"pay", "gold-for r"}
    state.play("pay")
    assert state.players[0].tokens == {"y": 1}


def test_a_price_of_zero_needs_no_decision() -> None:
    state = duel(Seat("wy", bonuses="wgrk"), face_up="J1-07", board="w....")
    state.play("buy J1-07")
    assert (state.phase, state.seat) == ("turn", 1)
    assert state.players[0].tokens == {"w": 1, "y": 1}


def test_two_bonuses_on_one_card() -> None:
    state = duel(Seat("", cards="J2-02"), face_up="J1-24", board="w....")
    assert state.price("J1-24") == {"w": 1}


def test_there_are_no_pearl_bonuses() -> None:
    state = duel(Seat("", bonuses="uugg"), face_up="J1-03", board="w....")
    assert state.price("J1-03") == {"p": 1}
    assert "buy J1-03" not in legal(state)


def test_the_card_is_not_owned_during_payment() -> None:
    state = duel(Seat("wgrky"), face_up="J1-07", board="w....")
    state.play("buy J1-07")
    assert state.players[0].cards == ()
    assert state.pyramid[0][0] == "J1-07"
