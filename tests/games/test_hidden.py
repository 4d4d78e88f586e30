"""Nothing that a seat has not seen reaches it: not by a view, a log, a message or a list.

The tests change what a seat cannot see and watch whether the seat can tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import parure
from parure.errors import IllegalDecision
from parure.games.duel import layout as duel_layout
from parure.games.duel.card_table import PRICED_CARDS
from parure.games.engine.card_storage import card_numbers
from parure.games.engine.jit import JIT
from parure.games.splendor import layout as splendor_layout
from parure.games.state import State
from parure.games.view import View

KINDS = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 3), ("splendor", 4)]
SEEDS = st.integers(0, 2**64 - 1)
CARD = re.compile(r"\b[JD][123]-\d\d\b")

each_kind = pytest.mark.parametrize(("game", "seats"), KINDS)


def games(number: int) -> settings:
    """This many random games; a few where the rules run as plain Python."""
    return settings(
        max_examples=number if JIT else max(1, number // 8),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


# --- games with many secrets ----------------------------------------------------------------------

LONG_ENOUGH = 150  # decisions; most reserves are full by then
SECRETIVE = ("buy C17", "use C17", "deck 3", "reserve deck", "gold ", "reserve", "buy C")


def secretive(state: State, random: Random) -> str:
    """Prefers what hides cards: drawing from decks, and looking into them with C17."""
    legal = list(state.legal_decisions)
    for wanted in SECRETIVE:
        some = [text for text in legal if text.startswith(wanted)]
        if some and random.random() < 0.5:
            return random.choice(some)
    return random.choice(legal)


def moments(game: str, seats: int, seed: int, owns_c17: bool = False) -> Iterator[State]:
    """One state at every moment of a game that a seed decides."""
    random = Random(seed)
    state = parure.new(game, players=seats, seed=seed)
    if owns_c17:
        state = with_peeking(state, random)
    yield state
    while not state.is_over and len(state.decisions) < LONG_ENOUGH:
        state.play(secretive(state, random))
        yield state


def with_peeking(state: State, random: Random) -> State:
    """A full state early in a game in which each seat may own C17 and decks may be small."""
    state = state.copy()
    at, words = duel_layout, state.words
    peeker = random.randrange(2)
    swap_out_c17(state)
    words[at.SEATS + peeker * at.SEAT_WORDS + at.COUNTERFEITERS_HELD] |= 1 << 16
    for deck in range(3):
        size = random.choice([0, 1, 2, 3, 4, 5, 6, int(words[at.DECK_SIZES + deck])])
        bury(state, deck, size)
    state._first = words.copy()
    return state


def swap_out_c17(state: State) -> None:
    """Take C17 from wherever it lies; a card of its deck comes in its place."""
    at, words = duel_layout, state.words
    c17 = at.FIRST_COUNTERFEITER + 16
    cards = words.view(np.uint8)[8 * at.DECK_BYTES :]
    size, end = int(words[at.DECK_SIZES + 3]), at.DECK_ENDS[3]
    top = cards[end - size]
    slots = words[at.COUNTERFEITER_ROW : at.COUNTERFEITER_ROW + 3]
    slots[slots == PRICED_CARDS[c17]] = PRICED_CARDS[top]
    deck = cards[end - size : end]
    deck[deck == c17] = top
    cards[end - size] = 0
    words[at.DECK_SIZES + 3] -= 1


def bury(state: State, deck: int, size: int) -> None:
    """Give the top cards of a deck to the tableau of seat 1, worth nothing, until it is small."""
    at, words = duel_layout, state.words
    cards = words.view(np.uint8)[8 * at.DECK_BYTES :]
    tableau = at.SEATS + at.SEAT_WORDS + at.TABLEAU
    while words[at.DECK_SIZES + deck] > size:
        place = at.DECK_ENDS[deck] - int(words[at.DECK_SIZES + deck])
        card = int(cards[place])
        low = card < at.LEVEL_3
        words[tableau + (not low)] |= 1 << (card if low else card - at.LEVEL_3)
        cards[place] = 0
        words[at.DECK_SIZES + deck] -= 1


def viewers(state: State) -> list[int | None]:
    return [*range(state.seats), None]


# --- a slow double of who has seen what -----------------------------------------------------------


class Memory:
    """What each viewer has seen of the cards that lie hidden, kept from public rules alone."""

    def __init__(self, state: State) -> None:
        self.seen: dict[int | None, set[str]] = {viewer: set() for viewer in viewers(state)}

    def follow(self, before: State, after: State) -> None:
        """Update what is known from one moment to the next."""
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
                    seen -= set(top)  # they may now lie in other places


def names_in(view: View) -> set[str]:
    """The cards that a view names in hidden places."""
    cards = {card for level in (1, 2, 3) for card in view.deck(level)}
    cards |= {card for player in view.players for card in player.reserved}
    return {card for card in cards if not card.startswith("??")}


def hidden_from(view: View, state: State) -> set[str]:
    cards = {card for level in (1, 2, 3) for card in state.deck(level)}
    cards |= {card for player in state.players for card in player.reserved}
    return cards - names_in(view)


@each_kind
@given(seed=SEEDS)
@games(8)
def test_views_name_exactly_what_was_seen(game: str, seats: int, seed: int) -> None:
    check_names(moments(game, seats, seed))


@given(seed=SEEDS)
@games(30)
def test_views_name_exactly_what_peeking_has_shown(seed: int) -> None:
    check_names(moments("duel+counterfeiters", 2, seed, owns_c17=True))


def check_names(states: Iterator[State]) -> None:
    before = next(states).copy()
    memory = Memory(before)
    for state in states:
        memory.follow(before, state)
        for viewer in viewers(state):
            view = state.view(viewer)
            somewhere = names_in(view) | hidden_from(view, state)
            assert names_in(view) == somewhere & memory.seen[viewer]
        before = state.copy()


# --- nothing else in a view depends on what is hidden ---------------------------------------------


def check_twin(state: State, viewer: int | None, seed: int) -> None:
    """A state that differs only in what the viewer cannot see looks the same to it."""
    view = state.view(viewer)
    twin = parure.determinize(view, seed=seed)
    other = twin.view(viewer)
    assert other == view
    assert hash(other) == hash(view)
    assert (other.words == view.words).all()
    assert str(other) == str(view)
    assert repr(other) == repr(view)
    assert list(other.legal_decisions) == list(view.legal_decisions)
    if viewer == state.seat:
        assert twin.legal_decisions.ids == state.legal_decisions.ids
        assert list(view.legal_decisions) == list(state.legal_decisions)
    else:
        assert not view.legal_decisions


@each_kind
@given(seed=SEEDS)
@games(5)
def test_what_is_hidden_does_not_interfere(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(moments(game, seats, seed)):
        for viewer in viewers(state):
            check_twin(state, viewer, seed + number)


@given(seed=SEEDS)
@games(12)
def test_what_is_hidden_does_not_interfere_with_peeking(seed: int) -> None:
    for number, state in enumerate(moments("duel+counterfeiters", 2, seed, owns_c17=True)):
        for viewer in viewers(state):
            check_twin(state, viewer, seed + number)


def refusals(state: State, numbers: Sequence[int]) -> list[str]:
    messages = []
    legal = set(state.legal_decisions.ids)
    for number in numbers:
        if number not in legal:
            with pytest.raises(IllegalDecision) as refused:
                state.play(number)
            messages.append(f"{refused.value} {refused.value.reason}")
    return messages


@each_kind
@given(seed=SEEDS)
@games(3)
def test_refusals_tell_nothing(game: str, seats: int, seed: int) -> None:
    random = Random(seed)
    for number, state in enumerate(moments(game, seats, seed, owns_c17="+" in game)):
        if number % 5 and state.phase in ("turn", "discard"):
            continue
        view = state.view(state.seat)
        twin = parure.determinize(view, seed=seed + number)
        numbers = random.sample(range(len(state.rules.decision_texts)), 12)
        messages = refusals(state, numbers)
        assert messages == refusals(twin, numbers)
        hidden = hidden_from(view, state)
        named = {state.rules.decision_texts[n].split()[-1] for n in numbers}
        assert not hidden & set(CARD.findall("\n".join(messages))) - named


@each_kind
@given(seed=SEEDS)
@games(4)
def test_printed_views_name_no_hidden_card(game: str, seats: int, seed: int) -> None:
    for state in moments(game, seats, seed, owns_c17="+" in game):
        for viewer in viewers(state):
            view = state.view(viewer)
            hidden = hidden_from(view, state)
            printed = f"{view!r} {view} {view.legal_decisions!r} {view.players!r}"
            assert not hidden & set(CARD.findall(printed))
            assert not hidden & {view.buying}


# --- the raw row ----------------------------------------------------------------------------------


def public_words(view: View) -> set[int]:
    """The words of a row in which no card is hidden, so that their values cannot be scanned."""
    at = view.rules.layout
    decks = range(at.DECK_BYTES, at.DECK_BYTES + 12)
    reserves = [
        at.SEATS + seat * at.SEAT_WORDS + at.RESERVED + i
        for seat in range(view.seats)
        for i in range(5 if view.game != "splendor" else 3)
    ]
    known = range(at.KNOWN, at.KNOWN + (2 if view.game == "splendor" else 6))
    return set(range(at.ROW_WORDS)) - {*decks, *reserves, *known}


@each_kind
@given(seed=SEEDS)
@games(8)
def test_the_row_of_a_view_holds_no_hidden_card(game: str, seats: int, seed: int) -> None:
    for state in moments(game, seats, seed, owns_c17="+" in game):
        for viewer in viewers(state):
            check_row(state, state.view(viewer))


def check_row(state: State, view: View) -> None:
    at = view.rules.layout
    hidden = {state.card_numbers[card] for card in hidden_from(view, state)}
    # decks: nothing is left of cards already drawn; the others are unknown, or known to the viewer
    cards = view.row[8 * at.DECK_BYTES : 8 * (at.DECK_BYTES + 12)]
    start = 0
    for deck, end in enumerate(at.DECK_ENDS):
        top = end - int(view.words[at.DECK_SIZES + deck])
        assert not cards[start:top].any()
        assert not hidden & set(cards[top:end].tolist())
        if deck >= 3:
            assert (cards[top:end] == at.UNKNOWN + deck).all()
        start = end
    assert not cards[start:].any()
    # reserves
    for seat in range(view.seats):
        first = at.SEATS + seat * at.SEAT_WORDS + at.RESERVED
        reserve = view.words[first : first + 3]
        assert not hidden & set(card_numbers(reserve))
        assert (reserve == view.rules.priced[card_numbers(reserve)]).all()
    # sets of known cards
    split = splendor_layout.LEVEL_2 if view.game == "splendor" else duel_layout.LEVEL_3
    for first in range(at.KNOWN, at.KNOWN + (2 if view.game == "splendor" else 6), 2):
        known = int(view.words[first]) | int(view.words[first + 1]) << split
        assert not any(known >> card & 1 for card in hidden)
    if view.game != "splendor":
        for seat in {0, 1} - {view.viewer}:
            assert not view.words[at.KNOWN + 2 * seat : at.KNOWN + 2 * seat + 2].any()
    # all else is the same as in the state, and the same in any state that fits the view
    words = sorted(public_words(view))
    assert (view.words[words] == state.words[words]).all()


# --- logs -----------------------------------------------------------------------------------------


@given(seed=SEEDS)
@games(20)
def test_what_was_kept_is_not_told(seed: int) -> None:
    for state in moments("duel+counterfeiters", 2, seed, owns_c17=True):
        if state.phase not in ("keep", "bottom"):
            continue
        mover, verb = state.seat, state.phase
        told: dict[int | None, list[Any]] = {viewer: [] for viewer in viewers(state)}
        for text in state.legal_decisions:
            after = state.copy()
            after.play(text)
            if after.turns != state.turns:
                continue  # a refill may show more
            assert after.log(mover)[-1] == text
            for viewer in (1 - mover, None):
                assert after.log(viewer)[-1] == f"{verb} ??"
                view = after.view(viewer)
                told[viewer].append((view, str(view), repr(view), after.log(viewer)))
        for versions in told.values():
            assert all(version == versions[0] for version in versions)


@each_kind
@given(seed=SEEDS)
@games(4)
def test_logs_name_no_hidden_card(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(moments(game, seats, seed, owns_c17="+" in game)):
        if number % 9 and not state.is_over:
            continue
        for viewer in viewers(state):
            log = state.log(viewer)
            assert len(log) == len(state.decisions)
            hidden = hidden_from(state.view(viewer), state)
            assert not hidden & set(CARD.findall("\n".join(log)))


# --- determinize ----------------------------------------------------------------------------------


@each_kind
@given(seed=SEEDS)
@games(6)
def test_a_guess_is_a_whole_state(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(moments(game, seats, seed, owns_c17="+" in game)):
        if number % 7:
            continue
        for viewer in viewers(state):
            guess: Any = parure.determinize(state.view(viewer), seed=number)
            cards = [card for level in (1, 2, 3) for card in guess.deck(level)]
            cards += [card for level in guess.pyramid for card in level if card]
            cards += [card for player in guess.players for card in player.reserved + player.cards]
            assert len(cards) == len(set(cards)) == (90 if game == "splendor" else 67)
            assert not any("?" in card for card in cards)
            for player, real in zip(guess.players, state.players, strict=True):
                levels = [card[:2] for card in player.reserved]
                assert levels == [card[:2] for card in real.reserved]


@given(seed=SEEDS)
@example(seed=0)
@games(30)
def test_the_seat_to_move_in_a_guess_knows_its_choices(seed: int) -> None:
    for number, state in enumerate(moments("duel+counterfeiters", 2, seed, owns_c17=True)):
        for viewer in viewers(state):
            guess = parure.determinize(state.view(viewer), seed=number)
            mine = guess.view(guess.seat).legal_decisions
            assert list(mine) == list(guess.legal_decisions)


@each_kind
def test_a_guess_can_be_played_to_its_end(game: str, seats: int) -> None:
    for seed in range(8 if JIT else 1):
        random = Random(seed)
        states = [state.copy() for state in moments(game, seats, seed, owns_c17="+" in game)]
        guess = parure.determinize(random.choice(states).view(seed % seats), seed=seed)
        while not guess.is_over:
            guess.play(secretive(guess, random))


def likely(counts: Counter[Any], number: int) -> bool:
    """Whether counts of as many equally likely things are as even as chance makes them.

    A chi-square test that fails once in a million times; the bound is Wilson and Hilferty's.
    """
    if number == 1:
        return len(counts) == 1
    expected = counts.total() / number
    chi_square = sum((n - expected) ** 2 for n in counts.values()) / expected
    chi_square += (number - len(counts)) * expected
    free = number - 1
    return bool(chi_square < free * (1 - 2 / (9 * free) + 4.75 * (2 / (9 * free)) ** 0.5) ** 3)


@pytest.mark.slow_without_jit
def test_guesses_are_uniform() -> None:
    """Three cards hidden in a deck and one in a reserve: 4! ways, each as likely."""
    state = parure.new("duel", seed=5)
    bury(state, 2, 4)
    gold = next(text for text in state.legal_decisions if text.startswith("gold"))
    state.play(gold)
    state.play("reserve deck3")
    view = state.view(1)
    assert view.players[0].reserved == ("??3",)
    rng = np.array([7], np.uint64)
    ways: Counter[tuple[str, ...]] = Counter()
    for _ in range(24 * 200):
        guess = parure.determinize(view, seed=rng)
        ways[(*guess.deck(3), *guess.players[0].reserved)] += 1
    assert len(ways) == 24
    assert likely(ways, 24)


@each_kind
@pytest.mark.slow_without_jit
def test_each_unseen_card_is_as_likely_on_top(game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=5)
    view = state.view(0)
    rng = np.array([11], np.uint64)
    for level in (1, 2, 3):
        tops = Counter(parure.determinize(view, seed=rng).deck(level)[0] for _ in range(2_000))
        assert set(tops) == set(state.deck(level))
        assert likely(tops, state.deck_sizes[level - 1])


# --- views compare as knowledge does --------------------------------------------------------------


def drawn_in_duel(card: int) -> State:
    """A duel in which seat 0 has drawn the n-th card of deck 3, all else being the same."""
    state = parure.new("duel", seed=5)
    first, size = 8 * duel_layout.DECK_BYTES + duel_layout.DECK_ENDS[2], state.deck_sizes[2]
    top = first - size
    state.row[[top, top + card]] = state.row[[top + card, top]]
    state.play(next(text for text in state.legal_decisions if text.startswith("gold")))
    state.play("reserve deck3")
    return state


def test_views_are_equal_when_they_hold_the_same_knowledge() -> None:
    one, other = drawn_in_duel(0), drawn_in_duel(1)
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
@games(20)
def test_a_set_of_known_cards_holds_only_hidden_ones(seed: int) -> None:
    """So that two views with the same knowledge are the same row."""
    at = duel_layout
    for state in moments("duel+counterfeiters", 2, seed, owns_c17=True):
        decks = {card for level in (1, 2, 3) for card in state.deck(level)}
        everyone = known_to(state, at.EVERYONE)
        for seat in (0, 1):
            other = set(state.players[1 - seat].reserved)
            assert known_to(state, seat) <= (decks | other) - everyone


def known_to(state: State, viewer: int) -> set[str]:
    first = duel_layout.KNOWN + 2 * viewer
    bits = int(state.words[first]) | int(state.words[first + 1]) << duel_layout.LEVEL_3
    return {name for name, n in state.card_numbers.items() if bits >> n & 1}


# --- what C17 showed ------------------------------------------------------------------------------


@given(seed=SEEDS)
@games(30)
def test_guesses_keep_what_was_seen(seed: int) -> None:
    """Cards under a deck stay where their user has put them, and only for that user."""
    for number, state in enumerate(moments("duel+counterfeiters", 2, seed, owns_c17=True)):
        for seat in (0, 1):
            guess = parure.determinize(state.view(seat), seed=number)
            for level in (1, 2, 3):
                for real, guessed in zip(state.deck(level), guess.deck(level), strict=True):
                    if real in known_to(state, seat):
                        assert guessed == real


def test_cards_put_under_a_deck() -> None:
    random = Random(1)
    for seed in range(40 if JIT else 4):
        for state in moments("duel+counterfeiters", 2, seed, owns_c17=True):
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
                break  # the end of the turn may have refilled a gap from this deck
            under = tuple(text.split()[1] for text in (chosen, other))
            assert state.deck(level)[-2:] == under
            assert state.view(mover).deck(level)[-2:] == under
            assert state.view(1 - mover).deck(level)[-2:] == (f"??{level}",) * 2
            assert state.view(None).deck(level)[-2:] == (f"??{level}",) * 2
            break
