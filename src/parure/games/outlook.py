"""What each legal decision would bring, and why a card cannot be had, as its seat may know it.

All of it is found by playing decisions on a guess at what is hidden, so nothing hidden can show;
what chance would bring is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from parure.games.batch import after_each
from parure.games.face import determinize
from parure.games.kinds import LETTERS, counted, shortage
from parure.games.position import State, View
from parure.games.typing import Row

CHANCE = ("replenish", "draw 1", "draw 2", "deck ")  # what these bring, nobody knows before
MOST_PAYMENTS = 24  # listed for a card; the phase `pay` offers all


class Payment(Struct, frozen=True):
    """One way to pay for a card: all decisions, the tokens that go, the discounts among them."""

    decisions: tuple[str, ...]
    tokens: dict[str, int]
    discounts: tuple[str, ...]


class Outlook(Struct, frozen=True, kw_only=True):
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


def outlooks(view: View) -> list[Outlook]:
    """What each legal decision of the viewer would bring.

    >>> import parure
    >>> view = parure.new("splendor", seed=7).view(0)
    >>> outlooks(view)[0].tokens
    {'w': 1, 'u': 1, 'g': 1}
    """
    legal = view.legal_decisions
    if not legal:
        return []
    guess = determinize(view, seed=0)  # nothing that is told depends on the guess
    glance = _Glance(guess, after_each(guess.rules, guess.words, legal.ids, guess.rng))
    return [
        glance.purchase(i, decision) if decision.startswith("buy ") else glance.outlook(i, decision)
        for i, decision in enumerate(legal)
    ]


class _Glance:
    """The states after many decisions, looked at column by column: there may be a hundred."""

    def __init__(self, before: State, rows: Row) -> None:
        at = before.rules.layout
        self.before = before
        self.me = before.players[before.seat]
        mine = at.SEATS + before.seat * at.SEAT_WORDS
        self.old_tokens = before.words.item(mine + at.TOKENS)
        self.tokens = rows[:, mine + at.TOKENS].tolist()
        self.is_discard = (rows[:, at.PHASE] == at.PHASES.index("discard")).tolist()
        self.is_pay = (rows[:, at.PHASE] == at.PAY).tolist()
        self.is_over = (rows[:, at.PHASE] == at.OVER).tolist()
        self.is_complete = (
            (rows[:, at.TURNS] > before.turns) | (rows[:, at.PHASE] == at.OVER)
        ).tolist()
        self.wins = (rows[:, at.WINNERS] >> before.seat & 1).tolist()
        decks = slice(at.DECK_SIZES, at.DECK_SIZES + at.DECKS)
        came_out = before.words[decks].sum() - rows[:, decks].sum(axis=1)
        self.came_out = came_out.tolist()
        self.arrivals = _arrivals(before, rows)
        self.gives_privilege = self.is_again = [False] * len(rows)
        if hasattr(at, "PRIVILEGES"):
            theirs = at.SEATS + (1 - before.seat) * at.SEAT_WORDS + at.PRIVILEGES
            self.gives_privilege = (rows[:, theirs] > before.words[theirs]).tolist()
            is_due = (rows[:, at.AGAIN] > before.words[at.AGAIN]).tolist()
            is_same = (rows[:, at.SEAT] == before.seat).tolist()
            self.is_again = [
                not over and (same if complete else due)
                for over, same, complete, due in zip(
                    self.is_over, is_same, self.is_complete, is_due, strict=True
                )
            ]

    def purchase(self, i: int, decision: str) -> Outlook:
        """What the decision of a row brings, if it buys a card that is paid in the plain way."""
        before = self.before
        price = before.price(decision.removeprefix("buy "))
        if not self.is_pay[i]:  # there is no choice
            paid = _spent(self.old_tokens, self.tokens[i])
            return self._outlook(i, decision, {}, price, (Payment((decision,), paid, ()),), False)
        bought = before.copy()
        bought.play(decision)
        payments, has_more = _payments(self.old_tokens, bought, decision)
        for choice in payments[0].decisions[1:]:
            bought.play(choice)
        paid_for = _Glance(before, bought.words.reshape(1, -1))
        return paid_for._outlook(0, decision, {}, price, payments, has_more)

    def outlook(self, i: int, decision: str) -> Outlook:
        """What the decision of a row brings."""
        is_known = not decision.startswith(CHANCE)
        tokens = _difference(self.old_tokens, self.tokens[i]) if is_known else {}
        return self._outlook(i, decision, tokens, {}, (), False)

    def _outlook(
        self,
        i: int,
        decision: str,
        tokens: dict[str, int],
        price: dict[str, int],
        payments: tuple[Payment, ...],
        has_more: bool,
    ) -> Outlook:
        return Outlook(
            decision=decision,
            tokens=tokens,
            gives_privilege=self.gives_privilege[i],
            over=self._over(i) if self.is_discard[i] else 0,
            is_again=self.is_again[i],
            completes_turn=self.is_complete[i],
            wins=self.is_over[i] and bool(self.wins[i]),
            reveals=decision.startswith(CHANCE) or self._reveals(i, decision),
            price=price,
            payments=payments,
            has_more_payments=has_more,
        )

    def _over(self, i: int) -> int:
        """How many tokens must be returned."""
        return self.me.limited(counted(self.tokens[i])) - self.me.token_limit

    def _reveals(self, i: int, decision: str) -> bool:
        """As `turn.reveals`, but of a whole column."""
        covered = self.arrivals[i] + decision.startswith("reserve deck")
        return bool(self.came_out[i] > (covered if self.is_complete[i] else 0))


def _arrivals(before: State, rows: Row) -> list[int]:
    """How many face-up places hold another card than before, in each row."""
    at = before.rules.layout
    size = sum(before.face_up) + (3 if hasattr(at, "COUNTERFEITER_ROW") else 0)
    slots = slice(at.SLOTS, at.SLOTS + size)
    new = rows[:, slots]
    count = ((new != before.words[slots]) & (new != at.EMPTY)).sum(axis=1)
    return [int(n) for n in count.tolist()]


@lru_cache(maxsize=4096)
def _tokens_between(old: int, new: int) -> tuple[tuple[str, int], ...]:
    before, after = counted(old), counted(new)
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
        if len(found) == MOST_PAYMENTS:
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
        price = {k: n - bonuses.get(k, 0) for k, n in costs[card].items() if n > bonuses.get(k, 0)}
        missing = {k: n - tokens.get(k, 0) for k, n in price.items() if n > tokens.get(k, 0)}
        if not is_own_turn:
            code, reason = "turn", "it is not your turn"
        elif phase != "turn":
            code, reason = "phase", f"the phase is {phase!r}"
        elif missing:
            code, reason = "tokens", shortage(card, missing, gold)
        else:
            number = view.rules.decision(f"buy {card}")
            code, reason = "bonus", view.rules.reason_against(view, number)
        short = max(0, sum(n for kind, n in missing.items() if kind != "y") - gold)
        found.append(Shortage(card, code, reason, price, missing, short))
    return found
