"""Splendor: set-up, the decisions of a turn, and the steps after the action."""

from __future__ import annotations

from itertools import combinations

import pytest
from tests.games.positions import Seat, legal, new_splendor, play, splendor

from parure.errors import IllegalDecision

FULL = "D3-01 D3-02 D3-03"


# --- docs/rules/splendor.md, "Set-up" -------------------------------------------------------------


@pytest.mark.parametrize(("players", "gems"), [(2, 4), (3, 5), (4, 7)])
def test_set_up(players: int, gems: int) -> None:
    state = new_splendor(players, seed=1)
    assert state.supply == dict.fromkeys("wugrk", gems) | {"y": 5}
    assert len(state.nobles) == players + 1
    assert [len(level) for level in state.pyramid] == [4, 4, 4]
    assert state.deck_sizes == (36, 26, 16)
    assert (state.seat, state.phase) == (0, "turn")


# --- docs/rules/splendor.md, "A turn": take -------------------------------------------------------


def test_three_different_or_two_alike() -> None:
    three = {f"take {''.join(kinds)}" for kinds in combinations("wugrk", 3)}
    two = {f"take {letter * 2}" for letter in "wugrk"}
    assert legal(splendor(), "take") == three | two


def test_taken_tokens_come_from_the_supply() -> None:
    state = splendor()
    state.play("take wuk")
    assert state.players[0].tokens == {"w": 1, "u": 1, "k": 1}
    assert state.supply == {"w": 3, "u": 3, "g": 4, "r": 4, "k": 3, "y": 5}
    assert state.seat == 1


@pytest.mark.parametrize(
    ("supply", "takes"),
    [
        ("wug", {"wug"}),
        ("wugrr", {"wug", "wur", "wgr", "ugr"}),
        ("wu", {"wu"}),
        ("wwwuuu", {"wu"}),
        ("k", {"k"}),
        ("kkk", {"k"}),
        ("kkkk", {"k", "kk"}),
        ("wkkkk", {"wk", "kk"}),
        ("yyy", set()),
        ("", set()),
    ],
)
def test_fewer_than_three_only_if_there_are_fewer_kinds(supply: str, takes: set[str]) -> None:
    """docs/rules/splendor.md, "Rulings", 3."""
    state = splendor(supply=supply)
    assert legal(state, "take") == {f"take {take}" for take in takes}


def test_two_alike_need_four_in_the_supply() -> None:
    state = splendor(Seat("w"))
    assert "take ww" not in legal(state)
    assert "take uu" in legal(state)
    with pytest.raises(IllegalDecision, match="two alike need four in the supply, which holds 3"):
        state.play("take ww")


# --- docs/rules/splendor.md, "A turn": reserve ----------------------------------------------------


def test_reserve_takes_a_gold_and_the_card_is_replaced() -> None:
    state = splendor(face_up="D1-10", coming="D1-20")
    state.play("reserve D1-10")
    assert state.players[0].reserved == ("D1-10",)
    assert state.players[0].tokens == {"y": 1}
    assert state.supply["y"] == 4
    assert state.pyramid[0][0] == "D1-20"
    assert state.view(1).players[0].reserved == ("D1-10",)


def test_a_card_from_a_deck_is_known_to_its_owner_only() -> None:
    state = splendor(coming="D2-20")
    state.play("reserve deck2")
    assert state.view(0).players[0].reserved == ("D2-20",)
    assert state.view(1).players[0].reserved == ("??2",)
    assert state.players[0].tokens == {"y": 1}


def test_reserve_without_gold() -> None:
    state = splendor(Seat(), Seat("yyyyy"))
    state.play("reserve deck1")
    assert state.players[0].tokens == {}
    assert state.seat == 1


def test_at_most_three_cards_are_reserved() -> None:
    assert not legal(splendor(Seat(reserved=FULL)), "reserve")


def test_an_empty_deck_or_slot_cannot_be_reserved_from() -> None:
    state = splendor(face_up="D1-10", deck_sizes="1:0")
    assert "reserve deck1" not in legal(state)
    state.play("reserve D1-10")
    assert state.pyramid[0][0] is None
    assert "reserve D1-10" not in legal(state)


