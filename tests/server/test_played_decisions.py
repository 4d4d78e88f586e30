"""Refused commands tell nothing hidden: they are the same whatever the hidden cards are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from tests.games.hidden_information import hiding_game
from tests.games.positions import DUEL_COUNTERFEITERS, Seat, duel
from tests.server.matches import START, new_match
from tests.server.test_snapshots import twin_match

from parure.games.duel.geometry import CELLS
from parure.games.state import State
from parure.server.match import Match, Refusal
from parure.server.messages import Refused, encode
from parure.table.preview import preview_decisions
from parure.table.turn_boundary import completes_turn

GAMES = [
    ("duel", 2, False),
    ("duel+counterfeiters", 2, False),
    ("duel+counterfeiters", 2, True),
    ("splendor", 2, False),
    ("splendor", 3, False),
]


def match_at(state: State) -> Match:
    """Return a match in the middle of a game."""
    match = new_match(*("Ann", "Bob", "Eve", "Dan")[: state.seats], game=state.game)
    match.states, match.events = [state.copy()], []
    return match


def other_match(match: Match, viewer: int, seed: int) -> Match:
    """Return a match with other hidden cards and another secret of chance, for the same viewer."""
    other = twin_match(match, viewer, seed)
    other.setup = msgspec.structs.replace(match.setup, chance=f"secret {seed}")
    return other


def answer(match: Match, seat: int, batch: list[str], ends_turn: bool) -> bytes | None:
    """Return the message that refuses some decisions; None if they are accepted."""
    try:
        match.decide(seat, batch, ends_turn, START)
    except Refusal as refusal:
        version = match.version_for(seat)
        return encode(Refused(id="x", code=refusal.code, message=str(refusal), version=version))
    return None


def batches(match: Match, rng: Random) -> Iterator[list[str]]:
    """Yield decisions of somebody who has guessed what is hidden, and some that are wrong."""
    texts = match.state.rules.decision_texts
    state, batch = match.state.copy(), []
    for _ in range(rng.randrange(1, 7)):
        batch.append(rng.choice(_preferred(state, rng)))
        before = state.copy()
        state.play(batch[-1])
        yield batch.copy()
        yield [*batch, "x"]
        yield [*batch, rng.choice(texts)]
        if completes_turn(before, state) and (state.is_over or rng.random() < 0.8):
            return


def _preferred(state: State, rng: Random) -> list[str]:
    """Return legal decisions, rather those that reveal something or lead to such."""
    legal = list(state.legal_decisions)
    leading = (
        *state.rules.disclosures,
        *("reserve deck", "use ", "keep", "bottom", "royal", "gold"),
    )
    wanted = [text for text in legal if text.startswith(leading)]
    return wanted if wanted and rng.random() < 0.7 else legal


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "seats", "owns_c17"), GAMES)
def test_a_refusal_does_not_depend_on_what_is_hidden(game: str, seats: int, owns_c17: bool) -> None:
    codes: Counter[str] = Counter()
    for seed in range(4):
        rng = Random(seed)
        for state in hiding_game(game, seats, seed, owns_c17):
            if state.is_over or rng.random() < 0.5:
                continue
            match, seat = match_at(state), state.seat
            others = [other_match(match, seat, rng.getrandbits(32)) for _ in range(2)]
            for batch in batches(match, rng):
                ends_turn = rng.random() < 0.5
                found = answer(match, seat, batch, ends_turn)
                for other in others:
                    assert answer(other, seat, batch, ends_turn) == found, batch
                codes[msgspec.json.decode(found)["code"] if found else "accepted"] += 1
    assert codes["accepted"] > 50
    assert codes["illegal"] > 50
    assert codes["reveals"] > 2


def test_probes_with_c17_tell_no_card() -> None:
    state = duel(Seat(tokens="vvvvw", counterfeiters="C17"), game=DUEL_COUNTERFEITERS)
    state.play(next(text for text in state.legal_decisions if text.startswith("take")))
    match = match_at(state)
    assert state.phase == "window"
    for level in (1, 2, 3):
        cards = [card for card in state.card_numbers if card.startswith(f"J{level}")]
        found = {
            answer(match, 0, ["use C17", f"deck {level}", f"keep {card}", "x"], False)
            for card in cards
        }
        assert len(cards) > 10
        assert len(found) == 1


def test_probes_of_a_replenished_board_tell_no_token() -> None:
    match = match_at(duel(Seat(), board="..... " * 5))
    for verb in ("take", "gold", "privilege"):
        probes = [["replenish", f"{verb} {cell}", "x"] for cell in CELLS]
        found = {answer(match, 0, probe, False) for probe in probes}
        assert len(found) == 1
        assert b"'replenish' shows something hidden" in (found.pop() or b"")


def test_what_follows_comes_in_a_later_command() -> None:
    match = match_at(duel(Seat(), board="..... " * 5))
    with pytest.raises(Refusal) as refused:
        match.decide(0, ["replenish", "take c3"], False, START)
    assert refused.value.code == "reveals"
    assert " > " not in str(refused.value)
    match.apply(match.decide(0, ["replenish"], False, START))
    take = next(text for text in match.state.legal_decisions if text.startswith("take"))
    match.apply(match.decide(0, [take], False, START))


def test_the_revealing_decision_is_not_even_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the time that a refusal takes could tell something."""
    match = match_at(duel(Seat(), board="..... " * 5))
    played: list[str | int] = []
    play = State.play

    def recording_play(self: State, decision: str | int) -> str:
        played.append(decision)
        return play(self, decision)

    monkeypatch.setattr(State, "play", recording_play)
    with pytest.raises(Refusal):
        match.decide(0, ["replenish", "take c3"], False, START)
    assert played == []


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "seats", "owns_c17"), GAMES)
def test_every_payment_that_is_offered_is_one_command(
    game: str, seats: int, owns_c17: bool
) -> None:
    """The page sends payments as they are listed: only their last decision may reveal something."""
    lengths: Counter[int] = Counter()
    for seed in range(3):
        for state in hiding_game(game, seats, seed, owns_c17):
            if state.is_over:
                continue
            match = match_at(state)
            for preview in preview_decisions(state.view(state.seat)):
                for payment in preview.payments[:3]:
                    match.decide(state.seat, list(payment.decisions), True, START)
                    lengths[len(payment.decisions)] += 1
    assert len(lengths) > 1
