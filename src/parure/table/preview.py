"""What each legal decision would bring, and why a card cannot be had, as its seat may know it.

All of it is found by playing decisions on a guess at what is hidden, so nothing hidden can show;
what chance would bring is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from parure.games.api import determinize
from parure.games.engine.tokens import LETTERS, counts_by_letter, shortage
from parure.games.playouts import after_each
from parure.games.state import State
from parure.games.view import View

CHANCE = ("replenish", "draw 1", "draw 2", "deck ")  # what these bring, nobody knows before
NOTHING: dict[str, int] = {}  # never changed
MAX_PAYMENTS = 24  # listed for a card; the phase `pay` offers all


class Payment(Struct, frozen=True):
    """One way to pay for a card: all decisions, the tokens that go, the discounts among them."""

    decisions: tuple[str, ...]
    tokens: dict[str, int]
    discounts: tuple[str, ...]


class DecisionPreview(Struct, frozen=True, kw_only=True):
    """A legal decision and what follows from it."""

    decision: str
    tokens: dict[str, int] = {}  # what comes to its seat, or goes
    gives_privilege: bool = False
    over: int = 0  # tokens that will have to be returned
    is_again: bool = False  # another turn is due
    completes_turn: bool = False
    wins: bool = False
    reveals: bool = False  # something hidden, or asks chance
    price: dict[str, int] = {}
    payments: tuple[Payment, ...] = ()
    has_more_payments: bool = False


class Shortage(Struct, frozen=True):
    """A card that cannot be bought now, and why: `tokens`, `bonus`, `phase` or `turn`."""

    card: str
    code: str
    reason: str
    price: dict[str, int]
    missing: dict[str, int]  # tokens that are lacking
    short: int  # how many of them gold cannot stand in for


def preview_decisions(view: View) -> list[DecisionPreview]:
    """What each legal decision of the viewer would bring.

    >>> import parure
    >>> view = parure.new("splendor", seed=7).view(0)
    >>> preview_decisions(view)[0].tokens
    {'w': 1, 'u': 1, 'g': 1}
    """
    legal = view.legal_decisions
    if not legal:
        return []
    guess = determinize(view, seed=0)  # nothing that is told depends on the guess
    rows = after_each(guess.rules, guess.words, legal.ids, guess.rng).tolist()
    glance = _Glance(guess)
    return [
        glance.purchase(decision, row)
        if decision.startswith("buy ")
        else glance.outlook(decision, row)
        for decision, row in zip(legal, rows, strict=True)
    ]


class _Glance:
    """A state, compared with the rows that its decisions lead to.

    These are plain lists: there may be a hundred, and little is read from each.
    """

    def __init__(self, before: State) -> None:
        self.before = before
        self.at: Any = before.rules.layout
        self.row: list[int] = before.words.tolist()
        self.seat = before.seat
        self.me = before.players[self.seat]
        at = self.at
        self.purse = at.SEATS + self.seat * at.SEAT_WORDS + at.TOKENS
        self.decks = slice(at.DECK_SIZES, at.DECK_SIZES + at.DECKS)
        has_counterfeiters = hasattr(at, "COUNTERFEITER_ROW")
        size = sum(before.face_up) + (3 if has_counterfeiters else 0)
        self.slots = slice(at.SLOTS, at.SLOTS + size)
        self.no_card = int(before.rules.priced[at.EMPTY])
        self.discard = at.PHASES.index("discard")
        self.their_privileges: int | None = None
        if hasattr(at, "PRIVILEGES"):
            self.their_privileges = at.SEATS + (1 - self.seat) * at.SEAT_WORDS + at.PRIVILEGES

    def purchase(self, decision: str, after: list[int]) -> DecisionPreview:
        """What a decision brings that buys a card, if it is paid for in the plain way."""
        before, purse = self.before, self.row[self.purse]
        price = before.price(decision.removeprefix("buy "))
        if after[self.at.PHASE] != self.at.PAY:  # there is no choice
            paid = _spent(purse, after[self.purse])
            return self._outlook(decision, after, {}, price, (Payment((decision,), paid, ()),))
        bought = before.copy()
        bought.play(decision)
        payments, has_more = _payments(purse, bought, decision)
        for choice in payments[0].decisions[1:]:
            bought.play(choice)
        return self._outlook(decision, bought.words.tolist(), {}, price, payments, has_more)

    def outlook(self, decision: str, after: list[int]) -> DecisionPreview:
        """What a decision brings."""
        is_known = not decision.startswith(CHANCE)
        tokens = _difference(self.row[self.purse], after[self.purse]) if is_known else {}
        return self._outlook(decision, after, tokens)

    def _outlook(
        self,
        decision: str,
        after: list[int],
        tokens: dict[str, int],
        price: dict[str, int] = NOTHING,
        payments: tuple[Payment, ...] = (),
        has_more: bool = False,
    ) -> DecisionPreview:
        at, row, phase = self.at, self.row, after[self.at.PHASE]
        is_over = phase == at.OVER
        is_complete = is_over or after[at.TURNS] > row[at.TURNS]
        gives_privilege = is_again = False
        if self.their_privileges is not None:
            gives_privilege = after[self.their_privileges] > row[self.their_privileges]
            is_same, is_due = after[at.SEAT] == self.seat, after[at.AGAIN] > row[at.AGAIN]
            is_again = not is_over and (is_same if is_complete else is_due)
        return DecisionPreview(
            decision=decision,
            tokens=tokens,
            gives_privilege=gives_privilege,
            over=self._over(after) if phase == self.discard else 0,
            is_again=is_again,
            completes_turn=is_complete,
            wins=is_over and bool(after[at.WINNERS] >> self.seat & 1),
            reveals=decision.startswith(CHANCE) or self._reveals(decision, after, is_complete),
            price=price,
            payments=payments,
            has_more_payments=has_more,
        )

    def _over(self, after: list[int]) -> int:
        """How many tokens must be returned."""
        return int(
            self.me.counted_toward_limit(counts_by_letter(after[self.purse])) - self.me.token_limit
        )

    def _reveals(self, decision: str, after: list[int], is_complete: bool) -> bool:
        """As `turn.reveals`, but of a row."""
        old, new = self.row[self.decks], after[self.decks]
        if old == new:
            return False
        covered = 0
        if is_complete:
            covered = self._arrivals(after) + decision.startswith("reserve deck")
        return sum(old) - sum(new) > covered

    def _arrivals(self, after: list[int]) -> int:
        """How many face-up places hold another card than before."""
        places = zip(self.row[self.slots], after[self.slots], strict=True)
        return sum(new not in (old, self.no_card) for old, new in places)


@lru_cache(maxsize=4096)
def _tokens_between(old: int, new: int) -> tuple[tuple[str, int], ...]:
    before, after = counts_by_letter(old), counts_by_letter(new)
    change = ((kind, after.get(kind, 0) - before.get(kind, 0)) for kind in LETTERS)
    return tuple((kind, n) for kind, n in change if n)


def _difference(old: int, new: int) -> dict[str, int]:
    """The tokens that a packed purse has more of than another, or (below 0) fewer."""
    return dict(_tokens_between(old, new)) if old != new else {}


def _spent(old: int, new: int) -> dict[str, int]:
    """The tokens that went from a packed purse."""
    return {kind: -n for kind, n in _tokens_between(old, new) if n < 0}


# --- paying ---------------------------------------------------------------------------------------


def _payments(purse: int, bought: State, decision: str) -> tuple[tuple[Payment, ...], bool]:
    """The ways to pay for a card, the plain one first, and whether there are more than listed."""
    found: list[Payment] = []
    for decisions, after in _ways(bought, (decision,)):
        if len(found) == MAX_PAYMENTS:
            return tuple(found), True
        discounts = tuple(text for text in decisions if text.startswith("discount "))
        paid = _spent(purse, _purse(after, bought.seat))
        found.append(Payment(decisions, paid, discounts))
    return tuple(found), False


def _purse(state: State, seat: int) -> int:
    """The tokens of a seat, packed."""
    layout = state.rules.layout
    return state.words.item(layout.SEATS + seat * layout.SEAT_WORDS + layout.TOKENS)


def _ways(state: State, decisions: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], State]]:
    """Every way to go on paying: the decisions, and the state they lead to."""
    if state.phase != "pay":
        yield decisions, state
        return
    for choice in sorted(state.legal_decisions, key=lambda text: text != "pay"):
        after = state.copy()
        after.play(choice)
        yield from _ways(after, (*decisions, choice))


# --- what cannot be had ---------------------------------------------------------------------------


def shortages(view: Any) -> list[Shortage]:
    """Why each card that the viewer sees and might buy cannot be bought now."""
    seat = view.viewer
    if seat is None or view.is_over:
        return []
    me, costs = view.players[seat], view.rules.printed_costs
    tokens, bonuses = me.tokens, me.bonuses
    gold = tokens.get("y", 0)
    is_own_turn, phase = view.seat == seat, view.phase
    legal = set(view.legal_decisions)
    found = []
    rows = (*view.pyramid, getattr(view, "counterfeiters", ()), me.reserved)
    for card in (card for row in rows for card in row if card):
        if f"buy {card}" in legal:
            continue
        price, missing = _price_and_missing(costs[card], bonuses, tokens)
        if not is_own_turn:
            code, reason = "turn", "it is not your turn"
        elif phase != "turn":
            code, reason = "phase", f"the phase is {phase!r}"
        elif missing:
            code, reason = "tokens", shortage(card, missing, gold)
        else:
            number = view.rules.decision(f"buy {card}")
            code, reason = "bonus", view.rules.reason_against(view, number)
        short = max(0, sum(missing.values()) - missing.get("y", 0) - gold)
        found.append(Shortage(card, code, reason, price, missing, short))
    return found


def _price_and_missing(
    cost: dict[str, int], bonuses: dict[str, int], tokens: dict[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """What a cost is after bonuses, and what a purse lacks of that."""
    price, missing = {}, {}
    for kind, n in cost.items():
        due = n - bonuses.get(kind, 0)
        if due > 0:
            price[kind] = due
            lack = due - tokens.get(kind, 0)
            if lack > 0:
                missing[kind] = lack
    return price, missing
