"""Duel: board, set-up, and the decisions of phase `turn`."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.positions import (
    PLAIN_TOKENS,
    Seat,
    all_tokens,
    duel,
    duel_from_setup,
    duel_setup,
    legal,
    new_duel,
    play,
)

from parure.errors import IllegalDecision
from parure.games.duel.card_table import NO_CARD

SPIRAL = "c3 c4 b4 b3 b2 c2 d2 d3 d4 d5 c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5".split()
FULL = Seat(reserved="J3-01 J3-03 J3-05")


# --- docs/rules/duel.md, "Set-up" -----------------------------------------------------------------


def test_set_up() -> None:
    state = new_duel(seed=1)
    assert [len(level) for level in state.pyramid] == [5, 4, 3]
    assert state.deck_sizes == (25, 20, 10)
    assert (state.seat, state.phase) == (0, "turn")
    assert [player.privileges for player in state.players] == [0, 1]
    assert state.privileges == 2
    assert state.royals == ("R1", "R2", "R3", "R4")
    assert len(state.board) == 25
    assert not state.bag


def test_set_up_lays_tokens_along_the_spiral_and_cards_from_the_left() -> None:
    setup = duel_setup(board="ywugrkp", decks="J1-30 J1-29 J2-24 J3-13")
    state = duel_from_setup(setup)
    assert [state.board[cell] for cell in SPIRAL] == list(setup["board"])
    assert state.pyramid[0][:3] == ("J1-30", "J1-29", "J1-01")
    assert state.pyramid[1][0] == "J2-24"
    assert state.pyramid[2][0] == "J3-13"
    assert state.deck(1)[0] == setup["decks"][0][5]


# --- docs/rules/duel.md, "The board" --------------------------------------------------------------


def test_there_are_145_lines() -> None:
    lines = [text for text in new_duel(seed=1).rules.decision_texts if text[:5] == "take "]
    assert len(lines) == len(set(lines)) == 145
    assert {"take a1 b2 c3", "take c1 b2 a3", "take e5"} <= set(lines)


def test_lines_are_adjacent_and_without_gold_or_gap() -> None:
    state = duel(board="wuy.g r.... .k...")
    assert legal(state, "take") == {
        *("take a1", "take b1", "take e1", "take a2", "take b3"),
        *("take a1 b1", "take a1 a2", "take b1 a2", "take a2 b3"),
    }


def test_a_line_does_not_wrap_around_the_edge() -> None:
    state = duel(board="...wu g....")
    assert legal(state, "take") == {"take d1", "take e1", "take a2", "take d1 e1"}


def test_a_diagonal_is_written_from_its_first_cell_in_reading_order() -> None:
    state = duel(board="..w.. .u... g....")
    assert "take c1 b2 a3" in legal(state)
    assert "take a3 b2 c1" not in state.rules.decision_ids
    assert state.play("take a3 b2 c1") == "take c1 b2 a3"


# --- docs/rules/duel.md, "A turn": privilege ------------------------------------------------------


def test_each_privilege_takes_one_token_that_is_not_gold() -> None:
    state = duel(Seat(privileges=2), board="wpy..")
    assert legal(state, "privilege") == {"privilege a1", "privilege b1"}
    state.play("privilege b1")
    assert (state.seat, state.phase, state.players[0].privileges) == (0, "turn", 1)
    assert state.privileges == 2
    assert state.players[0].tokens == {"p": 1}
    assert legal(state, "privilege") == {"privilege a1"}


def test_a_player_without_privileges_cannot_use_one() -> None:
    assert not legal(duel(board="wpy.."), "privilege")


def test_no_privilege_can_be_used_after_a_replenish() -> None:
    state = duel(Seat(privileges=1), board="wpy..", face_up="J1-30")
    state.play("replenish")
    assert not legal(state, "privilege")
    assert not legal(state, "replenish")


def test_two_pearls_taken_by_privilege_give_the_opponent_nothing() -> None:
    state = duel(Seat(privileges=2), board="pp...")
    play(state, "privilege a1", "privilege b1")
    assert state.players[1].privileges == 0


def privileges_with_empty_bag(me: Seat, board: str, face_up: str = "") -> set[str]:
    """Return the legal privileges with an empty bag; the opponent has all other tokens."""
    rest = Counter(PLAIN_TOKENS) - Counter(me.tokens + board)
    state = duel(me, Seat("".join(rest.elements())), board=board, face_up=face_up, bag="")
    return legal(state, "privilege")


def test_the_last_token_cannot_be_taken_if_nothing_could_follow() -> None:
    me = Seat(privileges=1, reserved=FULL.reserved)
    assert privileges_with_empty_bag(me, "w....") == set()
    assert privileges_with_empty_bag(me, "wu...") == {"privilege a1", "privilege b1"}


def test_the_last_token_can_be_taken_if_gold_can_follow() -> None:
    assert privileges_with_empty_bag(Seat(privileges=1), "w.y..") == {"privilege a1"}
    assert privileges_with_empty_bag(Seat(privileges=1, reserved=FULL.reserved), "w.y..") == set()


def test_the_last_token_can_be_taken_if_it_pays_for_a_card() -> None:
    three_white = Seat(tokens="ww", privileges=1, reserved=FULL.reserved)
    assert privileges_with_empty_bag(three_white, "w....", "J1-24") == {"privilege a1"}
    assert privileges_with_empty_bag(three_white, "u....", "J1-24") == set()


def test_the_last_token_can_be_taken_if_a_replenish_can_follow() -> None:
    state = duel(Seat(privileges=1, reserved=FULL.reserved), board="w....")
    assert state.bag
    assert legal(state, "privilege") == {"privilege a1"}


# --- docs/rules/duel.md, "A turn": replenish ------------------------------------------------------


def test_replenish_lays_the_bag_along_the_spiral_and_gives_the_opponent_a_privilege() -> None:
    state = duel(bag="wkg")
    assert len(state.board) == 22
    empty = [cell for cell in SPIRAL if cell not in state.board]
    assert state.play("replenish > kgw") == "replenish > kgw"
    assert [state.board[cell] for cell in empty] == ["k", "g", "w"]
    assert not state.bag
    assert state.players[1].privileges == 1
    assert (state.seat, state.phase) == (0, "turn")


def test_replenish_starts_at_the_center() -> None:
    state = duel(Seat("wugrkpy"), Seat("wugrkpy"), bag="wugrk")
    cells = sorted(state.board)
    assert "a1" not in cells
    play(state, "take c3", "replenish > wugrk")
    assert state.board["c3"] == "w"  # the cell just emptied comes first
    assert len(state.board) == len(cells) - 1 + 5
    assert all_tokens(state) == PLAIN_TOKENS


def test_replenish_is_random_but_reproducible() -> None:
    first, second = duel(bag="wwuuggrrkk"), duel(bag="wwuuggrrkk")
    assert first.play("replenish") == second.play("replenish")
    assert sorted(first.decisions[0].split()[2]) == sorted("wwuuggrrkk")


def test_replenish_needs_tokens_in_the_bag() -> None:
    assert not legal(duel(bag=""), "replenish")


def test_a_forced_replenish_gives_the_privilege_too() -> None:
    state = duel(FULL, board="y....")  # no tokens to take, no room to reserve
    assert legal(state) == {"replenish"}
    state.play("replenish")
    assert state.players[1].privileges == 1
    assert legal(state, "take")


def test_a_privilege_before_a_forced_replenish() -> None:
    state = duel(Seat(privileges=1, reserved=FULL.reserved), board="w....")
    state.play("privilege a1")
    assert legal(state) == {"replenish"}


# --- docs/rules/duel.md, "A turn": take -----------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "line", "privileges"),
    [
        ("www..", "take a1 b1 c1", 1),
        ("ww...", "take a1 b1", 0),
        ("wwu..", "take a1 b1 c1", 0),
        ("pp...", "take a1 b1", 1),
        ("pwp..", "take a1 b1 c1", 1),
        ("pwu..", "take a1 b1 c1", 0),
        ("wug..", "take a1 b1 c1", 0),
    ],
)
def test_three_alike_or_two_pearls_give_the_opponent_a_privilege(
    row: str, line: str, privileges: int
) -> None:
    state = duel(board=row)
    state.play(line)
    assert state.players[1].privileges == privileges
    assert state.players[0].privileges == 0
    assert state.seat == 1


def test_taken_tokens_go_to_the_player() -> None:
    state = duel(board="wup..")
    state.play("take a1 b1 c1")
    assert state.players[0].tokens == {"w": 1, "u": 1, "p": 1}
    assert state.board == {}
    assert all_tokens(state) == PLAIN_TOKENS


# --- docs/rules/duel.md, "A turn": gold, reserve --------------------------------------------------


def test_gold_then_reserve_from_the_pyramid() -> None:
    state = duel(board="yw...", face_up="J1-07", coming="J1-20")
    assert legal(state, "gold") == {"gold a1"}
    state.play("gold a1")
    assert (state.phase, state.seat) == ("reserve", 0)
    assert state.players[0].tokens == {"y": 1}
    cards = {f"reserve {name}" for level in state.pyramid for name in level}
    assert legal(state) == cards | {"reserve deck1", "reserve deck2", "reserve deck3"}
    state.play("reserve J1-07")
    assert state.players[0].reserved == ("J1-07",)
    assert state.pyramid[0][0] == "J1-20"
    assert state.seat == 1
    assert state.view(1).players[0].reserved == ("J1-07",)


def test_reserve_from_a_deck_is_known_to_its_owner_only() -> None:
    state = duel(board="yw...", coming="J2-20")
    play(state, "gold a1", "reserve deck2")
    assert state.view(0).players[0].reserved == ("J2-20",)
    assert state.view(1).players[0].reserved == ("??2",)
    assert state.view(None).players[0].reserved == ("??2",)
    assert state.deck_sizes == (25, 19, 10)


def test_at_most_three_cards_are_reserved() -> None:
    assert not legal(duel(FULL, board="yw..."), "gold")
    assert legal(duel(Seat(reserved="J3-01 J3-03"), board="yw..."), "gold")


def test_gold_needs_a_card_to_reserve() -> None:
    state = duel(board="yw...", deck_sizes="1:0 2:0 3:0")
    assert legal(state, "gold")  # the pyramid is still there
    layout = state.rules.layout
    state.words[layout.SLOTS : layout.SLOTS + 12] = NO_CARD
    assert not legal(state, "gold")
    assert legal(state, "take") == {"take b1"}


def test_an_empty_deck_cannot_be_reserved_from() -> None:
    state = duel(board="yw...", deck_sizes="2:0")
    state.play("gold a1")
    assert {text for text in legal(state) if "deck" in text} == {"reserve deck1", "reserve deck3"}


# --- docs/rules/duel.md, "A turn": buy ------------------------------------------------------------


def test_buy_from_the_pyramid_or_from_the_own_reserve() -> None:
    me = Seat("wwwuuu", reserved="J1-24")
    state = duel(me, Seat(reserved="J1-04"), face_up="J1-09 J1-22", board="w....")
    assert legal(state, "buy") == {"buy J1-24"}  # not the opponent's J1-04, for which it has blue
    state.play("buy J1-24")
    assert state.players[0].reserved == ()
    assert state.players[0].cards == ("J1-24",)
    assert state.players[0].crowns == 1


def test_the_other_reserved_cards_stay() -> None:
    state = duel(Seat("www", reserved="J2-01 J1-24 J3-01"), board="w....")
    state.play("buy J1-24")
    assert state.players[0].reserved == ("J2-01", "J3-01")


def test_a_hidden_card_is_public_once_it_is_being_bought() -> None:
    state = duel(Seat("wwwy", reserved="J1-24"), board="w....")
    assert state.view(1).players[0].reserved == ("??1",)
    state.play("buy J1-24")
    assert state.phase == "pay"
    assert state.view(1).players[0].reserved == ("J1-24",)


def test_a_joker_needs_a_bonus() -> None:
    assert not legal(duel(Seat("wwwwp"), face_up="J1-26", board="u...."), "buy")
    state = duel(Seat("wwwwp", cards="J1-19"), face_up="J1-26", board="u....")
    assert "buy J1-26" in legal(state)


def test_cards_without_a_bonus_do_not_allow_a_joker() -> None:
    state = duel(Seat("wwwwp", cards="J1-30"), face_up="J1-26", board="u....")
    assert not legal(state, "buy")
    with pytest.raises(IllegalDecision, match="needs a bonus"):
        state.play("buy J1-26")


# --- docs/rules/duel.md, "A turn": pass -----------------------------------------------------------


def test_pass_only_if_nothing_else_is_legal() -> None:
    rest = PLAIN_TOKENS.replace("y", "", 1)
    state = duel(FULL, Seat(tokens=rest), board="y....")
    assert legal(state) == {"pass"}
    state.play("pass")
    assert (state.seat, state.turns) == (1, 1)
    assert "pass" not in legal(duel(FULL, board="y...."))


def test_pass_with_privileges_that_cannot_be_used() -> None:
    rest = PLAIN_TOKENS.replace("y", "", 1)
    state = duel(Seat(reserved=FULL.reserved, privileges=2), Seat(tokens=rest), board="y....")
    assert legal(state) == {"pass"}


# --- docs/rules/duel.md, "Taking a privilege" -----------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [((0, 0), (0, 1)), ((1, 1), (1, 2)), ((2, 1), (1, 2)), ((3, 0), (2, 1)), ((0, 3), (0, 3))],
)
def test_a_privilege_comes_from_the_table_or_else_from_the_opponent(
    before: tuple[int, int], after: tuple[int, int]
) -> None:
    state = duel(Seat(privileges=before[0]), Seat(privileges=before[1]), board="www..")
    state.play("take a1 b1 c1")
    assert tuple(player.privileges for player in state.players) == after
