"""The decision space of a game as tables, generated from its list of decisions."""

from __future__ import annotations

from itertools import groupby

from markdown_tables import table

from parure.games.registry import rules

MEANINGS = {
    "bottom": "choose which of the two other cards goes under the deck first (C17)",
    "buy": "buy a card",
    "claim": "win by the anti-blocking option",
    "collect": "take the token on a cell through an ability",
    "color": "choose the color of a joker",
    "counterfeiter": "take a face-up Counterfeiter card (R9)",
    "counterfeiter deck": "take the top card of the Counterfeiter deck (R9)",
    "deck": "choose the deck to look at (C17)",
    "discard": "return a token above the limit of ten",
    "discount": "use a discount while paying",
    "done": "stop choosing",
    "draw": "draw this number of tokens from the bag (R10)",
    "gold": "take the gold on a cell, then reserve a card",
    "gold-for": "pay a gold in place of a token of this kind",
    "keep": "keep one of the cards looked at (C17)",
    "noble": "receive a noble",
    "pass": "end the turn; legal only if nothing else is",
    "pay": "pay the current price",
    "privilege": "return a privilege and take the token on a cell",
    "replenish": "fill the board from the bag",
    "reserve": "reserve a face-up card",
    "reserve deck": "reserve the top card of a deck",
    "royal": "take a royal",
    "steal": "take a token from the opponent",
    "use": "use a Counterfeiter card in the window",
}
TAKE = {
    "splendor": "take three different gems, two, one, or two alike",
    "duel": "take a line of 1, 2 or 3 tokens",
}


def verb(text: str) -> str:
    """Return what a decision text does, without its argument.

    >>> verb("take a1 b1"), verb("reserve deck2"), verb("counterfeiter deck"), verb("deck 2")
    ('take', 'reserve deck', 'counterfeiter deck', 'deck')
    """
    word, _, argument = text.partition(" ")
    return f"{word} deck" if argument.startswith("deck") else word


def ranges(game: str, first: int = 0) -> list[tuple[int, int, str, str]]:
    """Return runs of decisions with the same verb: first and last integer, and their texts."""
    texts = rules(game).decision_texts
    numbered = [(number, texts[number]) for number in range(first, len(texts))]
    found = []
    for _, group in groupby(numbered, key=lambda pair: verb(pair[1])):
        run = list(group)
        found.append((run[0][0], run[-1][0], run[0][1], run[-1][1]))
    return found


def decision_table(game: str, after: str = "") -> str:
    """Return all decisions of a game, or those that follow the decisions of another game."""
    first = len(rules(after).decision_texts) if after else 0
    rows = []
    for start, end, start_text, end_text in ranges(game, first):
        meaning = TAKE[game] if verb(start_text) == "take" else MEANINGS[verb(start_text)]
        rows.append((*integers(start, end), texts(start, end, start_text, end_text), meaning))
    return table(["integers", "number", "texts", "meaning"], rows)


def integers(start: int, end: int) -> tuple[str, int]:
    """Return a range of integers as text, and the number of integers in it."""
    return f"{start}–{end}" if end > start else str(start), end - start + 1


def texts(start: int, end: int, start_text: str, end_text: str) -> str:
    """Return the first and the last text of a range."""
    return f"`{start_text}` … `{end_text}`" if end > start else f"`{start_text}`"
