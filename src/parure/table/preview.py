"""Previews of decisions: what each legal decision would do, as far as its seat may know.

Every preview is made by playing the decision on a determinization of the view. What depends on
hidden cards or on chance is left out, so a preview never depends on the determinization.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from parure.games.api import determinize
from parure.games.playouts import after_each
from parure.games.state import State
from parure.games.view import View
from parure.games.view_schema import Counts
from parure.table import turn_boundary
from parure.table.events import token_changes
from parure.table.turn_boundary import completes_turn

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
    previewer = _Previewer(before)
    return [
        previewer.preview(decision, type(before)(before.rules, row, before.rng))
        for decision, row in zip(legal, rows, strict=True)
    ]


class _Previewer:
    """Compares a state with those that its decisions lead to."""

    def __init__(self, before: State) -> None:
        self._before = before
        self._seat = before.seat
        self._turns = before.turns
        self._tokens = before.players[before.seat].tokens
        self._privileges = self._opponents_privileges(before)
        self._undealt_count = before.undealt_count
        self._tiles = before.tiles

    def preview(self, decision: str, after: State) -> DecisionPreview:
        """Return the preview of a decision that leads to a state."""
        if decision.startswith("buy "):
            return self._preview_purchase(decision, after)
        if decision.startswith(CHANCE_DECISIONS):
            return self._compare(decision, after, reveals=True)
        return self._compare(decision, after, tokens=self._token_changes(after))

    def _preview_purchase(self, decision: str, after: State) -> DecisionPreview:
        """Return the preview of a purchase that is paid for in the first way listed."""
        has_more = False
        if after.phase == "pay":
            payments, after, has_more = self._payments(decision, after)
        else:
            payments = (self._payment((decision,), after),)
        return self._compare(
            decision,
            after,
            price=self._before.price(decision.removeprefix("buy ")),
            payments=payments,
            has_more_payments=has_more,
        )

    def _compare(
        self,
        decision: str,
        after: State,
        *,
        tokens: dict[str, int] | None = None,
        reveals: bool = False,
        price: dict[str, int] | None = None,
        payments: tuple[Payment, ...] = (),
        has_more_payments: bool = False,
    ) -> DecisionPreview:
        seat, outcome = self._seat, after.outcome
        is_complete = completes_turn(self._before, after)
        return DecisionPreview(
            decision=decision,
            tokens=tokens or {},
            gives_privilege=self._opponents_privileges(after) > self._privileges,
            over_limit=self._tokens_over_limit(after),
            gives_extra_turn=self._gives_extra_turn(after, is_complete),
            completes_turn=is_complete,
            wins=outcome is not None and seat in outcome.winners,
            reveals=reveals or self._reveals(decision, after),
            price=price or {},
            payments=payments,
            has_more_payments=has_more_payments,
        )

    def _reveals(self, decision: str, after: State) -> bool:
        if after.undealt_count == self._undealt_count and after.tiles == self._tiles:
            return False  # the usual case, found quickly
        return turn_boundary.reveals(self._before, after, decision)

    def _opponents_privileges(self, state: State) -> int:
        players = state.players
        return sum(p.counters.get("privileges", 0) for p in players if p.seat != self._seat)

    def _gives_extra_turn(self, after: State, is_complete: bool) -> bool:
        if is_complete:
            return after.seat == self._seat and not after.is_over
        return after.is_again and not self._before.is_again

    def _tokens_over_limit(self, after: State) -> int:
        if after.phase != "discard":
            return 0
        player = after.players[self._seat]
        return player.token_count - player.token_limit

    def _token_changes(self, after: State) -> dict[str, int]:
        """Return the tokens that the seat gains or, below 0, loses."""
        return token_changes(self._tokens, after.players[self._seat].tokens)

    # --- paying -----------------------------------------------------------------------------------

    def _payments(self, decision: str, after: State) -> tuple[tuple[Payment, ...], State, bool]:
        """Return the payments for a card, where the first leads, and whether there are more."""
        found: list[Payment] = []
        first = after
        for decisions, paid in _ways_to_pay(after, (decision,)):
            if len(found) == MAX_PAYMENTS:
                return tuple(found), first, True
            if not found:
                first = paid
            found.append(self._payment(decisions, paid))
        return tuple(found), first, False

    def _payment(self, decisions: tuple[str, ...], after: State) -> Payment:
        changes = self._token_changes(after)
        return Payment(
            decisions=decisions,
            tokens={letter: -change for letter, change in changes.items() if change < 0},
            discounts=tuple(text for text in decisions if text.startswith("discount ")),
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
