"""What a review says about a game, a turn and a seat: docs/reference/analysis.md, "Review"."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from parure.analysis.reasons import Reason
from parure.analysis.tree import Values
from parure.games.position import Outcome
from parure.games.registry import GameName

Kind: TypeAlias = Literal["", "inaccuracy", "mistake", "blunder"]
"""How bad a turn was; empty if it was not."""

INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.20  # the loss from which a turn is called so
MIN_WEIGHT = 0.05  # of a turn in the accuracy of its seat


class TurnReview(Struct, frozen=True, kw_only=True):
    """One turn. Chances and losses are fractions: 0.05 are 5 points in a hundred."""

    turn: int  # its number, from 0
    seat: int
    start: int  # the number of its first decision in the record
    decisions: tuple[str, ...]  # as the record spells them
    before: float  # the mover's chance to win, with the best decisions
    after: float  # the same when the turn is over and chance has had its part
    loss: float  # what the decisions gave away
    kind: Kind
    best: str  # the best alternative at the decision that lost most; what was played if none did
    step: int  # the number of that decision in the record
    line: tuple[str, ...]  # what would have been expected, `best` first
    reasons: tuple[Reason, ...]  # for `best`
    reason: str  # in words
    luck: float  # what chance brought the mover in this turn
    values: Values  # the chance of each seat before the turn
    lucks: Values  # what chance brought each seat
    luck_error: float  # the standard error of `luck`
    is_forced: bool  # there was nothing to choose


class SeatReview(Struct, frozen=True, kw_only=True):
    """One seat over the whole game."""

    name: str
    accuracy: float | None  # 0 to 100; null if the seat had nothing to choose
    inaccuracies: int
    mistakes: int
    blunders: int
    luck: float  # the sum over all turns, also those of others
    luck_error: float  # its standard error


class Review(Struct, frozen=True, kw_only=True):
    """A reviewed game."""

    game: GameName
    seats: tuple[SeatReview, ...]
    turns: tuple[TurnReview, ...]
    values: Values  # the chance of each seat after the last turn; the scores if the game ended
    result: Outcome | None
    budget: str  # of each decision


def kind_of(loss: float) -> Kind:
    """Return how bad a loss is.

    >>> kind_of(0.049), kind_of(0.05), kind_of(0.1), kind_of(0.3)
    ('', 'inaccuracy', 'mistake', 'blunder')
    """
    if loss >= BLUNDER:
        return "blunder"
    if loss >= MISTAKE:
        return "mistake"
    return "inaccuracy" if loss >= INACCURACY else ""


def kept(turn: TurnReview) -> float:
    """Return the share of its chance to win that the mover has kept, 0 to 1."""
    return 1.0 if turn.before <= 0.0 else max(0.0, 1.0 - turn.loss / turn.before)


def weight(turn: TurnReview) -> float:
    """Return how much a turn counts in the accuracy of its seat.

    A turn counts fully where the game is open, before or after its loss, and little where it is
    lost or won anyway.
    """
    left = max(0.0, turn.before - turn.loss)
    openness = max(turn.before * (1.0 - turn.before), left * (1.0 - left))
    return max(MIN_WEIGHT, 4.0 * openness)


def accuracy(turns: list[TurnReview]) -> float | None:
    """Return the weighted mean of what was kept, in percent; None without a choice."""
    weights = [(weight(turn), turn) for turn in turns if not turn.is_forced]
    total = sum(share for share, _ in weights)
    if not total:
        return None
    return 100.0 * sum(share * kept(turn) for share, turn in weights) / total


def seat_review(name: str, seat: int, turns: list[TurnReview]) -> SeatReview:
    """Return what the turns of a game say about a seat."""
    own = [turn for turn in turns if turn.seat == seat]
    kinds = [turn.kind for turn in own]
    return SeatReview(
        name=name,
        accuracy=accuracy(own),
        inaccuracies=kinds.count("inaccuracy"),
        mistakes=kinds.count("mistake"),
        blunders=kinds.count("blunder"),
        luck=sum(turn.lucks[seat] for turn in turns),
        luck_error=sum(turn.luck_error**2 for turn in turns) ** 0.5,
    )
