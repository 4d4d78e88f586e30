"""The layout of what a seat of Duel observes.

The layout without The Counterfeiters is a prefix of the one with them.
"""

from __future__ import annotations

from parure.games.duel import layout
from parure.observations.layout import ObservationLayout

_TOKENS = (4, 4, 4, 4, 4, 2, 4, 3)
_COLORS = "white, blue, green, red, black, joker, none (one-hot)"
_CARD = (
    "price to that seat after its bonuses `w u g r k p`, tokens it lacks for it (gold left out), "
    f"level; color: {_COLORS}, whether everyone knows the card; whether it is known, points, "
    "bonus, crowns, and its abilities: token, steal, privilege, again"
)
_CARD_MAX = (*(8,) * 6, 30, 3, *(1,) * 8, 1, 6, 2, 3, 1, 1, 1, 1)

LAYOUT = ObservationLayout()
_add = LAYOUT.add
SITUATION = _add("phase", 18, 1, f"the phase, one-hot: {', '.join(layout.PHASES)}")
_add("turns", 1, 250, "completed turns, halved")
_add("is_to_move", 1, 1, "whether this seat is to move")
_add("has_replenished", 1, 1, "whether the board was replenished in this turn")
_add("is_again_due", 1, 1, "whether another turn of the same seat comes after this one")
_add("royals_due", 1, 4, "royals that are still to be taken in this turn")
_add("can_claim", 1, 1, "whether the seat to move may claim victory (anti-blocking)")
BAG = _add("bag", 8, _TOKENS, "tokens in the bag, `w u g r k p v y`")
PRICE = _add("price", 8, 9, "the price still to be paid, `w u g r k p v y`")
GOLD_LAID = _add("gold_laid", 8, 3, "gold laid in place of each kind so far")
BUYING = _add(
    "buying",
    16,
    _CARD_MAX[8:],
    f"the jewel being paid for or colored; color: {_COLORS}, unused; whether there is one, points, "
    "bonus, crowns, token, steal, privilege, again",
)
BOARD = _add("board", (25, 8), 1, "the kind of the token on each cell, one-hot; a1, b1, … e5")
ROYALS = _add("royals", 4, 1, "the face-up royals among R1 to R4")
_add("own_royals", 4, 1, "those of R1 to R4 that this seat holds")
_add("other_royals", 4, 1, "those that the opponent holds")
_add("table_privileges", 1, 3, "privileges on the table")
_add("collects_left", 1, 4, "tokens that may still be collected")
_add("reserves_left", 1, 2, "cards that may still be reserved")
_add("seat", 1, 1, "this seat's own number; seat 0 moved first")
_SEAT = (
    ("tokens", 8, _TOKENS, "tokens `w u g r k p v y`"),
    ("bonuses", 5, 30, "bonuses `w u g r k`"),
    ("points", 1, 60, "points"),
    ("crowns", 1, 30, "crowns"),
    ("privileges", 1, 3, "privileges"),
    ("color_points", 5, 60, "points on cards of each color"),
    ("reserved", 1, 5, "number of reserved cards"),
    ("blocked_turns", 1, 3, "turns in a row begun with all gold and pearls, at most 3"),
    ("is_warned", 1, 1, "warning that is not answered yet (anti-blocking)"),
)
OWN = LAYOUT.size // 8
for _name, _size, _max, _meaning in _SEAT:
    _add(f"own_{_name}", _size, _max, f"this seat's {_meaning}")
OTHER = LAYOUT.size // 8
for _name, _size, _max, _meaning in _SEAT:
    _add(f"other_{_name}", _size, _max, f"the opponent's {_meaning}")
PYRAMID = _add("pyramid", (12, 24), _CARD_MAX, f"face-up cards, level 1 first; each: {_CARD}")
OWN_RESERVE = _add("own_reserve", (3, 24), _CARD_MAX, "this seat's first 3 reserved cards")
OTHER_RESERVE = _add(
    "other_reserve", (3, 24), _CARD_MAX, "the opponent's; of one not known only the level"
)
UNSEEN = _add("unseen", 67, 1, "jewels J1-01 to J3-13 whose place this seat does not know")
_add(
    "deck_sizes",
    5,
    (30, 24, 13, 17, 12),
    "cards in the decks: levels 1, 2, 3, Counterfeiters, royals",
)
_PLAIN_FIELDS = len(LAYOUT.fields)
MORE_ROYALS = _add("more_royals", 8, 1, "the face-up royals among R5 to R12")
_add("own_more_royals", 8, 1, "those that this seat holds")
_add("other_more_royals", 8, 1, "those that the opponent holds")
COUNTERFEITERS = _add(
    "counterfeiters",
    (17, 16),
    (9, 9, 9, 9, 9, 9, 9, 9, 1, 1, 1, 1, 1, 30, 1, 2),
    "C01 to C17; each: price to this seat after its bonuses `w u g r k p v y` if face up; whether "
    "it is face up, this seat's, the opponent's, used in this turn, being bought or used; tokens "
    "lacking for it, whether its place is not known, and how often it was used in this payment",
)
OWN_MORE_RESERVE = _add("own_more_reserve", (2, 24), _CARD_MAX, "the 4th and 5th reserved card")
OTHER_MORE_RESERVE = _add("other_more_reserve", (2, 24), _CARD_MAX, "and the opponent's")
PEEKED = _add("peeked", (3, 24), _CARD_MAX, "cards that this seat is looking at with C17")
KNOWN = _add("known_in_decks", 67, 1, "jewels in decks whose place this seat knows")
_add("is_window_past", 1, 1, "whether Counterfeiters can no more be used in this turn")
_add("is_bribe", 1, 1, "whether the royal is being chosen for C09")
_add("peeked_deck", 3, 1, "the deck being looked at, one-hot")

PLAIN_LAYOUT = LAYOUT.prefix(_PLAIN_FIELDS)
