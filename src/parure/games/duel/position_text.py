"""The fields that only position texts of Duel have; see :mod:`parure.games.position_text`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from parure.errors import NotationError
from parure.games.duel import layout
from parure.games.duel.geometry import CELLS, SIDE
from parure.games.duel.position_checks import whole_collection
from parure.games.duel.state import (
    CARD_NAMES,
    COUNTERFEITER_NUMBERS,
    JEWEL_IDS,
    JEWEL_NUMBERS,
    JOKERS,
    ROYAL_IDS,
    ROYAL_NUMBERS,
    DuelState,
    DuelView,
)
from parure.games.duel.view_parser import before_purchase
from parure.games.duel.view_schema import (
    SLOT_COUNT,
    DuelPlayerData,
    DuelPurchase,
    DuelViewData,
    TokenCollection,
)
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, LETTERS
from parure.games.payment_steps import payment_steps
from parure.games.position import Position, names_in
from parure.games.position_text import (
    EMPTIED_GAP,
    GAP,
    NONE,
    UNKNOWN,
    Fields,
    TextFormat,
    card_name,
    number,
    short_name,
    split,
    tile_name,
)
from parure.games.rules import Rules

EMPTY_CELL = "."
_JOKER = re.compile(r"(.+\d)([wugrk])")
_DISCOUNT = re.compile(r"(c\d\d)([wugrk]?)")
_FLAGS = {  # the names of flags in the text and in the data of a turn
    "replenished": "has_replenished",
    "again": "goes_again",
    "claim": "can_claim",
    "past": "is_window_past",
}


class DuelTextFormat(TextFormat):
    """The texts of Duel, with or without The Counterfeiters."""

    letter = "J"

    def deck_count(self, rules: Rules) -> int:
        """Return the number of decks."""
        return layout.DECKS if rules.game == "duel+counterfeiters" else layout.JEWEL_DECKS

    def deck_names(self, position: Position, deck: int) -> Sequence[str]:
        """Return the cards of a deck, top first."""
        names: Sequence[str] = CARD_NAMES
        if deck == layout.ROYAL_DECK:
            names = [*ROYAL_IDS, *CARD_NAMES[len(ROYAL_IDS) :]]
        return [names[card] for card in position._deck_numbers(deck)]

    # --- writing ----------------------------------------------------------------------------------

    def gap_marks(self, data: DuelViewData) -> Mapping[int, str]:
        """Return how gaps are written where that is not `-`, by slot.

        A gap whose deck is empty stays; the mark says that it came about in this turn.
        """
        sizes = _deck_of_slots(data)
        return {slot: EMPTIED_GAP for slot in data.turn.gaps if not sizes[slot]}

    def table_fields(self, view: DuelView, data: DuelViewData) -> Iterator[tuple[str, object]]:
        """Yield the table, what has happened in this turn, and the decision in progress."""
        cells = "".join(data.board.get(cell, EMPTY_CELL) for cell in CELLS)
        if data.game == "duel+counterfeiters":
            marks = self.gap_marks(data)
            first = layout.PYRAMID_SLOTS
            row = enumerate(data.counterfeiters, start=first)
            yield "C", ",".join(short_name(name) if name else marks.get(i, GAP) for i, name in row)
            yield "R", ",".join(map(short_name, data.royals)) or NONE
        yield "board", ",".join(cells[i : i + SIDE] for i in range(0, len(CELLS), SIDE))
        turn, flags = data.turn, []
        for flag, name in _FLAGS.items():
            reason = data.outcome.reason if data.outcome else ""
            if getattr(turn, name) != _default_flag(flag, data.game, data.phase, reason):
                flags.append(flag)
        if data.is_bribe:
            flags.append("bribe")
        if flags:
            yield "flags", ",".join(flags)
        if turn.used:
            yield "used", ",".join(turn.used)
        if turn.royals_due != _default_royals_due(data.phase, data.is_bribe):
            yield "due", turn.royals_due
        if data.reserves_left != _default_reserves(data.phase):
            yield "reserves", data.reserves_left
        if data.collecting is not None:
            yield "collecting", _collection_text(data.collecting)
        if data.looking is not None:
            yield "looking", f"{data.looking.level},{data.looking.number}"
        if data.buying is not None and data.buying.card not in view.players[data.seat].cards:
            yield "using" if data.buying.is_use else "buying", _payment_text(view, data.buying)
        warned = [str(seat) for seat, player in enumerate(data.players) if player.is_warned]
        if warned:
            yield "warned", ",".join(warned)

    def collection(self, player: DuelPlayerData) -> list[str]:
        """Return everything that lies face up before a seat, jokers with their color."""
        jewels = [name + player.joker_colors.get(name, "") for name in player.cards]
        return [*jewels, *player.counterfeiters, *player.royals]

    def seat_fields(self, seat: int, player: DuelPlayerData) -> Iterator[tuple[str, object]]:
        """Yield privileges and what the anti-blocking rule counts."""
        if player.privileges:
            yield f"privileges{seat}", player.privileges
        if player.blocked_turns:
            yield f"blocked{seat}", player.blocked_turns

    def knowledge_fields(self, state: DuelState) -> Iterator[tuple[str, str]]:
        """Yield the hidden cards that a seat has seen with C17."""
        for seat in range(2):
            low, high = state.words[layout.KNOWN + 2 * seat :][:2].tolist()
            names = names_in(low | high << layout.LEVEL_3, JEWEL_IDS)
            if names:
                yield f"known{seat}", ",".join(names)

    # --- reading ----------------------------------------------------------------------------------

    def read_seat(self, fields: Fields, seat: int, player: dict[str, Any]) -> None:
        """Add the cards, the privileges and the count of the anti-blocking rule."""
        jewels: list[str] = []
        royals: list[str] = []
        counterfeiters: list[str] = []
        colors: dict[str, str] = {}
        for item in fields.items(f"cards{seat}"):
            if item.startswith("r"):
                royals.append(tile_name(item, "R"))
            elif item.startswith("c"):
                counterfeiters.append(tile_name(item, "C"))
            else:
                joker = _JOKER.fullmatch(item)
                jewels.append(card_name(joker[1] if joker else item, self.letter, ""))
                if joker:
                    colors[jewels[-1]] = joker[2]
        player["cards"] = _ordered(jewels, JEWEL_NUMBERS)
        player["royals"] = _ordered(royals, ROYAL_NUMBERS)
        player["counterfeiters"] = _ordered(counterfeiters, COUNTERFEITER_NUMBERS)
        player["joker_colors"] = colors
        player["privileges"] = fields.number(f"privileges{seat}", 0)
        player["blocked_turns"] = fields.number(f"blocked{seat}", 0)

    def read_table(
        self, fields: Fields, data: dict[str, Any], gaps: Mapping[int, str], rules: Rules
    ) -> None:
        """Add the table, what has happened in this turn, and the decision in progress."""
        phase, is_plain = data["phase"], data["game"] == "duel"
        data["board"] = _read_board(fields.require("board"))
        data["counterfeiters"] = []
        marks = dict(gaps)
        if is_plain:
            held = {name for player in data["players"] for name in player["royals"]}
            left = [name for name in ROYAL_IDS[: layout.BASE_ROYALS] if name not in held]
            royals = fields.take("r") or ",".join(left).lower() or NONE
        else:
            royals = fields.require("r")
            for slot, item in enumerate(split(fields.require("c"), "C"), layout.PYRAMID_SLOTS):
                is_gap = item in (GAP, EMPTIED_GAP)
                data["counterfeiters"].append(None if is_gap else tile_name(item, "C"))
                if is_gap:
                    marks[slot] = item
        names = [] if royals == NONE else [tile_name(item, "R") for item in split(royals, "R")]
        data["royals"] = _ordered(names, ROYAL_NUMBERS)
        data["known_in_decks"] = []
        flags = fields.items("flags")
        for flag in flags:
            if flag not in (*_FLAGS, "bribe"):
                raise NotationError(f"flags: {flag[:40]!r} is none of {', '.join(_FLAGS)}, bribe")
        is_bribe = data["is_bribe"] = "bribe" in flags
        used = [tile_name(item, "C") for item in fields.items("used")]
        reason = (data["outcome"] or {}).get("reason", "")
        turn: dict[str, Any] = {
            name: (flag in flags) != _default_flag(flag, data["game"], phase, reason)
            for flag, name in _FLAGS.items()
        }
        turn["used"] = _ordered(used, COUNTERFEITER_NUMBERS)
        turn["royals_due"] = fields.number("due", _default_royals_due(phase, is_bribe), most=2)
        turn["gaps"] = _gaps(data, marks)
        data["turn"] = turn
        data["reserves_left"] = fields.number("reserves", _default_reserves(phase))
        data["collecting"] = _read_collection(fields, data)
        data["looking"] = _read_look(fields, data)
        data["buying"] = _uncolored_joker(data)
        warned = [number(item, "warned") for item in fields.items("warned")]
        for seat, player in enumerate(data["players"]):
            player["is_warned"] = seat in warned

    def read_payment(self, fields: Fields) -> list[str]:
        """Return the decisions of the payment in progress; none between purchases."""
        used = fields.items("using")
        if not used:
            return super().read_payment(fields)
        card, *steps = used
        return [f"use {tile_name(card, 'C')}", *map(self.payment_step, steps)]

    def bought_name(self, item: str) -> str:
        """Return the id of a card that is being bought."""
        return tile_name(item, "C") if item.startswith("c") else super().bought_name(item)

    def payment_step(self, item: str) -> str:
        """Return the decision that an item of a payment stands for."""
        discount = _DISCOUNT.fullmatch(item)
        if discount:
            return f"discount {discount[1].upper()} {discount[2]}".rstrip()
        return super().payment_step(item)

    def put_known(self, data: dict[str, Any], decks: Sequence[list[str] | None]) -> None:
        """Add the cards of decks that the viewer has seen with C17."""
        if data["game"] == "duel":
            super().put_known(data, decks)
            return
        data["known_in_decks"] = [
            {"level": level, "depth": depth, "card": name}
            for level, names in enumerate(decks, start=1)
            for depth, name in enumerate(names or ())
            if name != UNKNOWN
        ]


# --- defaults -------------------------------------------------------------------------------------


def _default_flag(flag: str, game: str, phase: str, reason: str) -> bool:
    """Return whether a flag is on unless the text mentions it: the window precedes `discard`."""
    is_turn_over = reason in ("points", "crowns", "color", "limit")
    return flag == "past" and game != "duel" and (phase == "discard" or is_turn_over)


def _default_royals_due(phase: str, is_bribe: bool) -> int:
    return int(phase == "royal" and not is_bribe)


def _default_reserves(phase: str) -> int:
    return int(phase in ("reserve", "reserve-more"))


# --- parts of the table ---------------------------------------------------------------------------


def _ordered(names: list[str], numbers: Mapping[str, int]) -> list[str]:
    return sorted(names, key=lambda name: numbers.get(name, 0))


def _read_board(text: str) -> dict[str, str]:
    cells = text.replace(",", "")
    if len(cells) != len(CELLS) or set(cells) - set(LETTERS + EMPTY_CELL):
        raise NotationError(
            f"board: {text[:40]!r} must be five rows of five cells, {EMPTY_CELL!r} for an empty one"
        )
    return {cell: letter for cell, letter in zip(CELLS, cells, strict=True) if letter != EMPTY_CELL}


def _deck_of_slots(data: DuelViewData) -> list[int]:
    """Return the size of the deck that refills each slot."""
    assert isinstance(data.deck_sizes, list)
    assert isinstance(data.counterfeiter_deck_size, int)
    sizes = [
        size
        for size, slots in zip(data.deck_sizes, layout.PYRAMID, strict=True)
        for _ in range(slots)
    ]
    return [*sizes, *[data.counterfeiter_deck_size] * layout.COUNTERFEITER_SLOTS]


def _gaps(data: dict[str, Any], marks: Mapping[int, str]) -> list[int]:
    """Return the gaps that are refilled at the end of the turn: those with a deck, or so marked."""
    left = [*layout.LEVEL_SIZES, layout.COUNTERFEITERS]
    for level, names in enumerate((*data["pyramid"], data["counterfeiters"])):
        left[level] -= sum(name is not None for name in names)
    for player in data["players"]:
        for name in (*player["cards"], *player["reserved"]):
            digit = name[2] if name.startswith(UNKNOWN) else name[1]
            left[int(digit) - 1] -= 1
        left[3] -= len(player["counterfeiters"])
    decks = [level for level, slots in enumerate(layout.PYRAMID) for _ in range(slots)]
    decks += [3] * (SLOT_COUNT - len(decks))
    return [
        slot
        for slot, mark in sorted(marks.items())
        if slot < SLOT_COUNT and (mark == EMPTIED_GAP or left[decks[slot]] > 0)
    ]


# --- the decision in progress ---------------------------------------------------------------------


def _collection_text(collecting: TokenCollection) -> str:
    color = f"-{collecting.color}" if collecting.ability == "token" else ""
    return f"{collecting.ability}{color},{collecting.kinds},{collecting.left}"


def _read_collection(fields: Fields, data: dict[str, Any]) -> dict[str, Any] | None:
    items = fields.items("collecting")
    if not items:
        return None
    ability, *rest = items
    color = "w"
    if ability.startswith("token-"):
        ability, color = "token", ability.removeprefix("token-")
        if color not in tuple(GEMS):
            raise NotationError(f"collecting: {color[:40]!r} is no color")
    mover = data["players"][min(data["seat"], 1)]
    kinds, left = whole_collection(ability, color, "C16" in mover["counterfeiters"])
    if rest:
        kinds = rest[0]
    if rest[1:]:
        left = number(rest[1], "collecting")
    if len(rest) > 2 or set(kinds) - set(KIND_OF_LETTER):
        raise NotationError("collecting: write the ability, the kinds and how many are left")
    kinds = "".join(letter for letter in LETTERS if letter in kinds)
    return {"ability": ability, "kinds": kinds, "color": color, "left": left}


def _read_look(fields: Fields, data: dict[str, Any]) -> dict[str, int] | None:
    items = fields.items("looking")
    if not items:
        return None
    if len(items) > 2:
        raise NotationError("looking: write the level and the number of cards")
    default = "2" if data["phase"] == "bottom" else "3"
    level, cards = (number(item, "looking") for item in (*items, default)[:2])
    return {"level": level, "number": cards}


def _uncolored_joker(data: dict[str, Any]) -> dict[str, Any] | None:
    """Return the purchase of a joker that takes its color now."""
    mover = data["players"][min(data["seat"], 1)]
    jokers = [
        name for name in mover["cards"] if name in JOKERS and name not in mover["joker_colors"]
    ]
    if not jokers or data["phase"] not in ("color", "over"):
        return None
    unpaid: dict[str, Any] = {"price": {}, "gold_laid": {}, "step": None, "uses": 0}
    return {"card": jokers[0], "is_use": False, **unpaid}


def _payment_text(view: DuelView, buying: DuelPurchase) -> str:
    """Return a card and the steps of its payment: discounts, and kinds for which gold is laid."""
    target = view.words.copy()
    target[layout.PHASE] = layout.PAY
    first = f"{'use' if buying.is_use else 'buy'} {buying.card}"
    steps = payment_steps(view.rules, before_purchase(target), first, target)
    assert steps is not None, "a payment follows its purchase"
    words = [text.partition(" ")[2].replace(" ", "") for text in steps]
    return ",".join([buying.card, *words])


TEXT_FORMAT = DuelTextFormat()
