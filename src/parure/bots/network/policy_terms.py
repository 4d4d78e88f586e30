"""The terms of the logits of decisions: what the games share.

Every decision has a plain score: one of its own, or for a decision about a card or about cells the
score of its verb. A decision about a card also has the score of that card for a query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from parure.bots.network.layout import LayoutArrays, ScoreNames
from parure.bots.network.workspace import NetworkWorkspace
from parure.games.engine.arrays import Row
from parure.games.engine.jit import inlined

NO_QUERY = -1


class TermTables(NamedTuple):
    """Where the terms of each decision come from."""

    plain: Row  # the plain score of each decision
    query: Row  # the query that a decision about a card asks, or NO_QUERY
    card: Row  # the card that a decision is about


def term_tables(
    texts: Sequence[str],
    verbs_and_arguments: Iterable[tuple[int, int]],
    query_of: Callable[[int, int], int | None],
    names: ScoreNames,
) -> TermTables:
    """Return the tables of a game.

    Args:
        texts: Of all decisions.
        verbs_and_arguments: Of all decisions; the argument of one about a card is the card.
        query_of: Returns the query that a decision with this verb and argument asks of its card, or
            NO_QUERY; decisions of that verb then share a plain score. None for a decision that has
            a plain score of its own.
        names: Receives the plain scores.
    """
    shared: dict[int, int] = {}
    rows = []
    for text, (verb, argument) in zip(texts, verbs_and_arguments, strict=True):
        query = query_of(verb, argument)
        if query is None:
            rows.append((names.add(text), NO_QUERY, 0))
            continue
        if verb not in shared:
            shared[verb] = names.add(f"{text.split()[0]} …")
        rows.append((shared[verb], query, argument if query != NO_QUERY else 0))
    plain, queries, cards = np.array(rows, np.int64).T.copy()
    return TermTables(plain, queries, cards)


WriteDecisionTerms: TypeAlias = Callable[[int, int, LayoutArrays, NetworkWorkspace], None]


def decision_terms(tables: TermTables) -> WriteDecisionTerms:
    """Return the function that writes the terms of a decision that the tables name."""
    plain, query, card = tables

    @inlined
    def write_decision_terms(
        i: int, decision: int, layout: LayoutArrays, arrays: NetworkWorkspace
    ) -> None:
        arrays.terms[i, 0] = layout.first_plain_score + plain[decision]
        arrays.term_counts[i] = 1
        if query[decision] != NO_QUERY:
            place = arrays.place_of_card[card[decision]]
            score = layout.first_card_score + len(layout.query_starts) * place + query[decision]
            arrays.terms[i, 1] = score
            arrays.term_counts[i] = 2

    return write_decision_terms
