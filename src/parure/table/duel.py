"""Splendor Duel and The Counterfeiters at a table; see :mod:`parure.table.game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import chain
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from parure.games.duel import layout
from parure.games.duel.geometry import CELLS, SPIRAL
from parure.games.duel.state import DuelPosition
from parure.games.duel.view_schema import DuelViewData, KnownCard
from parure.games.engine.arrays import Row
from parure.table.game import TableGame
from parure.table.turn_boundary import Flags, Place


class DuelTable(TableGame[DuelPosition, DuelViewData]):
    """Duel at a table."""

    messages: ClassVar[Mapping[str, str]] = {
        "no-gold": "no gold lies on the board",
        "full": "your reserve is full",
        "no-card": "no card is left to reserve",
        "bag-empty": "the bag is empty",
        "board-full": "the board is full",
        "replenished": "the board was replenished in this turn",
        "no-privilege": "you hold no privilege",
        "blocked": "nothing else could follow it",
    }

    def obstacles(self, position: DuelPosition, verbs: Set[str]) -> dict[str, str]:
        """Return why the seat to move cannot reserve, replenish or use a privilege."""
        player = position.players[position.seat]
        codes = {}
        if "gold" not in verbs:
            is_full = len(player.reserved) >= player.reserve_limit
            has_gold = "y" in position.board.values()
            codes["reserve"] = "full" if is_full else "no-card" if has_gold else "no-gold"
        if "replenish" not in verbs:
            is_full = len(position.board) == len(CELLS)
            is_empty = not position.bag
            codes["replenish"] = (
                "board-full" if is_full else "bag-empty" if is_empty else "replenished"
            )
        if "privilege" not in verbs:
            reason = "replenished" if position.is_replenished else "blocked"
            codes["privilege"] = reason if player.privileges else "no-privilege"
        return codes

    def progress(self, position: DuelPosition, seat: int) -> dict[str, int]:
        """Return the points, the crowns, and the points in the best color of a seat."""
        player = position.players[seat]
        color = max(player.points_by_color.values(), default=0)
        return {"points": player.points, "crowns": player.crowns, "color": color}

    def start_turn(self, words: Row, seat: int) -> None:
        """Change a row to the start of a turn of some seat; warnings of blocking stay."""
        words[layout.REPLENISHED : layout.BOARD] = 0  # the turn so far
        words[layout.CARD] = layout.EMPTY
        words[layout.SEAT], words[layout.PHASE] = seat, layout.TURN

    def golds_before_reserving(self, legal: Sequence[str]) -> list[str]:
        """Return the legal `gold …`: first the cell that is refilled last."""
        golds = [text for text in legal if text.startswith("gold ")]
        return sorted(golds, key=lambda text: -SPIRAL.index(CELLS.index(text.split()[1])))

    def has_extra_turn(self, rows: Row) -> Flags:
        """Return for each row whether the seat to move has another turn after this one."""
        return rows[:, layout.AGAIN] > 0

    def privileges(self, rows: Row, seats: Sequence[int]) -> Row:
        """Return for each row the number of privileges that some seats hold together."""
        offsets = [layout.SEATS + seat * layout.SEAT_WORDS + layout.PRIVILEGES for seat in seats]
        held: Row = rows[:, offsets].sum(axis=1)
        return held

    def cells_to_fill(self, position: DuelPosition) -> list[str]:
        """Return the empty cells of the board along the spiral."""
        board = position.board
        return [CELLS[cell] for cell in SPIRAL if CELLS[cell] not in board]

    def restore_turn(
        self, data: DuelViewData, before: DuelViewData, arrived: Mapping[Place, str]
    ) -> None:
        """Cover the Counterfeiters that arrived, and restore the turn and the known cards.

        In `turn`, what the last decision used is not listed: the next turn has begun in `data`.
        """
        assert data.counterfeiter_deck_size is not UNSET, "view_data writes every field"
        for row, slot in arrived:
            if row == 0:
                data.counterfeiters[slot] = None
                data.counterfeiter_deck_size += 1
        data.turn = replace(
            before.turn,
            goes_again=data.seat == before.seat and data.outcome is None,
            gaps=_gaps(before, data),
        )
        data.known_in_decks = _known_in_refilled_decks(before, data, arrived)


def _gaps(before: DuelViewData, data: DuelViewData) -> list[int]:
    """Return the face-up places that the turn has emptied."""
    old = [*chain.from_iterable(before.pyramid), *before.counterfeiters]
    new = [*chain.from_iterable(data.pyramid), *data.counterfeiters]
    emptied = [place for place, card in enumerate(new) if card is None and old[place] is not None]
    return sorted({*before.turn.gaps, *emptied})


def _known_in_refilled_decks(
    before: DuelViewData, data: DuelViewData, arrived: Mapping[Place, str]
) -> list[KnownCard]:
    """Return the cards whose places are known once the arrived cards are back in their decks."""
    known_before = {known.card for known in before.known_in_decks}
    found: list[KnownCard] = []
    for level in (1, 2, 3):
        back = [card for (row, _), card in arrived.items() if row == level]
        found += [
            KnownCard(level, depth, card) for depth, card in enumerate(back) if card in known_before
        ]
        found += [
            replace(known, depth=known.depth + len(back))
            for known in data.known_in_decks
            if known.level == level
        ]
    return found


TABLE = DuelTable()
