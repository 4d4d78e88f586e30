"""Reasons: what a line changes, and nothing that the viewer does not know."""

from __future__ import annotations

from random import Random

import pytest
from tests.bots.games import each_kind

import parure
from parure.analysis.reasons import Reason, reasons_for, tokens_away
from parure.analysis.wording import LANGUAGES, in_all_languages, in_words
from parure.errors import NotationError
from parure.games.registry import rules


def splendor_after(*decisions: str) -> parure.State:
    state = parure.new("splendor", seed=7)
    for decision in decisions:
        state.play(decision)
    return state


def codes(reasons: tuple[Reason, ...]) -> list[str]:
    return [reason.code for reason in reasons]


def test_a_take_brings_cards_nearer() -> None:
    state = parure.new("splendor", seed=7)
    first, *others = reasons_for(state.view(0), ["take wrk"])
    assert first == Reason(code="do", decision="take wrk", tokens={"w": 1, "r": 1, "k": 1})
    assert others
    for reason in others:
        assert reason.code in ("nearer", "affordable")
        assert reason.count == tokens_away(state, reason.card, 0) - sum(
            min(count, {"w": 1, "r": 1, "k": 1}.get(letter, 0))
            for letter, count in state.missing(reason.card, 0).items()
        )


@each_kind
def test_a_purchase_brings_points_and_bonuses(game: str, seats: int) -> None:
    """What the reasons say is what the rules do."""
    rng, found = Random(1), 0
    for seed in range(8):
        state = parure.new(game, players=seats, seed=seed)
        while not state.is_over and found < 12:
            buys = [text for text in state.legal_decisions if text.startswith("buy ")]
            if buys and state.phase == "turn":
                found += 1
                check_purchase(state, rng.choice(buys))
            state.play(rng.choice(buys or list(state.legal_decisions)))
    assert found >= 4


def check_purchase(state: parure.State, decision: str) -> None:
    view, seat = state.view(state.seat), state.seat
    reasons = reasons_for(view, [decision])
    after = state.copy()
    after.play(decision)
    points = after.players[seat].points - state.players[seat].points
    told = sum(reason.count for reason in reasons if reason.code == "points")
    assert told == points
    before_bonuses = state.players[seat].bonuses
    for reason in reasons:
        if reason.code == "bonus":
            assert after.players[seat].bonuses[reason.color] == reason.total
            assert reason.count == reason.total - before_bonuses.get(reason.color, 0)


@pytest.mark.slow_without_jit
@each_kind
def test_reasons_do_not_depend_on_hidden_cards(game: str, seats: int) -> None:
    rng = Random(5)
    for seed in range(6):
        state = parure.new(game, players=seats, seed=seed)
        for _ in range(30):
            if state.is_over:
                break
            other = parure.determinize(state.view(state.seat), rng.randrange(99))
            for text in rng.sample(list(state.legal_decisions), 1):
                mine = reasons_for(state.view(state.seat), [text])
                assert mine == reasons_for(other.view(state.seat), [text])
                for language in LANGUAGES:
                    assert in_words(mine, language, seats)
            state.play(rng.choice(state.legal_decisions))


def test_what_chance_brings_is_not_told() -> None:
    """The card that is drawn, and those that refill the rows, are unknown."""
    reasons = reasons_for(parure.new("splendor", seed=7).view(0), ["reserve deck2"])
    face_up = {card for row in parure.new("splendor", seed=7).pyramid for card in row}
    assert {reason.card for reason in reasons} - {""} <= face_up


def test_the_expected_reply_is_named() -> None:
    reasons = reasons_for(splendor_after().view(0), ["take wrk", "take wug"])
    assert reasons[-1] == Reason(
        code="reply", seat=1, decision="take wug", tokens={"w": 1, "u": 1, "g": 1}
    )
    assert in_words(reasons).endswith("expected next: the opponent takes 1 white, 1 blue, 1 green")
    assert "seat 1 takes" in in_words(reasons, seats=3)
    assert "Bob takes" in in_words(reasons, seats=3, names=["Ann", "Bob", "Cid"])
    assert "{1} prend" in in_all_languages(reasons, 3)["fr"]


@each_kind
def test_what_can_then_be_bought_can_be_bought(game: str, seats: int) -> None:
    """Cards that a reason calls within reach are legal to buy for that seat after the turn."""
    rng, checked = Random(3), 0
    for seed in range(12):
        state = parure.new(game, players=seats, seed=seed)
        while not state.is_over and checked < 60:
            decision = rng.choice(list(state.legal_decisions))
            seat, turns, view = state.seat, state.turns, state.view(state.seat)
            state.play(decision)
            is_whole_turn = state.turns == turns + 1 and view.phase == "turn"
            if is_whole_turn and not state.is_over and "deck" not in decision:
                checked += check_reach(state, seat, reasons_for(view, [decision]))
    assert checked >= 10


