"""Reserving as one act: the decisions that reserve a card or the top of a deck, gold included.

In Duel a gold is taken first, and then a card chosen. A table offers both together, with one gold
suggested where there are several.
"""

from __future__ import annotations

from msgspec import Struct

from parure.games.api import determinize
from parure.games.view import View
from parure.table.game import table_game
from parure.table.preview import DecisionPreview, preview_decisions

RESERVE = "reserve "


class ReserveOption(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card or deck that can be reserved now. What is left out is false, 0 or empty."""

    card: str  # or `deck1` to `deck3`
    ways: tuple[tuple[str, ...], ...]  # the decisions of each way, the suggested one first
    takes_gold: bool = False
    over_limit: int = 0  # tokens that will have to be returned
    reveals: bool = False  # a hidden card: cannot be undone


def reserve_options(view: View, choices: list[DecisionPreview]) -> list[ReserveOption]:
    """Return what the viewer can reserve in the main phase of its turn, and how.

    Args:
        view: What the viewer knows.
        choices: The previews of its legal decisions.

    >>> import parure
    >>> view = parure.new("duel", seed=7).view(0)
    >>> reserve_options(view, preview_decisions(view))[-1].ways
    (('gold e2', 'reserve deck3'), ('gold b4', 'reserve deck3'), ('gold c4', 'reserve deck3'))
    """
    if view.phase != "turn" or view.viewer != view.seat:
        return []
    golds = table_game(view.game).golds_before_reserving([choice.decision for choice in choices])
    if not golds:
        return [
            _option(choice, ((choice.decision,),), choice.tokens.get("y", 0) > 0)
            for choice in choices
            if choice.decision.startswith(RESERVE)
        ]
    after = determinize(view, seed=0)  # taking gold reveals nothing, so any will do
    after.play(golds[0])
    return [
        _option(choice, tuple((gold, choice.decision) for gold in golds), takes_gold=True)
        for choice in preview_decisions(after.view(view.seat))
        if choice.decision.startswith(RESERVE)
    ]


def _option(
    choice: DecisionPreview, ways: tuple[tuple[str, ...], ...], takes_gold: bool
) -> ReserveOption:
    return ReserveOption(
        card=choice.decision.removeprefix(RESERVE),
        ways=ways,
        takes_gold=takes_gold,
        over_limit=choice.over_limit,
        reveals=choice.reveals,
    )
