"""The view that the form of a Duel view makes; see :mod:`parure.games.view_parser`."""

from __future__ import annotations

from parure.games import view_parser as reading
from parure.games.duel import layout
from parure.games.duel.card_table import NO_CARD, PRICED_CARDS
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.geometry import CELLS
from parure.games.duel.rules import DuelRules
from parure.games.duel.state import (
    CARD_NUMBERS,
    COUNTERFEITER_NUMBERS,
    JEWEL_NUMBERS,
    JOKERS,
    ROYAL_NUMBERS,
    DuelView,
    reserve_limit,
)
from parure.games.duel.view_schema import (
    COUNTERFEITER_BITS,
    SLOTS,
    STEPS,
    DuelPlayerData,
    DuelViewData,
    Look,
    Purchase,
    view_data,
)
from parure.games.engine.arrays import Row
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, LETTERS, counts_by_letter, pack
from parure.games.view_parser import require

_JEWELS = {jewel.id: jewel for jewel in JEWELS}
_ROYAL_POINTS = {royal.id: royal.points for royal in ROYALS}

data_type = DuelViewData


def build_view(by: DuelRules, form: DuelViewData) -> DuelView:
    """The view that a form makes, before what follows from it is compared and checked."""
    row = by.blank()
    reading.read_standing(by, row, form)
    limits = [reserve_limit(player.counterfeiters) for player in form.players]
    cards = reading.CardPlacer(by, row, form, limits, layout.LEVEL_3)
    cards.lay(form.players)
    for known in form.known_in_decks:
        cards.know_in_deck(known.level, known.depth, known.card)
    _read_knowledge(cards, form)
    _read_tokens(by, row, form)
    _read_royals(by, row, form)
    _read_counterfeiters(by, row, form)
    for seat, player in enumerate(form.players):
        _read_seat(by, row, layout.SEATS + seat * layout.SEAT_WORDS, player)
    require(
        sum(p.privileges for p in form.players) <= layout.TOTAL_PRIVILEGES, "3 privileges exist"
    )
    _read_turn(by, row, form)
    _read_doing(row, form)
    return DuelView(by, row, form.viewer)


def _read_knowledge(cards: reading.CardPlacer, form: DuelViewData) -> None:
    """Write who knows which hidden card: everyone, or the viewer, who has seen it in a deck."""
    cards.put_set(layout.KNOWN + 2 * layout.EVERYONE, cards.known_to_all)
    seen = [known.card for known in form.known_in_decks]
    for seat, player in enumerate(form.players):
        if seat != form.viewer:
            seen += [
                name
                for name in player.reserved
                if name not in player.shown and not name.startswith("??")
            ]
    if form.viewer is None:
        require(not seen, "a watcher has seen no hidden card")
    else:
        cards.put_set(
            layout.KNOWN + 2 * form.viewer, reading.names_in(seen, JEWEL_NUMBERS, "known")
        )


def _read_tokens(by: DuelRules, row: Row, form: DuelViewData) -> None:
    """Lay the tokens on the board; those that are nowhere else are in the bag."""
    on_board: dict[str, int] = {}
    for cell, letter in form.board.items():
        require(cell in CELLS, f"there is no cell {cell[:40]!r}")
        require(letter in KIND_OF_LETTER, f"{letter[:40]!r} is no kind of token")
        row[layout.BOARD + KIND_OF_LETTER[letter]] |= 1 << CELLS.index(cell)
        on_board[letter] = on_board.get(letter, 0) + 1
    hands = [player.tokens for player in form.players]
    bag = reading.rest_of(counts_by_letter(by.total_tokens), on_board, *hands)
    row[layout.BAG] = reading.packed(bag, LETTERS)


def _read_royals(by: DuelRules, row: Row, form: DuelViewData) -> None:
    everyone = [*form.royals, *(name for player in form.players for name in player.royals)]
    reading.names_in(everyone, ROYAL_NUMBERS, "royals")
    there_are = list(ROYAL_NUMBERS)[: layout.ROYALS if by.with_counterfeiters else 4]
    require(set(everyone) <= set(there_are), f"the royals of {by.game} end with {there_are[-1]}")
    row[layout.FACE_UP_ROYALS] = reading.names_in(form.royals, ROYAL_NUMBERS, "royals")
    _lay_unknown(row, layout.ROYAL_DECK, len(there_are) - len(everyone))


