"""Previews of decisions: what each legal decision would do, as far as its seat may know.

Every preview is made by playing the decision on a determinization of the view. What depends on
hidden cards or on chance is left out, so a preview never depends on the determinization.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from parure.games.api import determinize
from parure.games.engine.arrays import Row
from parure.games.engine.tokens import counts_by_letter
from parure.games.playouts import after_each
from parure.games.state import State
from parure.games.view import View
from parure.games.view_schema import Counts
from parure.table.events import token_changes
from parure.table.game import Flags, table_game

CHANCE_DECISIONS = ("replenish", "draw 1", "draw 2", "deck ")  # or which show hidden cards
MAX_PAYMENTS = 24  # listed for a card; the phase `pay` offers all of them


class Payment(Struct, frozen=True, omit_defaults=True):
    """One way to pay for a card."""

    decisions: tuple[str, ...]  # all of them, `buy …` first
    tokens: Counts  # paid
    discounts: tuple[str, ...] = ()  # the decisions among them that are discounts


class DecisionPreview(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A legal decision and what it would do. What is left out is false, 0 or empty."""

    decision: str
    tokens: dict[str, int] = {}  # gained, or below 0 lost, by its seat at once; chance left out
    gives_privilege: bool = False  # to the opponent
    over_limit: int = 0  # tokens that will have to be returned
    gives_extra_turn: bool = False
    completes_turn: bool = False
    wins: bool = False
    reveals: bool = False  # a hidden card or the result of chance: cannot be undone
    price: Counts = {}  # of a card, after bonuses
    payments: tuple[Payment, ...] = ()  # first the plainest: no discount, no more gold than needed
    has_more_payments: bool = False  # through the phase `pay`


def preview_decisions(view: View) -> list[DecisionPreview]:
    """Return a preview of each legal decision of the viewer.

    >>> import parure
    >>> view = parure.new("splendor", seed=7).view(0)
    >>> preview_decisions(view)[0].tokens
    {'w': 1, 'u': 1, 'g': 1}
    """
    legal = view.legal_decisions
    if not legal:
        return []
    before = determinize(view, seed=0)  # any: the previews do not depend on it
    rows = after_each(before.rules, before.words, legal.ids, before.rng)
    purchases = {
        i: _pay(before, decision, rows[i])
        for i, decision in enumerate(legal)
        if decision.startswith("buy ")
    }
    columns = _Columns(before, rows, list(legal))
    return [
        columns.preview(i, decision, purchases.get(i, NO_PURCHASE))
        for i, decision in enumerate(legal)
    ]


