"""The layout of what a seat of Splendor observes.

Seats are listed relative to the observer: first itself, then the seat that moves next, and so on.
The layout for fewer seats is a prefix of the one for more.
"""

from __future__ import annotations

from parure.games.splendor import layout
from parure.observations.layout import ObservationLayout

_SUPPLY = (7, 7, 7, 7, 7, 1, 1, 5)
_COLORS = "white, blue, green, red, black (one-hot)"
_CARD = (
    "price to that seat after its bonuses `w u g r k`, gems it lacks for it (gold left out), "
    f"whether it can pay now, level; color: {_COLORS}, points, whether the card is known, whether "
    "everyone knows it"
)
_CARD_MAX = (7, 7, 7, 7, 7, 20, 1, 3, 1, 1, 1, 1, 1, 5, 1, 1)
_OTHERS = ("own", "next", "third", "fourth")

LAYOUT = ObservationLayout()
_add = LAYOUT.add
SITUATION = _add("phase", 5, 1, f"the phase, one-hot: {', '.join(layout.PHASES)}")
_add("turns", 1, 250, "completed turns of all seats, halved")
_add("passes", 1, layout.MAX_SEATS, "seats that have passed in unbroken succession")
_add("is_last_round", 1, 1, "whether somebody has reached 15 points")
PLACE = _add("seat", 4, 1, "this seat's own number, one-hot; seat 0 moved first")
_add("to_move", 4, 1, "the seat to move, one-hot, counted from this seat on")
SUPPLY = _add("supply", 8, _SUPPLY, "pieces in the supply, `w u g r k`, two unused, `y`")
PRICE = _add(
    "price", 8, (7, 7, 7, 7, 7, 1, 1, 1), "the price being paid, `w u g r k`, three unused"
)
GOLD_LAID = _add("gold_laid", 8, 5, "gold laid in place of each kind so far, and three unused")
BUYING = _add(
    "buying",
    8,
    (1, 1, 1, 1, 1, 5, 1, 1),
    f"the card being paid for; color: {_COLORS}, points, whether there is one, unused",
)
NOBLES = _add(
    "nobles",
    (10, 8),
    (4, 4, 4, 4, 4, 1, 1, 1),
    "N01 to N10; each: bonuses `w u g r k` this seat still needs if face up; whether it is face "
    "up, this seat's, somebody else's",
)
PYRAMID = _add("pyramid", (12, 16), _CARD_MAX, f"face-up cards, level 1 first; each: {_CARD}")
UNSEEN = _add("unseen", 90, 1, "developments D1-01 to D3-20 whose place this seat does not know")
_add("deck_sizes", 3, (40, 30, 20), "cards in the decks of levels 1, 2, 3")
_add("hidden", 3, 9, "cards of levels 1, 2, 3 in reserves that this seat does not know")
SEATS = LAYOUT.size // 8
_fields_before_seats = len(LAYOUT.fields)
for _who in _OTHERS:
    _whose = "this seat's" if _who == "own" else f"the {_who} seat's"
    _add(f"{_who}_gems", 5, 7, f"{_whose} gems `w u g r k`")
    _add(f"{_who}_points", 1, 60, f"{_whose} points")
    _add(f"{_who}_reserved", 1, 3, f"{_whose} number of reserved cards")
    _add(f"{_who}_gold", 1, 5, f"{_whose} gold")
    _add(f"{_who}_bonuses", 5, 18, f"{_whose} bonuses `w u g r k`")
    _add(f"{_who}_cards", 1, 90, f"how many developments are {_whose}")
    _add(f"{_who}_nobles", 1, 5, f"how many nobles are {_whose}")
    _add(f"{_who}_is_to_move", 1, 1, "whether that seat is to move")
    _add(f"{_who}_reserve", (3, 16), _CARD_MAX, f"{_whose} reserve; of a card not known the level")
_FIELDS_OF_SEAT = (len(LAYOUT.fields) - _fields_before_seats) // len(_OTHERS)


def layout_for(seats: int) -> ObservationLayout:
    """Return the layout for a number of seats."""
    return LAYOUT.prefix(_fields_before_seats + seats * _FIELDS_OF_SEAT)