def test_reserve_takes_a_gold_even_at_ten() -> None:
    """docs/rules/splendor.md, "Rulings", 4."""
    state = splendor(Seat("wwwuuugggr"), face_up="D1-10", coming="D1-20")
    state.play("reserve D1-10")
    assert (state.phase, state.seat) == ("discard", 0)
    assert state.pyramid[0][0] == "D1-20"  # replaced at once
    assert legal(state) == {f"discard {letter}" for letter in "wugry"}
    state.play("discard y")
    assert state.supply["y"] == 5
    assert state.seat == 1


# --- docs/rules/splendor.md, "A turn": buy --------------------------------------------------------


def test_buy_from_the_table_or_from_the_own_reserve() -> None:
    state = splendor(Seat("uuukkk", reserved="D1-09"), Seat(reserved="D1-06"))
    assert "buy D1-09" in legal(state)
    assert "buy D1-06" not in legal(state)
    state.play("buy D1-09")
    assert state.players[0].reserved == ()
    assert state.players[0].cards == ("D1-09",)
    assert state.players[0].tokens == {"u": 3}
    assert state.supply["k"] == 4


def test_the_first_card_of_each_level_can_be_reserved_and_bought() -> None:
    for card in ("D1-01", "D2-01", "D3-01"):
        state = splendor(Seat(bonuses="uuugggrrrrrkkk"), face_up=card, nobles="N01 N05 N06")
        reserved, bought = state.copy(), state.copy()
        reserved.play(f"reserve {card}")
        assert reserved.view(1).players[0].reserved == (card,)
        bought.play(f"buy {card}")
        assert bought.players[0].cards == (card,)


def test_a_hidden_card_is_public_once_it_is_being_bought() -> None:
    state = splendor(Seat("kkky", reserved="D1-09"))
    assert state.view(1).players[0].reserved == ("??1",)
    state.play("buy D1-09")
    assert state.phase == "pay"
    assert state.view(1).players[0].reserved == ("D1-09",)


# --- docs/rules/splendor.md, "A turn": pass -------------------------------------------------------


def test_pass_only_if_nothing_else_is_legal() -> None:
    state = splendor(Seat(reserved=FULL), supply="y")
    assert legal(state) == {"pass"}
    state.play("pass")
    assert (state.seat, state.turns) == (1, 1)
    assert "pass" not in legal(splendor(Seat(reserved=FULL), supply="w"))
    assert "pass" not in legal(splendor(Seat(), supply=""))


# --- docs/rules/splendor.md, "After the action", 1 ------------------------------------------------


def test_gold_pays_for_what_is_missing() -> None:
    state = splendor(Seat("ugky"), face_up="D1-02")
    state.play("buy D1-02")
    assert (state.seat, state.players[0].tokens) == (1, {})
    assert state.supply == dict.fromkeys("wugrk", 4) | {"y": 5}


def test_bonuses_lower_the_price() -> None:
    """The example of the rule book: with 2 red and 1 black, 3 blue 2 red 3 black cost less."""
    state = splendor(Seat("uuukkk", bonuses="rrk"), face_up="D2-19")
    assert state.price("D2-19") == {"u": 3, "k": 2}
    state.play("buy D2-19")
    assert state.players[0].tokens == {"k": 1}
    assert state.players[0].points == 1


def test_bonuses_beyond_the_price_have_no_effect() -> None:
    state = splendor(Seat("wy", bonuses="kkkkk"), face_up="D1-09")
    state.play("buy D1-09")
    assert (state.phase, state.players[0].tokens) == ("turn", {"w": 1, "y": 1})


