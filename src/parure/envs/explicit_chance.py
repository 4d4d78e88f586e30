"""A game with explicit chance: chance brings one token or card at a time.

The rules shuffle once and make chance a part of decisions. A game tree needs it apart: here, the
cards of a deck that nobody has seen have no order until one of them is needed, and a decision is
applied only when chance has brought all that it needs. The probabilities are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from parure.envs.adapter import adapter_for
from parure.envs.chance_pools import LEVEL_DECKS, TOKEN_POOL, ChancePools
from parure.errors import IllegalDecision
from parure.games.engine.arrays import Row
from parure.games.engine.card_storage import card_numbers
from parure.games.engine.rng import new_rng
from parure.games.engine.tokens import KIND_OF_LETTER, counts_by_letter
from parure.games.registry import rules
from parure.games.rules import Rules, new_chance
from parure.games.setup import cards_of_deck
from parure.games.view import View

_NO_RNG = new_rng(0)  # chance is known, so it is never used
RECENT_DECISIONS = 16  # that are kept for the tensor of an information state


@lru_cache(maxsize=16)
def chance_pools(game_rules: Rules) -> ChancePools:
    """Return what chance can draw in a game."""
    return adapter_for(game_rules).chance_pools(game_rules)


class ChanceNode(NamedTuple):
    """What chance has to draw next."""

    pool: str
    weights: dict[int, int]  # by outcome; each is as likely as its share of the sum


class HistoryEntry(NamedTuple):
    """The set-up or a decision, with what chance drew for it: one line of the histories."""

    text: str
    mover: int | None  # None for the set-up
    decision: int
    tokens: list[str]
    cards: list[tuple[str, ...]]  # as each seat sees them, or once if all see the same


class ExplicitChanceGame:
    """One game, advanced by decisions and by outcomes of chance.

    Attributes:
        row: The state; None until the set-up is complete. `set_row` replaces it.
        seat: The seat to move.
        is_over: Whether the game has ended.
        setup_outcomes: What chance has drawn for the set-up.
        pending_decision: The decision that waits for chance; None if there is none.
        pending_outcomes: What chance has drawn for it so far.
        chance_node: What chance has to draw next; None while a seat is to move.
        entries: Everything that happened.
    """

    def __init__(self, pools: ChancePools) -> None:
        self.pools = pools
        self.rules = pools.rules
        self.row: Row | None = None
        self.seat = 0
        self.is_over = False
        self.setup_outcomes: list[str] = []
        self.pending_decision: int | None = None
        self.pending_outcomes: list[str] = []
        self.chance_node: ChanceNode | None = None
        self.entries: list[HistoryEntry] = []
        self._next_draw = (0, 0)  # the deck, and the card that holds the place of the drawn one
        self._legal: list[int] | None = None  # the legal decisions, once they are asked for
        self._advance()

    def __deepcopy__(self, memo: object) -> Self:
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.row = None if self.row is None else self.row.copy()
        new.setup_outcomes = self.setup_outcomes.copy()
        new.pending_outcomes = self.pending_outcomes.copy()
        new.entries = self.entries.copy()
        return new

    def __getstate__(self) -> dict[str, Any]:
        state = {k: v for k, v in self.__dict__.items() if k not in ("rules", "pools")}
        return state | {"game": (self.rules.game, self.rules.seats, dict(self.rules.options))}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        self.rules = rules(*self.__dict__.pop("game"))
        self.pools = chance_pools(self.rules)

    # --- the position -----------------------------------------------------------------------------

    def set_row(self, row: Row) -> None:
        """Replace the state."""
        layout = self.rules.layout
        self.row = row
        self.seat = row.item(layout.SEAT)
        self.is_over = row.item(layout.PHASE) == layout.OVER
        self._legal = None

    def legal(self) -> list[int]:
        """Return the legal decisions; none while chance has to draw."""
        if self.row is None or self.chance_node is not None or self.is_over:
            return []
        if self._legal is None:
            self._legal = self.rules.legal(self.row)
        return self._legal

    def history(self, seat: int) -> list[str]:
        """Return everything that happened, a line for each decision, as a seat may know it."""
        lines = []
        for entry in self.entries:
            line = entry.text
            if entry.mover is not None:
                line = f"{entry.mover} {self.rules.redact(line, seat == entry.mover)}"
            cards = entry.cards[seat if len(entry.cards) > 1 else 0]
            lines.append(" ".join((line, *entry.tokens, *cards)))
        return lines

    @property
    def recent_decisions(self) -> list[tuple[int, int]]:
        """The seat and the decision of the last decisions taken, the latest last."""
        recent = self.entries[-RECENT_DECISIONS:]
        return [(entry.mover, entry.decision) for entry in recent if entry.mover is not None]

    def view(self, seat: int | None) -> View | None:
        """Return what a seat, or a spectator (None), may know; None before the set-up."""
        if self.row is None:
            return None
        words = self.row.copy()
        self.rules.kernel.hide(words, self.rules.layout.EVERYONE if seat is None else seat)
        return self.rules.view_type(self.rules, words, seat)

    def hidden_cards(self, seat: int) -> dict[int, str]:
        """Return the cards whose places a seat does not know, each with what the seat sees."""
        view = self.view(seat)
        assert self.row is not None
        assert view is not None
        names = self.rules.view_type.card_names
        actual, seen = _placed_cards(self.rules, self.row), _placed_cards(self.rules, view.words)
        return {
            card: names[shown] for card, shown in zip(actual, seen, strict=True) if card != shown
        }

    # --- advancing --------------------------------------------------------------------------------

    def apply_decision(self, decision: int) -> None:
        """Take a legal decision: now, or when chance has drawn what it needs."""
        if decision not in self.legal():
            texts = self.rules.decision_texts
            text = texts[decision] if 0 <= decision < len(texts) else str(decision)
            reason = "it is not among the legal actions now"
            raise IllegalDecision(text, reason, str(self.view(self.seat)))
        self.pending_decision = decision
        self._advance()

    def apply_outcome(self, outcome: int) -> None:
        """Let chance draw a token or card that it can draw now."""
        assert self.chance_node is not None
        if outcome not in self.chance_node.weights:
            names = self.pools.outcomes
            name = names[outcome] if 0 <= outcome < len(names) else str(outcome)
            reason = f"chance cannot draw it from the pool {self.chance_node.pool!r} now"
            raise IllegalDecision(name, reason, str(self.view(None)))
        name = self.pools.outcomes[outcome]
        if self.row is None:
            self.setup_outcomes.append(name)
        else:
            if self.chance_node.pool != TOKEN_POOL:
                self._place_drawn_card(self.row, outcome)
            self.pending_outcomes.append(name)
        self._advance()

    def _advance(self) -> None:
        """Find what chance has to draw next, or complete the set-up or the pending decision."""
        if self.row is None:
            self.chance_node = self._setup_node()
            if self.chance_node is None:
                self.set_row(self.rules.set_up(self.pools.record_setup(self.setup_outcomes)))
                text = f"set-up: {' '.join(self.setup_outcomes)}"
                self.entries.append(HistoryEntry(text, None, 0, [], [()]))
        elif self.pending_decision is not None:
            self.chance_node = self._token_node()
            if self.chance_node is None:
                self._continue_decision(self.row, self.pending_decision)

    def _setup_node(self) -> ChanceNode | None:
        drawn = self.setup_outcomes
        if len(drawn) == len(self.pools.setup_draws):
            return None
        pool, numbers = self.pools.setup_draws[len(drawn)], self.pools.outcome_numbers
        if self.chance_node is not None and self.chance_node.pool == pool:
            weights, last = self.chance_node.weights.copy(), numbers[drawn[-1]]
            weights[last] -= 1
            if not weights[last]:
                del weights[last]
            return ChanceNode(pool, weights)
        draws = zip(drawn, self.pools.setup_draws, strict=False)
        gone = Counter(name for name, other in draws if other == pool)
        left = Counter(self.pools.pools[pool]) - gone
        return ChanceNode(pool, {numbers[name]: count for name, count in left.items()})

    def _token_node(self) -> ChanceNode | None:
        """Return the next draw from the bag; None if the pending decision needs no more tokens."""
        assert self.row is not None
        assert self.pending_decision is not None
        if not self.rules.has_chance[self.pending_decision]:
            return None
        text = self.rules.decision_texts[self.pending_decision]
        tokens = self._drawn_tokens()
        if len(tokens) >= (self.rules.chance_size(self.row, text) or 0):
            return None
        in_bag = counts_by_letter(self.rules.bag(self.row))
        for letter in tokens:
            in_bag[letter] -= 1
        numbers = self.pools.outcome_numbers
        return ChanceNode(TOKEN_POOL, {numbers[letter]: n for letter, n in in_bag.items() if n})

    def _drawn_tokens(self) -> list[str]:
        return [name for name in self.pending_outcomes if name in KIND_OF_LETTER]

    def _continue_decision(self, row: Row, decision: int) -> None:
        """Find the next card that the pending decision draws, or complete the decision."""
        after, pools, layout = row.copy(), self.pools, self.rules.layout
        tokens = self._drawn_tokens() if self.pending_outcomes else []
        chance = new_chance([KIND_OF_LETTER[letter] for letter in tokens])
        self.rules.kernel.apply(after, self.rules.cards, decision, _NO_RNG, chance)
        first, end = pools.deck_words
        draws_cards = row[first:end].tobytes() != after[first:end].tobytes()
        if draws_cards or pools.is_peeking(after):
            for deck, pool in pools.decks:
                cards, left = (cards_of_deck(state, layout, deck) for state in (row, after))
                peeked = pools.peeked_count(after, deck)
                if cards == left and not peeked:
                    continue
                undetermined = self._undetermined(row, deck, cards)
                hidden = left[peeked:]
                drawn = next((card for card in undetermined if card not in hidden), None)
                if drawn is not None:
                    self._next_draw = deck, drawn
                    numbers = pools.card_outcomes[deck]
                    weights = dict.fromkeys([numbers[card] for card in undetermined], 1)
                    self.chance_node = ChanceNode(pool, weights)
                    return
        mover = self.seat
        self.set_row(after)
        cards_seen = self._drawn_cards()
        text = self.rules.decision_texts[decision]
        self.entries.append(HistoryEntry(text, mover, decision, tokens, cards_seen))
        self.pending_decision, self.pending_outcomes = None, []

    def _undetermined(self, row: Row, deck: int, cards: bytes) -> list[int]:
        """Return the cards of a deck that nobody has seen and chance has not drawn."""
        known = self.pools.known_cards(row, deck)
        if not known and not self.pending_outcomes:
            return list(cards)
        drawn, names = set(self.pending_outcomes), self.pools.deck_names[deck]
        return [card for card in cards if card not in known and names[card] not in drawn]

    def _place_drawn_card(self, row: Row, outcome: int) -> None:
        """Swap the card that chance has drawn with the one in the place of the next draw."""
        deck, placeholder = self._next_draw
        drawn, layout = self.pools.card_outcomes[deck].index(outcome), self.rules.layout
        cards = cards_of_deck(row, layout, deck)
        first = layout.DECK_BYTES * row.itemsize + layout.DECK_ENDS[deck] - len(cards)
        row_bytes = row.view(np.uint8)
        row_bytes[first + cards.index(placeholder)] = drawn
        row_bytes[first + cards.index(drawn)] = placeholder

    def _drawn_cards(self) -> list[tuple[str, ...]]:
        """Return the cards drawn for the decision just completed, as `HistoryEntry` has them."""
        cards = tuple(name for name in self.pending_outcomes if name not in KIND_OF_LETTER)
        if not cards or self._face_up(cards):
            return [cards]
        numbers = self.rules.view_type.card_numbers
        seen = []
        for seat in range(self.rules.seats):
            hidden = self.hidden_cards(seat)
            seen.append(tuple(hidden.get(numbers.get(name, -1), name) for name in cards))
        return seen

    def _face_up(self, cards: Sequence[str]) -> bool:
        """Return whether all of these cards lie face up on the table."""
        assert self.row is not None
        first, view = self.rules.layout.SLOTS, self.rules.view_type
        slots = card_numbers(self.row[first : first + sum(view.face_up)])
        shown = {view.card_names[card] for card in slots}
        return shown.issuperset(cards)


# --- cards in the row -----------------------------------------------------------------------------


def _placed_cards(game_rules: Rules, row: Row) -> list[int]:
    """Return the cards in the decks of the three levels and in reserves, place by place."""
    layout = game_rules.layout
    cards = [card for deck, _ in LEVEL_DECKS for card in cards_of_deck(row, layout, deck)]
    for seat in range(game_rules.seats):
        first = layout.SEATS + seat * layout.SEAT_WORDS
        count = int(row[first + layout.RESERVED_COUNT])
        cards += card_numbers(row[first + layout.RESERVED : first + layout.RESERVED + count])
    return cards
