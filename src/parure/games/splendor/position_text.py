"""The fields that only position texts of Splendor have; see :mod:`parure.games.position_text`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from parure.errors import NotationError
from parure.games.payment_steps import payment_steps
from parure.games.position import Position
from parure.games.position_text import Fields, TextFormat, card_name, short_name, split, tile_name
from parure.games.rules import Rules
from parure.games.splendor import layout
from parure.games.splendor.state import CARD_NUMBERS, NOBLE_NUMBERS, SplendorView
from parure.games.splendor.view_parser import before_purchase
from parure.games.splendor.view_schema import SplendorPlayerData, SplendorViewData


class SplendorTextFormat(TextFormat):
    """The texts of Splendor."""

    letter = "D"

    def deck_count(self, rules: Rules) -> int:
        """Return the number of decks."""
        return layout.DECKS

    def deck_names(self, position: Position, deck: int) -> Sequence[str]:
        """Return the cards of a deck, top first."""
        return position.deck(deck + 1)

    def table_fields(
        self, view: SplendorView, data: SplendorViewData
    ) -> Iterator[tuple[str, object]]:
        """Yield the nobles, the passes and the purchase in progress."""
        yield "N", ",".join(map(short_name, data.nobles)) or "none"
        if data.passes:
            yield "passes", data.passes
        if data.buying is not None:
            yield "buying", ",".join([data.buying.card, *_payment_items(view, data.buying.card)])

    def collection(self, player: SplendorPlayerData) -> list[str]:
        """Return everything that lies face up before a seat."""
        return [*player.cards, *player.nobles]

    def read_seat(self, fields: Fields, seat: int, player: dict[str, Any]) -> None:
        """Add the cards and nobles of a seat."""
        items = fields.items(f"cards{seat}")
        nobles = [tile_name(item, "N") for item in items if item.startswith("n")]
        cards = [card_name(item, self.letter, "") for item in items if not item.startswith("n")]
        player["cards"] = sorted(cards, key=lambda name: CARD_NUMBERS.get(name, 0))
        player["nobles"] = sorted(nobles, key=lambda name: NOBLE_NUMBERS.get(name, 0))

    def read_table(
        self, fields: Fields, data: dict[str, Any], gaps: Mapping[int, str], rules: Rules
    ) -> None:
        """Add the nobles and the passes."""
        if "--" in gaps.values():
            raise NotationError("no gap of Splendor waits for the end of the turn: write -")
        nobles = fields.require("n")
        names = [] if nobles == "none" else [tile_name(item, "N") for item in split(nobles, "N")]
        data["nobles"] = sorted(names, key=lambda name: NOBLE_NUMBERS.get(name, 0))
        data["passes"] = fields.number("passes", 0)
        data["buying"] = None


def _payment_items(view: SplendorView, card: str) -> list[str]:
    """Return the kinds for which gold is laid."""
    target = view.words.copy()
    target[layout.PHASE] = layout.PAY
    steps = payment_steps(view.rules, before_purchase(target), f"buy {card}", target)
    assert steps is not None, "a payment follows its purchase"
    return [text.removeprefix("gold-for ") for text in steps]


TEXT_FORMAT = SplendorTextFormat()
