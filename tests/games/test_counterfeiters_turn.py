"""The Counterfeiters: set-up, and what changes in a turn."""

from __future__ import annotations

from tests.games.counterfeiter_positions import can_buy, state_buying
from tests.games.positions import (
    ALL_TOKENS,
    DUEL_COUNTERFEITERS,
    Seat,
    all_tokens,
    duel,
    legal,
    new_duel,
)

# --- docs/rules/counterfeiters.md, "Set-up" -------------------------------------------------------


def test_set_up() -> None:
    state = new_duel(DUEL_COUNTERFEITERS, seed=1)
    assert len(state.board) == 25
    assert sum(state.bag.values()) == 4
    assert all_tokens(state) == ALL_TOKENS
    assert len(state.royals) == 4
    assert state.words[state.rules.layout.DECK_SIZES + 4] == 8
    assert len([name for name in state.counterfeiters if name]) == 3
    assert state.counterfeiter_deck_size == 14


# --- docs/rules/counterfeiters.md, "Changes to the turn", 1 ---------------------------------------


def test_three_glassware_give_the_opponent_a_privilege() -> None:
    state = duel(board="vvv..", game=DUEL_COUNTERFEITERS)
    state.play("take a1 b1 c1")
    assert state.players[1].privileges == 1
    assert state.players[0].tokens == {"v": 3}


def test_two_glassware_give_none() -> None:
    state = duel(board="vv...", game=DUEL_COUNTERFEITERS)
    state.play("take a1 b1")
    assert state.players[1].privileges == 0


def test_glassware_by_privilege_and_by_steal() -> None:
    state = duel(Seat(privileges=1), board="v....", game=DUEL_COUNTERFEITERS)
    assert "privilege a1" in legal(state)
    state = duel(
        Seat("uuuurrr"), Seat("vy"), face_up="J2-01", board="g....", game=DUEL_COUNTERFEITERS
    )
    state.play("buy J2-01")
    assert legal(state) == {"steal v"}


# --- docs/rules/counterfeiters.md, "Changes to the turn", 2 ---------------------------------------


def test_a_full_board_cannot_be_replenished() -> None:
    state = new_duel(DUEL_COUNTERFEITERS, seed=1)
    assert not legal(state, "replenish")
    state.play("take a1")
    assert legal(state, "replenish") == {"replenish"}


def test_tokens_without_a_cell_stay_in_the_bag() -> None:
    state = duel(board="wwwwu uuugg ggrrr rkkkk pyyy.", game=DUEL_COUNTERFEITERS)
    assert state.bag == {"p": 1, "v": 4}
    state.play("replenish > v")
    assert state.board["e5"] == "v"
    assert state.bag == {"p": 1, "v": 3}
    assert state.players[1].privileges == 1


# --- docs/rules/counterfeiters.md, "Changes to the turn", 3 ---------------------------------------


def test_bonuses_lower_the_gem_cost_of_a_counterfeiter() -> None:
    state = state_buying("C01", Seat("gv", bonuses="g"), coming="C17")
    assert state.players[0].counterfeiters == ("C01",)
    assert state.players[0].tokens == {}
    assert state.counterfeiters[0] == "C17"
    assert state.seat == 1


def test_counterfeiters_cannot_be_reserved() -> None:
    state = duel(board="y....", game=DUEL_COUNTERFEITERS)
    state.play("gold a1")
    assert not {text for text in legal(state) if text.startswith("reserve C")}


def test_a_counterfeiter_does_not_help_to_buy_itself() -> None:
    assert not can_buy("C08", Seat("uvvv"))
    assert not can_buy("C01", Seat("vvv"))


# --- docs/rules/counterfeiters.md, "Changes to the turn", 4 ---------------------------------------


def test_gold_replaces_glassware() -> None:
    state = state_buying("C01", Seat("ggy"))
    assert state.players[0].counterfeiters == ("C01",)
    state = state_buying("C01", Seat("ggvy"))
    assert legal(state) == {"pay", "gold-for g", "gold-for v"}
    state.play("gold-for v")
    assert state.players[0].tokens == {"v": 1}


def test_a_printed_gold_must_be_gold() -> None:
    assert not can_buy("C14", Seat("vvvv"))
    assert can_buy("C14", Seat("vvy"))
    assert can_buy("C14", Seat("yyy"))
    assert not can_buy("C14", Seat("vyww", bonuses="wugrk"))
    assert can_buy("C09", Seat("vvvy"))
    assert not can_buy("C09", Seat("vvvv"))


def test_printed_gold_is_no_choice() -> None:
    state = state_buying("C14", Seat("vvyy", crowns=0))
    assert legal(state) == {"pay", "gold-for v"}
    state.play("gold-for v")
    assert state.players[0].tokens == {"v": 1}


# --- docs/rules/counterfeiters.md, "Changes to the turn", 5 ---------------------------------------


def test_the_row_is_refilled_at_the_end_of_the_turn() -> None:
    state = state_buying("C14", Seat("vvy", crowns=1), royals="R4", coming="C03")
    assert state.phase == "royal"
    assert state.counterfeiters[:1] == (None,)
    state.play("royal R4")
    assert state.counterfeiters[:1] == ("C03",)


# --- docs/rules/counterfeiters.md, "Changes to the turn", 6 ---------------------------------------


def test_glassware_counts_toward_the_ten() -> None:
    state = duel(Seat("wwuuggrrvv"), board="k....", game=DUEL_COUNTERFEITERS)
    state.play("take a1")
    assert state.phase == "discard"
    assert "discard v" in legal(state)


def test_glassware_does_not_count_with_c12() -> None:
    me = Seat("wwuuggrrvv", counterfeiters="C12")
    state = duel(me, board="kkp..", game=DUEL_COUNTERFEITERS)
    state.play("take a1 b1 c1")
    assert state.phase == "discard"  # eleven without glassware
    assert legal(state) == {f"discard {letter}" for letter in "wugrkp"}
    state.play("discard w")
    assert (state.seat, state.players[0].tokens["v"]) == (1, 2)
