"""A game in which chance is asked for one thing at a time: each token, each card of a deck.

The rules shuffle once and let chance be part of a decision. A game tree wants it apart: here the
cards of a deck that nobody has seen lie in no order until one of them is needed, and a decision is
done only when chance has said all that it asks for. The odds are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np

from parure.errors import IllegalDecision
from parure.games.engine.arrays import Row
from parure.games.engine.card_storage import card_numbers
from parure.games.engine.tokens import KIND_OF_LETTER, LETTERS, counts_by_letter, spell
from parure.games.registry import rules
from parure.games.rules import Rules
from parure.games.splendor.cards import NOBLES
from parure.games.view import View

TOKEN = "token"
UNUSED_CHANCE = np.zeros(1, np.uint64)  # all that comes is said beforehand


class Supply:
    """What chance can bring in a game, and what the set-up asks for."""

    def __init__(self, by: Rules) -> None:
        self.rules = by
        setup = by.setup_of(by.deal(np.zeros(1, np.uint64)))
        self.pools: dict[str, list[str]] = {
            f"deck {level}": sorted(deck) for level, deck in enumerate(setup["decks"], start=1)
        }
        faces = by.state_type.face_up
        self.draws = [(f"deck {level}", count) for level, count in enumerate(faces, start=1)]
        if by.game == "splendor":
            self.pools["nobles"] = [noble.id for noble in NOBLES]
            self.draws.append(("nobles", by.seats + 1))
        else:
            self.pools[TOKEN] = sorted(setup["board"] + setup["bag"], key=LETTERS.index)
            self.draws.insert(0, (TOKEN, len(setup["board"])))
            self.pools["royals"] = sorted(setup["royals"], key=lambda name: int(name[1:]))
            self.pools["counterfeiters"] = sorted(setup["counterfeiters"])
        if by.game == "duel+counterfeiters":
            self.draws += [("counterfeiters", 3), ("royals", 4)]
        names = (name for pool, all_of in self.pools.items() if pool != TOKEN for name in all_of)
        self.outcomes = (*LETTERS, *names)  # everything that chance can bring
        self.numbers = {name: number for number, name in enumerate(self.outcomes)}
        self.due = [pool for pool, count in self.draws for _ in range(count)]

    @cached_property
    def decks(self) -> list[tuple[int, str]]:
        """The decks in the order in which a decision draws from them."""
        jewels = [(deck, f"deck {deck + 1}") for deck in range(3)]
        if self.rules.game == "splendor":
            return jewels
        at: Any = self.rules.layout
        return [(at.COUNTERFEITER_DECK, "counterfeiters"), (at.ROYAL_DECK, "royals"), *jewels]

    def setup(self, drawn: Sequence[str]) -> dict[str, Any]:
        """The set-up of a record in which chance brought these, the rest lying as it may."""
        came: dict[str, list[str]] = {pool: [] for pool in self.pools}
        for pool, name in zip(self.due, drawn, strict=True):
            came[pool].append(name)

        def whole(pool: str) -> list[str]:
            return [*came[pool], *(name for name in self.pools[pool] if name not in came[pool])]

        decks = [whole(f"deck {level}") for level in (1, 2, 3)]
        if self.rules.game == "splendor":
            return {"decks": decks, "nobles": came["nobles"]}
        left = Counter(self.pools[TOKEN]) - Counter(came[TOKEN])
        return {
            "board": "".join(came[TOKEN]),
            "bag": spell(left),
            "decks": decks,
            "royals": whole("royals"),
            "counterfeiters": whole("counterfeiters"),
        }


@lru_cache(maxsize=16)
def _supply(game: str, seats: int, options: tuple[tuple[str, bool], ...]) -> Supply:
    return Supply(rules(game, seats, dict(options)))


def supply_of(by: Rules) -> Supply:
    """What chance can bring in a game; made once."""
    return _supply(by.game, by.seats, tuple(sorted(by.options.items())))


class ChanceGame:
    """One game, decision by decision and chance by chance, with what each seat has been told."""

    def __init__(self, supply: Supply) -> None:
        self.supply = supply
        self.rules = supply.rules
        self.drawn: list[str] = []  # by the set-up
        self.row: Row | None = None  # none before the set-up is complete
        self.decision: int | None = None  # waits for chance
        self.came: list[str] = []  # what chance has brought to it
        self.told: tuple[tuple[str, ...], ...] = ((),) * self.rules.seats
        self.wanted: tuple[str, dict[str, int]] | None = None  # of chance: a pool, and its odds
        self._next = (0, 0)  # a deck, and the card that lies where its next one is wanted
        self._ask()

    def __deepcopy__(self, memo: object) -> Self:
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.row = None if self.row is None else self.row.copy()
        new.drawn, new.came = self.drawn.copy(), self.came.copy()
        return new

    def __getstate__(self) -> dict[str, Any]:
        by = self.rules
        state = {k: v for k, v in self.__dict__.items() if k not in ("rules", "supply")}
        return state | {"game": (by.game, by.seats, dict(by.options))}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        self.supply = supply_of(rules(*self.__dict__.pop("game")))
        self.rules = self.supply.rules

    # --- the state --------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        at: Any = self.rules.layout
        return self.row is not None and bool(self.row[at.PHASE] == at.OVER)

    @property
    def seat(self) -> int:
        """The seat to move."""
        return 0 if self.row is None else int(self.row[self.rules.layout.SEAT])

    def legal(self) -> list[int]:
        """What the seat to move may decide."""
        if self.row is None or self.wanted is not None or self.is_over:
            return []
        return self.rules.legal(self.row)

    def view(self, seat: int | None) -> View | None:
        """What a seat, or a watcher, may know; nothing before the set-up is complete."""
        if self.row is None:
            return None
        words = self.row.copy()
        self.rules.kernel.hide(words, self.rules.layout.EVERYONE if seat is None else seat)
        return self.rules.view_type(self.rules, words, seat)

    def hidden_from(self, seat: int) -> dict[int, str]:
        """The cards whose places a seat does not know, each with what stands there for it."""
        assert self.row is not None
        view = self.view(seat)
        assert view is not None
        names = self.rules.view_type.card_names
        return {
            card: names[shown]
            for card, shown in zip(
                _cards(self.rules, self.row), _cards(self.rules, view.words), strict=True
            )
            if card != shown
        }

    # --- what happens -----------------------------------------------------------------------------

    def decide(self, decision: int) -> None:
        """Take a legal decision; it is done at once, or when chance has brought what it needs."""
        if decision not in self.legal():
            raise self._refusal(decision)
        self.decision = decision
        self._ask()

    def _refusal(self, decision: int) -> IllegalDecision:
        view = self.view(self.seat)
        texts = self.rules.decision_texts
        text = texts[decision] if 0 <= decision < len(texts) else str(decision)
        return IllegalDecision(text, "it is not among the legal actions now", str(view))

    def bring(self, name: str) -> None:
        """Let chance bring a token or a card that it may."""
        assert self.wanted is not None
        pool, odds = self.wanted
        if name not in odds:
            raise IllegalDecision(
                name, f"chance cannot bring it from: {pool}", str(self.view(None))
            )
        if self.row is None:
            self.drawn.append(name)
        else:
            if pool != TOKEN:
                self._lay(name)
            self.came.append(name)
        self._ask()

    def _ask(self) -> None:
        """Find out what chance has to say next; if nothing, do what was waiting for it."""
        self.wanted = None
        if self.row is None:
            if len(self.drawn) < len(self.supply.due):
                pool = self.supply.due[len(self.drawn)]
                left = Counter(self.supply.pools[pool])
                left -= Counter(
                    n for n, p in zip(self.drawn, self.supply.due, strict=False) if p == pool
                )
                self.wanted = pool, dict(left)
                return
            self.row = self.rules.set_up(self.supply.setup(self.drawn))
            self._tell(f"set-up: {' '.join(self.drawn)}", None)
        elif self.decision is not None:
            self._go_on()

    def _go_on(self) -> None:
        """Ask for a token or a card that the decision brings, or do it."""
        assert self.row is not None
        assert self.decision is not None
        text = self.rules.decision_texts[self.decision]
        letters = [name for name in self.came if name in KIND_OF_LETTER]
        if len(letters) < (self.rules.chance_size(self.row, text) or 0):
            in_bag = Counter(counts_by_letter(self.rules.bag(self.row))) - Counter(letters)
            self.wanted = TOKEN, dict(in_bag)
            return
        after = self.row.copy()
        kinds = [KIND_OF_LETTER[letter] for letter in letters]
        self.rules.apply(after, self.decision, UNUSED_CHANCE.copy(), kinds)
        for deck, pool in self.supply.decks:
            drawn = self._drawn(deck, after)
            if drawn:
                self._next = deck, drawn[0]
                loose = [self._name(deck, card) for card in self._loose(deck)]
                self.wanted = pool, dict.fromkeys(loose, 1)
                return
        mover, cards = self.seat, [name for name in self.came if name not in KIND_OF_LETTER]
        self.row, self.decision, self.came = after, None, []
        self._tell(text, mover, letters, cards)

    def _drawn(self, deck: int, after: Row) -> list[int]:
        """The cards of a deck, of no place yet, that a decision brings or shows to its seat."""
        at: Any = self.rules.layout
        left = set(_deck(self.rules, after, deck))
        if self.rules.game != "splendor" and after[at.PEEKED] and after[at.PEEK_DECK] == deck:
            left -= set(_deck(self.rules, after, deck)[: int(after[at.PEEKED])])
        return [card for card in self._loose(deck) if card not in left]

    def _loose(self, deck: int) -> list[int]:
        """The cards of a deck that nobody has seen and chance has not named."""
        assert self.row is not None
        known = _known(self.rules, self.row) if deck < 3 else set()
        return [
            card
            for card in _deck(self.rules, self.row, deck)
            if card not in known and self._name(deck, card) not in self.came
        ]

    def _lay(self, name: str) -> None:
        """Put the card that chance has named where the next one is drawn."""
        assert self.row is not None
        deck, stand_in = self._next
        place = self.row.view(np.uint8)
        first, end = _span(self.rules, self.row, deck)
        cards = place[first:end].tolist()
        chosen = next(card for card in cards if self._name(deck, card) == name)
        here, there = first + cards.index(stand_in), first + cards.index(chosen)
        place[here], place[there] = chosen, stand_in

    def _name(self, deck: int, card: int) -> str:
        if deck < 3 or deck != self.rules.layout.DECKS - 1:
            return str(self.rules.view_type.card_names[card])
        return f"R{card + 1}"

    def _tell(
        self, text: str, mover: int | None, letters: Sequence[str] = (), cards: Sequence[str] = ()
    ) -> None:
        """Tell every seat what happened, as far as it may know."""
        numbers = self.rules.view_type.card_numbers
        told = []
        for seat, before in enumerate(self.told):
            hidden = self.hidden_from(seat)
            shown = [hidden.get(numbers.get(name, -1), name) for name in cards]
            line = text if mover is None else f"{mover} {self.rules.redact(text, seat == mover)}"
            told.append((*before, " ".join((line, *letters, *shown))))
        self.told = tuple(told)


# --- reaching into the row ------------------------------------------------------------------------


def _span(by: Rules, row: Row, deck: int) -> tuple[int, int]:
    """Where the bytes of a deck lie, its top card first."""
    end = by.layout.DECK_BYTES * row.itemsize + by.layout.DECK_ENDS[deck]
    return end - int(row[by.layout.DECK_SIZES + deck]), end


def _deck(by: Rules, row: Row, deck: int) -> list[int]:
    first, end = _span(by, row, deck)
    cards: list[int] = row.view(np.uint8)[first:end].tolist()
    return cards


def _cards(by: Rules, row: Row) -> list[int]:
    """All jewels or developments in decks and reserves, place by place."""
    at: Any = by.layout
    cards = [card for deck in range(3) for card in _deck(by, row, deck)]
    for seat in range(by.seats):
        first = at.SEATS + seat * at.SEAT_WORDS
        count = int(row[first + at.RESERVED_COUNT])
        cards += card_numbers(row[first + at.RESERVED : first + at.RESERVED + count])
    return cards


def _known(by: Rules, row: Row) -> set[int]:
    """The cards in decks whose place some seat knows."""
    if by.game == "splendor":
        return set()
    at: Any = by.layout
    low = high = 0
    for viewer in range(3):
        low |= int(row[at.KNOWN + 2 * viewer])
        high |= int(row[at.KNOWN + 2 * viewer + 1])
    bits = low | high << at.LEVEL_3
    return {card for card in range(at.JEWELS) if bits >> card & 1}
