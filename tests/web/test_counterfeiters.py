"""A game with The Counterfeiters at the page: discounts, the window, the new royals, to its end."""

from __future__ import annotations

from typing import Any

from tests.server.clients import ApiClient
from tests.web.conftest import Welcome
from tests.web.person import Person
from tests.web.positions import find, payments, resume

from parure.games.state import State
from parure.table.preview import Payment

GAME = "duel+counterfeiters"
NEW_ROYALS = tuple(f"royal R{number}" for number in range(5, 13))


def preferred(legal: list[str]) -> str | None:
    """A new royal, or the use of a Counterfeiter, if there is one to be had."""
    return next((text for text in legal if text in NEW_ROYALS or text.startswith("use ")), None)


def met_after(state: State, way: Payment) -> set[str]:
    """What of the new can follow in a turn in which a card is paid for in some way."""
    seat, turns, state = state.seat, state.turns, state.copy()
    for decision in way.decisions:
        state.play(decision)
    met = set()
    while not state.is_over and (state.seat, state.turns) == (seat, turns):
        chosen = preferred(list(state.legal_decisions))
        met.add(chosen.split()[0] if chosen else "")
        state.play(chosen or state.legal_decisions[0])
    return set() if state.is_over else met


def rich_purchase(state: Any) -> tuple[str, Payment] | None:
    """A card to buy with a discount, after which a new royal comes and the window is used."""
    if state.phase != "turn" or max(player.points for player in state.players) > 12:
        return None
    for buy, ways in payments(state).items():
        for way in ways:
            if way.discounts and met_after(state, way) >= {"royal", "use"}:
                return buy, way
    return None


def take_the_turn(ann: Person, turn: str) -> None:
    """Go on with a turn, taking what is new in the game."""
    while (seen := ann.wait_for_turn())["turn"] == turn:
        chosen = preferred([*seen["acts"], *(f"royal {card}" for card in seen["cards"])])
        if chosen is None:
            ann.decide()
        elif chosen.startswith("use "):
            ann.press(f'#actions [data-decision="{chosen}"]')
            ann.wait_after(seen["version"])
        else:
            ann.press(f'.royals [data-card="{chosen.split()[1]}"]')
            ann.press("#actions .act")
            ann.wait_after(seen["version"])


def test_a_game_with_discounts_the_window_and_new_royals(welcome: Welcome, api: ApiClient) -> None:
    state = find(GAME, lambda state: rich_purchase(state) is not None)
    found = rich_purchase(state)
    assert found is not None
    buy, way = found
    ways = payments(state)[buy]
    created = resume(api, state)
    ann = welcome()
    ann.open(created, state.seat)
    seen = ann.wait_for_turn()

    ann.press(f'[data-card="{buy.removeprefix("buy ")}"]')
    if len(ways) > 1:
        ann.press("#other-ways")
    button = ann.page.locator("#actions .act").nth(ways.index(way))
    assert "with discounts" in button.inner_text()
    button.click()
    ann.wait_after(seen["version"])
    take_the_turn(ann, seen["turn"])
    for words in ("uses the discount of", "receives", "uses"):
        assert ann.page.locator(f".log >> text={words}").count() >= 1
    assert ann.finish() in {"points", "crowns", "color", "limit"}

    key = {"Authorization": f"Bearer {created['seats'][state.seat]['key']}"}
    record = api.http.get(f"/api/matches/{created['match']}/record", headers=key).json()
    played = record["decisions"][len(state.decisions) :]
    for kind in (way.discounts[0], "use ", NEW_ROYALS):
        assert any(decision.startswith(kind) for decision in played), kind
