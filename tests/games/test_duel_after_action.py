"""Duel: abilities, crowns, the token limit and the refill after the mandatory action."""

from __future__ import annotations

import pytest
from tests.games.positions import (
    PLAIN_TOKENS,
    Seat,
    all_tokens,
    duel,
    legal,
    play,
)

# --- docs/rules/duel.md, "After the mandatory action", 2: joker -----------------------------------


def test_a_joker_takes_the_color_of_an_owned_bonus() -> None:
    me = Seat("kkkkp", cards="J1-19 J1-09 J1-30")
    state = duel(me, face_up="J1-27", board="w....")
    state.play("buy J1-27")
    assert (state.phase, state.seat) == ("color", 0)
    assert legal(state) == {"color u", "color r"}
    state.play("color u")
    player = state.players[0]
    assert player.joker_colors == {"J1-27": "u"}
    assert player.bonuses == {"u": 2, "r": 1}
    assert player.points_by_color == {"u": 1}
    assert player.points == 1 + 3
    assert state.seat == 1


def test_a_single_color_is_still_a_decision() -> None:
    """docs/rules/README.md, "Decisions and phases", 3."""
    state = duel(Seat("wwwwp", cards="J1-19"), face_up="J1-26", board="u....")
    state.play("buy J1-26")
    assert legal(state) == {"color r"}


def test_a_joker_helps_to_pay_in_its_color() -> None:
    state = duel(Seat("wwwwp", cards="J1-19"), face_up="J1-26 J1-14", board="u....")
    play(state, "buy J1-26", "color r")
    assert state.price("J1-14", 0) == {"r": 1}


def test_the_joker_with_again_does_both() -> None:
    state = duel(Seat("", bonuses="rrrrrrrr"), face_up="J3-12", board="w....")
    state.play("buy J3-12")
    assert state.phase == "color"
    state.play("color r")
    assert (state.seat, state.turns, state.phase) == (0, 1, "turn")
    assert state.players[0].points_by_color == {"r": 3}


def test_color_comes_before_the_royal() -> None:
    state = duel(Seat("wwwwp", cards="J1-19 J1-14"), face_up="J1-26", board="u....")
    state.play("buy J1-26")
    assert state.phase == "color"
    state.play("color g")
    assert state.phase == "royal"


# --- docs/rules/duel.md, "After the mandatory action", 2: token -----------------------------------


def test_a_token_of_the_color_of_the_card_is_compulsory() -> None:
    state = duel(Seat("rrkk"), face_up="J1-01", board="wugrk p.y.w")
    state.play("buy J1-01")
    assert (state.phase, state.seat) == ("collect", 0)
    assert legal(state) == {"collect a1", "collect e2"}
    state.play("collect e2")
    assert state.players[0].tokens == {"w": 1}
    assert state.seat == 1


def test_a_single_token_is_still_a_decision() -> None:
    state = duel(Seat("rrkk"), face_up="J1-01", board="w....")
    state.play("buy J1-01")
    assert legal(state) == {"collect a1"}


def test_the_token_ability_does_nothing_without_a_token_of_the_color() -> None:
    state = duel(Seat("rrkk"), face_up="J1-01", board="ugrkp")
    assert state.bag["w"] == 4
    state.play("buy J1-01")
    assert (state.phase, state.seat) == ("turn", 1)


def test_collecting_can_lead_to_discards() -> None:
    state = duel(Seat("uuuugggrrkyyp"), face_up="J1-16", board="r....")
    play(state, "buy J1-16", "pay", "collect a1")
    assert state.phase == "turn"
    state = duel(Seat("uuuugggrrrkyypp"), face_up="J1-16", board="r....")
    play(state, "buy J1-16", "pay")
    assert state.phase == "collect"
    state.play("collect a1")
    assert state.phase == "discard"


# --- docs/rules/duel.md, "After the mandatory action", 2: steal -----------------------------------


def test_a_gem_or_pearl_is_stolen_but_never_gold() -> None:
    state = duel(Seat("uuuurrr"), Seat("wkkpyy"), face_up="J2-01", board="g....")
    state.play("buy J2-01")
    assert (state.phase, state.seat) == ("steal", 0)
    assert legal(state) == {"steal w", "steal k", "steal p"}
    state.play("steal k")
    assert state.players[0].tokens == {"k": 1}
    assert state.players[1].tokens == {"w": 1, "k": 1, "p": 1, "y": 2}
    assert all_tokens(state) == PLAIN_TOKENS