def test_gold_may_replace_a_gem_held() -> None:
    """docs/rules/splendor.md, "Rulings", 1."""
    state = splendor(Seat("ugrkyy"), face_up="D1-02")
    state.play("buy D1-02")
    assert (state.phase, state.buying) == ("pay", "D1-02")
    assert legal(state) == {"pay", "gold-for u", "gold-for g", "gold-for r", "gold-for k"}
    state.play("gold-for g")
    assert legal(state) == {"pay", "gold-for r", "gold-for k"}  # never back
    state.play("gold-for r")
    assert (state.seat, state.players[0].tokens) == (1, {"g": 1, "r": 1})


def test_gold_that_is_needed_is_no_choice() -> None:
    state = splendor(Seat("ugry"), face_up="D1-02")
    state.play("buy D1-02")
    assert (state.phase, state.seat) == ("turn", 1)


def test_plain_pay_keeps_the_gold() -> None:
    state = splendor(Seat("kkky"), face_up="D1-09")
    play(state, "buy D1-09", "pay")
    assert state.players[0].tokens == {"y": 1}


def test_the_last_kind_ends_the_payment() -> None:
    state = splendor(Seat("ugrkyyy"), face_up="D1-02")
    play(state, "buy D1-02", "gold-for k")
    assert (state.seat, state.players[0].tokens) == (1, {"k": 1, "y": 2})


def test_each_payment_is_spelled_from_the_start() -> None:
    state = splendor(Seat("wwwuggrrkyyy"), face_up="D1-02 D1-31")
    play(state, "buy D1-02", "gold-for g", "pay", "take kk", "buy D1-31")
    assert legal(state) == {"pay", "gold-for w"}


# --- docs/rules/splendor.md, "After the action", 2 ------------------------------------------------


def test_a_bought_card_is_replaced() -> None:
    state = splendor(Seat("kkk"), face_up="D1-09", coming="D1-20")
    state.play("buy D1-09")
    assert state.pyramid[0][0] == "D1-20"


# --- docs/rules/splendor.md, "After the action", 3 ------------------------------------------------


def test_discard_exactly_down_to_ten_gold_too() -> None:
    state = splendor(Seat("wwuuggrrky"))
    state.play("take wuk")
    play(state, "discard y", "discard w")
    assert (state.phase, state.seat) == ("discard", 0)
    state.play("discard k")
    assert state.seat == 1
    assert state.players[0].tokens == {"w": 2, "u": 3, "g": 2, "r": 2, "k": 1}
    assert state.supply["y"] == 5


def test_ten_tokens_need_no_discard() -> None:
    state = splendor(Seat("wwuuggr"))
    state.play("take wuk")
    assert state.seat == 1


# --- docs/rules/splendor.md, "After the action", 4 ------------------------------------------------


def test_a_single_noble_is_still_a_decision_and_cannot_be_declined() -> None:
    state = splendor(Seat("kkk", bonuses="wwwwuuu"), face_up="D1-09", nobles="N01 N03 N04")
    state.play("buy D1-09")
    assert (state.phase, state.seat) == ("noble", 0)
    assert legal(state) == {"noble N01"}
    state.play("noble N01")
    assert (state.players[0].points, state.players[0].nobles) == (3, ("N01",))
    assert state.nobles == ("N03", "N04")
    assert state.seat == 1


def test_one_noble_per_turn_and_another_in_the_next() -> None:
    state = splendor(Seat(bonuses="wwwwuuuugggg"), nobles="N01 N02 N06")
    state.play("take wug")
    assert legal(state) == {"noble N01", "noble N02", "noble N06"}
    state.play("noble N06")
    assert state.seat == 1
    play(state, "take wug", "take rr")
    assert (state.seat, legal(state)) == (0, {"noble N01", "noble N02"})


def test_a_noble_comes_after_the_discard() -> None:
    state = splendor(Seat("wwwuuugggr", bonuses="wwwwuuuu"), nobles="N01 N03 N04")
    state.play("reserve deck1")
    assert state.phase == "discard"
    state.play("discard w")
    assert (state.phase, legal(state)) == ("noble", {"noble N01"})


def test_tokens_do_not_count_for_nobles() -> None:
    state = splendor(Seat("wwu", bonuses="wwwwuuu"), nobles="N01 N03 N04")
    state.play("take rr")
    assert state.seat == 1
