"""Previews of decisions: what each legal decision would do, as far as its seat may know.

Every preview is made by playing the decision on a determinization of the view. What depends on
hidden cards or on chance is left out, so a preview never depends on the determinization: where what
a decision reveals decides what it does, the preview says no more than that it reveals something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from parure.games.api import determinize
from parure.games.engine.arrays import Row
from parure.games.playouts import after_each_legal
from parure.games.state import State
from parure.games.view import View
from parure.games.view_schema import Counts
from parure.table.game import table_game
from parure.table.prices import Holdings, holdings, price, shared_counts, token_changes
from parure.table.turn_boundary import revealing

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


def preview_decisions(view: View, seed: int = 0) -> list[DecisionPreview]:
    """Return a preview of each legal decision of the viewer.

    Args:
        view: What the viewer knows.
        seed: Of the determinization that the decisions are tried on; any gives the same previews.

    >>> import parure
    >>> view = parure.new("splendor", seed=7).view(0)
    >>> preview_decisions(view)[0].tokens
    {'w': 1, 'u': 1, 'g': 1}
    """
    legal = view.legal_decisions
    if not legal:
        return []
    before, texts = determinize(view, seed), list(legal)
    rows = after_each_legal(before.rules, before.words, legal.ids, before.rng)
    held = holdings(before, before.seat)
    purchases = {
        i: _pay(before, held, text, rows[i])
        for i, text in enumerate(texts)
        if text.startswith("buy ")
    }
    return list(_previews(before, rows, texts, purchases))


def _previews(
    before: State, rows: Row, texts: Sequence[str], purchases: Mapping[int, _Purchase]
) -> Iterator[DecisionPreview]:
    """Yield the previews of decisions, given the rows that they lead to."""
    layout, seat, turns = before.rules.layout, before.seat, before.turns
    game, row = table_game(before.game), before.words[np.newaxis]
    others = [other for other in range(before.seats) if other != seat]
    privileges = game.privileges(row, others).item()
    has_extra_turn = game.has_extra_turn(row).item()
    tokens_field = layout.SEATS + seat * layout.SEAT_WORDS + layout.TOKENS
    tokens_before = before.words.item(tokens_field)
    fields = [layout.PHASE, layout.TURNS, layout.SEAT, layout.WINNERS, tokens_field]
    columns = zip(
        texts,
        rows[:, fields].tolist(),
        game.has_extra_turn(rows).tolist(),
        game.privileges(rows, others).tolist(),
        revealing(before, rows, texts),
        strict=True,
    )
    for i, (text, values, is_extra, held_by_others, is_revealing) in enumerate(columns):
        if text.startswith(before.rules.uncertain):
            yield DecisionPreview(decision=text, reveals=True)
            continue
        phase, turns_after, seat_after, winners, tokens = values
        is_over = phase == layout.OVER
        is_complete = is_over or turns_after > turns
        if is_complete:
            is_extra_turn_new = seat_after == seat and not is_over
        else:
            is_extra_turn_new = is_extra and not has_extra_turn
        purchase = purchases.get(i, NO_PURCHASE)
        yield DecisionPreview(
            decision=text,
            tokens={} if purchase.payments else token_changes(tokens_before, tokens),
            gives_privilege=held_by_others > privileges,
            over_limit=_tokens_over_limit(before, rows[i]) if phase == layout.DISCARD else 0,
            gives_extra_turn=is_extra_turn_new,
            completes_turn=is_complete,
            wins=is_over and bool(winners >> seat & 1),
            reveals=is_revealing,
            price=purchase.price,
            payments=purchase.payments,
            has_more_payments=purchase.has_more_payments,
        )


def _tokens_over_limit(before: State, row: Row) -> int:
    after = before.rules.view_type(before.rules, row, before.seat)  # only its players are read
    player = after.players[before.seat]
    return player.token_count - player.token_limit


# --- paying ---------------------------------------------------------------------------------------


class _Purchase(NamedTuple):
    """What the preview of a purchase holds besides that of other decisions."""

    price: dict[str, int]
    payments: tuple[Payment, ...]
    has_more_payments: bool


NO_PURCHASE = _Purchase({}, (), False)


def _pay(before: State, held: Holdings, decision: str, row: Row) -> _Purchase:
    """Return the payments for a card; the row after the decision becomes that after the first."""
    layout, seat = before.rules.layout, before.seat
    due = shared_counts(price(before.rules, decision.removeprefix("buy "), held).due)
    field = layout.SEATS + seat * layout.SEAT_WORDS + layout.TOKENS
    if layout.PHASES[row.item(layout.PHASE)] != "pay":  # there is only one way
        return _Purchase(due, (_payment((decision,), held.tokens, row.item(field)),), False)
    after = type(before)(before.rules, row.copy(), before.rng)
    payments: list[Payment] = []
    for decisions, paid in _ways_to_pay(after, (decision,)):
        if len(payments) == MAX_PAYMENTS:
            return _Purchase(due, tuple(payments), True)
        if not payments:
            row[:] = paid.words
        payments.append(_payment(decisions, held.tokens, paid.words.item(field)))
    return _Purchase(due, tuple(payments), False)


def _payment(decisions: tuple[str, ...], before: int, after: int) -> Payment:
    """Return a payment, given the tokens of the seat before and after it, packed."""
    changes = token_changes(before, after)
    return Payment(
        decisions=decisions,
        tokens={letter: -change for letter, change in changes.items() if change < 0},
        discounts=tuple([text for text in decisions if text.startswith("discount ")]),
    )


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
