"""Random games with many hidden cards, and what a view hides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import numpy as np

import parure
from parure.games.duel import layout as duel_layout
from parure.games.duel.card_table import PRICED_CARDS
from parure.games.state import State
from parure.games.view import View

CARD = re.compile(r"\b[JD][123]-\d\d\b")
MAX_DECISIONS = 150  # most reserves are full by then
HIDING_DECISIONS = ("buy C17", "use C17", "deck 3", "reserve deck", "gold ", "reserve", "buy C")


def hiding_decision(state: State, random: Random) -> str:
    """Choose a random decision, preferring those that hide cards: draws from decks, and C17."""
    legal = list(state.legal_decisions)
    for prefix in HIDING_DECISIONS:
        some = [text for text in legal if text.startswith(prefix)]
        if some and random.random() < 0.5:
            return random.choice(some)
    return random.choice(legal)


def hiding_game(game: str, seats: int, seed: int, owns_c17: bool = False) -> Iterator[State]:
    """Yield one state after each decision of a random game that depends only on the seed."""
    random = Random(seed)
    state = parure.new(game, players=seats, seed=seed)
    if owns_c17:
        state = with_c17(state, random)
    yield state
    while not state.is_over and len(state.decisions) < MAX_DECISIONS:
        state.play(hiding_decision(state, random))
        yield state


def with_c17(state: State, random: Random) -> State:
    """Return a state in which a random seat owns C17 and decks may be small."""
    state = state.copy()
    layout, words = duel_layout, state.words
    peeker = random.randrange(2)
    remove_c17(state)
    words[layout.SEATS + peeker * layout.SEAT_WORDS + layout.COUNTERFEITERS_HELD] |= 1 << 16
    for deck in range(3):
        size = random.choice([0, 1, 2, 3, 4, 5, 6, int(words[layout.DECK_SIZES + deck])])
        shrink_deck(state, deck, size)
    state._first = words.copy()
    return state


def remove_c17(state: State) -> None:
    """Remove C17 from the table; another Counterfeiter takes its place."""
    layout, words = duel_layout, state.words
    c17 = layout.FIRST_COUNTERFEITER + 16
    cards = words.view(np.uint8)[8 * layout.DECK_BYTES :]
    size, end = int(words[layout.DECK_SIZES + 3]), layout.DECK_ENDS[3]
    top = cards[end - size]
    slots = words[layout.COUNTERFEITER_ROW : layout.COUNTERFEITER_ROW + 3]
    slots[slots == PRICED_CARDS[c17]] = PRICED_CARDS[top]
    deck = cards[end - size : end]
    deck[deck == c17] = top
    cards[end - size] = 0
    words[layout.DECK_SIZES + 3] -= 1


def shrink_deck(state: State, deck: int, size: int) -> None:
    """Move the top cards of a deck to the tableau of seat 1, without points or bonuses."""
    layout, words = duel_layout, state.words
    cards = words.view(np.uint8)[8 * layout.DECK_BYTES :]
    tableau = layout.SEATS + layout.SEAT_WORDS + layout.TABLEAU
    while words[layout.DECK_SIZES + deck] > size:
        index = layout.DECK_ENDS[deck] - int(words[layout.DECK_SIZES + deck])
        card = int(cards[index])
        is_in_low_word = card < layout.LEVEL_3
        bit = card if is_in_low_word else card - layout.LEVEL_3
        words[tableau + (not is_in_low_word)] |= 1 << bit
        cards[index] = 0
        words[layout.DECK_SIZES + deck] -= 1


def viewers(state: State) -> list[int | None]:
    """Return all viewers: the seats, and None for a viewer without a seat."""
    return [*range(state.seats), None]


def named_cards(view: View) -> set[str]:
    """Return the cards in decks and reserves that a view names."""
    cards = {card for level in (1, 2, 3) for card in view.deck(level)}
    cards |= {card for player in view.players for card in player.reserved}
    return {card for card in cards if not card.startswith("??")}


def hidden_cards(view: View, state: State) -> set[str]:
    """Return the cards in decks and reserves that a view does not name."""
    cards = {card for level in (1, 2, 3) for card in state.deck(level)}
    cards |= {card for player in state.players for card in player.reserved}
    return cards - named_cards(view)
