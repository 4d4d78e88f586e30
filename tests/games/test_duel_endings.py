"""duel.md: victory, the limit, and the option "anti-blocking"."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.games.positions import COUNTERFEIT, PLAIN_TOKENS, Seat, duel, legal, packed, play

from parure.errors import IllegalDecision
from parure.games.duel import layout
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.state import DuelState
from parure.games.position import Outcome

# --- victory --------------------------------------------------------------------------------------


def test_twenty_points() -> None:
    state = duel(Seat("ggrrr", points=19), face_up="J1-05", board="w....")
    state.play("buy J1-05")
    assert state.outcome == Outcome((0,), "points")
    assert (state.phase, state.seat) == ("over", 0)
    assert not legal(state)


def test_nineteen_points_are_not_enough() -> None:
    state = duel(Seat("ggrrr", points=18), face_up="J1-05", board="w....")
    state.play("buy J1-05")
    assert not state.is_over


def test_points_of_royals_count_among_the_twenty() -> None:
    state = duel(Seat("www", points=17, crowns=2), face_up="J1-24", board="g....")
    play(state, "buy J1-24", "royal R4")
    assert state.outcome == Outcome((0,), "points")


@pytest.mark.parametrize(("crowns", "is_over"), [(9, True), (8, False)])
def test_ten_crowns(crowns: int, is_over: bool) -> None:
    state = duel(Seat("www", crowns=crowns), face_up="J1-24", board="g....")
    state.play("buy J1-24")
    assert state.outcome == (Outcome((0,), "crowns") if is_over else None)


NINE_WHITE = "J3-01 J3-02 J2-03"  # 3, 4 and 2 points


def test_ten_points_in_a_color() -> None:
    state = duel(Seat("ggrrr", cards=NINE_WHITE), face_up="J1-05", board="w....")
    assert state.players[0].points_by_color == {"w": 9}
    state.play("buy J1-05")
    assert state.outcome == Outcome((0,), "color")


def test_a_joker_counts_in_its_color() -> None:
    state = duel(Seat("kkkkp", cards=f"{NINE_WHITE} J1-09"), face_up="J1-27", board="w....")
    won, lost = state.copy(), state.copy()
    play(won, "buy J1-27", "color w")
    assert won.outcome == Outcome((0,), "color")
    play(lost, "buy J1-27", "color u")
    assert not lost.is_over


def test_cards_without_a_bonus_and_royals_do_not_count_for_a_color() -> None:
    state = duel(Seat("rrrrp", cards=NINE_WHITE, royals="R4"), face_up="J1-30", board="w....")
    state.play("buy J1-30")
    assert state.players[0].points == 9 + 3 + 3
    assert not state.is_over


def test_points_in_different_colors_do_not_add_up() -> None:
    state = duel(Seat("rrkkk", cards=NINE_WHITE), face_up="J1-10", board="w....")
    state.play("buy J1-10")
    assert not state.is_over


def test_the_first_reason_that_holds_is_recorded() -> None:
    all_three = Seat("ggrrr", cards=NINE_WHITE, points=10, crowns=10)
    state = duel(all_three, face_up="J1-05", board="w....")
    state.play("buy J1-05")
    assert state.outcome == Outcome((0,), "points")
    two = Seat("ggrrr", cards=NINE_WHITE, crowns=10)
    state = duel(two, face_up="J1-05", board="w....")
    state.play("buy J1-05")
    assert state.outcome == Outcome((0,), "crowns")


def test_only_the_player_to_move_can_win() -> None:
    state = duel(Seat(), Seat(points=25, crowns=10), board="wu...")
    state.play("take a1")
    assert not state.is_over
    state.play("take b1")
    assert state.outcome == Outcome((1,), "points")


def test_victory_comes_after_the_discard_and_the_refill() -> None:
    me = Seat("wwwuuuugggrrrkky", points=20)
    state = duel(me, face_up="J1-24", coming="J1-20", board="p....")
    play(state, "buy J1-24", "pay")
    assert (state.phase, state.is_over) == ("discard", False)
    play(state, "discard u", "discard u", "discard u")
    assert state.outcome == Outcome((0,), "points")
    assert state.pyramid[0][0] == "J1-20"


def test_victory_comes_before_an_extra_turn() -> None:
    state = duel(Seat("uuggp", points=20), face_up="J1-03", board="w....")
    state.play("buy J1-03")
    assert state.outcome == Outcome((0,), "points")


def test_nothing_can_be_played_after_the_end() -> None:
    state = duel(Seat(points=20), board="wu...")
    state.play("take a1")
    with pytest.raises(IllegalDecision, match="the game is over"):
        state.play("take b1")


# --- the limit ------------------------------------------------------------------------------------


def test_five_hundred_turns_are_a_draw() -> None:
    state = duel(board="wu...", turns=498)
    state.play("take a1")
    assert not state.is_over
    state.play("take b1")
    assert state.turns == 500
    assert state.outcome == Outcome((), "limit")


def test_extra_turns_are_counted() -> None:
    state = duel(Seat("uuggp"), face_up="J1-03", board="w....", turns=499)
    state.play("buy J1-03")
    assert state.outcome == Outcome((), "limit")


def test_victory_in_the_last_turn() -> None:
    state = duel(Seat(points=20), board="w....", turns=499)
    state.play("take a1")
    assert state.outcome == Outcome((0,), "points")


# --- anti-blocking --------------------------------------------------------------------------------

ON = {"anti-blocking": True}
BOARD = "wwu.. ggrrk"


def blocking(me: Seat, them: Seat, *, board: str = BOARD, is_on: bool = True) -> DuelState:
    """The first turn of a seat that holds all gold and pearls."""
    return duel(me, them, board=board, options=ON if is_on else None)


def idle(state: DuelState, turns: int) -> None:
    """Each seat takes a single token, turn after turn."""
    for _ in range(turns):
        state.play(next(text for text in state.legal_decisions if text.startswith("take ")))


def test_a_warning_that_is_not_answered_can_be_claimed() -> None:
    state = blocking(Seat("yyypp"), Seat())
    idle(state, 3)
    assert (state.seat, "claim" in legal(state)) == (1, False)  # after the second such turn
    idle(state, 1)
    assert "claim" not in legal(state)  # nor by the one who blocks
    idle(state, 1)
    assert "claim" in legal(state)
    state.play("claim")
    assert state.outcome == Outcome((1,), "claim")


def test_the_option_is_off_by_default() -> None:
    state = blocking(Seat("yyypp"), Seat(), is_on=False)
    idle(state, 5)
    assert "claim" not in legal(state)


@pytest.mark.parametrize("decision", ["privilege", "replenish"])
def test_any_other_decision_lets_the_claim_lapse(decision: str) -> None:
    state = blocking(Seat("yyypp"), Seat(privileges=1))
    idle(state, 5)
    assert "claim" in legal(state)
    state.play(sorted(legal(state, decision))[0])
    assert (state.seat, state.phase) == (1, "turn")
    assert "claim" not in legal(state)


def test_the_warning_comes_again_each_turn() -> None:
    state = blocking(Seat("yyypp"), Seat())
    idle(state, 6)
    assert (state.seat, "claim" in legal(state)) == (0, False)
    idle(state, 1)
    assert (state.seat, "claim" in legal(state)) == (1, True)


def test_a_turn_begun_otherwise_starts_the_count_anew() -> None:
    state = blocking(Seat("yyypp"), Seat(), board="wwu.. ggrrk uuk..")
    mine = state.rules.layout.SEATS + state.rules.layout.TOKENS
    idle(state, 2)
    state.words[mine] -= packed("p")
    idle(state, 2)
    state.words[mine] += packed("p")
    idle(state, 5)
    assert (state.seat, "claim" in legal(state)) == (1, False)  # the second turn again
    idle(state, 2)
    state.play("discard w")
    assert (state.seat, "claim" in legal(state)) == (1, True)


def test_buying_answers_the_warning() -> None:
    state = duel(Seat("yyypp", bonuses="www"), Seat(), board=BOARD, face_up="J1-24", options=ON)
    idle(state, 4)
    state.play("buy J1-24")
    assert state.seat == 1
    assert "claim" not in legal(state)


def test_discarding_a_pearl_answers_the_warning() -> None:
    state = blocking(Seat("yyyppuug"), Seat())
    idle(state, 5)
    assert (state.seat, state.phase) == (0, "discard")
    gold_given, pearl_given = state.copy(), state.copy()
    gold_given.play("discard y")
    assert (gold_given.seat, "claim" in legal(gold_given)) == (1, True)
    pearl_given.play("discard p")
    assert (pearl_given.seat, "claim" in legal(pearl_given)) == (1, False)


def test_pass_and_claim_are_offered_together() -> None:
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
    """A card bought answers the first warning, but the extra turn brings its own."""
    me = Seat("yyypp", bonuses="rrrrrrrr")
    state = duel(me, Seat(), board=BOARD, face_up="J3-12", options=ON)
    idle(state, 4)
    play(state, "buy J3-12", "color r")
    assert state.seat == 0
    idle(state, 1)
    assert (state.seat, "claim" in legal(state)) == (1, True)


def counterfeit_extra_turn() -> DuelState:
    """Warned, a seat takes a token and uses C10 for an extra turn."""
    me = Seat("yyyppvv", counterfeiters="C10", privileges=1, bonuses="wwwuu")
    state = duel(
        me, Seat(), board=BOARD, face_up="J1-24", counterfeiters="C03", game=COUNTERFEIT, options=ON
    )
    idle(state, 1)
    state.play("done")
    idle(state, 2)
    state.play("done")
    idle(state, 2)
    play(state, "use C10", "pay")
    assert (state.seat, state.phase) == (0, "turn")
    return state


@pytest.mark.parametrize("card", ["J1-24", "C03"])
def test_buying_in_the_extra_turn_answers_the_warning(card: str) -> None:
    state = counterfeit_extra_turn()
    play(state, f"buy {card}", *["pay"] * (card == "C03"))
    assert (state.seat, "claim" in legal(state)) == (1, False)


def test_the_extra_turn_goes_by_without_an_answer() -> None:
    state = counterfeit_extra_turn()
    idle(state, 1)
    assert (state.seat, "claim" in legal(state)) == (1, True)