class _Columns:
    """The states that decisions lead to, compared with the state before.

    There may be more than a hundred decisions, so each property is computed for all rows at once.
    """

    def __init__(self, before: State, rows: Row, decisions: Sequence[str]) -> None:
        self._before, self._rows = before, rows
        layout, seat = before.rules.layout, before.seat
        row, game = before.words[np.newaxis], table_game(before.game)
        is_over = rows[:, layout.PHASE] == layout.OVER
        completes_turn = is_over | (rows[:, layout.TURNS] > before.turns)
        is_same_seat = rows[:, layout.SEAT] == seat
        is_extra_turn_new = game.has_extra_turn(rows) & ~game.has_extra_turn(row)
        gives_extra_turn = np.where(completes_turn, is_same_seat & ~is_over, is_extra_turn_new)
        others = [other for other in range(before.seats) if other != seat]
        gives_privilege = game.privileges(rows, others) > game.privileges(row, others)
        tokens = layout.SEATS + seat * layout.SEAT_WORDS + layout.TOKENS
        self._tokens: list[int] = rows[:, tokens].tolist()
        self._tokens_before: int = before.words.item(tokens)
        self._completes_turn: list[bool] = completes_turn.tolist()
        self._gives_extra_turn: list[bool] = gives_extra_turn.tolist()
        self._gives_privilege: list[bool] = gives_privilege.tolist()
        self._must_discard: list[bool] = (rows[:, layout.PHASE] == layout.DISCARD).tolist()
        self._wins: list[bool] = (is_over & (rows[:, layout.WINNERS] >> seat & 1 > 0)).tolist()
        self._reveals: list[bool] = self._find_reveals(decisions, completes_turn).tolist()

    def _find_reveals(self, decisions: Sequence[str], completes_turn: Flags) -> Flags:
        """Return for each decision what :func:`parure.table.turn_boundary.reveals` would."""
        before, rows, layout = self._before, self._rows, self._before.rules.layout
        decks = slice(layout.DECK_SIZES, layout.DECK_SIZES + layout.DECKS)
        dealt = before.words[decks].sum() - rows[:, decks].sum(axis=1)
        number_of_slots = sum(len(row) for row in before.face_up_rows)
        slots = slice(layout.SLOTS, layout.SLOTS + number_of_slots)
        no_card = before.rules.priced[layout.EMPTY]
        has_arrived = (rows[:, slots] != before.words[slots]) & (rows[:, slots] != no_card)
        drawn = np.array([text.startswith("reserve deck") for text in decisions])
        covered = np.where(completes_turn, has_arrived.sum(axis=1) + drawn, 0)
        has_chance = np.array([text.startswith(CHANCE_DECISIONS) for text in decisions])
        found: Flags = has_chance | (dealt > covered)
        return found

    def preview(self, i: int, decision: str, purchase: _Purchase) -> DecisionPreview:
        """Return the preview of decision `i`."""
        is_known = not purchase.payments and not decision.startswith(CHANCE_DECISIONS)
        return DecisionPreview(
            decision=decision,
            tokens=_token_changes(self._tokens_before, self._tokens[i]) if is_known else {},
            gives_privilege=self._gives_privilege[i],
            over_limit=self._tokens_over_limit(i) if self._must_discard[i] else 0,
            gives_extra_turn=self._gives_extra_turn[i],
            completes_turn=self._completes_turn[i],
            wins=self._wins[i],
            reveals=self._reveals[i],
            price=purchase.price,
            payments=purchase.payments,
            has_more_payments=purchase.has_more_payments,
        )

    def _tokens_over_limit(self, i: int) -> int:
        before = self._before
        after = type(before)(before.rules, self._rows[i], before.rng)
        player = after.players[before.seat]
        return player.token_count - player.token_limit


def _token_changes(before: int, after: int) -> dict[str, int]:
    """Return the tokens gained, or below 0 lost, between two packed counts."""
    return token_changes(counts_by_letter(before), counts_by_letter(after))


# --- paying ---------------------------------------------------------------------------------------


class _Purchase(NamedTuple):
    """What the preview of a purchase holds besides that of other decisions."""

    price: dict[str, int]
    payments: tuple[Payment, ...]
    has_more_payments: bool


NO_PURCHASE = _Purchase({}, (), False)


def _pay(before: State, decision: str, row: Row) -> _Purchase:
    """Return the payments for a card; the row after the decision becomes that after the first."""
    after = type(before)(before.rules, row.copy(), before.rng)
    tokens = before.players[before.seat].tokens
    price = before.price(decision.removeprefix("buy "))
    payments: list[Payment] = []
    for decisions, paid in _ways_to_pay(after, (decision,)):
        if len(payments) == MAX_PAYMENTS:
            return _Purchase(price, tuple(payments), True)
        if not payments:
            row[:] = paid.words
        changes = token_changes(tokens, paid.players[before.seat].tokens)
        payments.append(
            Payment(
                decisions=decisions,
                tokens={letter: -change for letter, change in changes.items() if change < 0},
                discounts=tuple(text for text in decisions if text.startswith("discount ")),
            )
        )
    return _Purchase(price, tuple(payments), False)


def _ways_to_pay(
    state: State, decisions: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], State]]:
    """Yield every way to finish a payment: the decisions, and the state they lead to."""
    if state.phase != "pay":
        yield decisions, state
        return
    for choice in sorted(state.legal_decisions, key=lambda text: text != "pay"):
        after = state.copy()
        after.play(choice)
        yield from _ways_to_pay(after, (*decisions, choice))
