"""Non-interference: nothing that a seat sees depends on cards that it may not know.

docs/rules/duel.md, "What each player knows"
docs/rules/counterfeiters.md, "What each player knows"
docs/rules/splendor.md, "What each player knows"

The tests exchange hidden cards and check that the
view, its texts, the log and error messages stay the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from tests.games.hidden_information import (
    CARD,
    hidden_cards,
    hiding_decision,
    hiding_game,
    named_cards,
    shrink_deck,
    viewers,
)
from tests.games.random_games import SEEDS, each_game, examples, is_uniform

import parure
from parure.errors import IllegalDecision
from parure.games.duel import layout as duel_layout
from parure.games.engine.card_storage import card_numbers
from parure.games.engine.jit import JIT
from parure.games.splendor import layout as splendor_layout
from parure.games.state import State
from parure.games.view import View

# --- Views name the cards that the viewer has seen ------------------------------------------------


class Knowledge:
    """The cards that each viewer has seen, computed without the kernel."""

    def __init__(self, state: State) -> None:
        self.seen: dict[int | None, set[str]] = {viewer: set() for viewer in viewers(state)}

    def update(self, before: State, after: State) -> None:
        """Add what the last decision showed, and remove what viewers can no longer locate."""
        verb, *words = after.decisions[-1].split()
        named = {card for level in before.pyramid for card in level if card}
        named |= {card for level in after.pyramid for card in level if card}
        if verb == "buy":
            named.add(words[0])
        for seen in self.seen.values():
            seen |= named
        mover = before.seat
        if verb == "reserve":
            self.seen[mover].add(after.players[mover].reserved[-1])
        if verb == "deck":
            level = int(words[0])
            top = after.deck(level)[:3]
            for viewer, seen in self.seen.items():
                if viewer == mover:
                    seen |= set(top)
                elif viewer is not None:
                    seen -= set(top)  # they may be in other places afterwards


@each_game
@given(seed=SEEDS)
@examples(8)
def test_views_name_exactly_the_cards_the_viewer_has_seen(game: str, seats: int, seed: int) -> None:
    check_names(hiding_game(game, seats, seed))


@given(seed=SEEDS)
@examples(30)
def test_views_name_exactly_the_cards_the_viewer_has_peeked_at(seed: int) -> None:
    check_names(hiding_game("duel+counterfeiters", 2, seed, owns_c17=True))


def check_names(states: Iterator[State]) -> None:
    before = next(states).copy()
    knowledge = Knowledge(before)
    for state in states:
        knowledge.update(before, state)
        for viewer in viewers(state):
            view = state.view(viewer)
            somewhere = named_cards(view) | hidden_cards(view, state)
            assert named_cards(view) == somewhere & knowledge.seen[viewer]
        before = state.copy()


# --- Nothing else in a view depends on hidden cards -----------------------------------------------


def check_same_view(state: State, viewer: int | None, seed: int) -> None:
    """Check that a state with other hidden cards gives the same view."""
    view = state.view(viewer)
    other_state = parure.determinize(view, seed=seed)
    other = other_state.view(viewer)
    assert other == view
    assert hash(other) == hash(view)
    assert (other.words == view.words).all()
    assert str(other) == str(view)
    assert repr(other) == repr(view)
    assert list(other.legal_decisions) == list(view.legal_decisions)
    if viewer == state.seat:
        assert other_state.legal_decisions.ids == state.legal_decisions.ids
        assert list(view.legal_decisions) == list(state.legal_decisions)
    else:
        assert not view.legal_decisions


@each_game
@given(seed=SEEDS)
@examples(5)
def test_hidden_cards_do_not_change_a_view(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(hiding_game(game, seats, seed)):
        for viewer in viewers(state):
            check_same_view(state, viewer, seed + number)


@given(seed=SEEDS)
@examples(12)
def test_hidden_cards_do_not_change_a_view_with_c17(seed: int) -> None:
    for number, state in enumerate(hiding_game("duel+counterfeiters", 2, seed, owns_c17=True)):
        for viewer in viewers(state):
            check_same_view(state, viewer, seed + number)


def error_messages(state: State, numbers: Sequence[int]) -> list[str]:
    messages = []
    legal = set(state.legal_decisions.ids)
    for number in numbers:
        if number not in legal:
            with pytest.raises(IllegalDecision) as refused:
                state.play(number)
            messages.append(f"{refused.value} {refused.value.reason}")
    return messages


@each_game
@given(seed=SEEDS)
@examples(3)
def test_error_messages_do_not_reveal_hidden_cards(game: str, seats: int, seed: int) -> None:
    random = Random(seed)
    for number, state in enumerate(hiding_game(game, seats, seed, owns_c17="+" in game)):
        if number % 5 and state.phase in ("turn", "discard"):
            continue
        view = state.view(state.seat)
        other_state = parure.determinize(view, seed=seed + number)
        numbers = random.sample(range(len(state.rules.decision_texts)), 12)
        messages = error_messages(state, numbers)
        assert messages == error_messages(other_state, numbers)
        hidden = hidden_cards(view, state)
        named = {state.rules.decision_texts[n].split()[-1] for n in numbers}
        assert not hidden & set(CARD.findall("\n".join(messages))) - named


@each_game
@given(seed=SEEDS)
@examples(4)
def test_printed_views_name_no_hidden_card(game: str, seats: int, seed: int) -> None:
    for state in hiding_game(game, seats, seed, owns_c17="+" in game):
        for viewer in viewers(state):
            view = state.view(viewer)
            hidden = hidden_cards(view, state)
            printed = f"{view!r} {view} {view.legal_decisions!r} {view.players!r}"
            assert not hidden & set(CARD.findall(printed))
            assert not hidden & {view.buying}


# --- The row of a view ----------------------------------------------------------------------------


def words_without_hidden_cards(view: View) -> set[int]:
    """Return the words of a row that hold no hidden card."""
    layout = view.rules.layout
    decks = range(layout.DECK_BYTES, layout.DECK_BYTES + 12)
    reserves = [
        layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED + i
        for seat in range(view.seats)
        for i in range(5 if view.game != "splendor" else 3)
    ]
    known = range(layout.KNOWN, layout.KNOWN + (2 if view.game == "splendor" else 6))
    return set(range(layout.ROW_WORDS)) - {*decks, *reserves, *known}


@each_game
@given(seed=SEEDS)
@examples(8)
def test_the_row_of_a_view_holds_no_hidden_card(game: str, seats: int, seed: int) -> None:
    for state in hiding_game(game, seats, seed, owns_c17="+" in game):
        for viewer in viewers(state):
            check_row(state, state.view(viewer))


def check_row(state: State, view: View) -> None:
    layout = view.rules.layout
    hidden = {state.card_numbers[card] for card in hidden_cards(view, state)}
    # decks: drawn cards are erased; the others are unknown, or known to the viewer
    cards = view.row[8 * layout.DECK_BYTES : 8 * (layout.DECK_BYTES + 12)]
    start = 0
    for deck, end in enumerate(layout.DECK_ENDS):
        top = end - int(view.words[layout.DECK_SIZES + deck])
        assert not cards[start:top].any()
        assert not hidden & set(cards[top:end].tolist())
        if deck >= 3:
            assert (cards[top:end] == layout.UNKNOWN + deck).all()
        start = end
    assert not cards[start:].any()
    # reserves
    for seat in range(view.seats):
        first = layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED
        reserve = view.words[first : first + 3]
        assert not hidden & set(card_numbers(reserve))
        assert (reserve == view.rules.priced[card_numbers(reserve)]).all()
    # sets of known cards
    split = splendor_layout.LEVEL_2 if view.game == "splendor" else duel_layout.LEVEL_3
    for first in range(layout.KNOWN, layout.KNOWN + (2 if view.game == "splendor" else 6), 2):
        known = int(view.words[first]) | int(view.words[first + 1]) << split
        assert not any(known >> card & 1 for card in hidden)
    if view.game != "splendor":
        for seat in {0, 1} - {view.viewer}:
            assert not view.words[layout.KNOWN + 2 * seat : layout.KNOWN + 2 * seat + 2].any()
    # all other words are those of the state
    words = sorted(words_without_hidden_cards(view))
    assert (view.words[words] == state.words[words]).all()


# --- Logs -----------------------------------------------------------------------------------------


@given(seed=SEEDS)
@examples(20)
def test_keep_and_bottom_are_redacted_for_others(seed: int) -> None:
    for state in hiding_game("duel+counterfeiters", 2, seed, owns_c17=True):
        if state.phase not in ("keep", "bottom"):
            continue
        mover, verb = state.seat, state.phase
        shown: dict[int | None, list[Any]] = {viewer: [] for viewer in viewers(state)}
        for text in state.legal_decisions:
            after = state.copy()
            after.play(text)
            if after.turns != state.turns:
                continue  # a refill may reveal a card
            assert after.log(mover)[-1] == text
            for viewer in (1 - mover, None):
                assert after.log(viewer)[-1] == f"{verb} ??"
                view = after.view(viewer)
                shown[viewer].append((view, str(view), repr(view), after.log(viewer)))
        for versions in shown.values():
            assert all(version == versions[0] for version in versions)


@each_game
@given(seed=SEEDS)
@examples(4)
def test_logs_name_no_hidden_card(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(hiding_game(game, seats, seed, owns_c17="+" in game)):
        if number % 9 and not state.is_over:
            continue
        for viewer in viewers(state):
            log = state.log(viewer)
            assert len(log) == len(state.decisions)
            hidden = hidden_cards(state.view(viewer), state)
            assert not hidden & set(CARD.findall("\n".join(log)))


# --- determinize ----------------------------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(6)
def test_determinize_returns_a_complete_state(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(hiding_game(game, seats, seed, owns_c17="+" in game)):
        if number % 7:
            continue
        for viewer in viewers(state):
            sample: Any = parure.determinize(state.view(viewer), seed=number)
            cards = [card for level in (1, 2, 3) for card in sample.deck(level)]
            cards += [card for level in sample.pyramid for card in level if card]
            cards += [card for player in sample.players for card in player.reserved + player.cards]
            assert len(cards) == len(set(cards)) == (90 if game == "splendor" else 67)
            assert not any("?" in card for card in cards)
            for player, real in zip(sample.players, state.players, strict=True):
                levels = [card[:2] for card in player.reserved]
                assert levels == [card[:2] for card in real.reserved]


@given(seed=SEEDS)
@example(seed=0)
@examples(30)
def test_the_seat_to_move_knows_its_choices_after_determinize(seed: int) -> None:
    for number, state in enumerate(hiding_game("duel+counterfeiters", 2, seed, owns_c17=True)):
        for viewer in viewers(state):
            sample = parure.determinize(state.view(viewer), seed=number)
            mine = sample.view(sample.seat).legal_decisions
            assert list(mine) == list(sample.legal_decisions)


@each_game
def test_a_determinized_state_can_be_played_to_its_end(game: str, seats: int) -> None:
    for seed in range(8 if JIT else 1):
        random = Random(seed)
        states = [state.copy() for state in hiding_game(game, seats, seed, owns_c17="+" in game)]
        sample = parure.determinize(random.choice(states).view(seed % seats), seed=seed)
        while not sample.is_over:
            sample.play(hiding_decision(sample, random))


@pytest.mark.slow_without_jit
def test_determinize_is_uniform() -> None:
    """Three hidden cards in a deck and one in a reserve: 4! states, each equally likely."""
    state = parure.new("duel", seed=5)
    shrink_deck(state, 2, 4)
    gold = next(text for text in state.legal_decisions if text.startswith("gold"))
    state.play(gold)
    state.play("reserve deck3")
    view = state.view(1)
    assert view.players[0].reserved == ("??3",)
    rng = np.array([7], np.uint64)
    ways: Counter[tuple[str, ...]] = Counter()
    for _ in range(24 * 200):
        sample = parure.determinize(view, seed=rng)
        ways[(*sample.deck(3), *sample.players[0].reserved)] += 1
    assert len(ways) == 24
    assert is_uniform(ways, 24)


@each_game
@pytest.mark.slow_without_jit
def test_each_unseen_card_is_equally_likely_on_top(game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=5)
    view = state.view(0)
    rng = np.array([11], np.uint64)
    for level in (1, 2, 3):
        tops = Counter(parure.determinize(view, seed=rng).deck(level)[0] for _ in range(2_000))
        assert set(tops) == set(state.deck(level))
        assert is_uniform(tops, state.deck_sizes[level - 1])


# --- Views are equal if the viewer knows the same -------------------------------------------------


def duel_after_drawing(card: int) -> State:
    """Return a duel in which seat 0 has drawn the n-th card of deck 3."""
    state = parure.new("duel", seed=5)
    first, size = 8 * duel_layout.DECK_BYTES + duel_layout.DECK_ENDS[2], state.deck_sizes[2]
    top = first - size
    state.row[[top, top + card]] = state.row[[top + card, top]]
    state.play(next(text for text in state.legal_decisions if text.startswith("gold")))
    state.play("reserve deck3")
    return state


def test_views_are_equal_when_they_hold_the_same_knowledge() -> None:
    one, other = duel_after_drawing(0), duel_after_drawing(1)
    assert one != other
    assert one.view(0) != other.view(0)
    assert one.view(1) == other.view(1)
    assert one.view(None) == other.view(None)
    assert len({one.view(1), other.view(1), one.view(None), one.view(0), other.view(0)}) == 4


def test_a_card_taken_from_the_pyramid_is_known_to_all() -> None:
    state = parure.new("duel", seed=5)
    card = state.pyramid[2][0]
    state.play(next(text for text in state.legal_decisions if text.startswith("gold")))
    state.play(f"reserve {card}")
    for viewer in viewers(state):
        assert state.view(viewer).players[0].reserved == (card,)


@given(seed=SEEDS)
@example(seed=0)
@examples(20)
def test_a_set_of_known_cards_holds_only_hidden_ones(seed: int) -> None:
    """Two views with the same knowledge are the same row."""
    for state in hiding_game("duel+counterfeiters", 2, seed, owns_c17=True):
        decks = {card for level in (1, 2, 3) for card in state.deck(level)}
        everyone = known_to(state, duel_layout.EVERYONE)
        for seat in (0, 1):
            other = set(state.players[1 - seat].reserved)
            assert known_to(state, seat) <= (decks | other) - everyone


def known_to(state: State, viewer: int) -> set[str]:
    first = duel_layout.KNOWN + 2 * viewer
    bits = int(state.words[first]) | int(state.words[first + 1]) << duel_layout.LEVEL_3
    return {name for name, n in state.card_numbers.items() if bits >> n & 1}


# --- C17 ------------------------------------------------------------------------------------------


@given(seed=SEEDS)
@examples(30)
def test_determinize_keeps_cards_that_were_peeked_at(seed: int) -> None:
    """Cards that a seat knows in a deck keep their places, for that seat only."""
    for number, state in enumerate(hiding_game("duel+counterfeiters", 2, seed, owns_c17=True)):
        for seat in (0, 1):
            sample = parure.determinize(state.view(seat), seed=number)
            for level in (1, 2, 3):
                for real, sampled in zip(state.deck(level), sample.deck(level), strict=True):
                    if real in known_to(state, seat):
                        assert sampled == real


def test_the_user_of_c17_knows_the_cards_under_the_deck() -> None:
    random = Random(1)
    for seed in range(40 if JIT else 4):
        for state in hiding_game("duel+counterfeiters", 2, seed, owns_c17=True):
            if state.phase != "bottom":
                continue
            level = int(state.decisions[-2].split()[1])
            first, second = state.legal_decisions
            mover = state.seat
            chosen, other = random.choice([(first, second), (second, first)])
            state = state.copy()
            turns = state.turns
            state.play(chosen)
            if state.turns != turns:
                break  # the end of the turn may have drawn from this deck
            under = tuple(text.split()[1] for text in (chosen, other))
            assert state.deck(level)[-2:] == under
            assert state.view(mover).deck(level)[-2:] == under
            assert state.view(1 - mover).deck(level)[-2:] == (f"??{level}",) * 2
            assert state.view(None).deck(level)[-2:] == (f"??{level}",) * 2
            break