def check_reach(after: parure.State, seat: int, reasons: tuple[Reason, ...]) -> int:
    """Check the reasons about cards that a seat can buy; return their number."""
    found = [
        (reason.card, seat if reason.seat is None else reason.seat)
        for reason in reasons
        if reason.code in ("affordable", "leaves")
    ]
    for card, buyer in found:
        own_turn = after.copy()
        own_turn.words[own_turn.rules.layout.SEAT] = buyer
        assert f"buy {card}" in own_turn.legal_decisions
    return len(found)


def test_a_reserved_card_is_told_with_its_distance() -> None:
    state = parure.new("splendor", seed=7)
    card = state.pyramid[2][0]
    assert card is not None
    reasons = reasons_for(state.view(0), [f"reserve {card}"])
    away = tokens_away(state, card, 0) - 1  # the gold
    assert Reason(code="nearer", card=card, count=away) in reasons


def test_a_replenishment_gives_a_privilege() -> None:
    view = parure.position(
        "duel/J1:27,13,01,30,04/J2:23,05,02,01/J3:11,08,03/board:ug...,.....,.....,.....,....y"
    )
    assert isinstance(view, parure.View)
    reasons = reasons_for(view, ["replenish"])
    assert codes(reasons) == ["do", "gives-privilege"]
    assert in_words(reasons) == "replenishes the board; gives the opponent a privilege"


def test_a_counterfeiter_is_told_with_its_effect() -> None:
    view = parure.position(
        "duel-counterfeiters/J1:27,13,01,30,04/J2:23,05,02,01/J3:11,08,03/C:01,09,14/R:1,5,9,12"
        "/board:ug...,.....,.....,.....,....y/tokens0:ggv"
    )
    assert isinstance(view, parure.View)
    reasons = reasons_for(view, ["buy C01"])
    assert Reason(code="effect", card="C01", effect="discount-color", color="g") in reasons
    assert in_words(reasons, "fr").startswith("achète C01 : la Verroterie économise alors")


def test_a_bonus_brings_a_noble_nearer() -> None:
    view = parure.position(
        "splendor-2/D1:20,13,35,22/D2:07,15,09,29/D3:08,01,12,11/N:02,04,05/tokens0:ggg"
        "/cards0:D1-01,D1-02,D1-03,D1-04,D1-33,D1-34"
    )
    assert isinstance(view, parure.View)
    reasons = reasons_for(view, ["buy D1-35"])
    assert Reason(code="tile-nearer", card="N05", count=1) in reasons


def test_words_of_every_code() -> None:
    reasons = [
        Reason(code="do", decision="buy J2-05"),
        Reason(code="then", decision="royal R1"),
        Reason(code="wins"),
        Reason(code="points", count=1),
        Reason(code="crowns", count=2),
        Reason(code="bonus", color="k", count=2, total=2),
        Reason(code="tile", card="N01"),
        Reason(code="effect", card="C03", effect="discount-color", color="u"),
        Reason(code="privilege"),
        Reason(code="extra-turn"),
        Reason(code="points-left", count=1),
        Reason(code="crowns-left", count=3),
        Reason(code="affordable", card="J1-01"),
        Reason(code="nearer", card="J3-09", count=3),
        Reason(code="tile-nearer", card="N02", count=1),
        Reason(code="denies", card="J3-08", seat=1),
        Reason(code="leaves", card="J3-07", seat=1, count=0, total=3),
        Reason(code="gives-privilege", seat=1),
        Reason(code="returns", count=2),
        Reason(code="reply", decision="steal p", seat=1),
    ]
    text = in_words(reasons)
    assert text == (
        "buys J2-05, then receives R1: wins the game, 1 point, 2 crowns, 2 black bonuses, N01, "
        "glassware then saves blue tokens, a privilege and another turn; "
        "1 point short of the goal; 3 crowns short of the goal; "
        "J1-01 can then be bought; J3-09 is then 3 tokens away; N02 is then 1 bonus away; "
        "takes J3-08 away from the opponent; leaves the opponent J3-07 (3 crowns); "
        "gives the opponent a privilege; 2 tokens go back; "
        "expected next: the opponent steals 1 pearl"
    )
    for language in ("fr", "es"):
        assert "{" not in in_words(reasons, language)
    assert " a el " not in in_words(reasons, "es")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["splendor", "duel+counterfeiters"])
def test_every_decision_has_words(game: str, language: str) -> None:
    for text in rules(game).decision_texts:
        words = in_words([Reason(code="do", decision=text, tokens={"w": 1})], language)
        assert words
        assert "{" not in words
        verb = text.partition(" ")[0]
        assert not words.startswith(f"{verb} ") or language == "es", words


def test_an_unknown_language() -> None:
    with pytest.raises(NotationError, match="only in en, fr, es"):
        in_words([], "de")