@pytest.mark.parametrize("held", ["", "yy"])
def test_nothing_to_steal(held: str) -> None:
    state = duel(Seat("uuuurrr"), Seat(held), face_up="J2-01", board="g....")
    state.play("buy J2-01")
    assert (state.phase, state.seat) == ("turn", 1)


# --- docs/rules/duel.md, "After the mandatory action", 2: privilege -------------------------------


@pytest.mark.parametrize(
    ("before", "after"), [((0, 1), (1, 1)), ((0, 3), (1, 2)), ((3, 0), (3, 0))]
)
def test_the_privilege_ability(before: tuple[int, int], after: tuple[int, int]) -> None:
    me, them = Seat("wwwwkkp", privileges=before[0]), Seat(privileges=before[1])
    state = duel(me, them, face_up="J2-03", board="g....")
    state.play("buy J2-03")
    assert tuple(player.privileges for player in state.players) == after


def test_a_privilege_gained_can_be_used_in_a_later_turn() -> None:
    state = duel(Seat("wwwwkkp"), face_up="J2-03", board="g....")
    state.play("buy J2-03")
    assert state.seat == 1


# --- docs/rules/duel.md, "After the mandatory action", 2: again -----------------------------------


def test_again_is_a_full_turn() -> None:
    """docs/rules/duel.md, "After the mandatory action", 7."""
    me = Seat("uuggp", privileges=1)
    state = duel(me, face_up="J1-03", coming="J1-20", board="wr...")
    state.play("buy J1-03")
    assert (state.seat, state.turns, state.phase) == (0, 1, "turn")
    assert state.pyramid[0][0] == "J1-20"
    assert legal(state, "privilege")
    assert legal(state, "replenish")
    state.play("take a1")
    assert (state.seat, state.turns) == (1, 2)


def test_replenish_is_allowed_again_in_the_extra_turn() -> None:
    state = duel(Seat("uuggp", privileges=1), face_up="J1-03", board="wr...")
    play(state, "replenish", "buy J1-03")
    assert legal(state, "privilege")
    assert legal(state, "replenish")  # what was paid is in the bag, and cells are empty


def test_an_extra_turn_can_bring_another() -> None:
    state = duel(Seat("uuggggrrpp"), face_up="J1-03 J1-06", board="w....")
    play(state, "buy J1-03", "buy J1-06")
    assert (state.seat, state.turns) == (0, 2)
    state.play("take a1")
    assert state.seat == 1


# --- docs/rules/duel.md, "After the mandatory action", 3 ------------------------------------------


@pytest.mark.parametrize(
    ("crowns", "card", "is_due"),
    [
        *((1, "J1-24", False), (2, "J1-24", True), (3, "J1-24", False)),
        *((4, "J1-24", False), (5, "J1-24", True), (6, "J1-24", False)),
        *((0, "J3-11", True), (2, "J3-11", True), (3, "J3-11", True), (4, "J3-11", True)),
    ],
)
def test_a_royal_at_three_crowns_and_at_six(crowns: int, card: str, is_due: bool) -> None:
    me = Seat(bonuses="wwwkkkkkkkk", crowns=crowns)
    state = duel(me, face_up=card, board="g....")
    state.play(f"buy {card}")
    if card == "J3-11":
        state.play("color k")
    assert state.phase == ("royal" if is_due else "turn")
    if is_due:
        assert legal(state) == {"royal R1", "royal R2", "royal R3", "royal R4"}
        state.play("royal R4")
        assert state.players[0].points == 3
        assert state.players[0].royals == ("R4",)
        assert state.royals == ("R1", "R2", "R3")
        assert state.seat == 1


def test_crowns_do_nothing_if_no_royal_is_left() -> None:
    me, them = Seat("www", crowns=2, royals="R1 R2"), Seat(royals="R3 R4")
    state = duel(me, them, face_up="J1-24", board="g....")
    state.play("buy J1-24")
    assert (state.phase, state.seat) == ("turn", 1)