def _read_counterfeiters(by: DuelRules, row: Row, form: DuelViewData) -> None:
    face_up = [name for name in form.counterfeiters if name is not None]
    held = [name for player in form.players for name in player.counterfeiters]
    reading.names_in([*face_up, *held], COUNTERFEITER_BITS, "counterfeiters")
    slots = layout.COUNTERFEITER_ROW
    row[slots : slots + 3] = NO_CARD
    if by.with_counterfeiters:
        require(len(form.counterfeiters) == 3, "the Counterfeiter row has three places")
        for i, name in enumerate(form.counterfeiters):
            if name is not None:
                row[slots + i] = PRICED_CARDS[COUNTERFEITER_NUMBERS[name]]
        _lay_unknown(
            row, layout.COUNTERFEITER_DECK, layout.COUNTERFEITERS - len(face_up) - len(held)
        )
    else:
        require(not face_up and not held, f"there are no Counterfeiters in {by.game}")


def _lay_unknown(row: Row, deck: int, size: int) -> None:
    """A deck of so many cards that nobody has seen."""
    row[layout.DECK_SIZES + deck] = size
    first = 8 * layout.DECK_BYTES + layout.DECK_ENDS[deck]
    row.view("u1")[first - size : first] = layout.UNKNOWN + deck


def _read_seat(by: DuelRules, row: Row, me: int, player: DuelPlayerData) -> None:
    """Write what a seat holds; bonuses, points and crowns follow from its cards."""
    bonuses, points_by_color = dict.fromkeys(GEMS, 0), dict.fromkeys(GEMS, 0)
    points = sum(_ROYAL_POINTS[name] for name in player.royals)
    crowns = sum(COUNTERFEITERS[COUNTERFEITER_BITS[name]].crowns for name in player.counterfeiters)
    for name in player.cards:
        card = _JEWELS[name]
        points += card.points
        crowns += card.crowns
        color = player.joker_colors.get(name, card.color)
        if color in GEMS:
            bonuses[color] += card.bonus
            points_by_color[color] += card.points
    for name, color in player.joker_colors.items():
        require(name in JOKERS and name in player.cards, f"{name[:40]!r} is no joker of the seat")
        require(color in tuple(GEMS), f"{color[:40]!r} is no color")
        row[me + layout.JOKER_COLORS] |= (GEMS.index(color) + 1) << 4 * JOKERS.index(name)
    row[me + layout.TOKENS] = reading.packed(player.tokens, LETTERS)
    row[me + layout.BONUSES] = reading.packed(bonuses, GEMS)
    row[me + layout.SCORE] = points
    row[me + layout.SCORE_BY_COLOR] = reading.packed(points_by_color, GEMS)
    row[me + layout.CROWNS_HELD] = crowns
    row[me + layout.PRIVILEGES] = player.privileges
    row[me + layout.ROYALS_HELD] = reading.names_in(player.royals, ROYAL_NUMBERS, "royals")
    held = reading.names_in(player.counterfeiters, COUNTERFEITER_BITS, "counterfeiters")
    row[me + layout.COUNTERFEITERS_HELD] = held
    row[me + layout.DISCOUNTS] = _discounts(player.counterfeiters)
    require(
        by.options.get("anti-blocking") or not (player.blocked_turns or player.is_warned),
        "nobody is warned of blocking without that option",
    )
    row[me + layout.BLOCKED_TURNS] = player.blocked_turns
    row[me + layout.IS_WARNED] = player.is_warned


def _discounts(names: list[str]) -> int:
    """What C01 to C08 can do, as :mod:`.paying` counts it: uses by the kind that they lower."""
    lowered = {"discount-three": "y", "discount-pearl": "p", "discount-any": "vv"}
    owned = [COUNTERFEITERS[COUNTERFEITER_BITS[name]] for name in names]
    uses = "".join(lowered.get(card.effect, 2 * card.color) for card in owned)
    return pack(uses.count(letter) for letter in LETTERS)


def _read_turn(by: DuelRules, row: Row, form: DuelViewData) -> None:
    """Write what the turn has brought."""
    turn = form.turn
    row[layout.REPLENISHED] = turn.has_replenished
    row[layout.AGAIN] = turn.goes_again
    row[layout.USED] = reading.names_in(turn.used, COUNTERFEITER_BITS, "used")
    row[layout.WINDOW_IS_PAST] = turn.is_window_past
    require(by.options.get("anti-blocking") or not turn.can_claim, "claiming is an option")
    row[layout.CLAIMABLE] = turn.can_claim
    row[layout.ROYALS_DUE] = turn.royals_due
    for slot in turn.gaps:
        require(
            slot < SLOTS - (0 if by.with_counterfeiters else 3)
            and row[layout.SLOTS + slot] == NO_CARD,
            f"place {slot} is no gap",
        )
        row[layout.GAPS] |= 1 << slot


