"""The Counterfeiters at the page: discounts, the window, the new royals."""

from __future__ import annotations

from typing import Any

from tests.server.clients import House
from tests.web.conftest import Welcome
from tests.web.positions import find, late, payments, resume

GAME = "duel+counterfeiters"
WINDOW = ("C09", "C10", "C11", "C17")


def test_a_purchase_with_a_discount(welcome: Welcome, house: House) -> None:
    def is_discounted(state: Any) -> bool:
        return any(way.discounts for ways in payments(state).values() for way in ways)

    state = find(GAME, is_discounted)
    buy, way = next(
        (buy, way) for buy, ways in payments(state).items() for way in ways if way.discounts
    )
    created = resume(house, state)
    ann = welcome()
    ann.set(holds="always")
    ann.open(created, state.seat)
    card = buy.removeprefix("buy ")
    version = ann.look()["version"]
    ann.press(f'[data-card="{card}"]')
    if ann.page.locator("#other-ways").count():
        ann.press("#other-ways")
    ann.press("#actions .act:has-text('with discounts') >> nth=0")
    ann.wait_after(version)
    ann.page.wait_for_selector("#undo, #end-turn")
    assert ann.page.locator(".log >> text=uses the discount of").count() >= 1
    tokens = dict(state.players[state.seat].tokens)
    for kind, n in way.tokens.items():
        shown = ann.page.inner_text(f'[data-piece="purse:{state.seat}:{kind}"] b')
        assert int(shown) == tokens.get(kind, 0) - n


def test_a_counterfeiter_is_used_in_the_window(welcome: Welcome, house: House) -> None:
    state = find(
        GAME,
        lambda s: s.phase == "window" and any(d.startswith("use ") for d in s.legal_decisions),
    )
    used = next(d for d in state.legal_decisions if d.startswith("use "))
    assert used.split()[1] in WINDOW
    ann = welcome()
    ann.open(resume(house, state), state.seat)
    version = ann.look()["version"]
    assert ann.page.locator("#actions >> text=Use a Counterfeiter, or go on").count() == 1
    ann.press(f'#actions [data-decision="{used}"]')
    ann.wait_after(version)
    ann.page.wait_for_selector(f'.log button:has-text("{used.split()[1]}")')


def test_a_new_royal_is_taken(welcome: Welcome, house: House) -> None:
    new = {f"royal R{n}" for n in range(5, 13)}
    state = find(GAME, lambda s: s.phase == "royal" and bool(new & set(s.legal_decisions)))
    taken = next(d for d in state.legal_decisions if d in new)
    ann = welcome()
    ann.open(resume(house, state), state.seat)
    version = ann.look()["version"]
    ann.press(f'.royals [data-card="{taken.split()[1]}"]')
    ann.press("#actions .act")
    ann.wait_after(version)
    ann.page.wait_for_selector(f'.panel.mine [data-card="{taken.split()[1]}"]')


def test_a_game_to_its_end(welcome: Welcome, house: House) -> None:
    state = late(GAME, 0.5)
    ann = welcome()
    ann.open(resume(house, state), state.seat)
    assert ann.finish() in {"points", "crowns", "color", "limit"}
