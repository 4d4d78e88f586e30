"""A board on which one person makes the decisions of all sides, and may say what chance brought.

A position is a state or what one viewer knows. A decision in a view is played on a determinization
of it, from which only what the viewer sees is kept. Chance is drawn at random, or entered: then
`play` says which cards and tokens came into sight, and puts those that the person names in their
places. Nothing is remembered between two calls: a position is given by its text.

>>> import parure
>>> view = parure.new("splendor", seed=7).view(0)
>>> card = play(view, "reserve D1-16", Entered()).cards[0]
>>> card.place, card.deck, card.slot, card.options[0]
('row', '1', 0, 'D1-02')
>>> play(view, "reserve D1-16", Entered(cards=("D1-02",))).position.pyramid[0]
('D1-02', 'D1-01', 'D1-37', 'D1-24')
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from parure.errors import IllegalDecision, NotationError
from parure.games import notation
from parure.games.api import determinize
from parure.games.engine.tokens import KIND_OF_LETTER, LETTERS, counts_by_letter
from parure.games.position import Position
from parure.games.position_text import format_of, parse_position
from parure.games.state import State
from parure.games.view import View
from parure.games.view_parser import DECK_NAMES
from parure.games.view_schema import Counts, view_data
from parure.table.events import Event, event_between, event_for
from parure.table.game import table_game
from parure.table.preview import DecisionPreview, preview_decisions
from parure.table.views import AnyViewData, any_view_data, open_view

PLACES = ("row", "reserve", "cards", "deck")  # in which cards come into sight, in the order asked


class BoardPosition(Struct):
    """A position on the analysis board."""

    text: str
    table: AnyViewData
    is_state: bool  # whether nothing is hidden: the decks are known too
    choices: list[DecisionPreview]  # the decisions of the seat to move that the viewer can name
    guesses: list[str]  # purchases of reserved cards that the viewer does not know, if they are so


class PendingCard(Struct, frozen=True):
    """A card that a decision brings into sight, and that has to be entered."""

    place: str  # `row`, `reserve`, `cards` (before a seat) or `deck` (the viewer looks at it)
    deck: str  # that it comes from: `1`, `2`, `3`, `C` or `R`
    slot: int  # its number in that place
    seat: int | None  # whose reserve or cards
    options: tuple[str, ...]  # all cards that it may be


class PendingTokens(Struct, frozen=True):
    """Tokens that a decision draws from the bag, and that have to be entered."""

    number: int
    cells: tuple[str, ...]  # that they fill, in the order of the tokens; none: a seat gets them
    bag: Counts


class PendingChance(Struct, frozen=True):
    """What chance has to bring before a decision is played."""

    cards: tuple[PendingCard, ...]
    tokens: PendingTokens | None


class Entered(Struct, frozen=True):
    """What chance brought: the cards in the order of `PendingChance`, and the tokens."""

    cards: tuple[str, ...] = ()
    tokens: str | None = None  # letters


class Played(Struct, frozen=True):
    """A decision that was played."""

    position: Position
    event: Event


# --- positions ------------------------------------------------------------------------------------


def board_position(position: Position) -> BoardPosition:
    """Return a position with its table and the decisions of the seat to move."""
    is_state = isinstance(position, State)
    table = open_view(position) if isinstance(position, State) else _data(position)
    return BoardPosition(
        text=position.text(),
        table=any_view_data(table),
        is_state=is_state,
        choices=choices(position),
        guesses=guesses(position),
    )


def _data(position: Position) -> AnyViewData:
    assert isinstance(position, View)
    return any_view_data(view_data(position, with_cards=False))


def choices(position: Position) -> list[DecisionPreview]:
    """Return the legal decisions of the seat to move, as far as the viewer can name them."""
    if position.is_over:
        return []
    world = _world(position)
    found = preview_decisions(world.view(world.seat))
    if not isinstance(position, View) or position.viewer == position.seat:
        return found
    hidden = set(world.players[world.seat].reserved) - set(position.players[world.seat].reserved)
    named: dict[str, DecisionPreview] = {}
    for choice in found:
        if hidden.isdisjoint(choice.decision.split()):
            text = world.rules.redact(choice.decision, is_own=False)
            is_secret = text != choice.decision
            named.setdefault(text, DecisionPreview(decision=text) if is_secret else choice)
    return list(named.values())


def guesses(position: Position) -> list[str]:
    """Return the purchases of hidden reserved cards that would be legal, for any such card."""
    if position.is_over or position.phase != "turn" or not isinstance(position, View):
        return []
    world = _world(position)
    rules, layout, unseen = world.rules, world.rules.layout, _unseen(world, position)
    words = world.words.copy()
    found: list[str] = []
    for level, hidden in _hidden_reserve(position, world).items():
        index = world.players[world.seat].reserved.index(hidden)
        field = layout.SEATS + world.seat * layout.SEAT_WORDS + layout.RESERVED + index
        for name in sorted(unseen[level]):
            words[field] = rules.priced[world.card_numbers[name]]
            if rules.decision(f"buy {name}") in rules.legal(words):
                found.append(f"buy {name}")
        words[field] = world.words[field]
    return found


def _hidden_reserve(view: View, world: State) -> dict[int, str]:
    """Return for each level a reserved card of the seat to move that the viewer does not know."""
    seat = world.seat
    pairs = zip(view.players[seat].reserved, world.players[seat].reserved, strict=True)
    return {int(card[1]) - 1: card for shown, card in pairs if shown != card}


def _world(position: Position) -> State:
    """Return a state that fits a position; the same text always has the same one."""
    if isinstance(position, State):
        return position
    assert isinstance(position, View)
    digest = hashlib.sha256(position.text().encode()).digest()
    return determinize(position, int.from_bytes(digest[:8], "little"))


# --- decisions ------------------------------------------------------------------------------------


def play(
    position: Position, decision: str, entered: Entered | None = None
) -> Played | PendingChance:
    """Play a decision of the seat to move.

    Args:
        position: A state, or what a viewer knows.
        decision: As `choices` or `guesses` writes it.
        entered: What chance brought, as far as it was entered; None: chance is drawn at random.

    Returns:
        What came of it; or what else has to be entered.

    Raises:
        NotationError: The decision, a card or the tokens cannot be read, or cannot have come.
        IllegalDecision: The decision is not legal.
    """
    world = _with_guess(position, _world(position), decision)
    text = _own_decision(position, world, decision)
    if entered is None:
        return _finish(position, world, text)
    tokens = _pending_tokens(world, text)
    if tokens is not None and entered.tokens is not None:
        text = f"{text} > {_check_tokens(world, text, entered.tokens, tokens)}"
        tokens = None
    elif tokens is None and entered.tokens:
        raise NotationError(f"{text!r} brings no tokens")
    placed: list[str] = []
    for name in entered.cards:
        draws = list(_draws(position, world, text, placed))
        if not draws:
            raise NotationError(f"{notation.shorten(name)}: no other card came into sight")
        card, pending = draws[0]
        if name not in pending.options:
            raise NotationError(f"{notation.shorten(name)} cannot have come here")
        world = _swapped(world, card, name)
        placed.append(name)
    missing = tuple(pending for _, pending in _draws(position, world, text, placed))
    if missing or tokens is not None:
        return PendingChance(missing, tokens)
    return _finish(position, world, text)


def _finish(position: Position, world: State, text: str) -> Played:
    after = world.copy()
    event = event_between(world, after, after.play(text))
    if isinstance(position, State):
        return Played(after, event)
    assert isinstance(position, View)
    viewer = position.viewer
    return Played(after.view(viewer), event_for(event, world.rules, viewer))


def _with_guess(position: Position, world: State, decision: str) -> State:
    """Return the world, with the hidden card that a decision buys in the reserve of its seat."""
    verb, _, name = decision.partition(" ")
    if not isinstance(position, View) or verb != "buy" or position.viewer == position.seat:
        return world
    for level, hidden in _hidden_reserve(position, world).items():
        if name in _unseen(world, position)[level]:
            return _swapped(world, hidden, name)
    return world


def _own_decision(position: Position, world: State, decision: str) -> str:
    """Return a decision as its own seat names it, and check it."""
    text = decision.partition(" > ")[0]
    legal = world.legal_decisions
    if text.endswith(" ??"):
        own = (name for name in legal if world.rules.redact(name, is_own=False) == text)
        text = next(own, text)
    if text not in legal:
        if world.rules.find_decision(text) is None:
            raise NotationError(f"{notation.shorten(decision)} is no decision of {world.game}")
        raise IllegalDecision(text, "it is not legal in this position", "")
    return text


# --- chance ---------------------------------------------------------------------------------------


class _Draw(NamedTuple):
    card: str  # that the world has brought
    pending: PendingCard


def _draws(position: Position, world: State, text: str, placed: Sequence[str]) -> Iterator[_Draw]:
    """Yield the cards that a decision brings into sight, but for those that were entered."""
    after = world.copy()
    after.play(text)
    bought = text.split()[1:2]
    before = _unseen(world, position)
    still = _unseen(after, position)
    found = []
    for deck, cards in before.items():
        options = tuple(sorted(set(cards) - set(placed)))
        for card in cards:
            if card in still[deck] or card in placed or card in bought:
                continue
            place, slot, seat = _place(after, card)
            found.append(_Draw(card, PendingCard(place, DECK_NAMES[deck], slot, seat, options)))
    yield from sorted(found, key=lambda draw: _order(draw.pending))


def _order(card: PendingCard) -> tuple[int, str, int]:
    return PLACES.index(card.place), card.deck, card.slot


def _place(state: State, card: str) -> tuple[str, int, int | None]:
    """Return where a card lies: the place, its number there, and the seat that it belongs to."""
    for row in state.face_up_rows:
        if card in row:
            return "row", row.index(card), None
    for player in state.players:
        if card in player.reserved:
            return "reserve", player.reserved.index(card), player.seat
        if card in player.collection:
            return "cards", player.collection.index(card), player.seat
    text_format = format_of(state.rules)
    for deck in range(text_format.deck_count(state.rules)):
        names = list(text_format.deck_names(state, deck))
        if card in names:
            return "deck", names.index(card), None
    return "row", 0, None  # a royal


def _unseen(world: State, position: Position) -> dict[int, list[str]]:
    """Return for each deck the cards in it, or in a hidden reserve, that the person does not know.

    In a state every reserve is known, and the order of the decks is not.
    """
    text_format = format_of(world.rules)
    decks = range(text_format.deck_count(world.rules))
    if not isinstance(position, View):
        known = world.seen_in_decks
        return {
            deck: [name for name in text_format.deck_names(world, deck) if name not in known]
            for deck in decks
        }
    view = world.view(position.viewer)
    unseen = {
        deck: [
            name
            for name, shown in zip(
                text_format.deck_names(world, deck),
                text_format.deck_names(view, deck),
                strict=True,
            )
            if name != shown
        ]
        for deck in decks
    }
    for own, shown in zip(world.players, view.players, strict=True):
        for name, seen in zip(own.reserved, shown.reserved, strict=True):
            if name != seen:
                unseen[int(name[1]) - 1].append(name)
    return unseen


def _swapped(state: State, one: str, other: str) -> State:
    """Return a state in which two cards of one deck, that are not face up, have changed places."""
    if one == other:
        return state
    names = {one: other, other: one}
    label, *fields = state.text().split("/")
    written = [label]
    for field in fields:
        key, _, value = field.partition(":")
        items = value.split(",")
        if key.startswith(("reserved", "known")):
            items = [_swapped_id(item, names) for item in items]
        elif key.startswith("deck"):
            items = [_swapped_item(item, key.removeprefix("deck"), names) for item in items]
        written.append(f"{key}:{','.join(items)}")
    swapped = parse_position("/".join(written))
    assert isinstance(swapped, State)
    return swapped


def _swapped_id(item: str, names: dict[str, str]) -> str:
    """Return an id, which may have the mark of a hidden card, after an exchange."""
    name = item.removesuffix("?")
    return names.get(name, name) + item[len(name) :]


def _swapped_item(item: str, deck: str, names: dict[str, str]) -> str:
    """Return an item of a deck, which is written without its deck, after an exchange."""
    for name, other in names.items():
        if item.isdigit() and _in_deck(name) == (deck, int(item)):
            return str(_in_deck(other)[1])
    return item


def _in_deck(name: str) -> tuple[str, int]:
    """Return the deck of a card and its number there.

    >>> _in_deck("J2-05"), _in_deck("C09")
    (('2', 5), ('C', 9))
    """
    level, dash, number = name[1:].partition("-")
    return (level, int(number)) if dash else (name[0], int(level))


def _pending_tokens(world: State, text: str) -> PendingTokens | None:
    number = world.rules.chance_size(world.words, text)
    if not number:
        return None
    cells = (
        table_game(world.game).cells_to_fill(world) if text in world.rules.drawn_in_order else ()
    )
    bag = counts_by_letter(world.rules.bag(world.words))
    return PendingTokens(number, tuple(cells[:number]), bag)


def _check_tokens(world: State, text: str, letters: str, pending: PendingTokens) -> str:
    """Return the letters as a decision holds them; raise NotationError if they cannot have come."""
    if len(letters) != pending.number or any(one not in KIND_OF_LETTER for one in letters):
        raise NotationError(f"{text!r} brings {pending.number} tokens")
    for letter in sorted(set(letters)):
        held = pending.bag.get(letter, 0)
        if letters.count(letter) > held:
            raise NotationError(f"the bag holds {held} {letter}, not {letters.count(letter)}")
    is_ordered = text in world.rules.drawn_in_order
    return letters if is_ordered else "".join(sorted(letters, key=LETTERS.index))