def _read_doing(row: Row, form: DuelViewData) -> None:
    """Write what is being done: paying, reserving, collecting, looking."""
    row[layout.CARD] = layout.EMPTY
    if form.buying is not None:
        numbers = COUNTERFEITER_BITS if form.buying.is_use else CARD_NUMBERS
        require(form.buying.card in numbers, "what is paid for is no card of the game")
        row[layout.CARD] = numbers[form.buying.card]
        row[layout.IS_USE] = form.buying.is_use
        row[layout.PRICE] = reading.packed(form.buying.price, LETTERS)
        row[layout.GOLD_LAID] = reading.packed(form.buying.gold_laid, LETTERS)
        row[layout.PAY_STEP] = reading.read_step(form.buying.step, STEPS)
        row[layout.PAY_USES] = form.buying.uses
    row[layout.RESERVES_LEFT] = form.reserves_left
    if form.collecting is not None:
        require(form.collecting.ability in layout.ABILITIES, "no ability of that name collects")
        require(form.collecting.color in tuple(GEMS), "a card that collects has a color")
        row[layout.COLLECT_ABILITY] = layout.ABILITIES.index(form.collecting.ability)
        row[layout.COLLECT_KINDS] = reading.kinds(form.collecting.kinds)
        row[layout.COLLECT_COLOR] = GEMS.index(form.collecting.color)
        row[layout.COLLECTS_LEFT] = form.collecting.left
    row[layout.IS_BRIBE] = form.is_bribe
    if form.looking is not None:
        size = form.deck_sizes[form.looking.level - 1]
        require(form.looking.number <= size, "nobody can look at more cards than there are")
        row[layout.PEEK_DECK] = form.looking.level - 1
        row[layout.PEEKED] = form.looking.number


# --- which phase the rest allows ------------------------------------------------------------------

_PHASES_OF = {
    "buying": ("pay", "color"),
    "reserves_left": ("reserve", "reserve-more"),
    "collecting": ("collect", "collect-more"),
    "looking": ("keep", "bottom"),
}
_NEED_ROOM = ("reserve", "reserve-more", "deck", "keep")
_OF_COUNTERFEITERS = (
    "second", "reserve-more", "counterfeiter", "draw", "window", "deck", "keep", "bottom"
)  # fmt: skip
_COLLECTING = ("token", "take-4-of-a-kind", "gold", "take-3-any")


def check_phase(view: DuelView) -> None:
    """The phase must be one that the rest allows; InvalidPosition otherwise."""
    form, phase = view_data(view), view.phase
    mover = view.players[view.seat]
    with_counterfeiters = form.game != "duel"
    require(with_counterfeiters or phase not in _OF_COUNTERFEITERS, f"duel has no phase {phase}")
    for field, phases in _PHASES_OF.items():
        require(bool(getattr(form, field)) == (phase in phases), f"{field} in phase {phase}")
    if phase in _NEED_ROOM:
        require(len(mover.reserved) < mover.reserve_limit, "there is no room in the reserve")
    if phase == "royal":
        require(form.is_bribe or form.turn.royals_due, "no royal is due")
    else:
        require(not form.is_bribe, "a bribe chooses a royal")
    if form.collecting is not None:
        require(form.collecting.ability in _COLLECTING, "no ability of that name collects")
    if form.looking is not None:
        _check_look(view, form, form.looking)
    if form.buying is not None:
        _check_purchase(view, form.buying)
    if form.looking is None:  # what others look at has no names in this view
        reading.check_legal(view)


def _check_look(view: DuelView, form: DuelViewData, look: Look) -> None:
    """Whoever looks at cards knows them."""
    require(form.phase != "bottom" or look.number == 2, "two cards are put under their deck")
    if view.viewer == view.seat:
        cards = view.deck(look.level)[: look.number]
        require(not any("?" in card for card in cards), "who looks at cards knows them")


def _check_purchase(view: DuelView, buying: Purchase) -> None:
    """What is paid for could be bought, or used, before its price was named."""
    mover = view.players[view.seat]
    if view.phase == "color":
        is_plain = not (buying.price or buying.gold_laid or buying.step or buying.uses)
        is_bought = buying.card in mover.cards and buying.card not in mover.joker_colors
        require(is_plain and is_bought and buying.card in JOKERS, "no joker takes a color")
        return
    reading.check_payment(buying.price, buying.gold_laid, mover.tokens)
    before = DuelView(view.rules, view.words.copy(), view.viewer)
    before.words[layout.CARD] = layout.EMPTY
    before.words[layout.PHASE] = layout.WINDOW if buying.is_use else layout.TURN
    reading.check_legal(before, f"{'use' if buying.is_use else 'buy'} {buying.card}")
