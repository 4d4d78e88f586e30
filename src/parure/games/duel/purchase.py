"""Buying in Duel: setting a price, paying it, and gaining what was bought."""

from __future__ import annotations

from parure.games.duel import decisions, layout
from parure.games.duel.abilities import gain_crowns, use_ability
from parure.games.duel.actions import forget_place, take_from_pyramid
from parure.games.duel.counterfeiters import gain_counterfeiter, take_from_row, use_counterfeiter
from parure.games.duel.paying import pay_menu
from parure.games.duel.row_access import add_card, remove_from_reserve
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined
from parure.games.engine.payment import payment


@inlined
def set_price(s: Row, card: int, price: int, first_step: int) -> None:
    """Set the price to be paid for a card, and the first pay step that may be chosen."""
    s[layout.CARD] = card
    s[layout.PRICE] = price
    s[layout.PAY_STEP] = first_step
    s[layout.PHASE] = layout.PAYMENT_OPEN


@inlined
def offer_payment(s: Row, cards: Cards, me: int) -> None:
    """Enter phase `pay`, unless `pay` is all that it offers.

    docs/rules/README.md, "Decisions and phases", 1 and, after each `gold-for` or `discount`,
    docs/rules/README.md, "Decisions and phases", 2.
    """
    if pay_menu(s, cards, me) & ~(1 << decisions.PAY_BIT):
        s[layout.PHASE] = layout.PAY
        for i in range(s[me + layout.RESERVED_COUNT]):
            card = card_number(s[me + layout.RESERVED + i])
            if card == s[layout.CARD] and not s[layout.IS_USE]:  # `buy` has named it
                forget_place(s, s[layout.CARD])
                add_card(s, layout.KNOWN + 2 * layout.EVERYONE, s[layout.CARD])
    else:
        s[layout.PHASE] = layout.PAYMENT_CHOSEN


@inlined
def pay(s: Row, cards: Cards, me: int) -> None:
    """Pay the price, and gain or use the card.

    docs/rules/duel.md, "After the mandatory action", 1 and
    docs/rules/counterfeiters.md, "The window", 2.
    """
    spent = payment(s[layout.PRICE], s[layout.GOLD_LAID], s[me + layout.TOKENS])
    s[me + layout.TOKENS] -= spent
    s[layout.BAG] += spent
    card = s[layout.CARD]
    is_use = s[layout.IS_USE]
    s[layout.CARD] = layout.EMPTY
    s[layout.IS_USE] = 0
    s[layout.PRICE] = 0
    s[layout.GOLD_LAID] = 0
    s[layout.PAY_STEP] = 0
    s[layout.PAY_USES] = 0
    s[layout.PHASE] = layout.ACTION_DONE
    if is_use:
        use_counterfeiter(s, me, card)
    elif card < layout.JEWELS:
        gain_jewel(s, cards, me, card)
    else:
        take_from_row(s, card - layout.FIRST_COUNTERFEITER)
        gain_counterfeiter(s, cards, me, card - layout.FIRST_COUNTERFEITER)


@inlined
def gain_jewel(s: Row, cards: Cards, me: int, card: int) -> None:
    """Move a bought jewel to the tableau and apply its abilities.

    docs/rules/duel.md, "After the mandatory action", 2
    """
    if not take_from_pyramid(s, card):
        remove_from_reserve(s, me, card)
        forget_place(s, card)
    add_card(s, me + layout.TABLEAU, card)
    color = cards[layout.CARD_COLOR, card]
    points = cards[layout.POINTS, card]
    s[me + layout.BONUSES] += cards[layout.BONUS, card]
    s[me + layout.SCORE] += points
    if color < layout.JOKER:
        s[me + layout.SCORE_BY_COLOR] += points << (8 * color)
    gain_crowns(s, me, cards[layout.CROWNS, card])
    use_ability(s, me, cards[layout.ABILITY, card], color)
    if color == layout.JOKER:
        s[layout.CARD] = card
        s[layout.PHASE] = layout.COLOR