def test_the_last_royal_is_still_a_decision() -> None:
    me, them = Seat("www", crowns=2, royals="R1"), Seat(royals="R3 R4")
    state = duel(me, them, face_up="J1-24", board="g....")
    state.play("buy J1-24")
    assert legal(state) == {"royal R2"}


def test_the_royal_that_steals() -> None:
    state = duel(Seat("www", crowns=2), Seat("ky"), face_up="J1-24", board="g....")
    play(state, "buy J1-24", "royal R1")
    assert state.phase == "steal"
    assert legal(state) == {"steal k"}
    state.play("steal k")
    assert (state.players[0].points, state.seat) == (2, 1)


def test_the_royal_with_another_turn() -> None:
    state = duel(Seat("www", crowns=2), face_up="J1-24", board="g....")
    play(state, "buy J1-24", "royal R2")
    assert (state.phase, state.seat, state.turns) == ("turn", 0, 1)


def test_the_royal_with_a_privilege() -> None:
    state = duel(Seat("www", crowns=2), Seat(privileges=3), face_up="J1-24", board="g....")
    play(state, "buy J1-24", "royal R3")
    assert [player.privileges for player in state.players] == [1, 2]
    assert state.seat == 1


def test_the_example_of_the_rule_book() -> None:
    """With six bonuses (3 red, 2 blue, 1 green), buy a white card that gives the third crown."""
    me = Seat("uurrkkkpw", bonuses="rrruug", crowns=1)
    state = duel(me, face_up="J3-01", board="g....")
    assert state.price("J3-01") == {"u": 1, "r": 2, "k": 3, "p": 1}
    in_bag = state.bag
    state.play("buy J3-01")
    assert state.players[0].tokens == {"w": 1, "u": 1}
    paid = {letter: n - in_bag.get(letter, 0) for letter, n in state.bag.items()}
    assert {letter: n for letter, n in paid.items() if n} == {"u": 1, "r": 2, "k": 3, "p": 1}
    assert state.phase == "royal"
    state.play("royal R3")
    assert state.players[0].privileges == 1
    assert state.players[0].points == 3 + 2


# --- docs/rules/duel.md, "After the mandatory action", 4 ------------------------------------------


def test_discard_exactly_down_to_ten() -> None:
    state = duel(Seat("wwuuggrrky"), board="kkw..")
    state.play("take a1 b1 c1")
    assert (state.phase, state.seat) == ("discard", 0)
    assert legal(state) == {f"discard {letter}" for letter in "wugrky"}
    play(state, "discard k", "discard k")
    assert (state.phase, state.seat) == ("discard", 0)
    state.play("discard y")
    assert (state.phase, state.seat) == ("turn", 1)
    assert sum(state.players[0].tokens.values()) == 10
    assert state.bag["y"] == 3
    assert all_tokens(state) == PLAIN_TOKENS


def test_ten_tokens_need_no_discard() -> None:
    state = duel(Seat("wwuuggrr"), board="kk...")
    state.play("take a1 b1")
    assert (state.phase, state.seat) == ("turn", 1)


def test_more_than_ten_tokens_are_allowed_during_the_turn() -> None:
    state = duel(Seat("wwwuuugggr", privileges=1), board="k....", face_up="J1-24")
    play(state, "privilege a1")
    assert sum(state.players[0].tokens.values()) == 11
    play(state, "buy J1-24")
    assert (state.phase, state.seat) == ("turn", 1)


# --- docs/rules/duel.md, "After the mandatory action", 5 ------------------------------------------


def test_gaps_are_refilled_only_at_the_end_of_the_turn() -> None:
    me = Seat("wwwwuuuugg")
    state = duel(me, face_up="J1-13", coming="J1-21", board="gkr..")
    state.play("buy J1-13")  # takes a green token
    assert state.phase == "collect"
    assert state.pyramid[0][:1] == (None,)
    state.play("collect a1")
    assert state.pyramid[0][:1] == ("J1-21",)


def test_an_empty_deck_leaves_the_gap() -> None:
    state = duel(Seat("www"), face_up="J1-24", deck_sizes="1:0", board="gkr..")
    state.play("buy J1-24")
    assert state.pyramid[0][:1] == (None,)
    assert state.deck_sizes[0] == 0
